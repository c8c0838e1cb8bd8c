//! Draws the grid lines of a graph, the frame numbers below it, and the numbers of the left axis.
//!
//! Texts are laid out again only when the range of values, the height or the fonts change, or when
//! another frame gets a number.
//!
//! The grid is our own: egui_plot makes hundreds of allocations per frame, and needs a `Ui`, but a
//! view over a running game has none.

use std::sync::Arc;

use egui::epaint::{Mesh, TextShape};
use egui::{Color32, Galley, Painter, Rangef, Rect, Shape, Stroke, StrokeKind, pos2, remap_clamp};

use crate::graph::axis_marks::{GridInput, MIN_DISTANCE, marks, number};
use crate::graph::transform::Transform;
use crate::paint::canvas::Canvas;
use stats_analysis::axis::{Mapping, round_step};
use stats_analysis::format::{NumberStyle, seconds_text, whole_text};
use stats_ui::retained::Retained;
use stats_ui::text_revision::text_revision;
use stats_ui::theme::{Theme, small_font};

/// Room for half of the topmost number of the axes, in points.
pub(super) const HALF_NUMBER: f32 = 6.0;
/// The minimum width of the numbers of values, in points. It is the same in every pane, so that
/// frames line up.
pub(super) const VALUE_AXIS: f32 = 62.0;
/// The space on either side of the number of a value, in points.
const MARGIN: f32 = 4.0;
/// The height of the numbers of frames, in points.
const FRAME_AXIS: f32 = 14.0;
/// The minimum height of a graph with numbers of frames, in points.
const LEAST_WITH_FRAMES: f32 = 70.0;
/// What the numbers below a graph count.
const FRAME: &str = "frame";
/// The distances between lines, in points, from barely visible to full color.
const LINES: Rangef = Rangef {
    min: MIN_DISTANCE,
    max: 100.0,
};
/// The same for the numbers of values.
const VALUES: Rangef = Rangef {
    min: 20.0,
    max: 30.0,
};
/// The minimum distance between two numbers of frames, in points, and the same with their seconds.
const FRAMES: f32 = 60.0;
const FRAMES_WITH_SECONDS: f32 = 110.0;
/// The opacity of the few lines over a game, whose picture may be bright or dark.
const OVER_GAME: f32 = 0.6;
/// The exponent of the fade: the lower it is, the stronger are lines that are close to each other.
const FADE: f32 = 0.35;

/// The grid of a graph and its numbers.
#[derive(Debug, Default)]
pub(super) struct Grid {
    values: Vec<ValueMark>,
    /// The axis that `values` were laid out for.
    values_of: Option<ValueAxis>,
    text_revision: u64,
    /// The background and the numbers of values.
    kept: Retained<(Rect, Option<ValueAxis>, Theme)>,
    /// Whether there is room for the numbers of frames, the numbers that were last on screen, and
    /// whether each has its seconds.
    has_frames: bool,
    frames: Vec<(u64, bool, Arc<Galley>)>,
    word: Option<Arc<Galley>>,
    lines: Arc<Mesh>,
}

/// A line of the grid, and its number.
#[derive(Clone, Debug)]
struct ValueMark {
    /// The value, or its logarithm on a logarithmic axis.
    value: f64,
    /// The distance to its neighbors, in points.
    distance: f32,
    label: Option<Arc<Galley>>,
}

/// The axis of values: its range, and the style of its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ValueAxis {
    /// The ends of the axis: values, or their logarithms.
    pub(super) range: (f64, f64),
    pub(super) mapping: Mapping,
    /// `None` for an axis without numbers.
    pub(super) style: Option<NumberStyle>,
    /// The height in points. [`Grid::lay_out`] sets it.
    pub(super) height: f32,
    /// The minimum width of the numbers, in points; 0 for none.
    pub(super) width: f32,
    /// Whether there are three lines at most.
    pub(super) is_sparse: bool,
}

