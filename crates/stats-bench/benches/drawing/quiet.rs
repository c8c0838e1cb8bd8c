//! The overlay during play: the HUD, the panes over the game, and the hidden overlay.

use stats_bench::{Bar, Contest, Table};
use stats_core::Recorder;
use stats_overlay::{Mode, StatsOverlay};

use crate::clock::cpu_time;
use crate::host::{FRAMES, Host, Screen, allocations};
use crate::peer::Peer;

/// Many calls in a frame, so that their cost stands out from that of the frame.
const CALLS: u64 = 1000;

pub(crate) fn measure(table: &mut Table) {
    let mut hud = Host::new(Mode::Hud, 8, 4096);
    let mut plot = Peer::new(4096);
    let outcome = Contest::timed_by(cpu_time)
        .with(FRAMES, || hud.live_round())
        .with(FRAMES, || plot.live_round())
        .run();
    table.row(
        "HUD with 8 counters, whole frame / egui_plot, 8 × 4096 points",
        &[outcome.ns(0), outcome.ns(1)],
        outcome.ratio(0, 1),
        "×",
        Bar::AtMost(0.04),
    );
    watch(table);
    allocations(table, "the HUD", &mut hud, 10.0);
    hidden(table);
}

/// Measures one watched pane of eight series with a full history, in its default place.
fn watch(table: &mut Table) {
    let (mut watched, mut peer) = (watched(), Peer::new(4096));
    let outcome = Contest::timed_by(cpu_time)
        .with(FRAMES, || watched.live_round())
        .with(FRAMES, || peer.live_round())
        .run();
    let ns = [outcome.ns(0), outcome.ns(1)];
    table.row(
        "watch: one pane of 8 series, 4096 frames, whole frame / egui_plot, all points",
        &ns,
        ns[0] / ns[1],
        "×",
        Bar::AtMost(0.12),
    );
    let mut counts: Vec<u64> = (0..61).map(|_| watched.count_allocations()).collect();
    counts.sort_unstable();
    // Ten of the frames read numbers. The card of a new hitch takes most, but has no place in the
    // median of the ten: it is laid out once.
    for (what, count, max) in [
        ("allocations in the median frame of watch", counts[30], 20.0),
        (
            "allocations in a frame of watch that reads numbers",
            counts[55],
            20.0,
        ),
    ] {
        table.row(what, &[], count as f64, "", Bar::AtMost(max));
    }
}

fn watched() -> Host {
    let mut host = Host::new(Mode::Full, 8, 4096);
    host.zoom_out();
    host.overlay.set_mode(Mode::Watch);
    (0..60).for_each(|_| host.draw());
    host
}

/// Measures a hidden overlay, minus the `end_frame` that the program would call without an overlay.
fn hidden(table: &mut Table) {
    let (mut overlay, mut recorder) = hidden_overlay();
    let mut plain = Recorder::new();
    let (mut screen, mut screen_of_plain) = (Screen::default(), Screen::default());
    let mut allocations = 0;
    let outcome = Contest::timed_by(cpu_time)
        .with(CALLS, || {
            screen.frame(Vec::new(), |ui| {
                allocations = stats_testing::allocations(|| {
                    for _ in 0..CALLS {
                        recorder.end_frame();
                        overlay.show_with(ui.ctx(), &mut recorder);
                    }
                });
            });
        })
        .with(CALLS, || {
            screen_of_plain.frame(Vec::new(), |_| (0..CALLS).for_each(|_| plain.end_frame()));
        })
        .run();
    let ns = [outcome.ns(0), outcome.ns(1)];
    table.row(
        "hidden overlay, beyond `end_frame`",
        &ns,
        (ns[0] - ns[1]) / 1e3,
        "µs",
        Bar::AtMost(0.15),
    );
    table.row(
        "allocations in 1,000 calls of a hidden overlay",
        &[],
        allocations as f64,
        "",
        Bar::AtMost(0.0),
    );
}

fn hidden_overlay() -> (StatsOverlay, Recorder) {
    let mut host = Host::new(Mode::Full, 8, 4096);
    host.overlay.set_mode(Mode::Hidden);
    host.draw();
    (host.overlay, host.recorder)
}
