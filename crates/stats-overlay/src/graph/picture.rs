//! The series of a graph as pixels. While frames advance, only new columns are drawn.
//!
//! The pixels are textures of up to [`TILE`] columns each, which the picture reuses in turn. While
//! frames advance, a few columns are drawn and uploaded, and the graphics card does the rest.
//! Columns are counted from frame 0 on, so that a column has the same pixels wherever it is on
//! screen. A change of anything else (the zoom, a range, a color, the size) draws all visible
//! columns. The columns of a new picture are drawn over up to [`NEW_PASSES`] passes, newest first,
//! so that opening a graph does not make the frame long.
//!
//! Textures are transposed: a column of the picture is a row of a texture, and thus contiguous in
//! memory.
//!
//! As meshes, eight series of 4,096 frames took 0.7 MB, which egui copied in every frame; that took
//! longer than everything else in a pane. The areas of stacked series cost more than the rest of
//! the overlay together. A texture has few columns because bevy_egui uploads a whole texture for
//! every change, but each texture is a draw call.
//!
//! Drawing the pixels of eight series takes several milliseconds, which a frame of the game cannot
//! spare for a new picture. A later change of the range is drawn at once, so that no visible graph
//! becomes empty. A property test compares a scrolled picture with one drawn from scratch, pixel
//! for pixel.

use std::ops::Range;
use std::sync::Arc;

use egui::epaint::{Mesh, Vertex};
use egui::{Color32, ColorImage, Painter, Rect, Shape, TextureHandle, TextureOptions, pos2};
use stats_core::FrameSlice;

use crate::paint::pixel_band::PixelBand;
use crate::paint::pixels::PixelSeries;
use crate::paint::scale::Scale;
use crate::paint::series_shape::{LINE_FROM_POINTS_PER_FRAME, LineStyle};
use stats_analysis::axis::Mapping;
use stats_analysis::buckets::{Bucket, bucket_width};
use stats_analysis::stack::Stack;
use stats_analysis::track::{Track, thin_tracked};

/// The maximum number of columns of a texture. Fewer columns suit hosts that upload a whole texture
/// for every change, as bevy_egui does. More columns suit the others, because each texture is a
/// draw call.
const TILE: usize = 512;
/// The maximum number of passes in which a new picture is drawn, and the minimum number of columns
/// that a pass draws, of all series together. That takes about a quarter of a millisecond.
pub(super) const NEW_PASSES: usize = 16;
const NEW_COLUMNS: usize = 1024;
/// The number of buckets beside some columns that affect their pixels, at each side.
const BESIDE_COLUMNS: u64 = 4;
/// The number of buckets that a stack needs beside the visible ones, at each side.
pub(super) const BUCKETS_BESIDE: u64 = BESIDE_COLUMNS + 2;

/// The place of a picture on screen, and the frames in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    /// The area in points, and the size of a point in pixels.
    pub(super) rect: Rect,
    pub(super) pixels_per_point: f32,
    /// The longest side of a texture, in pixels. A taller picture is stretched.
    pub(super) max_side: usize,
    /// The frame at the left edge, and the number of frames up to the right edge.
    pub(super) left: f64,
    pub(super) span: f64,
    pub(super) mapping: Mapping,
    /// The width of a line, in points.
    pub(super) line_width: f32,
    /// Changes when other series are selected.
    pub(super) revision: u64,
}

/// A visible series.
#[derive(Clone, Copy)]
pub(super) struct VisibleSeries<'a> {
    /// Its index among the selected series.
    pub(super) at: usize,
    pub(super) values: FrameSlice<'a>,
    /// Speeds up thinning.
    pub(super) track: Option<&'a Track>,
    pub(super) color: Color32,
    /// The values at the lower and upper edges.
    pub(super) range: (f64, f64),
}

/// The pixels of the series of one graph.
#[derive(Default)]
pub(super) struct Picture {
    of: Option<Grid>,
    series: Vec<Drawn>,
    /// The columns whose pixels are those of `series`.
    columns: Range<i64>,
    /// The first frame of the stack.
    stack_start: u64,
    /// The columns that have lost frames since they were drawn, and those that have gained frames.
    aged: Range<i64>,
    fresh: Range<i64>,
    /// The textures, all of one size. `None` until a column of a texture is drawn, because it takes
    /// time to clear one.
    tiles: Vec<Option<Tile>>,
    /// The number of passes since the picture was created, up to [`NEW_PASSES`].
    passes: usize,
    /// Reused memory for drawing a column; all zeros in between.
    coverage: Vec<f32>,
    scratch: Vec<Bucket>,
}