impl ValueAxis {
    /// Returns the minimum distance between two lines, on the axis.
    pub(super) fn least(&self, points: f32) -> f64 {
        let extent = self.range.1 - self.range.0;
        let least = extent * f64::from(points / self.height);
        // Two distances and a part of a third fit.
        if self.is_sparse {
            least.max(extent * 0.4)
        } else {
            least
        }
    }
}

impl Grid {
    /// Lays out the numbers of a graph in `rect` that shows `frames`. Returns the place of the plot
    /// between its axes.
    pub(super) fn lay_out(
        &mut self,
        canvas: &Canvas<'_>,
        rect: Rect,
        frames: (f64, f64),
        axis: ValueAxis,
    ) -> Transform {
        let over_game = canvas.is_over_game();
        self.has_frames = !over_game && rect.height() >= LEAST_WITH_FRAMES;
        let below = match self.has_frames {
            true => FRAME_AXIS,
            // A number that is cut is worse than a smaller plot.
            false => HALF_NUMBER,
        };
        let within = |width: f32| {
            let plot = Rect::from_min_max(
                pos2(rect.left() + width, rect.top()),
                pos2(rect.right(), rect.bottom() - below),
            );
            let plot = if plot.is_positive() { plot } else { rect };
            Transform::new(plot, frames, axis.range)
        };
        let transform = within(axis.width);
        let revision = text_revision(canvas.ctx());
        if self.text_revision != revision {
            self.text_revision = revision;
            self.values_of = None;
            self.frames.clear();
            self.word = None;
        }
        let height = transform.plot().height();
        let axis = ValueAxis {
            range: transform.values(),
            height,
            ..axis
        };
        if self.values_of != Some(axis) {
            self.values_of = Some(axis);
            self.values.clear();
            self.values.extend(value_marks(canvas, axis));
        }
        let labels = self.values.iter().filter_map(|mark| mark.label.as_ref());
        let width = labels.fold(0.0, |width: f32, label| width.max(label.size().x));
        match axis.width {
            0.0 => transform,
            least => within(least.max(width + 2.0 * MARGIN)),
        }
    }

    /// Paints the background, the lines and the numbers. `has_right` says whether the right side
    /// also has numbers of values. If there is `secs`, it returns the seconds beside the number of a
    /// frame. Over a game, only values have lines.
    pub(super) fn paint(
        &mut self,
        canvas: &Canvas<'_>,
        theme: &Theme,
        transform: &Transform,
        has_right: bool,
        secs: Option<&dyn Fn(u64) -> Option<f64>>,
    ) {
        let (plot, painter) = (transform.plot(), canvas.painter());
        let mut kept = std::mem::take(&mut self.kept);
        let mut ground = *theme;
        ground.plot = canvas.plot_color(theme);
        kept.paint(painter, (plot, self.values_of, ground), |painter| {
            let edge = match canvas.is_over_game() {
                true => Stroke::NONE,
                false => Stroke::new(1.0, theme.line),
            };
            painter.rect(plot, 2.0, ground.plot, edge, StrokeKind::Inside);
            self.paint_values(painter, theme, transform);
        });
        self.kept = kept;
        let steps = self.frame_steps(canvas, transform, secs);
        let word_end = self.paint_word(canvas, theme, plot);
        let pixel = 1.0 / painter.pixels_per_point();
        let lines = Arc::make_mut(&mut self.lines);
        lines.vertices.clear();
        lines.indices.clear();
        // Whole pixels, so that all lines look alike.
        let whole = |at: f32| ((at / pixel).round() - 0.5) * pixel;
        let thick = pixel.max(1.0);
        for mark in &self.values {
            let y = transform.y(mark.value);
            if plot.y_range().contains(y) && mark.distance > LINES.min {
                let line = Rect::from_x_y_ranges(plot.x_range(), whole(y)..=whole(y) + thick);
                let color = match canvas.is_over_game() {
                    true => theme.weak.gamma_multiply(OVER_GAME),
                    false => faded(theme.grid, mark.distance),
                };
                lines.add_colored_rect(line.intersect(plot), color);
            }
        }
        let (shown, margin) = (transform.frames(), transform.span() * 0.03);
        let last = shown.1 - if has_right { margin } else { 0.0 };
        for (frame, has_number) in steps.marks(transform).filter(|_| !canvas.is_over_game()) {
            let x = transform.x(frame);
            if plot.x_range().contains(x) {
                let line = Rect::from_x_y_ranges(whole(x)..=whole(x) + thick, plot.y_range());
                let apart = if has_number {
                    steps.between_numbers
                } else {
                    steps.between_lines
                };
                lines.add_colored_rect(line.intersect(plot), faded(theme.grid, apart));
            }
            // Near the right edge, the number would overlap the lowest number of an axis.
            if self.has_frames && has_number && (0.0..=last).contains(&frame) {
                let secs = secs.and_then(|secs| secs(frame as u64));
                let label = frame_label(&mut self.frames, canvas, frame as u64, secs);
                let half = label.size().x / 2.0;
                if x - half >= word_end && x + half <= painter.clip_rect().right() {
                    let place = pos2(x - half, plot.bottom());
                    painter.add(text(place, &label, theme.text));
                }
            }
        }
        self.frames
            .retain(|(frame, ..)| (shown.0..=shown.1).contains(&(*frame as f64)));
        painter.add(Shape::Mesh(Arc::clone(&self.lines)));
    }

