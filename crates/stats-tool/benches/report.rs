//! The time that `stats report` takes for a run of 45 minutes, with 120 series and 162,000 frames:
//!
//! ```sh
//! cargo bench -p stats-tool --bench report
//! ```
//!
//! The floor is the time in which `stats` prints its help.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use stats_capture::{Capture, CaptureOptions};
use stats_testing::{Folder, Random};

/// 45 minutes at 60 frames per second.
const FRAMES: u64 = 162_000;
const SERIES: usize = 120;
/// How often each command runs. The median time counts.
const RUNS: usize = 5;

fn main() {
    let folder = Folder::new("tool-bench");
    let run = folder.0.join("long.parquet");
    record(&run);
    let (run, page) = (run.display(), folder.0.join("page.html"));
    let floor = secs("--help");
    println!("| 162,000 frames of 120 series | result | bar | the help |");
    println!("|---|---|---|---|");
    let commands = [
        ("as text", format!("report {run}")),
        ("as JSON", format!("report --format json {run}")),
        ("as HTML", format!("report --html {} {run}", page.display())),
    ];
    for (name, command) in commands {
        let took = secs(&command);
        println!("| report {name} | {took:.2} s | ≤ 1.5 s | {floor:.3} s |");
    }
    let bytes = std::fs::metadata(&page).expect("a page").len();
    let mb = bytes as f64 / 1e6;
    println!("| size of the page | {mb:.2} MB | ≤ 1.5 MB | – |");
}

fn record(path: &Path) {
    let mut capture = Capture::create(path, CaptureOptions::default()).expect("a capture");
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
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    capture.finish().expect("a complete capture");
}

/// Returns the median time that a command takes, in seconds.
fn secs(arguments: &str) -> f64 {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let began = Instant::now();
            let status = Command::new(env!("CARGO_BIN_EXE_stats"))
                .args(arguments.split(' '))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .expect("the command starts");
            assert!(status.success(), "{arguments}");
            began.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[RUNS / 2]
}
