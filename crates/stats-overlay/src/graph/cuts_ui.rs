//! Draws the notches of values beyond their axes, and their values.

use egui::{Painter, Rect, pos2, vec2};
use stats_analysis::sort::sort_by;

use crate::graph::cuts::{APART, Cut, is_cut, push_notch};
use crate::graph::graph_ui::GraphUi;
use crate::graph::shown::Shown;
use crate::graph::transform::Transform;
use crate::paint::canvas::Canvas;
use stats_analysis::format::value_text;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::small_font;

/// The distance from the middle of a notch to its value, in points.
const TO_VALUE: f32 = 8.0;
/// The height of a line of values, in points, and the number of lines in which one may be.
const LINE: f32 = 13.0;
const LINES: usize = 3;

impl GraphUi<'_> {
    /// Draws the notches of values beyond their axes. Returns the places of the values, which avoid
    /// the rectangles in `taken`.
    pub(super) fn cuts_ui(
        &mut self,
        canvas: &Canvas<'_>,
        transform: &Transform,
        shown: &[Shown],
        taken: &[Rect],
    ) -> Vec<Rect> {
        let plot = transform.plot();
        let mut cuts = std::mem::take(&mut self.view.cuts);
        cuts.list.clear();
        // A user who zoomed to a part of the axis knows that there is more.
        if !self.view.is_zoomed() && plot.is_positive() {
            let per_point = transform.span() / f64::from(plot.width());
            let apart = (f64::from(APART) * per_point).ceil() as u64;
            for (at, buckets, width) in self.view.picture.buckets() {
                let seen = |shown: &&Shown| is_cut(shown);
                if let Some(shown) = shown.get(at).filter(seen) {
                    cuts.add(at, (buckets, width), shown.range, apart.max(width + 1));
                }
            }
            let is_visible = |cut: &Cut| plot.x_range().contains(cut.place(transform).x);
            cuts.list.retain(is_visible);
        }
        let mut values = Vec::new();
        if !cuts.list.is_empty() {
            let painter = canvas.painter_in(plot);
            painter.add(cuts.mesh.shape(|mesh| {
                for cut in &cuts.list {
                    let color = self.pane.theme.series(self.pane.selected[cut.at].slot);
                    push_notch(mesh, cut.place(transform), color, self.pane.theme.plot);
                }
            }));
            sort_by(&mut cuts.list, |a, b| {
                b.value.abs().total_cmp(&a.value.abs())
            });
            for cut in &cuts.list {
                values.extend(self.cut_value_ui(&painter, cut, transform, (taken, &values)));
            }
            canvas.describe("cut values", plot, || {
                let texts: Vec<String> = cuts.list.iter().map(|cut| self.cut_text(cut)).collect();
                ("Values beyond the axis".to_owned(), texts.join(", "))
            });
        }
        self.view.cuts = cuts;
        values
    }

    /// Writes a value beside its notch, on the side and in the line with room. Returns its place;
    /// `None` if there is no room.
    fn cut_value_ui(
        &self,
        painter: &Painter,
        cut: &Cut,
        transform: &Transform,
        (taken, values): (&[Rect], &[Rect]),
    ) -> Option<Rect> {
        let (plot, theme) = (transform.plot(), self.pane.theme);
        let text = value_text(cut.value, self.pane.selected[cut.at].unit());
        let galley = shapes::laid_out(painter, &text, small_font(), theme.text);
        let place = cut.place(transform);
        let down = if cut.is_above { LINE } else { -LINE };
        let places = (0..LINES).flat_map(|line| {
            let top = place.y - galley.size().y / 2.0 + line as f32 * down;
            let lefts = [place.x + TO_VALUE, place.x - TO_VALUE - galley.size().x];
            let size = galley.size();
            lefts.map(|left| Rect::from_min_size(pos2(left, top), size).expand2(vec2(2.0, 0.0)))
        });
        let is_free = |rect: &Rect| {
            plot.contains_rect(*rect) && !taken.iter().chain(values).any(|of| of.intersects(*rect))
        };
        let rect = { places }.find(is_free)?;
        painter.rect_filled(rect, 2.0, theme.plot.gamma_multiply(0.8));
        painter.galley(rect.min + vec2(2.0, 0.0), galley, theme.text);
        Some(rect)
    }

    /// Returns a notch as text: the frame, the series and the value.
    fn cut_text(&self, cut: &Cut) -> String {
        let selected = &self.pane.selected[cut.at];
        let frames = match cut.width {
            1 => format!("frame {}", cut.frame),
            width => format!("frames {} to {}", cut.frame, cut.frame + width - 1),
        };
        let name = selected.frame_name();
        format!(
            "{frames} {} {}",
            one_line(&name, 60),
            value_text(cut.value, selected.unit())
        )
    }
}
