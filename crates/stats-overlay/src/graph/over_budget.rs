//! The lane of spans over budget at the upper edge of a graph: a thin bar for the frames in which a
//! visible series is over its budget.
//!
//! A lane covers no values, however many frames are over budget. Painting needs only a mesh.

use std::ops::Range;

use egui::epaint::Mesh;
use egui::{Color32, Rect};

use crate::paint::scale::Scale;
use stats_analysis::over_budget::OverBudgetTrack;

/// The height of the lane, in points.
pub(crate) const LANE: f32 = 3.0;

/// The spans of one series in a picture.
pub(crate) struct SpansOver<'a> {
    pub(crate) spans: &'a OverBudgetTrack,
    /// The visible frames.
    pub(crate) frames: Range<u64>,
    pub(crate) scale: Scale,
    pub(crate) color: Color32,
}

impl SpansOver<'_> {
    /// Adds the bars of all visible spans, each at least a pixel wide and joined with neighbors
    /// within half a pixel.
    pub(crate) fn push(&self, mesh: &mut Mesh, pixel: f32) {
        let mut bar: Option<(f32, f32)> = None;
        for span in self.spans.within(self.frames.clone()) {
            let (left, right) = self.scale.edges(&span, pixel);
            bar = match bar {
                Some(joined) if left < joined.1 + pixel * 0.5 => Some((joined.0, right)),
                before => {
                    self.push_bar(mesh, before);
                    Some((left, right))
                }
            };
        }
        self.push_bar(mesh, bar);
    }

    fn push_bar(&self, mesh: &mut Mesh, bar: Option<(f32, f32)>) {
        let Some((left, right)) = bar else { return };
        let top = self.scale.rect.top();
        let rect = Rect::from_x_y_ranges(left..=right, top..=top + LANE);
        mesh.add_colored_rect(rect, self.color);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Pos2, pos2};
    use stats_analysis::axis::Mapping;
    use stats_core::FrameSlice;

    const PLOT: Rect = Rect {
        min: Pos2::ZERO,
        max: pos2(400.0, 100.0),
    };

    /// Returns the rectangles painted for the first 4,096 frames.
    fn painted(over: impl Fn(usize) -> bool) -> Vec<Rect> {
        let values: Vec<f64> = (0..4096)
            .map(|at| if over(at) { 90.0 } else { 10.0 })
            .collect();
        let mut spans = OverBudgetTrack::default();
        spans.update(FrameSlice::new(0, &values, &[]), Some(50.0));
        let of = SpansOver {
            spans: &spans,
            frames: 0..4096,
            scale: Scale::new(PLOT, (0.0, 4095.0), (0.0, 100.0), Mapping::Linear),
            color: Color32::RED,
        };
        let mut mesh = Mesh::default();
        of.push(&mut mesh, 1.0);
        assert!(mesh.is_valid());
        mesh.vertices
            .chunks(4)
            .map(|corners| {
                let points = corners.iter().map(|corner| corner.pos);
                Rect::from_points(&points.collect::<Vec<_>>())
            })
            .collect()
    }

    #[test]
    fn spans_are_bars_in_a_thin_lane_that_covers_no_values() {
        for over in [
            (|at| (1024..2048).contains(&at)) as fn(usize) -> bool,
            |_| true,
            |at| at % 2000 >= 200,
        ] {
            let bars = painted(over);
            let lane = PLOT.with_max_y(LANE);
            assert!(!bars.is_empty());
            assert!(bars.iter().all(|bar| bar.y_range() == lane.y_range()));
        }
        let [bar] = painted(|at| (1024..2048).contains(&at))[..] else {
            panic!("not one bar")
        };
        assert!((bar.width() - 100.0).abs() < 0.5);
    }

    #[test]
    fn many_short_spans_become_few_bars() {
        for length in [1, 2, 8, 30] {
            let bars = painted(|at| at / length % 2 == 0);
            assert!(bars.len() <= 270, "{} of {length}", bars.len());
            let apart = |pair: &[Rect]| pair[0].right() < pair[1].left();
            assert!(bars.windows(2).all(apart));
            assert!(bars.iter().all(|bar| bar.width() >= 0.99));
        }
    }
}
