//! The mapping between a plot's area on screen and its frames and values.

use egui::Rect;

/// Maps frames and the values of the left axis to the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Transform {
    plot: Rect,
    /// The frames at the left and right edges.
    frames: (f64, f64),
    /// The ends of the left axis: values, or their logarithms.
    values: (f64, f64),
}

impl Transform {
    /// Creates the transform of a plot with these frames at its left and right edges, and these
    /// ends of its left axis. Ranges that are empty or infinite are replaced.
    pub(super) fn new(plot: Rect, frames: (f64, f64), values: (f64, f64)) -> Self {
        Self {
            plot,
            frames: valid(frames),
            values: valid(values),
        }
    }

    /// Returns the area of the plot.
    pub(super) fn plot(&self) -> Rect {
        self.plot
    }

    /// Returns the frames at the left and right edges.
    pub(super) fn frames(&self) -> (f64, f64) {
        self.frames
    }

    /// Returns the ends of the left axis.
    pub(super) fn values(&self) -> (f64, f64) {
        self.values
    }

    /// Returns the number of frames from edge to edge.
    pub(super) fn span(&self) -> f64 {
        self.frames.1 - self.frames.0
    }

    /// Returns the x coordinate of a frame, which may be outside the plot.
    pub(super) fn x(&self, frame: f64) -> f32 {
        let share = (frame - self.frames.0) / self.span();
        self.plot.left() + (share * f64::from(self.plot.width())) as f32
    }

    /// Returns the y coordinate of a value of the left axis, which may be outside the plot.
    pub(super) fn y(&self, value: f64) -> f32 {
        // Halve the values, so that the difference between two huge values is finite.
        let (bottom, top) = (self.values.0 / 2.0, self.values.1 / 2.0);
        let share = (value / 2.0 - bottom) / (top - bottom);
        self.plot.bottom() - (share * f64::from(self.plot.height())) as f32
    }

    /// Returns the frame at an x coordinate. It has a fraction between two frames.
    pub(super) fn frame_at(&self, x: f32) -> f64 {
        let share = f64::from(x - self.plot.left()) / f64::from(self.plot.width().max(1e-6));
        self.frames.0 + share * self.span()
    }
}

/// Replaces a range that has no extent.
fn valid((low, high): (f64, f64)) -> (f64, f64) {
    if !(low.is_finite() && high.is_finite()) {
        (-1.0, 1.0)
    } else if high / 2.0 - low / 2.0 > 0.0 {
        (low, high)
    } else {
        let half = (low.abs() * 1e-9).max(0.5);
        (low - half, low + half)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;
    use stats_testing::Random;

    const PLOT: Rect = Rect {
        min: pos2(60.0, 20.0),
        max: pos2(860.0, 320.0),
    };

    #[test]
    fn the_ends_of_the_ranges_are_at_the_edges() {
        for values in [(0.0, 10.0), (-3e300, 9e300), (f64::MIN, f64::MAX)] {
            let transform = Transform::new(PLOT, (100.0, 700.0), values);
            assert_eq!((transform.x(100.0), transform.x(700.0)), (60.0, 860.0));
            assert_eq!(
                (transform.y(values.0), transform.y(values.1)),
                (320.0, 20.0)
            );
        }
    }

    #[test]
    fn the_frame_at_the_coordinate_of_a_frame_is_that_frame() {
        let mut random = Random::new(3);
        for _ in 0..2000 {
            let left = random.below(1 << 40) as f64 - 300.0;
            let span = (1 + random.below(100_000)) as f64;
            let transform = Transform::new(PLOT, (left, left + span), (0.0, 1.0));
            let frame = left + random.below(span as u64) as f64;
            let found = transform.frame_at(transform.x(frame));
            assert!((found - frame).abs() <= span * 1e-6, "{found} of {frame}");
        }
    }

    #[test]
    fn empty_and_infinite_ranges_have_finite_coordinates() {
        for range in [
            (5.0, 5.0),
            (7.0, 3.0),
            (1e300, 1e300),
            (f64::NAN, 1.0),
            (f64::NEG_INFINITY, f64::INFINITY),
        ] {
            let transform = Transform::new(PLOT, range, range);
            assert!(transform.x(5.0).is_finite() && transform.y(5.0).is_finite());
        }
    }
}
