//! One series inside an `egui_plot::Plot`: thinned straight from its history and painted as one shape.
//!
//! The one file that implements a trait of egui_plot.

use std::ops::RangeInclusive;

use egui::{Color32, Shape, Stroke, Ui, pos2};
use egui_plot::{PlotBounds, PlotGeometry, PlotItem, PlotItemBase, PlotTransform};
use stats_core::Window;

use crate::paint;
use crate::series_shape::{LineStyle, Scale, series_shape};
use crate::thin::{Bucket, bucket_width, thin};

/// Marks of frames over budget stand at least so far apart, in points.
const MARK_DISTANCE: f32 = 9.0;

/// A series as the plot paints it.
pub(crate) struct GraphItem<'a> {
    pub(crate) base: PlotItemBase,
    pub(crate) values: Window<'a>,
    pub(crate) color: Color32,
    /// What stands at the bottom and the top of the axis, in the series' own unit.
    pub(crate) range: (f64, f64),
    pub(crate) budget: Option<Budget>,
}

/// The budget of a series.
pub(crate) struct Budget {
    pub(crate) value: f64,
    /// Which row of marks along the upper edge is this series'.
    pub(crate) mark_row: usize,
    /// Whether its line is within the picture.
    pub(crate) line: bool,
}

impl PlotItem for GraphItem<'_> {
    fn shapes(&self, ui: &Ui, transform: &PlotTransform, shapes: &mut Vec<Shape>) {
        let bounds = transform.bounds();
        let frames = (bounds.min()[0], bounds.max()[0]);
        let scale = Scale { rect: *transform.frame(), frames, values: self.range };
        let pixels_per_point = ui.ctx().pixels_per_point();
        let columns = f64::from(scale.rect.width() * pixels_per_point);
        let width = bucket_width(frames.1 - frames.0, columns);
        // Whole buckets at both ends: half of one would have other extremes.
        let from = (frames.0.max(0.0) as u64).saturating_sub(1) / width * width;
        let to = (frames.1.max(0.0) as u64 / width + 1) * width + 1;
        let mut buckets = Vec::new();
        thin(self.values.within(from..to), width, &mut buckets);
        if let Some(budget) = &self.budget {
            self.budget_shapes(&scale, budget, shapes);
        }
        let style = LineStyle { color: self.color, width: 1.5, feather: 1.0 / pixels_per_point };
        shapes.push(series_shape(&buckets, width, &scale, style));
        if let Some(budget) = &self.budget {
            self.mark_shapes(&buckets, width, &scale, budget, shapes);
        }
    }

    fn initialize(&mut self, _x_range: RangeInclusive<f64>) {}

    fn color(&self) -> Color32 {
        self.color
    }

    fn allow_hover(&self) -> bool {
        false
    }

    fn geometry(&self) -> PlotGeometry<'_> {
        PlotGeometry::None
    }

    fn bounds(&self) -> PlotBounds {
        PlotBounds::NOTHING
    }

    fn base(&self) -> &PlotItemBase {
        &self.base
    }

    fn base_mut(&mut self) -> &mut PlotItemBase {
        &mut self.base
    }
}

impl GraphItem<'_> {
    /// A dashed line.
    fn budget_shapes(&self, scale: &Scale, budget: &Budget, shapes: &mut Vec<Shape>) {
        if !budget.line {
            return;
        }
        let y = scale.y(budget.value);
        let color = self.color.gamma_multiply(0.85);
        let ends = [pos2(scale.rect.left(), y), pos2(scale.rect.right(), y)];
        shapes.extend(Shape::dashed_line(&ends, Stroke::new(1.0, color), 6.0, 4.0));
    }

    /// A triangle along the upper edge over every frame above the budget; where they are dense, over the first of each.
    fn mark_shapes(&self, buckets: &[Bucket], width: u64, scale: &Scale, budget: &Budget, shapes: &mut Vec<Shape>) {
        let tip_y = scale.rect.top() + 8.0 + (budget.mark_row % 4) as f32 * 8.0;
        let mut next_x = f32::NEG_INFINITY;
        for bucket in buckets.iter().filter(|bucket| bucket.max > budget.value) {
            let x = scale.x(bucket.first_frame as f64 + (width - 1) as f64 / 2.0);
            if x >= next_x {
                shapes.push(paint::over_budget_mark(pos2(x, tip_y), self.color));
                next_x = x + MARK_DISTANCE;
            }
        }
    }
}
