//! Records and reads back, as a program does.

mod errors;
mod marks;
mod model;
mod names;
mod round_trip;
mod run;
mod source;
mod stalls;

use stats_capture::{Capture, CaptureFile, CaptureOptions, Column};

/// Starts a capture in a folder of a test.
fn start(folder: &stats_testing::Folder) -> Capture {
    Capture::create(folder.0.join("run.parquet"), CaptureOptions::default()).unwrap()
}

/// Completes a capture and opens it.
fn finished(capture: Capture) -> CaptureFile {
    CaptureFile::open(capture.finish().unwrap()).unwrap()
}

/// The values of a series by frame, `None` for those that are not known.
fn values(file: &CaptureFile, path: &str) -> Vec<Option<f64>> {
    let column: Column = file.read(path).unwrap();
    let slice = column.slice();
    let frames = stats_core::Source::frames(file);
    frames
        .map(|frame| slice.at(frame).filter(|value| !value.is_nan()))
        .collect()
}
