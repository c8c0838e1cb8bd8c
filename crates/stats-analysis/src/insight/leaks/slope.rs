//! The slope of the minima of blocks, and whether they grow.

/// The limits of the conditions *steady* and *rise*.
const STEADY: f64 = 4.5;
const RISE: f64 = 0.01;
/// The minimum slope of the second half of a window whose level still grows, as a multiple of the
/// slope of the first half.
pub(super) const STILL: f64 = 0.7;

/// The minimum of a complete block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Point {
    /// When the block began, in seconds. A growing level is lowest at the beginning of a block.
    pub(super) time: f32,
    pub(super) minimum: f32,
}

/// Returns the slope of a level that grows by the rule of this module; `None` if it does not grow.
pub(super) fn slope_of_growth(points: &[Point], floor: f64, straight: f64) -> Option<f64> {
    let (first, last) = (points.first()?, points.last()?);
    let (slope, residual) = line(points);
    let rise = slope * f64::from(last.time - first.time);
    if rise.is_nan() || rise <= RISE * f64::from(first.minimum).abs() || rise <= floor {
        return None;
    }
    if rise <= straight * (residual + floor / 4.0) {
        return None;
    }
    let (first_half, second_half) = points.split_at(points.len() / 2);
    let still_grows = line(second_half).0 >= STILL * line(first_half).0;
    (still_grows && mann_kendall(points) > STEADY).then_some(slope)
}

/// Returns the slope of the fitted line, and the mean distance from it.
pub(super) fn line(points: &[Point]) -> (f64, f64) {
    let count = points.len() as f64;
    let mean = |value: fn(&Point) -> f32| {
        let values = points.iter().map(|point| f64::from(value(point)));
        values.sum::<f64>() / count
    };
    let mean_time = mean(|point| point.time);
    let mean_level = mean(|point| point.minimum);
    let distances = || {
        points.iter().map(|point| {
            let (time, level) = (f64::from(point.time), f64::from(point.minimum));
            (time - mean_time, level - mean_level)
        })
    };
    let slope = distances().map(|(time, level)| time * level).sum::<f64>()
        / distances().map(|(time, _)| time * time).sum::<f64>();
    let distance = |(time, level): (f64, f64)| (level - slope * time).abs();
    (slope, distances().map(distance).sum::<f64>() / count)
}

/// Returns the standard error of the difference between the slopes of the halves.
///
/// The noise follows from the second differences, which a curve hardly changes (von Neumann et al.,
/// *The mean square successive difference*, 1941).
pub(super) fn slope_error(points: &[Point]) -> f64 {
    let bends = points.windows(3).map(|three| {
        let [a, b, c] = [0, 1, 2].map(|at| f64::from(three[at].minimum));
        let time = |at: usize| f64::from(three[at].time);
        let part = (time(1) - time(0)) / (time(2) - time(0));
        b - a - part * (c - a)
    });
    let count = points.len() as f64;
    let squares: f64 = bends.map(|bend| bend * bend).sum();
    // A bend is b − (a + c) / 2 if times are even, which has 1.5 times the variance of a value.
    let variance = squares / (1.5 * (count - 2.0));
    let (half, mean_time) = (points.len() / 2, |half: &[Point]| {
        half.iter().map(|one| f64::from(one.time)).sum::<f64>() / half.len() as f64
    });
    let of_half = |half: &[Point]| {
        let mean = mean_time(half);
        let squares = half.iter().map(|one| (f64::from(one.time) - mean).powi(2));
        variance / squares.sum::<f64>()
    };
    (of_half(&points[..half]) + of_half(&points[half..])).sqrt()
}

/// Returns the Mann-Kendall statistic in standard deviations.
pub(super) fn mann_kendall(points: &[Point]) -> f64 {
    let pairs = points
        .iter()
        .enumerate()
        .flat_map(|(at, first)| points[at + 1..].iter().map(move |second| (first, second)));
    let sum: f64 = pairs
        .map(
            |(first, second)| match second.minimum.total_cmp(&first.minimum) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.0,
                std::cmp::Ordering::Less => -1.0,
            },
        )
        .sum();
    let n = points.len() as f64;
    (sum - sum.signum()) / (n * (n - 1.0) * (2.0 * n + 5.0) / 18.0).sqrt()
}
