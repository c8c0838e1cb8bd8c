//! The end of a frame of a capture, on the game thread.

use std::hint::black_box;
use std::time::{Duration, Instant};

use stats_bench::{Bar, Contest, Table};
use stats_capture::{Capture, CaptureOptions};
use stats_core::source::Survey;
use stats_core::{CounterHandle, Recorder, counter};

use crate::run::{Folder, Series};

const MANY: usize = 10_000;

/// A capture whose frames are measured.
struct Recorded {
    capture: Capture,
    time: f64,
    dropped: u64,
}

impl Recorded {
    fn new(folder: &Folder, name: &str) -> Self {
        let path = folder.file(name);
        let capture = Capture::create(path, CaptureOptions::default());
        Self {
            capture: capture.expect("it can be written"),
            time: 0.0,
            dropped: 0,
        }
    }

    /// Returns the time that the ends of some frames take, each after `count`.
    fn frames(&mut self, frames: u64, mut count: impl FnMut()) -> Duration {
        let mut taken = Duration::ZERO;
        for frame in 1..=frames {
            count();
            self.time += 1.0 / 60.0;
            let begun = Instant::now();
            self.capture.end_frame_at(self.time);
            taken += begun.elapsed();
            // A few buffers of 128 frames wait for the writer thread.
            if frame.is_multiple_of(100) {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        // Lets the writer thread finish, so that it takes no time from the other contenders.
        std::thread::sleep(Duration::from_millis(100));
        let dropped = std::mem::replace(&mut self.dropped, self.capture.dropped_frames());
        assert_eq!(dropped, self.dropped, "the writer thread is too slow");
        taken
    }
}

/// Returns the time that `work` takes after each of some frames, each after `count`.
fn timed(frames: u64, mut count: impl FnMut(), mut work: impl FnMut()) -> Duration {
    let mut taken = Duration::ZERO;
    for _ in 0..frames {
        count();
        let begun = Instant::now();
        work();
        taken += begun.elapsed();
    }
    taken
}

/// Measures a frame of the 120 columns of a game.
pub(crate) fn measure_few(table: &mut Table, series: &mut Series) {
    const FRAMES: u64 = 600;
    let folder = Folder::new();
    let mut recorded = Recorded::new(&folder, "few.parquet");
    let mut recorder = Recorder::new();
    let mut other = Series::new();
    let outcome = Contest::new()
        .with_own_clock(FRAMES, || recorded.frames(FRAMES, || series.count()))
        .with_own_clock(FRAMES, || {
            timed(FRAMES, || other.count(), || recorder.end_frame())
        })
        .run();
    table.row(
        "a frame of a capture of 120 columns, beyond `Recorder::end_frame`",
        &[outcome.ns(0), outcome.ns(1)],
        outcome.beyond(0, 1) / 1e3,
        "µs",
        Bar::AtMost(1.5),
    );
}

/// Measures a frame of many series. They stay registered, so this is measured last.
pub(crate) fn measure_many(table: &mut Table) {
    const FRAMES: u64 = 60;
    let folder = Folder::new();
    let series: Vec<CounterHandle> = (0..MANY)
        .map(|number| counter(&format!("bench/frames/{number}")))
        .collect();
    let count = || series.iter().for_each(CounterHandle::increment);
    let mut recorded = Recorded::new(&folder, "many.parquet");
    let mut recorder = Recorder::new();
    let mut registered = 0;
    stats_core::for_each_series(|info| registered += 1 + usize::from(info.calls.is_some()));
    let values = vec![1.0; registered];
    let mut rows = Vec::with_capacity(registered * FRAMES as usize);
    let each = FRAMES * registered as u64;
    let outcome = Contest::new()
        .with_own_clock(each, || recorded.frames(FRAMES, count))
        .with_own_clock(each, || {
            timed(FRAMES, count, || {
                recorder.end_frame();
                for value in recorder.survey().iter().flat_map(Survey::iter) {
                    black_box(value);
                }
            })
        })
        .with(each, || {
            rows.clear();
            (0..FRAMES).for_each(|_| rows.extend_from_slice(black_box(&values)));
            black_box(&rows);
        })
        .run();
    table.row(
        "a frame of a capture of 10,000 series, for each series",
        &[outcome.ns(0)],
        outcome.ns(0),
        "ns",
        Bar::AtMost(4.0),
    );
    table.row(
        "a frame of a capture of 10,000 series / a survey that nobody keeps",
        &[outcome.ns(0), outcome.ns(1)],
        outcome.ratio(0, 1),
        "×",
        Bar::AtMost(3.0),
    );
    table.row(
        "a frame of a capture of 10,000 series / copying as many values",
        &[outcome.ns(0), outcome.ns(2)],
        outcome.ratio(0, 2),
        "×",
        Bar::AtMost(20.0),
    );
}
