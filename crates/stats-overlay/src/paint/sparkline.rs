//! The small graph in a selected row: the newest frames, over their own range.

use egui::epaint::Mesh;
use egui::{Rect, pos2};
use stats_core::FrameSlice;

use crate::paint::line_mesh::push_line;
use crate::paint::series_shape::LineStyle;

/// The number of frames that are drawn.
pub(crate) const SPARK_FRAMES: u64 = 60;
/// The number of frames that determine the range.
pub(crate) const RANGE_FRAMES: u64 = 600;

/// Adds up to [`SPARK_FRAMES`] values within `rect` to a mesh, with the newest at its right edge.
/// Equal values are a level line; unknown values are gaps.
pub(crate) fn push_sparkline(
    mesh: &mut Mesh,
    rect: Rect,
    values: FrameSlice<'_>,
    style: LineStyle,
) {
    let (Some((lo, hi)), true) = (extremes(values), values.len() > 1) else {
        return;
    };
    // Halved, so that the difference of two huge values is finite.
    let height = hi / 2.0 - lo / 2.0;
    let y = |value: f64| {
        let part = if height > 0.0 {
            (value / 2.0 - lo / 2.0) / height
        } else {
            0.5
        };
        rect.bottom() - part as f32 * rect.height()
    };
    let step = rect.width() / (SPARK_FRAMES - 1) as f32;
    let from = rect.right() - (values.len() - 1) as f32 * step;
    let point = |(at, value): (usize, f64)| pos2(from + at as f32 * step, y(value));
    let mut points = values.iter().enumerate().peekable();
    while points.peek().is_some() {
        let known = std::iter::from_fn(|| points.next_if(|(_, value)| !value.is_nan()));
        push_line(mesh, known.map(point), style);
        points.next();
    }
}

/// Returns the smallest and the largest known value; `None` if there are none.
pub(crate) fn extremes(values: FrameSlice<'_>) -> Option<(f64, f64)> {
    let mut values = values.iter().filter(|value| !value.is_nan());
    let first = values.next()?;
    Some(values.fold((first, first), |(lo, hi), value| {
        (
            if value < lo { value } else { lo },
            if value > hi { value } else { hi },
        )
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_include_both_parts_of_a_window() {
        assert_eq!(
            extremes(FrameSlice::new(3, &[2.0, 9.0], &[-1.0, 4.0])),
            Some((-1.0, 9.0))
        );
        let holes = [f64::NAN, 2.0, f64::NAN, 1.0];
        assert_eq!(extremes(FrameSlice::new(3, &holes, &[])), Some((1.0, 2.0)));
        assert_eq!(extremes(FrameSlice::new(3, &[f64::NAN], &[])), None);
        assert_eq!(extremes(FrameSlice::default()), None);
    }
}
