//! Late values of several threads, read by others.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use stats_core::limits::LATE_FRAMES;
use stats_core::{DeferredSeries, DeferredSource, FrameStamp, Recorder, Watch};

use crate::{Random, alone, dropped, values};

/// How many stamps each writer issues, and what it delivers for each.
const STAMPS: u64 = 20_000;
const EACH: f64 = 3.0;

/// What each of the two writers has delivered; `u64::MAX` when it is done.
type Progress = [AtomicU64; 2];

#[test]
fn every_value_is_in_one_frame_while_threads_deliver_and_others_push() {
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
                    write(&late, series, Random(writer as u64 + 1), &progress[writer])
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

/// Issues stamps and delivers for them, up to eight later and in no order.
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

/// Pushes frames until all is over; the sum of all values. Frames are no shorter than 16 deliveries
/// of each writer, however the threads take turns: so no stamp waits for as many frames as a value
/// may be late.
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
    assert_eq!(all[..seen.len()], seen, "what was seen once stays");
    all.iter().sum()
}
