//! The peer of the overlay: egui_plot, which draws every point.

use egui::{Pos2, Rect, vec2};
use egui_plot::{Line, Plot, PlotPoint, PlotPoints};

use crate::host::{FRAMES, Screen, value};

/// The number of lines in the plot.
pub(crate) const SERIES: usize = 8;

/// A plot of the same size as the overlay's graph. It borrows its points, which is the cheapest way
/// to pass them.
pub(crate) struct Peer {
    screen: Screen,
    series: Vec<Vec<PlotPoint>>,
    points: usize,
}

impl Peer {
    pub(crate) fn new(points: usize) -> Self {
        let mut peer = Self {
            screen: Screen::default(),
            series: vec![Vec::new(); SERIES],
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

    pub(crate) fn draw_round(&mut self) {
        (0..FRAMES).for_each(|_| self.draw());
    }

    pub(crate) fn live_round(&mut self) {
        for _ in 0..FRAMES {
            self.record_frame();
            self.draw();
        }
    }
}
