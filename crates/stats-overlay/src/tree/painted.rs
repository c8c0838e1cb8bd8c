//! The rows on screen as they were painted, kept until their contents change.

use egui::epaint::Mesh;
use egui::{Color32, Painter, Rect};
use stats_core::FrameSlice;

use crate::paint::reused_mesh::ReusedMesh;
use crate::paint::series_shape::LineStyle;
use crate::paint::sparkline::push_sparkline;
use stats_analysis::buckets::Bucket;
use stats_ui::retained::{Joined, Retained};
use stats_ui::theme::{DIMMED, Theme};

/// The position of a row to be drawn.
#[derive(Clone, Copy)]
pub(super) struct RowPlace {
    pub(super) rect: Rect,
    /// Its index among the rows.
    pub(super) at: usize,
    /// Its index among those on screen.
    pub(super) on_screen: usize,
    pub(super) is_cursor: bool,
    /// Whether the row is only kept in its place.
    pub(super) is_dimmed: bool,
}

/// The space between the name and the value of a row.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Between {
    /// The right edge of the space for buttons.
    pub(super) icons_right: f32,
    pub(super) spark: Option<Rect>,
}

/// The rows on screen as they are painted, and their sparklines.
#[derive(Debug, Default)]
pub(super) struct PaintedRows {
    rows: Vec<PaintedRow>,
    joined: Joined,
    /// The number of joined rows.
    count: usize,
    /// Whether a row changed since they were joined.
    is_new: bool,
    sparks: ReusedMesh,
    /// The sparklines of this pass.
    new_sparks: Mesh,
    /// Reused memory.
    buckets: Vec<Bucket>,
}

/// The shapes of a row, kept until its contents change.
#[derive(Debug, Default)]
struct PaintedRow {
    shapes: Retained<RowKey>,
    between: Between,
}

/// The cache key of a row's shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct RowKey {
    rect: Rect,
    theme: Theme,
    is_dimmed: bool,
    /// A hash of the texts and states.
    contents: u64,
}

impl PaintedRows {
    /// Lays out a row with `paint` if `contents` changed, or if anything that all rows depend on
    /// changed. [`paint`](Self::paint) paints all rows at once.
    pub(super) fn row(
        &mut self,
        painter: &Painter,
        (place, theme): (RowPlace, &Theme),
        contents: u64,
        paint: &mut dyn FnMut(&Painter) -> Between,
    ) -> Between {
        let key = RowKey {
            rect: place.rect,
            theme: *theme,
            is_dimmed: place.is_dimmed,
            contents,
        };
        if self.rows.len() <= place.on_screen {
            let count = place.on_screen + 1;
            self.rows.resize_with(count, PaintedRow::default);
        }
        let PaintedRow { shapes, between } = &mut self.rows[place.on_screen];
        self.is_new |= shapes.lay_out(painter, place.rect.min, key, |painter| {
            let mut painter = painter.clone();
            if place.is_dimmed {
                painter.multiply_opacity(DIMMED);
            }
            *between = paint(&painter);
        });
        *between
    }

    /// Adds the sparkline of a row to the mesh that is painted over all rows.
    pub(super) fn add_spark(
        &mut self,
        painter: &Painter,
        rect: Rect,
        values: FrameSlice<'_>,
        color: Color32,
    ) {
        let style = LineStyle {
            color,
            width: 1.0,
            feather: 1.0 / painter.pixels_per_point(),
        };
        push_sparkline(&mut self.new_sparks, rect, values, style, &mut self.buckets);
    }

    /// Paints the first `count` rows and their sparklines.
    pub(super) fn paint(&mut self, painter: &Painter, count: usize) {
        let is_new = std::mem::take(&mut self.is_new);
        if is_new | (std::mem::replace(&mut self.count, count) != count) {
            let rows = self.rows.iter().take(count);
            self.joined.join(rows.map(|row| &row.shapes));
        }
        self.joined.paint(painter);
        let Self {
            sparks, new_sparks, ..
        } = self;
        painter.add(sparks.shape(|mesh| std::mem::swap(mesh, new_sparks)));
        new_sparks.vertices.clear();
        new_sparks.indices.clear();
    }
}
