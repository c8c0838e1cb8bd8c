//! The marks of spikes in one lane at the upper edge of a graph: a diamond above each spike, and
//! the spike itself in the color for alerts.
//!
//! All series share the lane. If spikes are too close to be distinguished, only the highest is
//! marked, and a number such as `+12` counts the others. Painting needs only a [`Painter`].

use std::ops::Range;
use std::sync::Arc;

use egui::epaint::Mesh;
use egui::{Color32, Galley, Painter, Pos2, Rect, pos2, vec2};

use crate::data::spike_lane::{Cells, MarkedSpike, SpikeLane};
use crate::paint::reused_mesh::ReusedMesh;
use crate::paint::scale::Scale;
use crate::paint::series_shape::is_line;
use stats_analysis::axis::Mapping;
use stats_analysis::buckets::bucket_width;
use stats_analysis::format::whole_text;
use stats_analysis::spikes::SpikeTrack;
use stats_ui::text_revision::text_revision;
use stats_ui::theme::small_font;

/// The height of the lane, in points.
pub(super) const SPIKE_LANE: f32 = 12.0;
/// The minimum length of a cell, in points: room for a diamond and a number of two digits.
const CELL: f32 = 36.0;
/// The minimum distance between two diamonds, in points.
const APART: f32 = 10.0;
/// The height of the tip of a spike's column, in points. The tip has the color for alerts; the rest
/// of the column has the color of the series.
const TIP: std::ops::RangeInclusive<f32> = 4.0..=14.0;
/// Half the height of the dot on a spike of a line, in points.
const DOT: f32 = 3.5;
/// The width of the edge around that dot, along its diagonals, in points.
const EDGE: f32 = 1.5;
/// The distance from the tip of a diamond to the number beside it, in points.
pub(super) const TO_COUNT: f32 = 5.0;

/// The marks of a graph, and the memory to paint them without allocating.
#[derive(Debug, Default)]
pub(crate) struct SpikeMarks {
    lane: SpikeLane,
    mesh: ReusedMesh,
    counts: Counts,
}

/// A series whose spikes are marked.
pub(crate) struct MarkedSeries<'a> {
    pub(crate) spikes: &'a SpikeTrack,
    /// The scale of its values; `None` in a stack, where the height of a value depends on other
    /// series.
    pub(crate) scale: Option<Scale>,
    pub(crate) color: Color32,
}

/// The picture that [`SpikeMarks`] paints in.
pub(crate) struct MarksIn<'a> {
    /// The graph.
    pub(crate) rect: Rect,
    /// The frames at its left and right edges.
    pub(crate) frames: (f64, f64),
    /// The frames that may be marked.
    pub(crate) held: Range<u64>,
    /// The color of spikes, and of numbers.
    pub(crate) alert: Color32,
    pub(crate) text: Color32,
    /// Returns a series by its index; `None` to leave it out.
    pub(crate) series: &'a dyn Fn(usize) -> Option<MarkedSeries<'a>>,
    /// The number of series.
    pub(crate) count: usize,
}

