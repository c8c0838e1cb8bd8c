//! A graph, compared with egui_plot drawing every point.

use stats_bench::{Bar, Contest, Table};
use stats_overlay::{Mode, SavedPane};

use crate::clock::cpu_time;
use crate::host::{FRAMES, Host, path};
use crate::peer::{Peer, SERIES};

pub(crate) fn measure(table: &mut Table) {
    for (points, bar) in [(4096, 0.06), (100_000, 0.01)] {
        measure_points(table, points, bar);
    }
}

/// Measures one graph pane: the overlay with two panes of the same eight series, minus the overlay
/// with one. This includes grid, labels, legend and marks, but not the search for spikes, which
/// both overlays do once.
fn measure_points(table: &mut Table, points: usize, bar: f64) {
    let (mut one, mut two) = (panes(1, points), panes(2, points));
    let (mut one_live, mut two_live) = (panes(1, points), panes(2, points));
    let (mut all, mut all_live) = (Peer::new(points), Peer::new(points));
    let outcome = Contest::timed_by(cpu_time)
        .with(FRAMES, || one.draw_round())
        .with(FRAMES, || two.draw_round())
        .with(FRAMES, || all.draw_round())
        .with(FRAMES, || one_live.live_round())
        .with(FRAMES, || two_live.live_round())
        .with(FRAMES, || all_live.live_round())
        .run();
    for (first, how) in [(0, "paused"), (3, "with a new frame each time")] {
        let ns = [
            outcome.ns(first + 1),
            outcome.ns(first),
            outcome.ns(first + 2),
        ];
        let what = format!(
            "graph of 8 × {points} points, {how}: two panes minus one / egui_plot, all points"
        );
        table.row(&what, &ns, (ns[0] - ns[1]) / ns[2], "×", Bar::AtMost(bar));
    }
}

/// Creates an overlay with `count` graphs of the same series, which show the whole history.
fn panes(count: usize, points: usize) -> Host {
    let mut host = Host::new(Mode::Full, SERIES, points);
    let paths: Vec<String> = (0..SERIES).map(path).collect();
    let pane = SavedPane::new(paths.iter().map(String::as_str));
    host.overlay.show_panes(&vec![pane; count]);
    host.zoom_out();
    host
}