/// How frames are mapped to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Grid {
    pixels_per_frame: f64,
    pixels_per_point: f32,
    /// The number of columns and rows.
    size: [usize; 2],
    /// The number of columns of a texture.
    tile: i64,
    /// The number of frames in a bucket.
    width: u64,
    is_line: bool,
    mapping: Mapping,
    line_width: f32,
    revision: u64,
    /// `None` if the series are not stacked; otherwise, whether buckets show their worst frames.
    stacking: Option<bool>,
}

/// A series as it was last drawn.
#[derive(Debug)]
struct Drawn {
    at: usize,
    color: Color32,
    range: (f64, f64),
    /// The frames that had values; in a stack, those that had an edge.
    held: Range<u64>,
    /// The visible buckets, starting at index `from`, without gaps; empty in a stack.
    buckets: Vec<Bucket>,
    from: usize,
}

struct Tile {
    texture: TextureHandle,
    quad: Arc<Mesh>,
}

impl Frame {
    /// Returns the width and the height in pixels.
    fn pixels(&self) -> [f32; 2] {
        let size = self.rect.size() * self.pixels_per_point;
        [size.x, size.y].map(|pixels| pixels.round().max(1.0))
    }
}

impl Grid {
    fn of(frame: &Frame, stack: Option<&Stack>) -> Self {
        let [width, height] = frame.pixels();
        let max_side = frame.max_side.max(1);
        let pixels_per_frame = f64::from(width) / frame.span.max(1e-9);
        let bucket = stack.map_or_else(|| bucket_width(frame.span, f64::from(width)), Stack::width);
        let points_per_frame = pixels_per_frame / f64::from(frame.pixels_per_point);
        Self {
            pixels_per_frame,
            pixels_per_point: frame.pixels_per_point,
            size: [width as usize, (height as usize).min(max_side)],
            tile: TILE.min(max_side) as i64,
            width: bucket,
            is_line: stack.is_none()
                && bucket == 1
                && points_per_frame >= f64::from(LINE_FROM_POINTS_PER_FRAME),
            mapping: frame.mapping,
            line_width: frame.line_width,
            revision: frame.revision,
            stacking: stack.map(Stack::is_exact),
        }
    }

    /// Returns the size of a texture, which is transposed.
    fn tile_size(&self) -> [usize; 2] {
        [self.size[1], self.tile as usize]
    }

    /// Returns the column of a position among the frames.
    fn column(&self, frame: f64) -> i64 {
        (frame * self.pixels_per_frame).floor() as i64
    }

    /// Returns the columns on screen.
    fn visible(&self, frame: &Frame) -> Range<i64> {
        let first = (frame.left * self.pixels_per_frame).round() as i64;
        first..first + self.size[0] as i64
    }

    /// Returns the frames whose buckets determine these columns.
    fn frames(&self, columns: &Range<i64>) -> Range<u64> {
        let bucket = |column: i64| column as f64 / self.pixels_per_frame / self.width as f64;
        let first = (bucket(columns.start).floor() - BESIDE_COLUMNS as f64).max(0.0) as u64;
        let last = (bucket(columns.end).ceil() + BESIDE_COLUMNS as f64).max(0.0) as u64;
        first * self.width..last * self.width
    }

    fn style(&self, color: Color32) -> LineStyle {
        LineStyle {
            color,
            width: self.line_width * self.pixels_per_point,
            feather: 1.0,
        }
    }

    /// Returns the columns in which the frames from `first` to `last` are visible, with the
    /// neighboring columns, because a line joins the frames to those beside them.
    fn seen_in(&self, first: u64, last: u64) -> Range<i64> {
        let style = self.style(Color32::WHITE);
        let reach = PixelSeries::reach(self.is_line, self.width, self.pixels_per_frame, style);
        let reach = reach.ceil() as i64;
        self.column(first as f64 - 1.0) - reach..self.column(last as f64) + reach + 1
    }
}

impl Picture {
    #[cfg(test)]
    pub(super) fn texture_count(&self) -> usize {
        self.tiles.iter().flatten().count()
    }