impl SpikeMarks {
    /// Paints the marks of all series. Visits each spike among the visible frames once.
    pub(crate) fn paint(&mut self, painter: &Painter, of: &MarksIn<'_>) {
        let scale = Scale::new(of.rect, of.frames, (0.0, 1.0), Mapping::Linear);
        let per_point = f64::from(1.0 / scale.points_per_frame());
        let cells = Cells {
            length: bucket_width(f64::from(CELL) * per_point, 1.0),
            apart: (f64::from(APART) * per_point) as u64,
        };
        let visible = of.held.start.max(of.frames.0.max(0.0) as u64)
            ..of.held
                .end
                .min((of.frames.1.max(0.0) as u64).saturating_add(1));
        let series = (0..of.count).filter_map(|at| Some((at, (of.series)(at)?.spikes)));
        self.lane.fill(series, &visible, &of.held, cells);
        if self.lane.marks().next().is_none() {
            return;
        }
        let pixels = painter.pixels_per_point();
        let columns = f64::from(of.rect.width() * pixels);
        let width = bucket_width(of.frames.1 - of.frames.0, columns);
        let lane = &self.lane;
        painter.add(self.mesh.shape(|mesh| {
            for mark in lane.marks() {
                let Some(series) = (of.series)(mark.series) else {
                    continue;
                };
                let x = x_of(&scale, mark.frame, width);
                if let Some(scale) = &series.scale {
                    let colors = (of.alert, of.text);
                    push_spike(mesh, mark, x, width, scale, (colors, 1.0 / pixels));
                }
                let tip = pos2(x, of.rect.top() + SPIKE_LANE - 2.0);
                let corners = [
                    tip + vec2(-3.5, -4.5),
                    tip + vec2(0.0, -9.0),
                    tip + vec2(3.5, -4.5),
                    tip,
                ];
                push_convex(mesh, &corners, series.color, 1.0 / pixels);
            }
        }));
        self.counts_ui(painter, of, |frame| x_of(&scale, frame, width));
    }

    /// Paints the number of further spikes beside each diamond with room for it.
    fn counts_ui(&mut self, painter: &Painter, of: &MarksIn<'_>, x: impl Fn(u64) -> f32) {
        if self.lane.marks().all(|mark| mark.others == 0) {
            return;
        }
        self.counts.begin(painter);
        let mut marks = self.lane.marks().peekable();
        while let Some(mark) = marks.next() {
            if mark.others == 0 {
                continue;
            }
            let galley = self.counts.galley(painter, mark.others);
            let left = x(mark.frame) + TO_COUNT;
            let end = marks
                .peek()
                .map_or(of.rect.right(), |next| x(next.frame) - TO_COUNT)
                .min(of.rect.right());
            if left + galley.size().x <= end && left >= of.rect.left() {
                let top = of.rect.top() + (SPIKE_LANE - galley.size().y) / 2.0;
                painter.galley(pos2(left, top), galley, of.text);
            }
        }
    }

    /// Returns the marks that were last painted, oldest first.
    pub(super) fn marks(&self) -> impl Iterator<Item = &MarkedSpike> + Clone {
        self.lane.marks()
    }
}

/// Returns the x coordinate of the center of a frame's bucket.
fn x_of(scale: &Scale, frame: u64, width: u64) -> f32 {
    let first = frame - frame % width;
    scale.x(first as f64 + (width - 1) as f64 / 2.0)
}

/// Adds the picture of the spike itself: the tip of its column, or a dot on the line.
fn push_spike(
    mesh: &mut Mesh,
    mark: &MarkedSpike,
    x: f32,
    width: u64,
    scale: &Scale,
    ((color, edge), feather): ((Color32, Color32), f32),
) {
    let y = scale.y(mark.verdict.value);
    if is_line(width, scale) {
        let around = [
            vec2(0.0, -DOT),
            vec2(DOT, 0.0),
            vec2(0.0, DOT),
            vec2(-DOT, 0.0),
        ];
        // The edge sets it apart from a line in a color like that for alerts.
        for (size, color) in [(1.0 + EDGE / DOT, edge), (1.0, color)] {
            let corners = around.map(|offset| pos2(x, y) + offset * size);
            push_convex(mesh, &corners, color, feather);
        }
        return;
    }
    let half = (scale.points_per_frame() * width as f32).max(1.5) / 2.0;
    let height = (scale.y(mark.verdict.usual) - y).clamp(*TIP.start(), *TIP.end());
    mesh.add_colored_rect(
        Rect::from_min_max(pos2(x - half, y - 1.0), pos2(x + half, y + height)),
        color,
    );
}