    /// Returns the steps between the numbers of frames. No number overlaps the next one.
    fn frame_steps(
        &mut self,
        canvas: &Canvas<'_>,
        transform: &Transform,
        secs: Option<&dyn Fn(u64) -> Option<f64>>,
    ) -> FrameSteps {
        let mut least = match secs {
            Some(_) => FRAMES_WITH_SECONDS,
            None => FRAMES,
        };
        loop {
            let steps = FrameSteps::of(transform, least);
            let mut widest = 0.0_f32;
            for (frame, has_number) in steps.marks(transform) {
                if self.has_frames && has_number && frame >= 0.0 {
                    let secs = secs.and_then(|secs| secs(frame as u64));
                    let label = frame_label(&mut self.frames, canvas, frame as u64, secs);
                    widest = widest.max(label.size().x + MARGIN);
                }
            }
            if widest <= least.max(steps.between_numbers) {
                return steps;
            }
            least = widest;
        }
    }

    /// Writes what the numbers of frames count, left of the first one. Returns where that one may begin.
    fn paint_word(&mut self, canvas: &Canvas<'_>, theme: &Theme, plot: Rect) -> f32 {
        if !self.has_frames {
            return plot.left();
        }
        let painter = canvas.painter();
        let lay_out = || painter.layout_no_wrap(FRAME.into(), small_font(), Color32::PLACEHOLDER);
        let word = self.word.get_or_insert_with(lay_out);
        let place = pos2(plot.left() + MARGIN, plot.bottom());
        painter.add(text(place, word, theme.weak));
        place.x + word.size().x + 2.0 * MARGIN
    }

    /// Paints the numbers of values.
    fn paint_values(&self, painter: &Painter, theme: &Theme, transform: &Transform) {
        let plot = transform.plot();
        for mark in &self.values {
            if let Some(label) = &mark.label {
                let y = transform.y(mark.value);
                let left = plot.left() - label.size().x - MARGIN;
                let place = pos2(left, y - label.size().y / 2.0);
                painter.add(text(place, label, numbered(theme, VALUES, mark.distance)));
            }
        }
    }
}

