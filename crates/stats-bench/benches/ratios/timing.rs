//! The scope of a timer, compared with puffin's and with recording a time that is measured by hand.

use std::hint::black_box;
use std::time::{Duration, Instant};

use stats_bench::{Bar, Contest, Table};
use stats_core::{SpanCollector, Timer};

const OPS: u64 = 4 * 1024;

static TIMER: Timer = Timer::new("bench/timer");
/// Receives times that are measured by hand, without the stack of scopes.
static MEASURED: Timer = Timer::new("bench/measured");

pub(crate) fn measure(table: &mut Table) {
    // The first scopes calibrate the cycle counter.
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_millis(50) {
        drop(TIMER.scope());
    }
    puffin::set_scopes_on(true);
    let outcome = Contest::new()
        .with(OPS, || (0..OPS).for_each(|_| drop(TIMER.scope())))
        .with(OPS, || {
            // An outer scope keeps puffin from handing over its stream after each scope, which
            // favors puffin.
            puffin::profile_scope!("outer");
            (0..OPS).for_each(|_| {
                puffin::profile_scope!("inner");
            });
            puffin::GlobalProfiler::lock().new_frame();
        })
        .with(OPS, || {
            (0..OPS).for_each(|_| {
                let begun = Instant::now();
                MEASURED.record(begun.elapsed());
            });
        })
        .with(OPS, || {
            for _ in 0..OPS {
                black_box(cycles());
                black_box(cycles());
            }
        })
        .run();
    #[cfg(target_arch = "x86_64")]
    table.row(
        "timer scope / two readings of the cycle counter",
        &[outcome.ns(0), outcome.ns(3)],
        outcome.ratio(0, 3),
        "×",
        Bar::AtMost(1.5),
    );
    table.row(
        "`puffin::profile_scope!` / timer scope",
        &[outcome.ns(1), outcome.ns(0)],
        outcome.ratio(1, 0),
        "×",
        Bar::AtLeast(3.0),
    );
    table.row(
        "timer scope / `Instant::now`, and `Timer::record` of the elapsed time",
        &[outcome.ns(0), outcome.ns(2)],
        outcome.ratio(0, 2),
        "×",
        Bar::AtMost(1.2),
    );
}

/// Measures a scope while scopes are collected. The reading of what threads wrote is not measured:
/// it takes place at the end of a frame, or on another thread.
pub(crate) fn measure_collected(table: &mut Table) {
    let run = || {
        let begun = Instant::now();
        (0..OPS).for_each(|_| drop(TIMER.scope()));
        begun.elapsed()
    };
    let outcome = Contest::new()
        .with_own_clock(OPS, || {
            let mut collector = SpanCollector::begin();
            // The queue is made by the first scope.
            drop(TIMER.scope());
            let time = run();
            if let Some(collector) = &mut collector {
                collector.take(|span| _ = black_box(span));
            }
            time
        })
        .with_own_clock(OPS, run)
        .run();
    table.row(
        "timer scope that is collected for a timeline or a capture / not collected",
        &[outcome.ns(0), outcome.ns(1)],
        outcome.ratio(0, 1),
        "×",
        Bar::AtMost(2.0),
    );
}

/// Reads the processor's cycle counter, the floor of a scope's cost, which differs between
/// machines.
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "reading the cycle counter is an intrinsic")]
fn cycles() -> u64 {
    // SAFETY: `rdtsc` exists on every x86-64 processor and touches no memory.
    unsafe { std::arch::x86_64::_rdtsc() }
}

/// Elsewhere, there is no row with this contender.
#[cfg(not(target_arch = "x86_64"))]
fn cycles() -> u64 {
    0
}
