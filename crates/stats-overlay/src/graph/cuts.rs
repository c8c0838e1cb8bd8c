//! The notches of values beyond an axis that leaves out a few outliers: a gap in the column near the
//! edge of the plot, and beside it the value.

use egui::epaint::Mesh;
use egui::{Color32, Painter, Pos2, Rect, pos2, vec2};

use crate::graph::spike_marks::SPIKE_LANE;
use crate::graph::transform::Transform;
use crate::graph::ui::GraphUi;
use crate::graph::view::Shown;
use crate::paint::canvas::Canvas;
use crate::paint::reused_mesh::ReusedMesh;
use crate::paint::series_shape::push_polygon;
use stats_analysis::buckets::Bucket;
use stats_analysis::format::value_text;
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::small_font;

/// The minimum distance between two notches of a series, in points.
const APART: f32 = 14.0;
/// Half of the width of a notch, and its height, in points.
const HALF: f32 = 5.0;
const HEIGHT: f32 = 3.0;
/// The distance from the edge of the plot to a notch, in points.
const TO_EDGE: f32 = 6.0;
/// The distance from the middle of a notch to its value, in points.
const TO_VALUE: f32 = 8.0;
/// The height of a line of values, in points, and the number of lines in which one may be.
const LINE: f32 = 13.0;
const LINES: usize = 3;

/// The values beyond the axes of a graph, and the memory to paint their notches.
#[derive(Debug, Default)]
pub(super) struct Cuts {
    list: Vec<Cut>,
    mesh: ReusedMesh,
}

/// The farthest of neighboring values beyond an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cut {
    /// The index of the series among the selected ones.
    at: usize,
    /// The first frame of the bucket, and the number of frames in it.
    frame: u64,
    width: u64,
    value: f64,
    is_above: bool,
}

impl Cuts {
    /// Adds the buckets beyond a range. Of those nearer to each other than `apart` frames, adds the
    /// farthest.
    fn add(
        &mut self,
        at: usize,
        (buckets, width): (&[Bucket], u64),
        (bottom, top): (f64, f64),
        apart: u64,
    ) {
        for is_above in [true, false] {
            let first = self.list.len();
            for bucket in buckets {
                let value = if is_above { bucket.max } else { bucket.min };
                // An unknown value is not beyond.
                if !(if is_above {
                    value > top
                } else {
                    value < bottom
                }) {
                    continue;
                }
                let cut = Cut {
                    at,
                    frame: bucket.first_frame,
                    width,
                    value,
                    is_above,
                };
                match self.list[first..].last_mut() {
                    Some(last) if cut.frame - last.frame < apart => {
                        if (value > last.value) == is_above {
                            *last = cut;
                        }
                    }
                    _ => self.list.push(cut),
                }
            }
        }
    }
}

impl Cut {
    /// Returns the middle of the notch.
    fn place(&self, transform: &Transform) -> Pos2 {
        let plot = transform.plot();
        let middle = self.frame as f64 + (self.width - 1) as f64 / 2.0;
        let y = match self.is_above {
            true => plot.top() + SPIKE_LANE + TO_EDGE,
            false => plot.bottom() - TO_EDGE,
        };
        pos2(transform.x(middle), y)
    }
}

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
            cuts.list
                .sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
            for cut in &cuts.list {
                values.extend(self.cut_value_ui(&painter, cut, transform, (taken, &values)));
            }
            let id = canvas.make_persistent_id("cut values");
            accessibility::describe(canvas.ctx(), id, plot, || {
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

/// Returns whether a series has values beyond its axis.
pub(super) fn is_cut(shown: &Shown) -> bool {
    let beyond = |range: (f64, f64)| {
        let summary = shown.summary.as_ref();
        summary.is_some_and(|of| of.max > range.1 || of.min < range.0)
    };
    !shown.hidden && beyond(shown.range)
}

/// Adds a slanted gap with an edge above and below it.
fn push_notch(mesh: &mut Mesh, middle: Pos2, color: Color32, ground: Color32) {
    let mut band = |top: f32, height: f32, color| {
        let corner = |x: f32, y: f32| middle + vec2(x * HALF, y - x * 2.0);
        let (top, bottom) = (top, top + height);
        push_polygon(
            mesh,
            [
                corner(-1.0, top),
                corner(1.0, top),
                corner(1.0, bottom),
                corner(-1.0, bottom),
            ],
            color,
        );
    };
    band(-HEIGHT / 2.0, HEIGHT, ground);
    band(-HEIGHT / 2.0 - 1.0, 1.0, color);
    band(HEIGHT / 2.0, 1.0, color);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighboring_values_share_the_notch_of_the_farthest() {
        let bucket = |first_frame: u64, min: f64, max: f64| Bucket {
            first_frame,
            min,
            max,
            first: min,
            last: max,
        };
        let buckets = [
            bucket(10, 1.0, 50.0),
            bucket(12, 1.0, 90.0),
            bucket(14, f64::NAN, f64::NAN),
            bucket(16, 1.0, 10.0),
            bucket(30, -8.0, 11.0),
        ];
        let mut cuts = Cuts::default();
        cuts.add(3, (&buckets, 2), (0.0, 10.0), 6);
        let found = cuts
            .list
            .iter()
            .map(|cut| (cut.frame, cut.value, cut.is_above));
        let expected = [(12, 90.0, true), (30, 11.0, true), (30, -8.0, false)];
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }
}
