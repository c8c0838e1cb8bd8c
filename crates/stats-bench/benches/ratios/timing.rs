//! The scope of a timer, compared with puffin's and with recording a time that is measured by hand.

use std::time::{Duration, Instant};

use stats_bench::{Bar, Contest, Table};
use stats_core::Timer;

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
        .run();
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
