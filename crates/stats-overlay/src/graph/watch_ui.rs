//! The graph over the game: plot and legend, painted without a widget.
//!
//! The grid, the numbers and the names are laid out at each refresh and when their inputs change.
//! In between, they are painted again unchanged.

use egui::{Align2, Color32, Rect, Shape, Stroke, pos2};

use crate::graph::axis::{GridInput, axis_style, marks, number, series_of_axis};
use crate::graph::choices::ValueRange;
use crate::graph::grid::VALUE_AXIS;
use crate::graph::ranges::Side;
use crate::graph::transform::Transform;
use crate::graph::ui::GraphUi;
use crate::graph::view::Shown;
use crate::graph::watch_legend_ui::{WatchLegend, parts};
use crate::paint::canvas::Canvas;
use crate::view::View as _;
use stats_analysis::axis::{Mapping, on_axis};
use stats_analysis::format::NumberStyle;
use stats_ui::retained::Retained;
use stats_ui::shapes;
use stats_ui::text_revision::text_revision;
use stats_ui::theme::{TEXT_GROUND, Theme, small_font};

/// A plot narrower than this, in points, has no numbers beside it.
const LEAST_WITH_AXIS: f32 = 200.0;
/// A plot narrower than this, in points, has no numbers at its right.
const LEAST_WITH_RIGHT_AXIS: f32 = 320.0;
/// The sides that have an axis.
const SIDES: [Side; 2] = [Side::Left, Side::Right];
/// The minimum distance between two lines of the grid, in points.
const GRID_DISTANCE: f32 = 28.0;
/// The width of the bar in the color of the axis' series, in points.
const BAR: f32 = 3.0;

/// The parts of a watched graph that are kept from pass to pass.
#[derive(Debug, Default)]
pub(super) struct Watched {
    of: Option<WatchedOf>,
    /// Changes when the shapes below are laid out.
    revision: u64,
    grid: Vec<Shape>,
    kept_grid: Retained<u64>,
    /// The texts beside the plot.
    texts: Vec<Shape>,
    kept_texts: Retained<u64>,
    legend: WatchLegend,
}

/// The cache key of grid and texts, apart from the numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct WatchedOf {
    rect: Rect,
    plot: Rect,
    revision: u64,
    /// The left and the right axis.
    axes: [Option<AxisOf>; 2],
    mapping: Mapping,
    ranges: ValueRange,
    /// The index of the only visible series.
    solo: Option<usize>,
    marked: Option<u64>,
    theme: Theme,
    text_revision: u64,
}

/// What an axis shows.
#[derive(Clone, Copy, Debug, PartialEq)]
struct AxisOf {
    range: (f64, f64),
    style: NumberStyle,
    /// The color of its series, if it has only one and others have another axis.
    bar: Option<Color32>,
}

