//! Records captures and reads them back, as a program does.

mod errors;
mod foreign;
mod marks;
mod model;
mod names;
mod recordings;
mod round_trip;
mod run;
mod source;
mod stalls;
mod targets;
mod write;

use stats_capture::{Capture, CaptureFile, CaptureOptions, Column};

/// Starts a capture in the folder of a test.
fn start(folder: &stats_testing::Folder) -> Capture {
    Capture::create(folder.0.join("run.parquet"), CaptureOptions::default())
        .expect("it can be written")
}

/// Completes a capture and opens it.
fn finished(capture: Capture) -> CaptureFile {
    let path = capture.finish().expect("it can be written");
    CaptureFile::open(path).expect("it was just written")
}

/// The values of a series by frame; `None` for unknown values.
fn values(file: &CaptureFile, path: &str) -> Vec<Option<f64>> {
    let column: Column = file.read(path).expect("the series is there");
    let slice = column.slice();
    let frames = stats_core::Source::frames(file);
    frames
        .map(|frame| slice.at(frame).filter(|value| !value.is_nan()))
        .collect()
}
