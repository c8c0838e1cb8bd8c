//! A graph, compared with egui_plot drawing every point.

use egui::{Pos2, Rect, vec2};
use egui_plot::{Line, Plot, PlotPoint, PlotPoints};
use stats_bench::{Bar, Contest, Table};
use stats_overlay::{Mode, SavedPane};

use crate::host::{FRAMES, Host, Screen, path, value};

pub(crate) const SERIES: usize = 8;

pub(crate) fn measure(table: &mut Table) {
    for (points, bar) in [(4096, 0.35), (100_000, 0.06)] {
        measure_points(table, points, bar);
    }
}

/// Measures one graph pane: the overlay with two panes of the same eight series, minus the overlay
/// with one. This includes grid, labels, legend and marks, but not the search for spikes, which
/// both overlays do once.
fn measure_points(table: &mut Table, points: usize, bar: f64) {
    let (mut one, mut two) = (panes(1, points), panes(2, points));
    let (mut one_live, mut two_live) = (panes(1, points), panes(2, points));
    let (mut all, mut all_live) = (Peer::new(SERIES, points), Peer::new(SERIES, points));
    let outcome = Contest::new()
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

/// A plot of the same size as the overlay's graph. It borrows its points from the program, which is
/// the cheapest way to pass them.
pub(crate) struct Peer {
    screen: Screen,
    series: Vec<Vec<PlotPoint>>,
    points: usize,
}

impl Peer {
    pub(crate) fn new(series: usize, points: usize) -> Self {
        let mut peer = Self {
            screen: Screen::default(),
            series: vec![Vec::new(); series],
            points,
        };
        (0..points).for_each(|_| peer.record_frame());
        (0..10).for_each(|_| peer.draw());
        peer
    }

    fn record_frame(&mut self) {
        for (number, series) in self.series.iter_mut().enumerate() {
            let frame = series.len() as u64;
            series.push(PlotPoint::new(frame as f64, value(number, frame)));
        }
    }

    pub(crate) fn draw(&mut self) {
        let Self {
            screen,
            series,
            points,
        } = self;
        screen.frame(Vec::new(), |ui| {
            let rect = Rect::from_min_size(Pos2::new(540.0, 90.0), vec2(1340.0, 760.0));
            let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(rect));
            Plot::new("peer")
                .width(rect.width())
                .height(rect.height())
                .show(&mut ui, |plot| {
                    for (number, series) in series.iter().enumerate() {
                        let newest = &series[series.len() - *points..];
                        plot.line(
                            Line::new(format!("counter-{number}"), PlotPoints::Borrowed(newest))
                                .width(1.5),
                        );
                    }
                });
        });
    }

    fn draw_round(&mut self) {
        (0..FRAMES).for_each(|_| self.draw());
    }

    pub(crate) fn live_round(&mut self) {
        for _ in 0..FRAMES {
            self.record_frame();
            self.draw();
        }
    }
}