impl GraphUi<'_> {
    /// Paints plot and legend into `rect`. The background of the plot has this `opacity`.
    pub(super) fn watch_ui(&mut self, canvas: &Canvas<'_>, rect: Rect, opacity: f32) {
        let painter = canvas.painter();
        let (place, legend) = parts(rect, self.pane.selected.len());
        let axis = |is_wanted: bool| if is_wanted { VALUE_AXIS } else { 0.0 };
        let has_axis = place.width() >= LEAST_WITH_AXIS;
        let has_right = self.pane.right_axis
            && place.width() >= LEAST_WITH_RIGHT_AXIS
            && self.view.needs_right_axis(self.pane.selected);
        let (left, rest) = place.split_left_right_at_x(place.left() + axis(has_axis));
        let (plot, right) = rest.split_left_right_at_x(rest.right() - axis(has_right));
        let ground = |rect, opacity: f32| {
            painter.rect_filled(rect, 0.0, self.pane.theme.plot.gamma_multiply(opacity));
        };
        ground(plot, opacity);
        ground(left, opacity.max(TEXT_GROUND));
        ground(right, opacity.max(TEXT_GROUND));
        ground(legend, opacity.max(TEXT_GROUND));
        let frames = self.pane.timeline.visible(&self.pane.data.frames());
        let (mut shown, mut ranges) =
            self.view
                .shown(self.pane.data, self.pane.selected, frames, has_right);
        let mut stack = std::mem::take(&mut self.view.stack);
        let pixels = plot.width() * canvas.pixels_per_point();
        let stacks = self.fill_stack(&mut stack, frames, &mut shown, pixels);
        if stacks {
            ranges = ValueRange::Shared;
        }
        self.read_legend(&shown);
        let transform = Transform::new(plot, frames, self.left_range(&shown));
        self.lay_out(canvas, &transform, ([left, right], legend), &shown, ranges);
        let inside = canvas.painter_in(plot);
        let Watched {
            revision,
            grid,
            kept_grid,
            ..
        } = &mut self.view.watched;
        kept_grid.paint(&inside, *revision, |painter| {
            painter.extend(grid.iter().cloned());
        });
        self.paint_series(canvas, &transform, &shown, stacks.then_some(&stack));
        self.view.stack = stack;
        let mut taken = self.marked_ui(canvas, &transform, &shown, stacks);
        let offset =
            |side, has_numbers: bool| has_numbers.then(|| self.offset_text(&shown, side))?;
        let offsets = [offset(Side::Left, has_axis), offset(Side::Right, has_right)];
        taken.extend(self.notes_ui(&inside, plot, offsets));
        self.marks_ui(canvas, &transform);
        self.budget_labels_ui(canvas, &transform, &shown, taken);
        self.paint_hint(canvas, plot, &shown, stacks);
        let Watched {
            revision,
            texts,
            kept_texts,
            legend,
            ..
        } = &mut self.view.watched;
        kept_texts.paint(painter, *revision, |painter| {
            painter.extend(texts.iter().cloned());
        });
        legend.legend_ui(canvas, self.pane.selected);
    }

    /// Lays out grid, axis and legend, if any of them changed.
    fn lay_out(
        &mut self,
        canvas: &Canvas<'_>,
        transform: &Transform,
        (axes, legend): ([Rect; 2], Rect),
        shown: &[Shown],
        ranges: ValueRange,
    ) {
        let seen = || (0..shown.len()).filter(|&at| !shown[at].hidden);
        let of = WatchedOf {
            rect: axes[0].union(axes[1]).union(legend),
            plot: transform.plot(),
            revision: self.pane.revision,
            axes: SIDES.map(|side| self.axis_of(shown, side)),
            mapping: self.view.mapping(),
            ranges,
            solo: seen().next().filter(|_| seen().count() < shown.len()),
            marked: self.pane.timeline.marked(),
            theme: *self.pane.theme,
            text_revision: text_revision(canvas.ctx()),
        };
        let is_same = self.view.watched.of == Some(of);
        if is_same && !self.pane.refresh {
            return;
        }
        let painter = canvas.painter();
        let mut watched = std::mem::take(&mut self.view.watched);
        if !is_same {
            watched.of = Some(of);
            watched.revision += 1;
            watched.grid.clear();
            watched.texts.clear();
            for ((side, axis), of) in SIDES.into_iter().zip(axes).zip(of.axes) {
                if let Some(of) = of {
                    self.lay_out_axis(canvas, transform, (axis, side), of, &mut watched);
                }
            }
        }
        let texts = self.view.legend.texts();
        watched
            .legend
            .lay_out(painter, &self.pane, legend, (shown, texts));
        self.view.watched = watched;
    }

    fn axis_of(&self, shown: &[Shown], side: Side) -> Option<AxisOf> {
        let at = series_of_axis(shown, side)?;
        let selected = self.pane.selected;
        let visible = shown.iter().filter(|shown| !shown.hidden);
        let of = visible.clone().filter(|shown| shown.side == side).count();
        let has_bar = visible.count() > 1 && of == 1;
        Some(AxisOf {
            range: shown[at].range,
            style: axis_style(selected, shown, side)?,
            bar: has_bar.then(|| self.pane.theme.series(selected[at].slot)),
        })
    }

    /// Lays out the numbers of an axis in `axis`, if `axis` has any width. For the left axis, also
    /// lays out the lines of the grid at its numbers.
    fn lay_out_axis(
        &self,
        canvas: &Canvas<'_>,
        transform: &Transform,
        (axis, side): (Rect, Side),
        of: AxisOf,
        watched: &mut Watched,
    ) {
        let (plot, theme, mapping) = (transform.plot(), self.pane.theme, self.view.mapping());
        let ((bottom, top), style) = (of.range, of.style);
        let (bottom, top) = (on_axis(mapping, bottom), on_axis(mapping, top));
        let per_point = (top - bottom) / f64::from(plot.height().max(1.0));
        let input = GridInput {
            bounds: (bottom, top),
            least: per_point * f64::from(GRID_DISTANCE),
        };
        let least = input.least;
        for mark in marks(input, mapping, style.grid_base()) {
            let share = (mark.value - bottom) / (top - bottom);
            let y = plot.bottom() - (share * f64::from(plot.height())) as f32;
            if mark.step_size < least * (1.0 - 1e-9) || !plot.y_range().contains(y) {
                continue;
            }
            if side == Side::Left {
                let line = [pos2(plot.left(), y), pos2(plot.right(), y)];
                let stroke = Stroke::new(1.0, theme.grid);
                watched.grid.push(Shape::line_segment(line, stroke));
            }
            let text = number(mark, style);
            let galley = shapes::laid_out(canvas.painter(), &text, small_font(), theme.text);
            let half = galley.size().y / 2.0;
            let middle = y.clamp(
                plot.top() + half,
                (plot.bottom() - half).max(plot.top() + half),
            );
            let at = if side == Side::Left {
                Align2::RIGHT_CENTER.anchor_size(pos2(axis.right() - 6.0, middle), galley.size())
            } else {
                Align2::LEFT_CENTER.anchor_size(pos2(axis.left() + 6.0, middle), galley.size())
            };
            if axis.contains_rect(at) {
                watched
                    .texts
                    .push(Shape::galley(at.min, galley, theme.text));
            }
        }
        if let Some(color) = of.bar {
            let bar = if side == Side::Left {
                axis.with_min_x((axis.right() - BAR).max(axis.left()))
            } else {
                axis.with_max_x((axis.left() + BAR).min(axis.right()))
            };
            watched.texts.push(Shape::rect_filled(bar, 0.0, color));
        }
    }
}