/// Returns the lines of an axis and their numbers.
fn value_marks(canvas: &Canvas<'_>, axis: ValueAxis) -> Vec<ValueMark> {
    let points = f64::from(axis.height) / (axis.range.1 - axis.range.0);
    let base = axis.style.map_or(10, NumberStyle::grid_base);
    let input = GridInput {
        bounds: axis.range,
        least: axis.least(LINES.min),
    };
    let laid_out = marks(input, axis.mapping, base).into_iter().map(|mark| {
        let distance = (mark.step_size * points) as f32;
        let lay_out = || {
            let text = axis
                .style
                .map_or_else(String::new, |style| number(mark, style));
            canvas
                .painter()
                .layout_no_wrap(text, small_font(), Color32::PLACEHOLDER)
        };
        let inside = (axis.range.0..=axis.range.1).contains(&mark.value);
        let label = (inside && distance > VALUES.min && axis.width > 0.0).then(lay_out);
        ValueMark {
            value: mark.value,
            distance,
            label: label.filter(|label| distance >= label.size().y),
        }
    });
    laid_out.collect()
}

/// The frames that have a number: multiples of a step of 1, 2 or 5 times a power of ten. They have a
/// line, as has each half or fifth of a step if there is room.
struct FrameSteps {
    /// The frames from one number to the next, and from one line to the next.
    number: f64,
    line: f64,
    /// The distance between two numbers and between two lines, in points.
    between_numbers: f32,
    between_lines: f32,
}

impl FrameSteps {
    /// Returns the steps whose numbers are at least `least` points apart.
    fn of(transform: &Transform, least: f32) -> Self {
        let points = f64::from(transform.plot().width()) / transform.span();
        let number = round_step(f64::from(least) / points, 10).max(1.0);
        let mut lines = [number / 5.0, number / 2.0, number].into_iter();
        let is_wide = |line: &f64| line * points >= f64::from(LINES.min) && line.fract() == 0.0;
        let line = lines.find(is_wide).unwrap_or(number);
        Self {
            number,
            line,
            between_numbers: (number * points) as f32,
            between_lines: (line * points) as f32,
        }
    }

    /// Iterates over the frames that have a line, and says which have a number.
    fn marks(&self, transform: &Transform) -> impl Iterator<Item = (f64, bool)> {
        // In a plot without a width, the quotient is not a number.
        let lines_a_number = ((self.number / self.line).round() as i64).max(1);
        let line = self.line;
        let (left, right) = transform.frames();
        let first = (left / line).ceil() as i64;
        // Rounding must not make them endless.
        let last = ((right / line).floor() as i64).min(first.saturating_add(10_000));
        (first..=last).map(move |at| (at as f64 * line, at % lines_a_number == 0))
    }
}

fn frame_label(
    kept: &mut Vec<(u64, bool, Arc<Galley>)>,
    canvas: &Canvas<'_>,
    frame: u64,
    secs: Option<f64>,
) -> Arc<Galley> {
    let has_secs = secs.is_some();
    let mut same = kept.iter().filter(|of| (of.0, of.1) == (frame, has_secs));
    if let Some((.., label)) = same.next() {
        return Arc::clone(label);
    }
    let mut text = whole_text(frame as f64);
    if let Some(secs) = secs {
        text.push_str(&format!(" · {} s", seconds_text(secs)));
    }
    let label = canvas
        .painter()
        .layout_no_wrap(text, small_font(), Color32::PLACEHOLDER);
    kept.push((frame, has_secs, Arc::clone(&label)));
    label
}

fn text(place: egui::Pos2, galley: &Arc<Galley>, color: Color32) -> TextShape {
    TextShape::new(place, Arc::clone(galley), color)
}

/// Returns the color of a line this far from its neighbors.
fn faded(color: Color32, distance: f32) -> Color32 {
    color.gamma_multiply(remap_clamp(distance, LINES, 0.0..=1.0).powf(FADE))
}

/// Returns the color of a number this far from its neighbors.
fn numbered(theme: &Theme, distances: Rangef, distance: f32) -> Color32 {
    let strength = remap_clamp(distance, distances, 0.0..=1.0);
    theme.text.gamma_multiply(strength.sqrt())
}
