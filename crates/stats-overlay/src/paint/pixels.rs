//! A series as pixels, column by column.
//!
//! Columns are counted from frame 0, and a column depends only on the values near it. A scrolling
//! picture therefore keeps its columns, and draws only those of new frames.
//!
//! If frames are far enough apart, a series is a line with round joints; the coverage of a pixel
//! follows from its distance to the line. Otherwise a column reaches from the minimum to the
//! maximum of its bucket, and slopes to its neighbors as in [`columns_mesh`](super::columns_mesh).

use egui::Color32;
use stats_analysis::buckets::Bucket;

use crate::paint::columns_mesh::Span;
use crate::paint::scale::Scale;
use crate::paint::series_shape::LineStyle;

/// A series to draw in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PixelSeries<'a> {
    /// Consecutive buckets of `width` frames. The values of a bucket without a known value are NaN:
    /// the series has a gap there.
    pub(crate) buckets: &'a [Bucket],
    pub(crate) width: u64,
    /// Whether a line joins the frames. If not, each bucket is drawn as a column.
    pub(crate) is_line: bool,
    pub(crate) pixels_per_frame: f64,
    /// Maps values to rows of pixels.
    pub(crate) scale: &'a Scale,
    /// The style, with widths in pixels.
    pub(crate) style: LineStyle,
}

/// The radius of the dot of a frame between two gaps, in line widths.
const DOT: f32 = 1.5;

impl PixelSeries<'_> {
    /// Returns the distance from a frame up to which its value affects the picture, in pixels.
    pub(crate) fn reach(is_line: bool, width: u64, pixels_per_frame: f64, style: LineStyle) -> f64 {
        if is_line {
            f64::from(style.width * DOT) + 1.0
        } else {
            2.0 * width as f64 * pixels_per_frame + 2.0
        }
    }

    /// Draws the series over `pixels`, the pixels of `column` from top to bottom. `coverage` is a
    /// reused buffer, which is all 0 between calls.
    pub(crate) fn draw(&self, column: i64, pixels: &mut [Color32], coverage: &mut Vec<f32>) {
        if self.is_line {
            self.draw_line(column, pixels, coverage);
        } else {
            self.draw_column(column, pixels);
        }
    }

    fn draw_column(&self, column: i64, pixels: &mut [Color32]) {
        let Some(first) = self.buckets.first() else {
            return;
        };
        // A frame begins half a frame before its place.
        let place = (column as f64 + 0.5) / self.pixels_per_frame + 0.5;
        let bucket = place / self.width as f64;
        let at = bucket.floor() as i64 - (first.first_frame / self.width) as i64;
        let span = |at: i64| {
            let bucket = self.buckets.get(usize::try_from(at).ok()?)?;
            (!bucket.last.is_nan()).then(|| Span::of(bucket, self.scale, self.style))
        };
        let Some(here) = span(at) else { return };
        let left = span(at - 1).map_or(here, |left| left.hull(here));
        let right = span(at + 1).map_or(here, |right| here.hull(right));
        let Span { top, bottom } = left.lerp(right, bucket.fract() as f32);
        fill(pixels, top, bottom, self.style.color);
    }

    fn draw_line(&self, column: i64, pixels: &mut [Color32], coverage: &mut Vec<f32>) {
        let (Some(first), Some(last)) = (self.buckets.first(), self.buckets.last()) else {
            return;
        };
        // A line thinner than a pixel is fainter instead.
        let half = self.style.width.max(1.0) / 2.0;
        let middle = column as f64 + 0.5;
        // Relative to the middle of the column, single precision is enough.
        let point = |bucket: &Bucket| {
            let x = bucket.first_frame as f64 * self.pixels_per_frame - middle;
            (x as f32, self.scale.y(bucket.last))
        };
        coverage.resize(pixels.len(), 0.0);
        let mut rows = (pixels.len(), 0);
        let dot = self.style.width * DOT;
        let reach = f64::from(half.max(dot)) + 0.5;
        let frame = |x: f64| (x / self.pixels_per_frame).clamp(0.0, last.first_frame as f64);
        let from = (frame(middle - reach) as u64).max(first.first_frame) - first.first_frame;
        let to = (frame(middle + reach).ceil() as u64 + 1).saturating_sub(first.first_frame);
        let near = from as usize..(to as usize).min(self.buckets.len());
        let known = |at: usize| self.buckets.get(at).filter(|bucket| !bucket.last.is_nan());
        for at in near {
            let Some(here) = known(at) else { continue };
            if let Some(next) = known(at + 1) {
                cover(coverage, &mut rows, (point(here), point(next)), half);
            } else if at == 0 || known(at - 1).is_none() {
                cover(coverage, &mut rows, (point(here), point(here)), dot);
            }
        }
        let ink = Ink::new(self.style.color, self.style.width.min(1.0));
        let rows = rows.0.min(rows.1)..rows.1;
        for (pixel, covered) in pixels[rows.clone()].iter_mut().zip(&mut coverage[rows]) {
            ink.add_to(pixel, std::mem::take(covered));
        }
    }
}

