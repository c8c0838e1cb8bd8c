//! The game's thread allocates nothing in a frame, however much is watched.
#![cfg(feature = "enabled")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use stats_core::{Recorder, Source, counter};
use stats_remote::{Remote, RemoteOptions, RemoteSource};
use stats_testing::{allocations, grown_bytes};

#[global_allocator]
static ALLOCATOR: stats_testing::Counting = stats_testing::Counting;

#[test]
fn a_frame_with_300_watched_series_and_rows_on_screen_allocates_nothing() {
    const SERIES: usize = 300;
    let counters: Vec<_> = (0..SERIES)
        .map(|n| counter(&format!("allocations/{n}")))
        .collect();
    let mut options = RemoteOptions::default();
    options.port = 0;
    let mut remote = Remote::start(options).expect("a port is free");
    let mut recorder = Recorder::new();
    recorder.mark("from here", stats_core::MarkEvent::Begin);
    let address = remote.address().clone();
    let (is_ready, is_over) = (AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut viewer = RemoteSource::connect(&address).expect("the game answers");
            let mut watches = Vec::new();
            while !is_ready.load(Ordering::Acquire) && !is_over.load(Ordering::Acquire) {
                viewer.pump();
                if watches.is_empty() && viewer.find("allocations/299").is_some() {
                    for number in 0..SERIES {
                        let id = viewer.find(&format!("allocations/{number}"));
                        watches.extend(id.map(|id| viewer.watch(id)));
                    }
                }
                let rows = (0..20).filter_map(|n| viewer.find(&format!("allocations/{n}")));
                let rows: Vec<_> = rows.collect();
                let has_rows = rows.iter().filter(|id| viewer.peek(**id).is_some()).count() == 20;
                let has = |watch| viewer.history(watch, 1).last().is_some();
                if has_rows && watches.len() == SERIES && watches.iter().all(has) {
                    is_ready.store(true, Ordering::Release);
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            // It stays, and asks for nothing more.
            while !is_over.load(Ordering::Acquire) {
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        let mut frame = |number: u64| {
            counters.iter().for_each(|counter| counter.add(number));
            recorder.end_frame();
            remote.publish(&mut recorder);
        };
        let begun = Instant::now();
        while !is_ready.load(Ordering::Acquire) && begun.elapsed() < Duration::from_secs(60) {
            frame(1);
            std::thread::sleep(Duration::from_micros(500));
        }
        let mut made = u64::MAX;
        // Nothing is freed either.
        let grown = grown_bytes(|| made = allocations(|| (0..10_000).for_each(&mut frame)));
        is_over.store(true, Ordering::Release);
        assert!(
            is_ready.load(Ordering::Acquire),
            "the viewer sees all series"
        );
        assert_eq!((made, grown), (0, 0));
    });
}
