//! A timer's scope, compared with puffin's.

use std::time::{Duration, Instant};

use stats_bench::{Bar, Contest, Table};
use stats_core::Timer;

const OPS: u64 = 4 * 1024;

static TIMER: Timer = Timer::new("bench/timer");

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
        .run();
    table.row(
        "`puffin::profile_scope!` / timer scope",
        &[outcome.ns(1), outcome.ns(0)],
        outcome.ratio(1, 0),
        "×",
        Bar::AtLeast(3.0),
    );
}