/// Raises the coverage of a column's pixels to that of a line segment, and extends `rows` to
/// include them. The ends of the segment are relative to the middle of the column.
fn cover(
    coverage: &mut [f32],
    rows: &mut (usize, usize),
    ((x0, y0), (x1, y1)): ((f32, f32), (f32, f32)),
    half: f32,
) {
    let (dx, dy) = (x1 - x0, y1 - y0);
    let reach = half + 0.5;
    if x0 > reach || x1 < -reach {
        return;
    }
    let share = |x: f32| {
        if dx > 0.0 {
            ((x - x0) / dx).clamp(0.0, 1.0)
        } else {
            0.0
        }
    };
    let (near, far) = (y0 + share(-reach) * dy, y0 + share(reach) * dy);
    let from = (near.min(far) - reach).floor().max(0.0) as usize;
    let to = ((near.max(far) + reach).ceil().max(0.0) as usize).min(coverage.len());
    if from >= to {
        return;
    }
    *rows = (rows.0.min(from), rows.1.max(to));
    let per_length = 1.0 / (dx * dx + dy * dy).max(1e-12);
    for (row, covered) in coverage[from..to].iter_mut().enumerate() {
        // Unlike `usize`, `i32` is converted with vector instructions.
        let y = (from as i32 + row as i32) as f32 + 0.5 - y0;
        let along = ((y * dy - x0 * dx) * per_length).clamp(0.0, 1.0);
        let (away_x, away_y) = (x0 + along * dx, y - along * dy);
        let distance = (away_x * away_x + away_y * away_y).sqrt();
        let by = (reach - distance).clamp(0.0, 1.0);
        *covered = if by > *covered { by } else { *covered };
    }
}

/// Fills a column between two heights. Partly covered pixels fade.
fn fill(pixels: &mut [Color32], top: f32, bottom: f32, color: Color32) {
    fill_with(Ink::add_to, pixels, top, bottom, color);
}

/// Works like [`fill`], and adds the color to a pixel with `add`.
pub(super) fn fill_with(
    add: impl Fn(&Ink, &mut Color32, f32),
    pixels: &mut [Color32],
    top: f32,
    bottom: f32,
    color: Color32,
) {
    let (top, bottom) = (top.max(0.0), bottom.min(pixels.len() as f32));
    if top >= bottom {
        return;
    }
    let ink = Ink::new(color, 1.0);
    let (first, last) = (top as usize, bottom as usize);
    if first == last {
        return add(&ink, &mut pixels[first], bottom - top);
    }
    add(&ink, &mut pixels[first], 1.0 - top.fract());
    if color.is_opaque() {
        pixels[first + 1..last].fill(color);
    } else {
        for pixel in &mut pixels[first + 1..last] {
            add(&ink, pixel, 1.0);
        }
    }
    if let Some(pixel) = pixels.get_mut(last) {
        add(&ink, pixel, bottom.fract());
    }
}

/// A premultiplied color, which is blended over others as in egui's shaders.
pub(super) struct Ink([u32; 4]);

impl Ink {
    fn new(color: Color32, opacity: f32) -> Self {
        Self(color.gamma_multiply(opacity).to_array().map(u32::from))
    }

    /// Blends a share of the color over a pixel.
    fn add_to(&self, pixel: &mut Color32, share: f32) {
        self.blend(pixel, share, |_, ink| 255 - ink);
    }

    /// Adds a share of the color beside what covers a pixel already; over it only as far as the
    /// pixel has no room. The background does not shine through between two areas that touch.
    pub(super) fn add_beside(&self, pixel: &mut Color32, share: f32) {
        self.blend(pixel, share, |below, ink| {
            let room = 255 - ink;
            if below <= room {
                255
            } else {
                room * 255 / below
            }
        });
    }

