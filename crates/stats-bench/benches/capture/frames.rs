//! The end of a frame of a capture, on the thread of the game.

use std::hint::black_box;
use std::time::{Duration, Instant};

use stats_bench::{Bar, Contest, Table};
use stats_capture::{Capture, CaptureOptions};
use stats_core::{CounterHandle, Recorder, Source, counter};

use crate::run::Folder;

const SERIES: usize = 1000;

/// The frames of one measurement: a block.
const FRAMES: u64 = 600;

pub(crate) fn measure(table: &mut Table) {
    let folder = Folder::new();
    let series: Vec<CounterHandle> = (0..SERIES)
        .map(|number| counter(&format!("bench/frames/{number}")))
        .collect();
    let mut capture = Capture::create(folder.file("frames.parquet"), CaptureOptions::default())
        .expect("it can be written");
    let mut recorder = Recorder::new();
    let mut time = 0.0;
    let mut last = capture.dropped_frames();
    let mut registered = 0;
    stats_core::for_each_series(|info| registered += 1 + usize::from(info.calls.is_some()));
    let values = vec![1.0; registered];
    let mut rows = Vec::with_capacity(registered * FRAMES as usize);
    let each = FRAMES * registered as u64;
    let outcome = Contest::new()
        .with_own_clock(each, || {
            let mut taken = Duration::ZERO;
            for _ in 0..FRAMES {
                series.iter().for_each(CounterHandle::increment);
                time += 1.0 / 60.0;
                let begun = Instant::now();
                capture.end_frame_at(time);
                taken += begun.elapsed();
            }
            // The thread that writes keeps up, and takes nothing from the others.
            std::thread::sleep(Duration::from_millis(100));
            let dropped = std::mem::replace(&mut last, capture.dropped_frames());
            assert_eq!(dropped, last, "the thread that writes is too slow");
            taken
        })
        .with_own_clock(each, || {
            let mut taken = Duration::ZERO;
            for _ in 0..FRAMES {
                series.iter().for_each(CounterHandle::increment);
                let begun = Instant::now();
                recorder.end_frame();
                recorder.survey(&mut |_, value| {
                    black_box(value);
                });
                taken += begun.elapsed();
            }
            taken
        })
        .with(each, || {
            rows.clear();
            (0..FRAMES).for_each(|_| rows.extend_from_slice(black_box(&values)));
            black_box(&rows);
        })
        .run();
    table.row(
        "a frame of a capture, for each series",
        &[outcome.ns(0), outcome.ns(2)],
        outcome.beyond(0, 2),
        "ns",
        Bar::AtMost(10.0),
    );
    table.row(
        "a frame of a capture / a survey that nobody keeps",
        &[outcome.ns(0), outcome.ns(1)],
        outcome.ratio(0, 1),
        "×",
        Bar::AtMost(3.0),
    );
}
