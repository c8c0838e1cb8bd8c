//! The mapping from frames and values to points on the screen.

use std::ops::Range;

use egui::Rect;
use stats_analysis::axis::Mapping;

/// The ratio of top to bottom of a logarithmic range whose bottom is not positive.
const DECADES: f64 = 1e6;
/// The largest distance from the picture, in points: coordinates a million points away break the
/// tessellation.
const FAR: f64 = 2000.0;

/// Maps frames and values to the screen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    /// The area of the picture.
    pub(crate) rect: Rect,
    mapping: Mapping,
    left: f64,
    points_per_frame: f64,
    /// The value at the bottom, and the height of one unit. Both are logarithms in a logarithmic
    /// mapping.
    bottom: f64,
    points_per_value: f64,
}

impl Scale {
    /// Creates a scale with these frames at the left and right edges of `rect`, and these values at
    /// its bottom and top.
    pub(crate) fn new(
        rect: Rect,
        frames: (f64, f64),
        values: (f64, f64),
        mapping: Mapping,
    ) -> Self {
        let (bottom, top) = match mapping {
            Mapping::Linear => (tame(values.0), tame(values.1)),
            Mapping::Log => logarithms(values),
        };
        // The result is finite even for an empty range, so that equal values have equal places.
        let per = |points: f32, extent: f64| f64::from(points) / extent.max(1e-300);
        Self {
            rect,
            mapping,
            left: frames.0,
            points_per_frame: per(rect.width(), frames.1 - frames.0),
            bottom,
            points_per_value: per(rect.height(), top - bottom),
        }
    }

    pub(crate) fn x(&self, frame: f64) -> f32 {
        self.rect.left() + ((frame - self.left) * self.points_per_frame) as f32
    }

    /// Returns the left and right edges of a range of frames, at least `least` points apart.
    pub(crate) fn edges(&self, frames: &Range<u64>, least: f32) -> (f32, f32) {
        let left = self.x(frames.start as f64 - 0.5);
        (left, self.x(frames.end as f64 - 0.5).max(left + least))
    }

    /// Returns the `y` of a value, at most [`FAR`] outside the picture.
    pub(crate) fn y(&self, value: f64) -> f32 {
        let value = match self.mapping {
            Mapping::Linear => tame(value),
            Mapping::Log if value > 0.0 => value.log10(),
            Mapping::Log => self.bottom,
        };
        let y = f64::from(self.rect.bottom()) - (value - self.bottom) * self.points_per_value;
        y.clamp(
            f64::from(self.rect.top()) - FAR,
            f64::from(self.rect.bottom()) + FAR,
        ) as f32
    }

    pub(crate) fn points_per_frame(&self) -> f32 {
        self.points_per_frame as f32
    }
}

/// Limits a value so that differences stay finite.
fn tame(value: f64) -> f64 {
    value.clamp(f64::MIN / 4.0, f64::MAX / 4.0)
}

fn logarithms((bottom, top): (f64, f64)) -> (f64, f64) {
    let top = if top > 0.0 { top } else { 1.0 };
    let bottom = if bottom > 0.0 {
        bottom
    } else {
        (top / DECADES).max(f64::MIN_POSITIVE)
    };
    (bottom.log10(), top.log10())
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{pos2, vec2};

    fn scale(values: (f64, f64), mapping: Mapping) -> Scale {
        Scale::new(
            Rect::from_min_size(pos2(10.0, 20.0), vec2(400.0, 100.0)),
            (0.0, 100.0),
            values,
            mapping,
        )
    }

    #[test]
    fn the_ends_of_the_range_are_at_the_edges() {
        for (values, mapping) in [
            ((0.0, 10.0), Mapping::Linear),
            ((-5.0, 5.0), Mapping::Linear),
            ((0.1, 1e3), Mapping::Log),
        ] {
            let scale = scale(values, mapping);
            assert!(
                (scale.y(values.0) - 120.0).abs() < 0.01 && (scale.y(values.1) - 20.0).abs() < 0.01,
                "{values:?}"
            );
        }
        let scale = scale((0.0, 1.0), Mapping::Linear);
        assert_eq!(
            (scale.x(0.0), scale.x(100.0), scale.points_per_frame()),
            (10.0, 410.0, 4.0)
        );
    }

    #[test]
    fn equal_ratios_have_equal_heights() {
        let scale = scale((1.0, 1e4), Mapping::Log);
        for (value, y) in [
            (1.0, 120.0),
            (10.0, 95.0),
            (100.0, 70.0),
            (1e4, 20.0),
            (0.0, 120.0),
            (-3.0, 120.0),
        ] {
            assert!(
                (scale.y(value) - y).abs() < 0.01,
                "{value}: {}",
                scale.y(value)
            );
        }
        let from_zero = self::scale((0.0, 1e3), Mapping::Log);
        assert!((from_zero.y(1e-3) - 120.0).abs() < 0.01 && (from_zero.y(1.0) - 70.0).abs() < 0.01);
    }

    #[test]
    fn every_value_stays_near_the_screen() {
        for mapping in [Mapping::Linear, Mapping::Log] {
            for range in [
                (0.0, 10.0),
                (0.0, 0.0),
                (f64::MIN, f64::MAX),
                (-1.0, -1.0),
                (5.0, 5.0),
            ] {
                for value in [f64::MAX, f64::MIN, 0.0, 1.0, f64::MIN_POSITIVE] {
                    let y = scale(range, mapping).y(value);
                    assert!(y.abs() < 10_000.0, "{mapping:?} {range:?} {value}: {y}");
                }
            }
        }
    }
}
