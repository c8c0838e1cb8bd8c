//! Figures of frame times as CapFrameX and PresentMon define them.
//!
//! They differ from ours where a definition interpolates between frames, or averages another part of
//! them.

use std::path::Path;

use stats_capture::CaptureFile;
use stats_core::{Source, Unit};

use super::left_out::LeftOut;
use crate::failure::Failure;

/// A figure of another program.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PeerFigure {
    /// The name that the program uses.
    pub(crate) name: &'static str,
    pub(crate) value: f64,
    pub(crate) unit: Unit,
    /// The metric of ours that is nearest to it.
    pub(crate) ours: &'static str,
    /// How it is computed, and how ours differs.
    pub(crate) definition: &'static str,
}

/// Computes the figures of a run; empty without frames.
pub(crate) fn peer_figures(file: &Path, left_out: &LeftOut) -> Result<Vec<PeerFigure>, Failure> {
    let capture = CaptureFile::open(file)?;
    let mut ms: Vec<f64> = capture.frame_times(usize::MAX).iter().collect();
    left_out.blank(capture.frames().start, &mut ms);
    ms.retain(|ms| *ms > 0.0);
    Ok(of_times(ms))
}

fn of_times(mut ms: Vec<f64>) -> Vec<PeerFigure> {
    if ms.is_empty() {
        return Vec::new();
    }
    ms.sort_by(f64::total_cmp);
    let fps: Vec<f64> = ms.iter().rev().map(|ms| 1e3 / ms).collect();
    let total_ms: f64 = ms.iter().sum();
    let rate = |name, value, ours, definition| PeerFigure {
        name,
        value,
        unit: Unit::Hertz,
        ours,
        definition,
    };
    let time = |name, value, ours, definition| PeerFigure {
        unit: Unit::Milliseconds,
        ..rate(name, value, ours, definition)
    };
    let same = "the same";
    let percentile = "interpolated between frame rates (type 8 of Hyndman and Fan); here a real frame, by nearest rank";
    let low = "the mean of the frames that take at least as long as the interpolated percentile; here of a whole number \
               of frames";
    let linear = "interpolated linearly between frame times; here a real frame, by nearest rank";
    vec![
        rate(
            "CapFrameX: average",
            1e3 * ms.len() as f64 / total_ms,
            "run/average-fps",
            same,
        ),
        rate(
            "CapFrameX: P1",
            type_8(&fps, 0.01),
            "frame/p99-by-frame",
            percentile,
        ),
        rate(
            "CapFrameX: P0.1",
            type_8(&fps, 0.001),
            "frame/p99.9-by-frame",
            percentile,
        ),
        rate(
            "CapFrameX: 1 % low average",
            low_average(&ms, 0.01),
            "run/low-1-percent-fps",
            low,
        ),
        rate(
            "CapFrameX: 0.1 % low average",
            low_average(&ms, 0.001),
            "run/low-0.1-percent-fps",
            low,
        ),
        rate(
            "CapFrameX: 1 % low integral",
            low_integral(&ms, total_ms),
            "run/low-integral-fps",
            same,
        ),
        time(
            "PresentMon: average",
            total_ms / ms.len() as f64,
            "frame/mean",
            same,
        ),
        time(
            "PresentMon: 95th percentile",
            type_7(&ms, 0.95),
            "frame/p95-by-frame",
            linear,
        ),
        time(
            "PresentMon: 99th percentile",
            type_7(&ms, 0.99),
            "frame/p99-by-frame",
            linear,
        ),
        time(
            "PresentMon: maximum",
            ms[ms.len() - 1],
            "frame/high-water",
            same,
        ),
    ]
}

/// Returns the quantile of sorted values by type 8 of Hyndman and Fan, *Sample Quantiles in
/// Statistical Packages*, 1996: at (n + 1/3) p + 1/3, counted from 1.
fn type_8(sorted: &[f64], p: f64) -> f64 {
    let third = 1.0 / 3.0;
    interpolated(sorted, (sorted.len() as f64 + third) * p + third - 1.0)
}

/// Returns the quantile by type 7: at (n − 1) p, counted from 0.
fn type_7(sorted: &[f64], p: f64) -> f64 {
    interpolated(sorted, (sorted.len() - 1) as f64 * p)
}

/// Returns the value at a position between two of them, clamped to the ends.
fn interpolated(sorted: &[f64], position: f64) -> f64 {
    let position = position.clamp(0.0, (sorted.len() - 1) as f64);
    let before = position.floor() as usize;
    let after = (before + 1).min(sorted.len() - 1);
    sorted[before] + (sorted[after] - sorted[before]) * position.fract()
}

/// Returns the rate of the mean of the frame times from a quantile on.
fn low_average(sorted_ms: &[f64], share: f64) -> f64 {
    let from = type_8(sorted_ms, 1.0 - share);
    let slow = &sorted_ms[sorted_ms.partition_point(|ms| *ms < from)..];
    1e3 * slow.len() as f64 / slow.iter().sum::<f64>()
}

/// Returns the rate of the frame at which the slowest frames add up to 1 % of the time.
fn low_integral(sorted_ms: &[f64], total_ms: f64) -> f64 {
    let mut sum_ms = 0.0;
    let reached = sorted_ms.iter().rev().find(|ms| {
        sum_ms += **ms;
        sum_ms >= 0.01 * total_ms
    });
    1e3 / reached.copied().unwrap_or(sorted_ms[0])
}

#[cfg(test)]
mod tests {
    use super::{of_times, type_7, type_8};

    #[test]
    fn quantiles_match_published_values() {
        // R: quantile(c(1, 2, 3, 4, 10), c(0.1, 0.5, 0.9), type = 8) and type = 7.
        let values = [1.0, 2.0, 3.0, 4.0, 10.0];
        let of = |quantile: fn(&[f64], f64) -> f64| [0.1, 0.5, 0.9].map(|p| quantile(&values, p));
        for (found, expected) in [
            (of(type_8), [1.0, 3.0, 10.0]),
            (of(type_7), [1.4, 3.0, 7.6]),
        ] {
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{found} {expected}");
            }
        }
        // Between two values: (5 + 1/3) · 0.3 + 1/3 = 1.933…
        assert!((type_8(&values, 0.3) - 1.933_333_333_333_333).abs() < 1e-12);
    }

    #[test]
    fn lows_are_means_and_equal_frames_have_equal_figures() {
        let figures = of_times(vec![10.0; 50]);
        for figure in figures {
            let expected = if figure.unit == stats_core::Unit::Hertz {
                100.0
            } else {
                10.0
            };
            assert!((figure.value - expected).abs() < 1e-9, "{figure:?}");
        }
        assert_eq!(of_times(Vec::new()), []);
        // 100 frames: the slowest one takes 40 ms. From the quantile at 98.99… on, there is only it.
        let mut ms = vec![10.0; 99];
        ms.push(40.0);
        let figures = of_times(ms);
        let value = |name: &str| {
            figures
                .iter()
                .find(|figure| figure.name == name)
                .unwrap()
                .value
        };
        assert_eq!(value("CapFrameX: 1 % low average"), 25.0);
        assert_eq!(value("CapFrameX: 1 % low integral"), 25.0);
        assert_eq!(value("PresentMon: maximum"), 40.0);
        assert!((value("PresentMon: 99th percentile") - 10.3).abs() < 1e-9);
    }
}
