//! The area of a series in a stack as pixels, column by column, as in [`pixels`](super::pixels).

use egui::Color32;
use stats_analysis::stack::StackedBand;

use crate::paint::pixels::{Ink, fill_with};
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
    /// Draws the band over `pixels`, the pixels of `column` from top to bottom. A column shows the
    /// bucket at its middle, so the bands of a column add up. A bucket without an edge is a gap.
    ///
    /// Draw the lowest band of a stack first.
    pub(crate) fn draw(&self, column: i64, pixels: &mut [Color32]) {
        // A frame begins half a frame before its place.
        let place = (column as f64 + 0.5) / self.pixels_per_frame + 0.5;
        let bucket = (place / self.band.width as f64).floor();
        let at = bucket as i64 - (self.band.first_frame / self.band.width) as i64;
        let Ok(at) = usize::try_from(at) else { return };
        let edge = |values: &[f64]| values.get(at).copied().filter(|value| !value.is_nan());
        let Some(upper) = edge(self.band.upper) else {
            return;
        };
        let lower = self.band.lower.and_then(edge).unwrap_or(0.0);
        let (upper, lower) = (self.scale.y(upper), self.scale.y(lower));
        let (top, bottom) = (upper.min(lower), upper.max(lower));
        fill_with(Ink::add_beside, pixels, top, bottom, self.color);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Pos2, Rect, vec2};
    use stats_analysis::axis::Mapping;

    const HEIGHT: usize = 100;

    /// Returns a scale of values from 0 to 100.
    fn scale() -> Scale {
        let rect = Rect::from_min_size(Pos2::ZERO, vec2(1.0, HEIGHT as f32));
        Scale::new(rect, (0.0, 1.0), (0.0, 100.0), Mapping::Linear)
    }

    fn band<'a>(
        lower: Option<&'a [f64]>,
        upper: &'a [f64],
        width: u64,
        scale: &'a Scale,
    ) -> PixelBand<'a> {
        PixelBand {
            band: StackedBand {
                lower,
                upper,
                first_frame: 0,
                width,
                end: upper.len() as u64 * width,
            },
            pixels_per_frame: 2.0 / width as f64,
            scale,
            color: Color32::WHITE,
        }
    }

    /// Returns the height of the area in each column, in pixels.
    fn heights(lower: Option<&[f64]>, upper: &[f64], width: u64) -> Vec<f32> {
        let scale = scale();
        let band = band(lower, upper, width, &scale);
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
            assert!(filled(82..118).iter().all(|&height| height == 0.0));
            assert!(filled(124..196).iter().all(|&height| height == 50.0));
        }
    }

    #[test]
    fn a_spike_of_the_lowest_band_leaves_the_others_as_thin_as_their_values() {
        for width in [1, 4] {
            let mut lower = vec![10.0; 50];
            lower[20] = 90.0;
            let upper: Vec<f64> = lower.iter().map(|value| value + 0.5).collect();
            let (below, above) = (
                heights(None, &lower, width),
                heights(Some(&lower), &upper, width),
            );
            let (below, above) = (&below[..98], &above[..98]);
            // The spike is as tall in every column of its bucket.
            assert_eq!(below.iter().filter(|&&height| height == 90.0).count(), 2);
            assert!(below.iter().all(|&height| height == 90.0 || height == 10.0));
            assert!(above.iter().all(|&height| (height - 0.5).abs() < 0.01));
        }
    }

    #[test]
    fn bands_fill_the_area_between_their_edges_without_a_seam() {
        let mut random = stats_testing::Random::new(3);
        let scale = scale();
        for _ in 0..200 {
            let mut edges = vec![0.0];
            for _ in 0..5 {
                let below = *edges.last().unwrap();
                edges.push(below + random.below(1500) as f64 / 100.0);
            }
            let mut pixels = vec![Color32::TRANSPARENT; HEIGHT];
            for pair in edges.windows(2) {
                band(Some(&pair[..1]), &pair[1..], 1, &scale).draw(0, &mut pixels);
            }
            let top = 100.0 - edges[5];
            for (row, pixel) in pixels.iter().enumerate() {
                let covered = (row as f64 + 1.0 - top).clamp(0.0, 1.0) * 255.0;
                assert!(
                    (f64::from(pixel.a()) - covered).abs() <= 4.0,
                    "{row} {edges:?}"
                );
            }
        }
    }
}
