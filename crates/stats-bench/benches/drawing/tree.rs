//! A tree of 100,000 counters.

use stats_bench::{Bar, Contest, Table};
use stats_core::counter;
use stats_overlay::Mode;

use crate::host::{FRAMES, Host};

/// The texts in the search box while a user types, key by key.
const TYPED: [&str; 12] = [
    "l",
    "le",
    "lev",
    "leve",
    "level",
    "level-1",
    "level-12",
    "level-12 e",
    "level-12 en",
    "level-12 ene",
    "rend lev",
    "rlu",
];

pub(crate) fn measure(table: &mut Table) {
    for number in 0..100_000_usize {
        let system = ["renderer", "physics", "game", "audio", "ai"][number % 5];
        let _ = counter(&format!(
            "{system}/level-{}/enemy-{number}/updates",
            number % 300
        ));
    }
    // Everything matches, so all folders are open and all 100,000 rows are listed.
    let mut open = searching("updates");
    let mut searched = searching("updates");
    let mut typed = 0;
    let outcome = Contest::new()
        .with(FRAMES, || open.live_round())
        .with(1, || {
            searched.overlay.set_search(TYPED[typed % TYPED.len()]);
            typed += 1;
            searched.draw();
        })
        .run();
    let ns = [outcome.ns(0), outcome.ns(1)];
    table.row(
        "tree of 100,000 counters, all folders open: whole overlay",
        &ns[..1],
        ns[0] / 1e6,
        "ms",
        Bar::AtMost(0.3),
    );
    table.row(
        "search among 100,000 counters, for each key typed: whole overlay",
        &ns[1..],
        ns[1] / 1e6,
        "ms",
        Bar::AtMost(1.5),
    );
    // Apart from the others, which would have to take in each new counter.
    let mut changed = searching("changed");
    let changed = Contest::new().with(FRAMES, || changed.live_round()).run();
    table.row(
        "search for `changed` among 100,000 counters, with a new frame each time: whole overlay",
        &[changed.ns(0)],
        changed.ns(0) / 1e6,
        "ms",
        Bar::AtMost(4.0),
    );
    let (mut host, mut registered) = (searching(""), 0);
    let grown = Contest::new()
        .with(1, || {
            let _ = counter(&format!("grown/{registered}"));
            registered += 1;
            host.draw();
        })
        .run();
    table.row(
        "a frame in which a counter is registered beside 100,000 others: whole overlay",
        &[grown.ns(0)],
        grown.ns(0) / 1e6,
        "ms",
        Bar::AtMost(4.0),
    );
}

/// Creates an overlay in full mode with `terms` in its search box.
fn searching(terms: &str) -> Host {
    let mut host = Host::new(Mode::Full, 0, 4096);
    host.overlay.set_search(terms);
    (0..60).for_each(|_| host.draw());
    host
}
