//! A tree of 100,000 counters.

use stats_bench::{Bar, Contest, Table};
use stats_core::counter;
use stats_overlay::Mode;

use crate::clock::cpu_time;
use crate::host::{FRAMES, Host};
use crate::peer::Peer;

/// The texts in the search box while a user types, key by key.
pub(crate) const TYPED: [&str; 12] = [
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
    register(0..100_000);
    // Everything matches, so all folders are open and all 100,000 rows are listed.
    let mut open = searching("updates", Hitches::Off);
    let mut examined = searching("updates", Hitches::On);
    let mut searched = searching("updates", Hitches::Off);
    let mut plot = Peer::new(4096);
    let mut typed = 0;
    let outcome = Contest::timed_by(cpu_time)
        .with(FRAMES, || open.live_round())
        .with(FRAMES, || examined.live_round())
        .with(1, || {
            searched.overlay.set_search(TYPED[typed % TYPED.len()]);
            typed += 1;
            searched.draw();
        })
        .with(1, || plot.draw())
        .run();
    for (at, what, bar) in [
        (0, "tree of 100,000 counters, all folders open", 0.2),
        (1, "the same while each frame is examined for hitches", 0.2),
        (2, "search among 100,000 counters, the frame of a key", 1.0),
    ] {
        let what = format!("{what}: whole overlay / egui_plot, 8 × 4096 points");
        let ns = [outcome.ns(at), outcome.ns(3)];
        table.row(&what, &ns, outcome.ratio(at, 3), "×", Bar::AtMost(bar));
    }
    // Not in one contest with the other overlays, which would have to process each new counter.
    let mut changed = searching("changed", Hitches::On);
    let changed = Contest::timed_by(cpu_time)
        .with(FRAMES, || changed.live_round())
        .run();
    table.row(
        "search for `changed` among 100,000 counters, with a new frame each time: whole overlay",
        &[changed.ns(0)],
        changed.ns(0) / 1e6,
        "ms",
        Bar::AtMost(4.0),
    );
    let (mut host, mut registered) = (searching("", Hitches::On), 0);
    let grown = Contest::timed_by(cpu_time)
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

pub(crate) fn register(numbers: std::ops::Range<usize>) {
    for number in numbers {
        let system = ["renderer", "physics", "game", "audio", "ai"][number % 5];
        let _ = counter(&format!(
            "{system}/level-{}/enemy-{number}/updates",
            number % 300
        ));
    }
}

/// Whether each frame is examined for hitches, which reads the values of all series.
#[derive(PartialEq)]
enum Hitches {
    Off,
    On,
}

/// The frames after which the overlay knows what is usual, and has read the listing again.
const SETTLING: usize = 700;

/// Creates an overlay in full mode with `terms` in its search box.
fn searching(terms: &str, hitches: Hitches) -> Host {
    let mut host = Host::new(Mode::Full, 0, 4096);
    let mut settings = host.overlay.settings().clone();
    settings.hitches = hitches == Hitches::On;
    host.overlay.set_settings(&settings);
    host.overlay.set_search(terms);
    (0..200).for_each(|_| host.draw());
    for _ in 0..SETTLING {
        host.record_frame();
        host.draw();
    }
    host
}
