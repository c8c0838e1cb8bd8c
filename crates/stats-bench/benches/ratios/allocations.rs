//! Allocations in the steady state, counted by the program's own allocator.

use stats_bench::{Bar, Table};
use stats_core::{Counter, Gauge, Recorder, Timer};

pub(crate) fn measure(table: &mut Table) {
    static COUNTER: Counter = Counter::new("bench/allocations/counter");
    static GAUGE: Gauge = Gauge::new("bench/allocations/gauge");
    static TIMER: Timer = Timer::new("bench/allocations/timer");
    let mut recorder = Recorder::new();
    let watches =
        [COUNTER.id(), GAUGE.id(), TIMER.id(), TIMER.calls_id()].map(|id| recorder.watch(id));
    let mut frame = || {
        COUNTER.add(1);
        GAUGE.set(2.0);
        TIMER.time(|| COUNTER.add(0.5));
        recorder.end_frame();
        assert!(!recorder.history(&watches[0], 600).is_empty());
    };
    frame();
    let count = stats_testing::allocations(|| (0..10_000).for_each(|_| frame()));
    table.row(
        "allocations in 10,000 frames of adds and `end_frame`",
        &[],
        count as f64,
        "",
        Bar::AtMost(0.0),
    );
}