    /// Adds a share of the color to the part of a pixel that `kept` returns, for the opacity of the
    /// pixel and that of the share. All are from 0 to 255.
    fn blend(&self, pixel: &mut Color32, share: f32, kept: impl Fn(u32, u32) -> u32) {
        if share >= 1.0 && *pixel == Color32::TRANSPARENT {
            let [r, g, b, a] = self.0.map(|channel| channel as u8);
            *pixel = Color32::from_rgba_premultiplied(r, g, b, a);
            return;
        }
        let share = (share * 255.0 + 0.5) as u32;
        // The quotient by 255, rounded exactly.
        let divided = |product: u32| (product + 128 + ((product + 128) >> 8)) >> 8;
        let kept = kept(u32::from(pixel.a()), divided(self.0[3] * share));
        let below = pixel.to_array();
        let channel =
            |at: usize| divided(self.0[at] * share + u32::from(below[at]) * kept).min(255) as u8;
        *pixel = Color32::from_rgba_premultiplied(channel(0), channel(1), channel(2), channel(3));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::raster::STYLE;
    use egui::{Pos2, Rect, vec2};
    use stats_analysis::axis::Mapping;
    use stats_analysis::buckets::thin;
    use stats_core::FrameSlice;

    const HEIGHT: usize = 60;

    /// Returns the opacities of the columns of values from 0 to 10.
    fn columns(values: &[f64], width: u64, pixels_per_frame: f64, count: i64) -> Vec<Vec<u8>> {
        let mut buckets = Vec::new();
        thin(FrameSlice::new(0, values, &[]), width, &mut buckets);
        let rect = Rect::from_min_size(Pos2::ZERO, vec2(1.0, HEIGHT as f32));
        let series = PixelSeries {
            buckets: &buckets,
            width,
            is_line: width == 1 && pixels_per_frame >= 1.0,
            pixels_per_frame,
            scale: &Scale::new(rect, (0.0, 1.0), (0.0, 10.0), Mapping::Linear),
            style: STYLE,
        };
        let mut coverage = Vec::new();
        let column = |column| {
            let mut pixels = vec![Color32::TRANSPARENT; HEIGHT];
            series.draw(column, &mut pixels, &mut coverage);
            assert!(coverage.iter().all(|covered| *covered == 0.0));
            pixels.iter().map(Color32::a).collect()
        };
        (0..count).map(column).collect()
    }

    /// Returns the sum of the opacities of a row, in pixels.
    fn row(columns: &[Vec<u8>], row: usize) -> f32 {
        columns
            .iter()
            .map(|column| f32::from(column[row]) / 255.0)
            .sum()
    }

    #[test]
    fn a_spike_of_one_frame_is_visible_at_every_zoom() {
        let mut values = vec![1.0; 300];
        values[123] = 9.0;
        let mut pixels_per_frame = 0.3;
        while pixels_per_frame < 30.0 {
            let width = (1.0_f64 / pixels_per_frame).ceil() as u64;
            let count = (300.0 * pixels_per_frame) as i64;
            let columns = columns(&values, width, pixels_per_frame, count);
            // The value 9 of 10 is 6 pixels below the upper edge.
            let tip = columns.iter().map(|column| column[8]).max();
            assert!(tip > Some(180), "{tip:?} at {pixels_per_frame}");
            assert!(row(&columns, 30) > 0.9, "{} wide", row(&columns, 30));
            pixels_per_frame *= 1.07;
        }
    }

    #[test]
    fn a_level_line_has_its_width_in_both_styles() {
        for pixels_per_frame in [0.4, 0.9, 1.0, 2.3, 11.0] {
            let width = (1.0_f64 / pixels_per_frame).ceil() as u64;
            for column in &columns(&[5.0; 400], width, pixels_per_frame, 100)[5..95] {
                let wide: f32 = column.iter().map(|alpha| f32::from(*alpha) / 255.0).sum();
                assert!((wide - 1.5).abs() < 0.02, "{wide} at {pixels_per_frame}");
            }
        }
    }

    #[test]
    fn a_line_has_no_gap_and_a_single_frame_is_a_dot() {
        let values: Vec<f64> = (0..100).map(|at| f64::from(at * 37 % 10)).collect();
        for pixels_per_frame in [1.0, 1.7, 4.4] {
            for (at, column) in columns(&values, 1, pixels_per_frame, 80)
                .iter()
                .enumerate()
                .skip(2)
            {
                let seen: Vec<usize> = (0..HEIGHT).filter(|&row| column[row] > 40).collect();
                let rows = seen[0]..seen[seen.len() - 1];
                assert_eq!(rows.len() + 1, seen.len(), "a gap in column {at}");
            }
        }
        let dot = columns(&[5.0], 1, 4.0, 10);
        let area: f32 = (0..HEIGHT).map(|at| row(&dot, at)).sum();
        assert!((7.0..11.0).contains(&area), "half of a circle: {area}");
    }

    #[test]
    fn premultiplied_colors_are_blended_over_each_other() {
        let mut pixels = [Color32::from_rgb(10, 200, 30); 3];
        fill(&mut pixels, 0.0, 2.5, Color32::from_rgb(210, 0, 30));
        assert_eq!(pixels[1], Color32::from_rgb(210, 0, 30));
        assert_eq!(pixels[2], Color32::from_rgb(110, 100, 30));
    }
}