/// Adds a convex polygon with soft edges.
fn push_convex(mesh: &mut Mesh, points: &[Pos2], color: Color32, feather: f32) {
    let first = mesh.vertices.len() as u32;
    let count = points.len() as u32;
    let center = points
        .iter()
        .fold(egui::Vec2::ZERO, |sum, point| sum + point.to_vec2())
        / points.len().max(1) as f32;
    for &point in points {
        let outwards = (point.to_vec2() - center).normalized() * feather;
        mesh.colored_vertex(point, color);
        mesh.colored_vertex(point + outwards, Color32::TRANSPARENT);
    }
    for at in 0..count {
        let (this, next) = (first + 2 * at, first + 2 * ((at + 1) % count));
        mesh.add_triangle(first, this, next);
        mesh.add_triangle(this, this + 1, next);
        mesh.add_triangle(this + 1, next, next + 1);
    }
}

/// The maximum number of texts that are kept.
const MAX_COUNTS: usize = 256;

/// The numbers beside diamonds, laid out once.
#[derive(Debug, Default)]
struct Counts {
    /// The text revision with which the galleys were laid out.
    revision: u64,
    /// Sorted by number.
    galleys: Vec<(usize, Arc<Galley>)>,
}

impl Counts {
    /// Drops galleys that are no longer valid. Call it in every pass that shows numbers.
    fn begin(&mut self, painter: &Painter) {
        let revision = text_revision(painter.ctx());
        if revision != self.revision || self.galleys.len() > MAX_COUNTS {
            self.galleys.clear();
        }
        self.revision = revision;
    }

