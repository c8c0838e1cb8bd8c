//! A tree of 100,000 counters, and of a million.

use std::time::Duration;

use stats_bench::{Bar, Contest, Table};
use stats_core::counter;
use stats_overlay::Mode;

use crate::clock::cpu_time;
use crate::host::{FRAMES, Host, path};
use crate::peer::Peer;

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

/// The number of times that the work of a worst frame is measured. The smallest time of each frame
/// counts, because other programs may slow any frame, but not the same one each time.
const TRIES: usize = 3;

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
    worst_frames(table, "100,000 counters", 4.0);
}

/// Measures a tree of a million counters.
pub(crate) fn measure_million(table: &mut Table) {
    register(0..1_000_000);
    worst_frames(table, "a million counters", 8.0);
}

fn register(numbers: std::ops::Range<usize>) {
    for number in numbers {
        let system = ["renderer", "physics", "game", "audio", "ai"][number % 5];
        let _ = counter(&format!(
            "{system}/level-{}/enemy-{number}/updates",
            number % 300
        ));
    }
}

/// Measures the longest frames during work that is spread over many frames.
fn worst_frames(table: &mut Table, among: &str, bar_ms: f64) {
    let mut row = |what: &str, worst: Worst| {
        let Worst { frame, frames } = worst;
        table.row(
            &format!("worst frame of the whole overlay with {among}: {what}, {frames} frames"),
            &[frame.as_secs_f64() * 1e9],
            frame.as_secs_f64() * 1e3,
            "ms",
            Bar::AtMost(bar_ms),
        );
    };
    let full = || {
        let mut host = Host::new(Mode::Full, 0, 600);
        settle(&mut host);
        host
    };
    row(
        "the first HUD, of 8 counters",
        worst_of(|| {
            let mut host = Host::new(Mode::Hidden, 8, 600);
            (0..8).for_each(|number| host.overlay.set_pinned(&path(number), true));
            host.overlay.set_mode(Mode::Hud);
            settle(&mut host)
        }),
    );
    row(
        "opening the full overlay",
        worst_of(|| {
            // The HUD has already drawn its text.
            let mut host = Host::new(Mode::Hud, 8, 600);
            host.overlay.set_mode(Mode::Full);
            settle(&mut host)
        }),
    );
    let mut keys = Worst::default();
    let mut hosts: [Host; TRIES] = std::array::from_fn(|_| full());
    for typed in TYPED.iter().chain(&["u", "updates", ""]) {
        let mut hosts = hosts.iter_mut();
        let key = worst_of(|| {
            let host = hosts.next().expect("there is one for each try");
            host.overlay.set_search(typed);
            settle(host)
        });
        keys.frame = keys.frame.max(key.frame);
        keys.frames = keys.frames.max(key.frames);
    }
    drop(hosts);
    row("a key of a search", keys);
    let mut host = full();
    row(
        "`spiking`",
        worst_of(|| {
            host.overlay.set_search("");
            settle(&mut host);
            host.overlay.set_search("spiking");
            settle(&mut host)
        }),
    );
}

/// The longest frame, and the number of frames until nothing is left to do.
#[derive(Clone, Copy, Default)]
struct Worst {
    frame: Duration,
    frames: usize,
}

/// Returns the worst frame of work that is done several times.
fn worst_of(mut measure: impl FnMut() -> Vec<Duration>) -> Worst {
    let mut frames = measure();
    for _ in 1..TRIES {
        let again = measure();
        for (frame, again) in frames.iter_mut().zip(&again) {
            *frame = (*again).min(*frame);
        }
        // The work is done when the shortest try ends.
        frames.truncate(again.len());
    }
    let shortest = frames.iter().min().copied().unwrap_or_default();
    Worst {
        frame: frames.iter().max().copied().unwrap_or_default(),
        frames: frames
            .iter()
            .rposition(|frame| *frame > shortest + HARDLY)
            .map_or(0, |last| last + 1),
    }
}

/// A frame that takes longer than the shortest one by this much has work to do.
const HARDLY: Duration = Duration::from_micros(400);

/// Draws frames until they are short, and returns their times. Each is a new frame of the recorder,
/// whose end counts as well: it surveys the series.
fn settle(host: &mut Host) -> Vec<Duration> {
    /// The work is done when this number of frames in a row took hardly longer than the shortest.
    const LAST: usize = 30;
    const MAX_FRAMES: usize = 1000;
    let (mut frames, mut shortest, mut worked) = (Vec::new(), Duration::MAX, 0);
    while frames.len() < (worked + LAST).min(MAX_FRAMES) {
        let begun = cpu_time();
        host.record_frame();
        host.draw();
        let frame = cpu_time().saturating_sub(begun);
        frames.push(frame);
        shortest = shortest.min(frame);
        if frame > shortest + HARDLY {
            worked = frames.len();
        }
    }
    frames
}

/// Whether each frame is examined for hitches, which reads the values of all series.
#[derive(PartialEq)]
enum Hitches {
    Off,
    On,
}

/// Creates an overlay in full mode with `terms` in its search box.
fn searching(terms: &str, hitches: Hitches) -> Host {
    let mut host = Host::new(Mode::Full, 0, 4096);
    let mut settings = host.overlay.settings().clone();
    settings.hitches = hitches == Hitches::On;
    host.overlay.set_settings(&settings);
    host.overlay.set_search(terms);
    (0..200).for_each(|_| host.draw());
    host
}
