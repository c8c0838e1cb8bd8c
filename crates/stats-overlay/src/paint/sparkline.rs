//! The small graph of a series: the newest frames, over their own range.

use egui::Rect;
use egui::epaint::Mesh;
use stats_core::FrameSlice;

use crate::paint::scale::Scale;
use crate::paint::series_shape::{LineStyle, push_series};
use stats_analysis::axis::Mapping;
use stats_analysis::buckets::{Bucket, bucket_width, thin};

/// The number of frames in the graph of a tree row.
pub(crate) const SPARK_FRAMES: u64 = 60;
/// The number of frames whose smallest and largest values a tree row shows as text.
pub(crate) const RANGE_FRAMES: u64 = 600;
/// The minimum range of a graph, as a share of the largest magnitude of its values. A smaller range
/// would magnify noise.
const MIN_SPAN: f64 = 0.05;

/// Adds the newest [`SPARK_FRAMES`] values within `rect` to a mesh, with the newest at its right
/// edge. Unknown values are gaps. `buckets` is a reused buffer.
pub(crate) fn push_sparkline(
    mesh: &mut Mesh,
    rect: Rect,
    values: FrameSlice<'_>,
    style: LineStyle,
    buckets: &mut Vec<Bucket>,
) {
    let end = values.frames().end;
    let columns = f64::from(rect.width() / style.feather);
    let width = bucket_width(SPARK_FRAMES as f64, columns);
    thin(
        values.within(end.saturating_sub(SPARK_FRAMES)..end),
        width,
        buckets,
    );
    if buckets.is_empty() {
        return;
    }
    let frames = (end as f64 - SPARK_FRAMES as f64, end as f64 - 1.0);
    let scale = Scale::new(rect, frames, range_of(buckets), Mapping::Linear);
    push_series(mesh, buckets, width, &scale, style);
}

/// Returns the values at the lower and the upper edge of a small graph.
pub(crate) fn range_of(buckets: &[Bucket]) -> (f64, f64) {
    let lo = buckets
        .iter()
        .fold(f64::INFINITY, |lo, bucket| lo.min(bucket.min));
    let hi = buckets
        .iter()
        .fold(f64::NEG_INFINITY, |hi, bucket| hi.max(bucket.max));
    let min_span = (lo.abs().max(hi.abs()) * MIN_SPAN).max(1e-9);
    // Halve first, because sums and differences of huge values would overflow.
    let (middle, half) = (
        lo / 2.0 + hi / 2.0,
        (hi / 2.0 - lo / 2.0).max(min_span / 2.0),
    );
    let air = half * 0.1;
    (
        (middle - half - air).max(f64::MIN / 4.0),
        (middle + half + air).min(f64::MAX / 4.0),
    )
}

/// Returns the largest of these values, but at least 0, and their median, or 0 without values.
/// Reorders the values.
pub(crate) fn most_and_usual(values: &mut [f64]) -> (f64, f64) {
    let most = values.iter().fold(0.0_f64, |most, &value| most.max(value));
    let middle = values.len() / 2;
    let usual = match values.is_empty() {
        true => 0.0,
        false => *values.select_nth_unstable_by(middle, f64::total_cmp).1,
    };
    (most, usual)
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
    use stats_testing::Random;

    fn bucket(min: f64, max: f64) -> Bucket {
        Bucket {
            first_frame: 0,
            min,
            max,
            first: min,
            last: max,
        }
    }

    #[test]
    fn the_range_contains_all_values_and_does_not_magnify_noise() {
        let mut random = Random::new(41);
        for _ in 0..500 {
            let (a, b) = (random.value(), random.value());
            let (lo, hi) = range_of(&[bucket(a.min(b), a.max(b))]);
            assert!(
                lo < a.min(b) && hi > a.max(b) && (hi - lo).is_finite(),
                "{a} {b}: {lo} {hi}"
            );
        }
        let (lo, hi) = range_of(&[bucket(1000.0, 1001.0)]);
        assert!(hi - lo >= 50.0);
        let (lo, hi) = range_of(&[bucket(0.0, 0.0)]);
        assert!(lo < 0.0 && hi > 0.0);
        let (lo, hi) = range_of(&[bucket(f64::MIN, f64::MAX)]);
        assert!((hi - lo).is_finite());
    }

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
