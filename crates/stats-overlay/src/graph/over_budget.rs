//! The spans over budget in a graph. While a series is over its budget, its budget line is a bar
//! with the length of the span beside it, and the area above the bar is shaded.
//!
//! The shade is fainter if more of the visible frames are over budget, and disappears if all of
//! them are. Short spans have no shade either. Painting needs only a [`Painter`].

use std::ops::Range;

use egui::epaint::Mesh;
use egui::{Color32, Painter, Rect, vec2};

use crate::graph::spike_marks::SPIKE_LANE;
use crate::graph::transform::Transform;
use crate::graph::ui::GraphUi;
use crate::graph::view::Shown;
use crate::paint::canvas::Canvas;
use crate::paint::scale::Scale;
use stats_analysis::format::count_text;
use stats_analysis::over_budget::OverBudgetTrack;
use stats_ui::accessibility;
use stats_ui::theme::small_font;

/// The height of a bar, in points.
const BAR: f32 = 3.0;
/// The opacity of the shade above a short span.
const SHADE: f32 = 0.14;
/// The minimum width of a span with a shade, in points: many thin shades would merge into one.
const LEAST_WITH_SHADE: f32 = 4.0;
/// The minimum width of a span that may have room for the text of its length, in points.
const LEAST_WITH_LENGTH: f32 = 60.0;

/// The spans of one series in a picture.
pub(crate) struct SpansOver<'a> {
    pub(crate) spans: &'a OverBudgetTrack,
    /// The visible frames.
    pub(crate) frames: Range<u64>,
    pub(crate) scale: Scale,
    pub(crate) budget: f64,
    pub(crate) color: Color32,
}

impl SpansOver<'_> {
    /// Adds the bars of all visible spans, each at least a pixel wide and joined with neighbors
    /// within half a pixel, and the shades of long spans.
    pub(crate) fn push(&self, mesh: &mut Mesh, pixel: f32) {
        let shade = self.color.gamma_multiply(SHADE * (1.0 - self.share()));
        let mut bar: Option<(f32, f32)> = None;
        for span in self.spans.within(self.frames.clone()) {
            let (left, right) = self.scale.edges(&span, pixel);
            if right - left >= LEAST_WITH_SHADE && shade != Color32::TRANSPARENT {
                let top = self.scale.rect.top();
                let area = Rect::from_x_y_ranges(left..=right, top..=self.bar_y());
                mesh.add_colored_rect(area, shade);
            }
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
        let plot = self.scale.rect;
        let top = (self.bar_y() - BAR / 2.0).clamp(plot.top(), plot.bottom() - BAR);
        let rect = Rect::from_x_y_ranges(left..=right, top..=top + BAR);
        mesh.add_colored_rect(rect, self.color);
    }

    /// Calls `visit` with the frames and the bar of each span that may have room for its length.
    fn long(&self, mut visit: impl FnMut(Range<u64>, Rect)) {
        let (plot, y) = (self.scale.rect, self.bar_y());
        for span in self.spans.within(self.frames.clone()) {
            let (left, right) = self.scale.edges(&span, 0.0);
            let (left, right) = (left.max(plot.left()), right.min(plot.right()));
            if right - left >= LEAST_WITH_LENGTH {
                let bar = Rect::from_x_y_ranges(left..=right, y - BAR / 2.0..=y + BAR / 2.0);
                visit(span, bar);
            }
        }
    }

    /// Returns the share of the visible frames that are over budget.
    fn share(&self) -> f32 {
        let seen =
            |span: Range<u64>| span.end.min(self.frames.end) - span.start.max(self.frames.start);
        let over: u64 = self.spans.within(self.frames.clone()).map(seen).sum();
        over as f32 / (self.frames.end - self.frames.start).max(1) as f32
    }

    /// Returns the y coordinate of the budget, within the picture.
    fn bar_y(&self) -> f32 {
        let plot = self.scale.rect;
        self.scale.y(self.budget).clamp(plot.top(), plot.bottom())
    }
}