    /// Returns a picture whose first pass draws everything.
    #[cfg(test)]
    pub(super) fn at_once() -> Self {
        Self {
            passes: NEW_PASSES,
            ..Self::default()
        }
    }

    /// Reads the visible series. If there is a `stack`, they are its series, lowest first.
    pub(super) fn read<'a>(
        &mut self,
        frame: &Frame,
        series: impl Iterator<Item = VisibleSeries<'a>>,
        stack: Option<&Stack>,
    ) {
        let grid = Grid::of(frame, stack);
        if self.of != Some(grid) {
            self.of = Some(grid);
            self.series.clear();
            self.columns = 0..0;
        }
        (self.aged, self.fresh) = (0..0, 0..0);
        if let Some(band) = stack.and_then(|stack| stack.band(0)) {
            let before = std::mem::replace(&mut self.stack_start, band.first_frame);
            if band.first_frame > before {
                self.aged = grid.seen_in(before, band.first_frame);
            }
        }
        let frames = grid.frames(&grid.visible(frame));
        let mut count = 0;
        for series in series {
            if self.series.len() == count {
                self.series.push(Drawn::new(&series));
                self.columns = 0..0;
            }
            let drawn = &mut self.series[count];
            let mut held = series.values.frames();
            let band = stack.and_then(|stack| stack.band(count));
            if let Some(band) = band {
                held.end = band.end;
                // A series without values counts as 0.
                if series.values.is_empty() {
                    held.start = held.end;
                }
            }
            let before = std::mem::replace(&mut drawn.held, held.clone());
            let is_same =
                (drawn.at, drawn.color, drawn.range) == (series.at, series.color, series.range);
            let is_emptied = held.is_empty() && !before.is_empty();
            let is_shorter = band.is_none() && held.end < before.end;
            if !is_same || held.start < before.start || is_emptied || is_shorter {
                *drawn = Drawn::new(&series);
                drawn.held = held.clone();
                self.columns = 0..0;
            }
            if held.start > before.start && !held.is_empty() {
                self.aged = hull(&self.aged, grid.seen_in(before.start, held.start));
            }
            // The newest bucket of a stack loses its edge while only a part of it is known.
            if held.end < before.end {
                self.aged = hull(&self.aged, grid.seen_in(held.end, before.end));
            }
            if held.end > before.end {
                // In a stack, a series counts as 0 before its history begins.
                let start = if stack.is_some() { 0 } else { held.start };
                let first = before.end.max(start);
                self.fresh = hull(&self.fresh, grid.seen_in(first, held.end - 1));
            }
            if stack.is_none() {
                drawn.read(&grid, &series, &frames, before.end, &mut self.scratch);
            }
            count += 1;
        }
        if self.series.len() > count {
            self.series.truncate(count);
            self.columns = 0..0;
        }
    }

    /// Returns the buckets of every series that is drawn as a line or as columns, by its index among
    /// the selected series, and the number of frames in a bucket. The buckets include a few beside
    /// the visible ones.
    pub(super) fn buckets(&self) -> impl Iterator<Item = (usize, &[Bucket], u64)> {
        let width = self.of.map_or(1, |grid| grid.width);
        let series = self.series.iter();
        series.map(move |drawn| (drawn.at, drawn.visible(), width))
    }

    /// Draws the columns that the last [`read`](Self::read) changed, and paints the picture. Call
    /// it after every read, with the same `stack`.
    pub(super) fn paint(&mut self, painter: &Painter, frame: &Frame, stack: Option<&Stack>) {
        let Some(grid) = self.of else { return };
        let visible = grid.visible(frame);
        self.resize_tiles(&grid);
        let mut kept = overlap(&self.columns, &visible);
        if kept.is_empty() {
            kept = visible.end..visible.end;
        }
        let start = visible.start.max(self.oldest_to_draw(&grid, kept.start));
        self.draw(painter, stack, &grid, start..kept.start);
        let (aged, fresh) = (overlap(&self.aged, &kept), overlap(&self.fresh, &kept));
        self.draw(painter, stack, &grid, aged);
        // New frames are usually at the right edge, next to the columns that scroll in.
        if !fresh.is_empty() && fresh.end == kept.end {
            self.draw(painter, stack, &grid, fresh.start..visible.end);
        } else {
            self.draw(painter, stack, &grid, fresh);
            self.draw(painter, stack, &grid, kept.end..visible.end);
        }
        self.columns = start..visible.end;
        self.paint_tiles(painter, &grid, frame, &visible);
    }

    /// Returns the first column to draw in this pass, before the columns from `end` on, which are
    /// drawn already: any, unless the picture is new. A pass then begins at most one texture, whose
    /// memory is new.
    fn oldest_to_draw(&mut self, grid: &Grid, end: i64) -> i64 {
        if self.passes == NEW_PASSES {
            return i64::MIN;
        }
        self.passes += 1;
        let min = NEW_COLUMNS / self.series.len().max(1);
        let columns = min.max(grid.size[0].div_ceil(NEW_PASSES - 1)) as i64;
        let has_texture = self.tiles[self.slot(end - 1, grid.tile)].is_some();
        let first = end - columns;
        if has_texture {
            first
        } else {
            first.max((end - 1).div_euclid(grid.tile) * grid.tile)
        }
    }

    /// Drops the textures unless they are those of a picture of this size.
    fn resize_tiles(&mut self, grid: &Grid) {
        let count = grid.size[0].div_ceil(grid.tile as usize) + 1;
        let size = grid.tile_size();
        let mut sizes = self.tiles.iter().flatten().map(|tile| tile.texture.size());
        if self.tiles.len() == count && sizes.next().is_none_or(|before| before == size) {
            return;
        }
        self.columns = 0..0;
        self.tiles.clear();
        self.tiles.resize_with(count, || None);
    }

    /// Draws columns and uploads them.
    fn draw(&mut self, painter: &Painter, stack: Option<&Stack>, grid: &Grid, columns: Range<i64>) {
        let [_, height] = grid.size;
        let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, height as f32));
        for part in in_tiles(columns, grid.tile) {
            let count = (part.end - part.start) as usize;
            let mut pixels = vec![Color32::TRANSPARENT; count * height];
            for (at, drawn) in self.series.iter().enumerate() {
                let scale = Scale::new(rect, (0.0, 1.0), drawn.range, grid.mapping);
                let pixels_per_frame = grid.pixels_per_frame;
                let columns = part.clone().zip(pixels.chunks_exact_mut(height));
                if let Some(band) = stack.and_then(|stack| stack.band(at)) {
                    let area = PixelBand {
                        band,
                        pixels_per_frame,
                        scale: &scale,
                        color: drawn.color,
                    };
                    columns.for_each(|(column, pixels)| area.draw(column, pixels));
                    continue;
                }
                let series = PixelSeries {
                    buckets: drawn.visible(),
                    width: grid.width,
                    is_line: grid.is_line,
                    pixels_per_frame,
                    scale: &scale,
                    style: grid.style(drawn.color),
                };
                for (column, pixels) in columns {
                    series.draw(column, pixels, &mut self.coverage);
                }
            }
            let slot = self.slot(part.start, grid.tile);
            let place = [0, part.start.rem_euclid(grid.tile) as usize];
            let image = ColorImage::new([height, count], pixels);
            self.tiles[slot]
                .get_or_insert_with(|| Tile::new(painter, grid.tile_size()))
                .texture
                .set_partial(place, image, TextureOptions::NEAREST);
        }
    }

    /// Returns the index of the texture that contains a column.
    fn slot(&self, column: i64, tile: i64) -> usize {
        column
            .div_euclid(tile)
            .rem_euclid(self.tiles.len().max(1) as i64) as usize
    }

    /// Paints the drawn columns, aligned to whole pixels.
    fn paint_tiles(&mut self, painter: &Painter, grid: &Grid, frame: &Frame, visible: &Range<i64>) {
        let pixel = 1.0 / frame.pixels_per_point;
        let whole = |points: f32| (points * frame.pixels_per_point).round();
        let (left, top) = (whole(frame.rect.left()), whole(frame.rect.top()));
        let x = |column: i64| (left + (column - visible.start) as f32) * pixel;
        let rows = (top * pixel, (top + frame.pixels()[1]) * pixel);
        for part in in_tiles(self.columns.clone(), grid.tile) {
            let slot = self.slot(part.start, grid.tile);
            let Some(tile) = &mut self.tiles[slot] else {
                continue;
            };
            let quad = Arc::make_mut(&mut tile.quad);
            quad.texture_id = tile.texture.id();
            quad.vertices.clear();
            let first = part.start - part.start.rem_euclid(grid.tile);
            for column in [part.start, part.end] {
                let v = (column - first) as f32 / grid.tile as f32;
                for (y, u) in [(rows.0, 0.0), (rows.1, 1.0)] {
                    quad.vertices.push(Vertex {
                        pos: pos2(x(column), y),
                        uv: pos2(u, v),
                        color: Color32::WHITE,
                    });
                }
            }
            quad.indices.clear();
            quad.indices.extend_from_slice(&[0, 1, 2, 1, 2, 3]);
            painter.add(Shape::Mesh(Arc::clone(&tile.quad)));
        }
    }
}