    /// Returns the text `+count`.
    fn galley(&mut self, painter: &Painter, count: usize) -> Arc<Galley> {
        match self.galleys.binary_search_by_key(&count, |of| of.0) {
            Ok(at) => Arc::clone(&self.galleys[at].1),
            Err(at) => {
                let text = format!("+{}", whole_text(count as f64));
                let galley = painter.layout_no_wrap(text, small_font(), Color32::PLACEHOLDER);
                self.galleys.insert(at, (count, Arc::clone(&galley)));
                galley
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::epaint::ClippedShape;
    use egui::epaint::Vertex;
    use egui::{Context, Id, LayerId, Shape};
    use stats_core::FrameSlice;

    const RECT: Rect = Rect {
        min: Pos2::ZERO,
        max: Pos2::new(300.0, 100.0),
    };

    /// Returns the track of a series of 6,000 frames that is 1 except for these spikes.
    fn track(spikes: impl IntoIterator<Item = usize>) -> SpikeTrack {
        let mut values = vec![1.0; 6000];
        spikes.into_iter().for_each(|frame| values[frame] = 9.0);
        let mut track = SpikeTrack::default();
        track.update(FrameSlice::new(0, &values, &[]), &mut usize::MAX.clone());
        track
    }

    /// Paints the marks of series among `span` frames from `left` on. Returns the shapes.
    fn painted(marks: &mut SpikeMarks, tracks: &[SpikeTrack], left: f64, span: f64) -> Vec<Shape> {
        let ctx = Context::default();
        let frames = (left, left + span);
        let series = |at: usize| {
            Some(MarkedSeries {
                spikes: &tracks[at],
                scale: Some(Scale::new(RECT, frames, (0.0, 10.0), Mapping::Linear)),
                color: Color32::BLUE,
            })
        };
        let of = MarksIn {
            rect: RECT,
            frames,
            held: 0..6000,
            alert: Color32::RED,
            text: Color32::WHITE,
            series: &series,
            count: tracks.len(),
        };
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            let layer = LayerId::new(egui::Order::Middle, Id::unique("marks"));
            marks.paint(
                &Painter::new(ui.ctx().clone(), layer, Rect::EVERYTHING),
                &of,
            );
        });
        output.textures_delta.clear();
        let shape = |shape: ClippedShape| shape.shape;
        output.shapes.into_iter().map(shape).collect()
    }

    /// Returns the vertices of the marks, and the numbers beside them.
    fn parts_of(shapes: &[Shape]) -> (Vec<Vertex>, Vec<String>) {
        let (mut vertices, mut counts) = (Vec::new(), Vec::new());
        for shape in shapes {
            match shape {
                Shape::Mesh(mesh) => {
                    assert!(mesh.is_valid());
                    vertices.extend_from_slice(&mesh.vertices);
                }
                Shape::Text(text) => counts.push(text.galley.text().to_owned()),
                _ => {}
            }
        }
        (vertices, counts)
    }

    /// Returns the frames of the diamonds' tips.
    fn tips(vertices: &[Vertex], left: f64, span: f64) -> Vec<u64> {
        let is_tip =
            |vertex: &&Vertex| vertex.color == Color32::BLUE && vertex.pos.y == SPIKE_LANE - 2.0;
        vertices
            .iter()
            .filter(is_tip)
            .map(|tip| (left + f64::from(tip.pos.x) * span / 300.0 + 0.1) as u64)
            .collect()
    }

    #[test]
    fn every_spike_has_a_diamond_and_is_red_itself() {
        let tracks = [track([1010])];
        for span in [40.0, 150.0, 250.0, 900.0, 5900.0] {
            let left = 1000.0 - span * 0.1;
            let shapes = painted(&mut SpikeMarks::default(), &tracks, left, span);
            let (vertices, counts) = parts_of(&shapes);
            let [tip] = tips(&vertices, left, span)[..] else {
                panic!("not one diamond at {span}")
            };
            assert!(
                tip.abs_diff(1010) as f64 <= span / 300.0 + 1.0,
                "{tip} at {span}"
            );
            let red: Vec<Pos2> = vertices
                .iter()
                .filter(|vertex| vertex.color == Color32::RED)
                .map(|red| red.pos)
                .collect();
            assert_eq!((red.len(), counts.len()), (4, 0));
            assert!(red.iter().any(|at| (at.y - 10.0).abs() < 4.0), "{red:?}");
        }
        let none = painted(&mut SpikeMarks::default(), &[track([])], 0.0, 600.0);
        assert_eq!(parts_of(&none).0.len(), 0);
    }

    #[test]
    fn all_series_share_one_lane_and_further_spikes_are_counted() {
        // Two series with a spike in every tenth frame, in two frames per point.
        let tracks = [0, 5].map(|first| track((500 + first..5900).step_by(10)));
        let shapes = painted(&mut SpikeMarks::default(), &tracks, 2000.0, 600.0);
        let (vertices, counts) = parts_of(&shapes);
        let tips = tips(&vertices, 2000.0, 600.0);
        assert!((5..=12).contains(&tips.len()), "{tips:?}");
        // Cells of 96 frames have 19 or 20 spikes. The last number may have no room at the edge.
        let inside = tips.iter().filter(|tip| (2000..2600).contains(*tip));
        assert!(counts.len() + 1 >= inside.count(), "{counts:?} {tips:?}");
        assert!(
            counts.iter().all(|count| count == "+18" || count == "+19"),
            "{counts:?}"
        );
    }

    #[test]
    fn dense_spikes_keep_their_diamonds_while_data_scrolls() {
        let tracks = [track((100..5900).step_by(9))];
        let (mut marks, mut all) = (SpikeMarks::default(), Vec::new());
        for step in 0..120 {
            let left = 2000.0 + f64::from(step) * 7.0;
            let seen = tips(
                &parts_of(&painted(&mut marks, &tracks, left, 500.0)).0,
                left,
                500.0,
            );
            assert!((5..=12).contains(&seen.len()), "{} diamonds", seen.len());
            all.extend(seen);
        }
        all.sort_unstable();
        all.dedup();
        // The same spikes have diamonds in all pictures, so there is at most one per cell in
        // total.
        assert!(all.windows(2).all(|pair| pair[1] - pair[0] > 16), "{all:?}");
    }
}
