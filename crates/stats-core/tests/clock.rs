//! Scopes are timed by the clock that the program sets. The test has its own process, because a
//! process has one clock.
#![cfg(feature = "enabled")]

use std::cell::Cell;
use std::time::Duration;

use stats_core::{Recorder, SeriesId, set_clock, timer};

thread_local! {
    static NOW: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

fn advance(ms: u64) {
    NOW.set(NOW.get() + Duration::from_millis(ms));
}

#[test]
fn scopes_take_the_time_of_the_clock_that_the_program_set() {
    let (outer, inner) = (timer("clock/outer"), timer("clock/inner"));
    // The rate of the machine's clock is measured, and no longer used.
    let begun = std::time::Instant::now();
    while begun.elapsed() < Duration::from_millis(50) {
        drop(outer.scope());
    }
    assert!(set_clock(|| NOW.get()));
    assert!(!set_clock(|| Duration::MAX), "the first one is kept");

    let mut recorder = Recorder::new();
    recorder.end_frame();
    let watches = [outer.id(), outer.self_id(), inner.id()].map(|id: SeriesId| recorder.watch(id));
    {
        let _outer = outer.scope();
        advance(3);
        inner.time(|| advance(40));
        // Another thread has its own time.
        std::thread::spawn(move || advance(500)).join().unwrap();
        advance(4);
    }
    recorder.end_frame();
    let values = watches.map(|watch| recorder.history(&watch, 1).last());
    assert_eq!(
        values.map(|ms| ms.map(f64::round)),
        [47.0, 7.0, 40.0].map(Some)
    );
}
