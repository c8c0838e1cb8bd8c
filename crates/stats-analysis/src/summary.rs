//! The figures that a legend shows for the visible part of a series.

use stats_core::FrameSlice;

use crate::extremes::Extremes;
use crate::pyramid::Pyramid;

/// The newest value, the extremes and the mean of a window, in the series' unit. Unknown values
/// (NaN) are ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// The newest known value.
    pub now: f64,
    /// The smallest known value of the window.
    pub min: f64,
    /// The mean, finite for finite values.
    pub mean: f64,
    /// The largest known value of the window.
    pub max: f64,
}

/// Returns the summary of a window; `None` if no value is known. Visits every value.
pub(crate) fn summarize(window: FrameSlice<'_>) -> Option<Summary> {
    summary(&Extremes::of_window(window).known()?, window)
}

/// Like [`summarize`], but reads the history's pyramid, if there is one.
///
/// The mean differs from a direct one only by rounding: blocks are added up on each call. A running
/// sum would keep the rounding error of a huge value after that value is gone.
pub(crate) fn summarize_through(
    pyramid: Option<&Pyramid>,
    window: FrameSlice<'_>,
) -> Option<Summary> {
    let Some(pyramid) = pyramid else {
        return summarize(window);
    };
    summary(&pyramid.extremes(window, window.frames()).known()?, window)
}

fn summary(extremes: &Extremes, window: FrameSlice<'_>) -> Option<Summary> {
    let &Extremes {
        min,
        max,
        last: now,
        sum,
        count,
        ..
    } = extremes;
    let count = count as f64;
    // If the sum overflows, values are divided before they are added.
    let mean = if sum.is_finite() {
        sum / count
    } else {
        let known = window.iter().filter(|value| !value.is_nan());
        known.map(|value| value / count).sum()
    };
    Some(Summary {
        now,
        min,
        mean,
        max,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_matches_the_values() {
        assert_eq!(summarize(FrameSlice::default()), None);
        let summary = summarize(FrameSlice::new(0, &[4.0, 1.0], &[3.0])).unwrap();
        assert_eq!((summary.now, summary.min, summary.max), (3.0, 1.0, 4.0));
        assert!((summary.mean - 8.0 / 3.0).abs() < 1e-12);
        let huge = summarize(FrameSlice::new(0, &[f64::MAX, f64::MAX], &[])).unwrap();
        assert!(huge.mean.is_finite());
    }

    #[test]
    fn values_that_are_not_known_are_left_out() {
        let nan = f64::NAN;
        let summary = summarize(FrameSlice::new(0, &[nan, 4.0], &[nan, 2.0, nan])).unwrap();
        assert_eq!((summary.now, summary.min, summary.max), (2.0, 2.0, 4.0));
        assert_eq!(summary.mean, 3.0);
        assert_eq!(summarize(FrameSlice::new(0, &[nan], &[nan])), None);
        let huge = summarize(FrameSlice::new(0, &[f64::MAX, nan, f64::MAX], &[])).unwrap();
        assert!((huge.mean / f64::MAX - 1.0).abs() < 1e-12);
    }
}