impl GraphUi<'_> {
    /// Draws the spans over budget of all visible series. Returns the rectangles of their lengths.
    pub(super) fn over_budget_ui(
        &mut self,
        canvas: &Canvas<'_>,
        transform: &Transform,
        shown: &[Shown],
    ) -> Vec<Rect> {
        let (plot, frames) = (transform.plot(), transform.frames());
        if !plot.is_positive() {
            return Vec::new();
        }
        let painter = canvas.painter_in(plot);
        let held = self.pane.data.frames();
        let visible = held.start.max(frames.0.round().max(0.0) as u64)
            ..held
                .end
                .min((frames.1.round().max(0.0) as u64).saturating_add(1));
        let mut reused = std::mem::take(&mut self.view.over_budget);
        let mut names = Vec::new();
        let mapping = self.view.mapping();
        let all = || {
            let seen = shown.iter().enumerate().filter(|(_, shown)| !shown.hidden);
            seen.filter_map(|(at, shown)| {
                let of = SpansOver {
                    spans: &self.pane.data.track(at)?.over_budget,
                    frames: visible.clone(),
                    scale: Scale::new(plot, frames, shown.range, mapping),
                    budget: self.pane.selected[at].budget()?,
                    color: self.pane.theme.alert,
                };
                of.spans.within(visible.clone()).next()?;
                Some((at, of))
            })
        };
        if all().next().is_some() {
            painter.add(reused.shape(|mesh| {
                all().for_each(|(_, of)| of.push(mesh, 1.0 / painter.pixels_per_point()));
            }));
        }
        for (at, of) in all() {
            of.long(|span, bar| {
                let id = canvas.make_persistent_id(("over budget", at, span.start));
                names.extend(self.length_ui(&painter, (plot, bar), &span, id, &names));
            });
        }
        self.view.over_budget = reused;
        names
    }

    /// Writes the length of a span below its bar, away from its values. At the lower edge of the
    /// plot, writes it above the bar. Writes nothing if the text would be wider than the bar or
    /// cover one of the `others`.
    fn length_ui(
        &self,
        painter: &Painter,
        (plot, bar): (Rect, Rect),
        span: &Range<u64>,
        id: egui::Id,
        others: &[Rect],
    ) -> Option<Rect> {
        let text = frames_over(span);
        let galley = painter.layout_no_wrap(text, small_font(), self.pane.theme.text);
        let below = bar.left_bottom() + vec2(4.0, 1.0);
        let corner = if below.y + galley.size().y <= plot.bottom() {
            below
        } else {
            bar.left_top() + vec2(4.0, -galley.size().y - 1.0)
        };
        let rect = Rect::from_min_size(corner, galley.size()).expand2(vec2(2.0, 0.0));
        let fits = rect.top() >= plot.top() + SPIKE_LANE && rect.right() <= bar.right();
        if !fits || others.iter().any(|other| other.intersects(rect)) {
            return None;
        }
        painter.rect_filled(rect, 2.0, self.pane.theme.plot.gamma_multiply(0.8));
        accessibility::describe(painter.ctx(), id, rect, || {
            let frames = format!("frames {} to {}", span.start, span.end - 1);
            (galley.text().to_owned(), frames)
        });
        painter.galley(corner, galley, self.pane.theme.text);
        Some(rect)
    }
}

/// Returns the length of a span: `38 frames over`.
fn frames_over(span: &Range<u64>) -> String {
    count_text(span.end - span.start, "frame over", "frames over")
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

    /// Returns the rectangles painted for the first 4,096 frames, with their colors. The budget is
    /// at half of the height.
    fn painted(over: impl Fn(usize) -> bool) -> Vec<(Rect, Color32)> {
        let values: Vec<f64> = (0..4096)
            .map(|at| if over(at) { 90.0 } else { 10.0 })
            .collect();
        let mut spans = OverBudgetTrack::default();
        spans.update(FrameSlice::new(0, &values, &[]), Some(50.0));
        let of = SpansOver {
            spans: &spans,
            frames: 0..4096,
            scale: Scale::new(PLOT, (0.0, 4095.0), (0.0, 100.0), Mapping::Linear),
            budget: 50.0,
            color: Color32::RED,
        };
        let mut mesh = Mesh::default();
        of.push(&mut mesh, 1.0);
        assert!(mesh.is_valid());
        mesh.vertices
            .chunks(4)
            .map(|corners| {
                let points = corners.iter().map(|corner| corner.pos);
                (
                    Rect::from_points(&points.collect::<Vec<_>>()),
                    corners[0].color,
                )
            })
            .collect()
    }

    #[test]
    fn a_span_is_a_bar_at_the_budget_with_a_faint_shade_above() {
        let [(shade, faint), (bar, color)] = painted(|at| (1024..2048).contains(&at))[..] else {
            panic!("not a shade and a bar")
        };
        assert!((shade.width() - 100.0).abs() < 0.5 && (bar.width() - 100.0).abs() < 0.5);
        assert_eq!((shade.top(), shade.bottom()), (0.0, 50.0));
        assert_eq!(
            (bar.center().y, bar.height(), color),
            (50.0, BAR, Color32::RED)
        );
        assert!(faint.a() < 40);
    }

    #[test]
    fn a_program_that_is_always_over_budget_has_no_shade() {
        let [(bar, color)] = painted(|_| true)[..] else {
            panic!("not just a bar")
        };
        assert_eq!((bar.height(), color), (BAR, Color32::RED));
        let often = painted(|at| at % 2000 >= 200);
        let faintest = often.iter().map(|(_, color)| color.a()).min();
        assert!(faintest < Some(6), "{faintest:?}");
    }

    #[test]
    fn many_short_spans_become_few_bars_without_a_shade() {
        for length in [1, 2, 8, 30] {
            let bars = painted(|at| at / length % 2 == 0);
            assert!(bars.len() <= 270, "{} of {length}", bars.len());
            let apart = |pair: &[(Rect, Color32)]| pair[0].0.right() < pair[1].0.left();
            assert!(bars.windows(2).all(apart));
            let is_bar =
                |(rect, color): &(Rect, Color32)| rect.width() >= 0.99 && *color == Color32::RED;
            assert!(bars.iter().all(is_bar));
        }
    }
}
