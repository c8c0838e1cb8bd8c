//! The small graph in a selected row: the newest frames, over their own range.

use egui::{Color32, Painter, Rect, Stroke, pos2};
use stats_core::FrameSlice;

/// The number of frames that are drawn.
pub(crate) const SPARK_FRAMES: u64 = 60;
/// The number of frames that the least and the greatest value are taken from.
pub(crate) const RANGE_FRAMES: u64 = 600;

/// Draws up to [`SPARK_FRAMES`] values into `rect`, with the newest at its right edge. Equal values
/// are a level line; values that are not known are gaps.
pub(crate) fn sparkline(painter: &Painter, rect: Rect, values: FrameSlice<'_>, color: Color32) {
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
    let numbered: Vec<(usize, f64)> = values.iter().enumerate().collect();
    for run in numbered.split(|(_, value)| value.is_nan()) {
        let points = run.iter();
        let points = points.map(|(at, value)| pos2(from + *at as f32 * step, y(*value)));
        painter.line(points.collect(), Stroke::new(1.0, color));
    }
}

/// Returns the least and the greatest known value; `None` if there are none.
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
