//! Deferred values of several threads, read by others.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use stats_core::limits::LATE_FRAMES;
use stats_core::{DeferredSeries, DeferredSource, FrameStamp, Recorder, Watch};

use crate::{Random, alone, dropped, values};

/// The number of stamps of each writer, and the number of values for each.
const STAMPS: u64 = 20_000;
const EACH: f64 = 3.0;

/// The number of deliveries of each of the two writers; `u64::MAX` when it is done.
type Progress = [AtomicU64; 2];

#[test]
fn every_value_is_in_one_frame_while_threads_deliver_and_others_end_frames() {
    let _alone = alone();
    let late = DeferredSource::new();
    let series = late.counter("test/late/threads");
    let recorders = [1, 2, 3].map(|_| {
        let mut recorder = Recorder::with_history(1 << 18);
        let watch = recorder.watch(series.id());
        (recorder, watch)
    });
    let (is_over, progress) = (&AtomicBool::new(false), &Progress::default());
    let dropped = dropped(|| {
        thread::scope(|scope| {
            let readers = recorders.map(|(recorder, watch)| {
                scope.spawn(move || read(recorder, &watch, progress, is_over))
            });
            let writers = [0, 1].map(|writer| {
                let late = late.clone();
                scope.spawn(move || {
                    write(
                        &late,
                        series,
                        Random::new(writer as u64 + 1),
                        &progress[writer],
                    )
                })
            });
            writers
                .into_iter()
                .for_each(|writer| writer.join().unwrap());
            is_over.store(true, Ordering::Release);
            for reader in readers {
                assert_eq!(reader.join().unwrap(), 2.0 * EACH * STAMPS as f64);
            }
        });
    });
    assert_eq!(dropped, 0.0);
}

/// Issues stamps and delivers for them, up to eight stamps later and in any order.
fn write(late: &DeferredSource, series: DeferredSeries, mut random: Random, progress: &AtomicU64) {
    let mut waiting = Vec::<FrameStamp>::new();
    for n in 0..STAMPS {
        waiting.push(late.issue());
        if waiting.len() > 8 {
            let stamp = waiting.swap_remove(random.below(8) as usize);
            late.deliver(stamp, &[(series, 1.0), (series, EACH - 1.0)]);
            progress.fetch_add(1, Ordering::Release);
        }
        if n % 500 == 0 {
            thread::yield_now();
        }
    }
    waiting
        .into_iter()
        .for_each(|stamp| late.deliver(stamp, &[(series, EACH)]));
    progress.store(u64::MAX, Ordering::Release);
}

/// Ends frames until all writers are done, and returns the sum of all values. Each frame lasts for
/// at least 16 deliveries of each writer, however the threads are scheduled, so no stamp waits for
/// too many frames.
fn read(mut recorder: Recorder, watch: &Watch, progress: &Progress, is_over: &AtomicBool) -> f64 {
    let mut seen: Vec<f64> = Vec::new();
    let mut before = [0; 2];
    while !is_over.load(Ordering::Acquire) {
        let now = progress
            .each_ref()
            .map(|progress| progress.load(Ordering::Acquire));
        if now
            .iter()
            .zip(before)
            .any(|(now, before)| *now != u64::MAX && *now < before + 16)
        {
            thread::yield_now();
            continue;
        }
        before = now;
        recorder.end_frame();
        let window = recorder.history(watch, usize::MAX);
        assert_eq!(window.first_frame(), 0);
        seen.extend(window.iter().skip(seen.len()));
    }
    (0..=LATE_FRAMES).for_each(|_| recorder.end_frame());
    let all = values(&recorder, watch);
    assert_eq!(
        all[..seen.len()],
        seen,
        "values that were read do not change"
    );
    all.iter().sum()
}
