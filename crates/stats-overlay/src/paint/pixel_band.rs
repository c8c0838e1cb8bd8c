//! The area of a series in a stack as pixels, column by column, as in [`pixels`](super::pixels).

use egui::Color32;
use stats_analysis::buckets::Bucket;
use stats_analysis::stack::StackedBand;

use crate::paint::pixels::fill;
use crate::paint::scale::Scale;

/// The area between the edges of a band.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PixelBand<'a> {
    pub(crate) band: StackedBand<'a>,
    pub(crate) pixels_per_frame: f64,
    /// Maps values to rows of pixels.
    pub(crate) scale: &'a Scale,
    pub(crate) color: Color32,
}

impl PixelBand<'_> {
    /// Draws the band over `pixels`, the pixels of `column` from top to bottom. The edges are
    /// straight between the middles of the buckets. A bucket without an edge is a gap.
    pub(crate) fn draw(&self, column: i64, pixels: &mut [Color32]) {
        let StackedBand {
            lower,
            upper,
            first_frame,
            width,
            ..
        } = self.band;
        let first = first_frame as f64 + (width - 1) as f64 / 2.0;
        let frame = (column as f64 + 0.5) / self.pixels_per_frame;
        let place = (frame - first) / width as f64;
        if place < 0.0 {
            return;
        }
        let (at, share) = (place as usize, place.fract() as f32);
        let row = |values: &[f64]| {
            let [from, to] = *values.get(at..)?.first_chunk::<2>()?;
            let (from, to) = (self.scale.y(from), self.scale.y(to));
            Some(from + (to - from) * share)
        };
        let Some(top) = row(upper) else { return };
        let bottom = lower.and_then(row);
        let bottom = bottom.unwrap_or_else(|| self.scale.y(0.0));
        if !(top.is_nan() || bottom.is_nan()) {
            fill(pixels, top.min(bottom), top.max(bottom), self.color);
        }
    }
}

/// Replaces the contents of `buckets` with the upper edge of a band, in the frames from `first` up to
/// `end` and in a bucket more at each side.
pub(crate) fn edge(band: &StackedBand<'_>, (first, end): (u64, u64), buckets: &mut Vec<Bucket>) {
    let index = |frame: u64| frame.saturating_sub(band.first_frame) / band.width;
    let from = (index(first) as usize).saturating_sub(1);
    let to = (index(end) as usize + 2).min(band.upper.len());
    buckets.clear();
    buckets.extend((from..to).map(|at| Bucket {
        first_frame: band.first_frame + at as u64 * band.width,
        min: band.upper[at],
        max: band.upper[at],
        first: band.upper[at],
        last: band.upper[at],
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Pos2, Rect, vec2};
    use stats_analysis::axis::Mapping;

    const HEIGHT: usize = 100;

    /// Returns the height of the area in each column, in pixels, for values from 0 to 100.
    fn heights(lower: Option<&[f64]>, upper: &[f64], width: u64) -> Vec<f32> {
        let rect = Rect::from_min_size(Pos2::ZERO, vec2(1.0, HEIGHT as f32));
        let band = PixelBand {
            band: StackedBand {
                lower,
                upper,
                first_frame: 0,
                width,
                end: upper.len() as u64 * width,
            },
            pixels_per_frame: 2.0 / width as f64,
            scale: &Scale::new(rect, (0.0, 1.0), (0.0, 100.0), Mapping::Linear),
            color: Color32::WHITE,
        };
        let column = |column| {
            let mut pixels = vec![Color32::TRANSPARENT; HEIGHT];
            band.draw(column, &mut pixels);
            let alpha = |pixel: &Color32| f32::from(pixel.a()) / 255.0;
            pixels.iter().map(alpha).sum()
        };
        (0..2 * upper.len() as i64).map(column).collect()
    }

    #[test]
    fn a_bucket_without_an_edge_is_a_gap() {
        for width in [1, 2, 5] {
            let mut upper = vec![50.0; 100];
            upper[40..60].fill(f64::NAN);
            let heights = heights(None, &upper, width);
            let filled = |columns: std::ops::Range<usize>| heights[columns].to_vec();
            assert!(filled(4..76).iter().all(|&height| height == 50.0));
            assert!(filled(80..119).iter().all(|&height| height == 0.0));
            assert!(filled(124..196).iter().all(|&height| height == 50.0));
        }
    }

    #[test]
    fn bands_fill_the_area_between_their_edges_and_touch() {
        let lower: Vec<f64> = (0..100).map(|at| 20.0 + f64::from(at % 10)).collect();
        let upper: Vec<f64> = lower.iter().map(|value| value + 30.0).collect();
        let (first, second) = (heights(None, &lower, 1), heights(Some(&lower), &upper, 1));
        let whole = heights(None, &upper, 1);
        for column in 2..198 {
            let both = first[column] + second[column];
            assert!((both - whole[column]).abs() < 0.02, "{both} in {column}");
            assert!((second[column] - 30.0).abs() < 0.02, "{}", second[column]);
        }
    }
}
