//! The time that a report of a long run takes.

use std::time::Instant;

use stats_capture::{Capture, CaptureOptions};
use stats_testing::{Folder, Random};

use crate::stats;

/// 45 minutes at 60 frames per second.
const FRAMES: u64 = 162_000;

const SERIES: usize = 120;

/// Run it with `--release`, which is how users build the program.
#[test]
#[ignore = "measures an optimized build, for a minute"]
fn a_report_of_120_series_and_162_000_frames_takes_at_most_1_5_seconds() {
    let kept = std::env::var_os("STATS_TOOL_LONG_RUN");
    let folder = Folder::new("tool-speed");
    let path = kept.map_or(folder.0.join("long.parquet"), Into::into);
    let mut capture = Capture::create(&path, CaptureOptions::default()).unwrap();
    let counters: Vec<_> = (0..SERIES)
        .map(|number| stats_core::counter(&format!("long/{}/{number}", number % 8)))
        .collect();
    let mut random = Random::new(1);
    for frame in 0..FRAMES {
        for counter in &counters {
            counter.add(random.below(1000));
        }
        capture.end_frame();
        // Lets the writer thread keep up, so that no frames are dropped.
        if frame % 100 == 99 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }
    capture.finish().unwrap();
    for line in ["report", "report --format json", "report --html page.html"] {
        let began = Instant::now();
        let output = stats(&folder.0, &format!("{line} {}", path.display()));
        let seconds = began.elapsed().as_secs_f64();
        assert_eq!(output.status.code(), Some(0));
        println!("{line}: {seconds:.2} s");
        assert!(
            seconds <= 1.5 || cfg!(debug_assertions),
            "{line}: {seconds:.2} s"
        );
    }
}
