//! The command as a user runs it, on captures that these tests record.

#[path = "../common/command.rs"]
mod command;
mod damage;
mod explain;
mod export;
mod extremes;
mod import;
mod json_fields;
mod memory;
#[cfg(unix)]
mod nightly;
mod peers;
mod program;
mod record;
mod report;
mod scopes;
mod slower;
mod standard_input;
mod targets;
mod testers;
mod writers;
#[path = "../common/written.rs"]
mod written;

use std::path::{Path, PathBuf};

use command::{Output, output_bytes, stats, stats_with};
use stats_capture::{Capture, CaptureOptions};
use stats_core::MarkEvent;
use stats_testing::alone;

/// Records frames of 1/60 s, with a series whose value is the number of the frame. Marks the first
/// ten frames as `loading`.
fn record(path: &Path, scenario: &str, frames: u64, series: &str) -> PathBuf {
    let mut options = CaptureOptions::default();
    options.scenario = Some(scenario.to_owned());
    options.commit = Some("abc123".to_owned());
    let _alone = alone();
    let mut capture = Capture::create(path, options).expect("the folder can be written");
    let work = stats_core::counter(series).budget(50.0);
    capture.mark("loading", MarkEvent::Begin);
    for frame in 0..frames {
        work.add(frame);
        if frame == 9 {
            capture.mark("loading", MarkEvent::End);
        }
        // A period that nanoseconds cannot express.
        capture.end_frame_at(frame as f64 / 60.0);
    }
    capture.finish().expect("the folder can be written")
}
