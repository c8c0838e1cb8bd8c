//! The file of a run of 45 minutes: its size, and the speed of writing and reading it.

use std::hint::black_box;
use std::io::Read;
use std::time::Duration;

use stats_bench::{Bar, Contest, Table};
use stats_capture::CaptureFile;

use crate::defaults;
use crate::run::{Folder, Series, record};

/// 45 minutes at 60 frames per second.
pub(crate) const FRAMES: u64 = 162_000;

/// So few that no block is missing, even if the writer thread is slow.
const FEW_FRAMES: u64 = 4_200;

pub(crate) fn measure(table: &mut Table, series: &mut Series) {
    let folder = Folder::new();
    let begun = processor_time();
    record(&folder.file("few.parquet"), series, FEW_FRAMES);
    let taken = processor_time().saturating_sub(begun);
    let us = taken.as_secs_f64() * 1e6 / FEW_FRAMES as f64;
    table.row(
        "120 columns recorded, written to the journal and compacted, processor time for each frame",
        &[],
        us,
        "µs",
        Bar::AtMost(100.0),
    );
    let path = record(&folder.file("run.parquet"), series, FRAMES);
    let bytes = std::fs::metadata(&path).map_or(0, |file| file.len()) as f64;
    let file = CaptureFile::open(&path).expect("it was just written");
    let raw = 8.0 * (file.series().len() as u64 * FRAMES) as f64;
    table.row(
        "size of a capture of 162,000 frames of 120 columns / 8 bytes for each value",
        &[],
        bytes / raw,
        "×",
        Bar::AtMost(0.25),
    );
    let defaults = defaults::write(&file, &folder.file("defaults.parquet"));
    let defaults = defaults.expect("it can be written") as f64;
    table.row(
        "size of that capture / the same values with Parquet's defaults",
        &[],
        bytes / defaults,
        "×",
        Bar::AtMost(0.6),
    );
    let plain = folder.file("plain");
    std::fs::write(&plain, vec![7; 8 * FRAMES as usize]).expect("it can be written");
    let read_plain = || {
        let mut content = Vec::new();
        let read = std::fs::File::open(&plain).and_then(|mut file| file.read_to_end(&mut content));
        assert!(read.is_ok());
        let numbers = content
            .chunks_exact(8)
            .filter_map(|number| number.try_into().ok());
        black_box(numbers.map(f64::from_le_bytes).collect::<Vec<f64>>());
    };
    let read = |path: &str| drop(black_box(file.read(path).expect("it was just written")));
    let outcome = Contest::new()
        .with(1, || read("bench/timer/20"))
        .with(1, || read("bench/gauge/5"))
        .with(1, || read("bench/counter/5"))
        .with(1, read_plain)
        .run();
    for (at, what) in ["a timer", "a gauge", "a counter"].into_iter().enumerate() {
        table.row(
            &format!("reading the 162,000 values of {what} / of a file of plain numbers"),
            &[outcome.ns(at), outcome.ns(3)],
            outcome.ratio(at, 3),
            "×",
            Bar::AtMost(10.0),
        );
    }
    let outcome = Contest::new()
        .with(1, || {
            drop(black_box(
                CaptureFile::open(&path).expect("it was just written"),
            ))
        })
        .run();
    table.row(
        "opening a capture of 162,000 frames",
        &[outcome.ns(0)],
        outcome.ns(0) / 1e6,
        "ms",
        Bar::AtMost(50.0),
    );
}

/// Returns the processor time of all threads so far. It does not include the pauses of `record`.
#[cfg(unix)]
fn processor_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

/// Returns the time of day: other systems report processor times in steps that are too long.
#[cfg(not(unix))]
fn processor_time() -> Duration {
    static BEGUN: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    BEGUN.elapsed()
}
