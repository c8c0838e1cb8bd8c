//! One series inside an `egui_plot::Plot`: thinned from its history and painted as one mesh.
//!
//! This is the only file that implements a trait of egui_plot.

use std::cell::RefCell;
use std::ops::RangeInclusive;

use egui::epaint::Mesh;
use egui::{Color32, Rect, Shape, Ui, pos2};
use egui_plot::{PlotBounds, PlotGeometry, PlotItem, PlotItemBase, PlotTransform};
use stats_core::FrameSlice;

use crate::graph::picture_cache::{PictureCache, PictureKey};
use crate::paint::band_mesh::{band_mesh, edge};
use crate::paint::line_mesh::push_line;
use crate::paint::scale::Scale;
use crate::paint::series_shape::{LineStyle, series_shape};
use stats_analysis::axis::Mapping;
use stats_analysis::buckets::bucket_width;
use stats_analysis::stack::StackedBand;
use stats_analysis::track::{Track, thin_tracked};

/// The width of a line, in points.
const LINE_WIDTH: f32 = 1.5;
/// The length of a dash of a budget's line and of the gap after it, in points.
const DASH: (f32, f32) = (6.0, 4.0);
/// The opacity of a band's area.
const BAND_OPACITY: f32 = 0.45;

/// A series in the plot: a line, or a band of a stack.
pub(super) struct GraphItem<'a> {
    pub(super) base: PlotItemBase,
    pub(super) values: FrameSlice<'a>,
    /// Speeds up thinning.
    pub(super) track: Option<&'a Track>,
    pub(crate) color: Color32,
    /// The values at the bottom and the top of the axis, in the series' own unit.
    pub(super) range: (f64, f64),
    pub(super) mapping: Mapping,
    /// The budget, if its line is within the picture.
    pub(super) budget_line: Option<f64>,
    /// The place among the selected series.
    pub(super) place: usize,
    /// The band of this series, if series are stacked.
    pub(super) band: Option<StackedBand<'a>>,
    /// Changes when other series are selected.
    pub(crate) revision: u64,
    /// The shapes of the previous passes.
    pub(super) cache: &'a RefCell<PictureCache>,
}

impl PlotItem for GraphItem<'_> {
    fn shapes(&self, ui: &Ui, transform: &PlotTransform, shapes: &mut Vec<Shape>) {
        self.push_shapes(ui.ctx().pixels_per_point(), transform, shapes);
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
    /// Adds the shapes of the series to those of the plot.
    pub(super) fn push_shapes(
        &self,
        pixels_per_point: f32,
        transform: &PlotTransform,
        shapes: &mut Vec<Shape>,
    ) {
        let bounds = transform.bounds();
        let frames = (bounds.min()[0], bounds.max()[0]);
        let scale = Scale::new(*transform.frame(), frames, self.range, self.mapping);
        let key = self.key(frames, scale.rect, pixels_per_point);
        if let Some(kept) = self
            .cache
            .borrow()
            .get(self.place, &key)
            .filter(|_| self.band.is_none())
        {
            shapes.extend_from_slice(kept);
            return;
        }
        let from = shapes.len();
        let style = LineStyle {
            color: self.color,
            width: LINE_WIDTH,
            feather: 1.0 / pixels_per_point,
        };
        if let Some(budget) = self.budget_line {
            shapes.push(self.budget_shape(&scale, budget, style.feather));
        }
        if let Some(band) = &self.band {
            shapes.push(self.band_shape(band, &scale, style));
        }
        let width = bucket_width(
            frames.1 - frames.0,
            f64::from(scale.rect.width() * pixels_per_point),
        );
        if self.band.is_none() {
            shapes.push(self.series_shape(frames, width, &scale, style));
        }
        self.cache
            .borrow_mut()
            .keep(self.place, key, &shapes[from..]);
    }

    /// Returns everything that the shapes depend on.
    fn key(&self, frames: (f64, f64), rect: Rect, pixels_per_point: f32) -> PictureKey {
        PictureKey {
            held: self.values.frames(),
            frames,
            rect,
            range: self.range,
            mapping: self.mapping,
            budget_line: self.budget_line,
            color: self.color,
            pixels_per_point,
            revision: self.revision,
        }
    }

    /// Returns the series itself.
    fn series_shape(
        &self,
        frames: (f64, f64),
        width: u64,
        scale: &Scale,
        style: LineStyle,
    ) -> Shape {
        // Whole buckets at both ends: part of a bucket would have other extremes.
        let from = (frames.0.max(0.0) as u64).saturating_sub(1) / width * width;
        let to = (frames.1.max(0.0) as u64 / width + 1) * width + 1;
        let mut buckets = Vec::new();
        thin_tracked(
            self.track,
            self.values.within(from..to),
            width,
            &mut buckets,
        );
        series_shape(&buckets, width, scale, style)
    }

    /// Returns the area of the band and the line along its upper edge.
    fn band_shape(&self, band: &StackedBand<'_>, scale: &Scale, style: LineStyle) -> Shape {
        let mut mesh: Mesh = band_mesh(band, scale, self.color.gamma_multiply(BAND_OPACITY));
        push_line(&mut mesh, edge(band, scale), style);
        Shape::mesh(mesh)
    }

    /// Returns a dashed line as one mesh: a hundred separate dashes would cost more than the
    /// series.
    fn budget_shape(&self, scale: &Scale, budget: f64, pixel: f32) -> Shape {
        let color = self.color.gamma_multiply(0.85);
        // On whole pixels, so that all dashes look alike.
        let top = (scale.y(budget) / pixel).round() * pixel;
        let mut mesh = Mesh::default();
        let mut left = scale.rect.left();
        while left < scale.rect.right() {
            let right = (left + DASH.0).min(scale.rect.right());
            mesh.add_colored_rect(
                Rect::from_min_max(pos2(left, top), pos2(right, top + pixel.max(1.0))),
                color,
            );
            left += DASH.0 + DASH.1;
        }
        Shape::mesh(mesh)
    }
}