impl Tile {
    fn new(painter: &Painter, size: [usize; 2]) -> Self {
        let image = ColorImage::filled(size, Color32::TRANSPARENT);
        let options = TextureOptions::NEAREST;
        Self {
            texture: painter.ctx().load_texture("stats graph", image, options),
            quad: Arc::default(),
        }
    }
}

impl Drawn {
    fn new(series: &VisibleSeries<'_>) -> Self {
        Self {
            at: series.at,
            color: series.color,
            range: series.range,
            held: series.values.frames(),
            buckets: Vec::new(),
            from: 0,
        }
    }

    fn visible(&self) -> &[Bucket] {
        &self.buckets[self.from..]
    }

    /// Reads the buckets of `frames`, which are whole buckets. Buckets of frames before `known` are
    /// kept, except that of the oldest frame, which loses frames.
    fn read(
        &mut self,
        grid: &Grid,
        series: &VisibleSeries<'_>,
        frames: &Range<u64>,
        known: u64,
        scratch: &mut Vec<Bucket>,
    ) {
        let width = grid.width;
        let window = series.values.within(frames.clone());
        let (start, end) = (window.frames().start, window.frames().end);
        let first = start - start % width;
        let is_later = self
            .visible()
            .first()
            .is_some_and(|oldest| oldest.first_frame <= first);
        if !is_later || window.is_empty() {
            self.buckets.clear();
            self.from = 0;
        }
        if let Some(oldest) = self.visible().first() {
            self.from += ((first - oldest.first_frame) / width) as usize;
            self.from = self.from.min(self.buckets.len());
        }
        // From time to time, move the remaining buckets to the front.
        if self.from * 2 > self.buckets.len() {
            self.buckets.drain(..std::mem::take(&mut self.from));
        }
        let is_whole = |bucket: &Bucket| {
            let next = bucket.first_frame + width;
            next <= known && next <= frames.end
        };
        while self
            .visible()
            .last()
            .is_some_and(|newest| !is_whole(newest))
        {
            self.buckets.pop();
        }
        let next = self
            .visible()
            .last()
            .map_or(first, |last| last.first_frame + width);
        thin_tracked(
            series.track,
            window.within(next..end.max(next)),
            width,
            scratch,
        );
        for bucket in scratch.drain(..) {
            let next = self
                .buckets
                .last()
                .map_or(first, |last| last.first_frame + width);
            let gap = (next..bucket.first_frame).step_by(width as usize);
            self.buckets.extend(gap.map(unknown));
            self.buckets.push(bucket);
        }
        if start != first && !self.visible().is_empty() {
            thin_tracked(
                series.track,
                window.within(start..first + width),
                width,
                scratch,
            );
            if let Some(oldest) = self.buckets.get_mut(self.from) {
                *oldest = scratch.first().copied().unwrap_or_else(|| unknown(first));
            }
        }
    }
}

/// Returns a bucket without a known value.
fn unknown(first_frame: u64) -> Bucket {
    Bucket {
        first_frame,
        min: f64::NAN,
        max: f64::NAN,
        first: f64::NAN,
        last: f64::NAN,
    }
}

/// Splits columns by texture.
fn in_tiles(columns: Range<i64>, tile: i64) -> impl Iterator<Item = Range<i64>> {
    let mut start = columns.start;
    std::iter::from_fn(move || {
        let end = ((start.div_euclid(tile) + 1) * tile).min(columns.end);
        let part = (start < end).then_some(start..end);
        start = end;
        part
    })
}

/// Returns the smallest range with all columns of both. The first may be empty.
fn hull(range: &Range<i64>, other: Range<i64>) -> Range<i64> {
    if range.is_empty() {
        other
    } else {
        range.start.min(other.start)..range.end.max(other.end)
    }
}

fn overlap(range: &Range<i64>, other: &Range<i64>) -> Range<i64> {
    range.start.max(other.start)..range.end.min(other.end)
}
