//! The distribution of frame times as a picture, with percentiles of both definitions.

use stats_analysis::format::value_text;
use stats_core::{FrameSlice, Unit};

use super::chart::Chart;
use crate::metrics::RunMetrics;

/// The number of bars.
const BARS: usize = 80;

/// Returns the picture of a run; `None` without frames.
pub(super) fn frame_distribution(run: &RunMetrics, frames_ms: FrameSlice<'_>) -> Option<String> {
    let statistics = &run.clock("frame")?.statistics;
    let text = |ms| value_text(ms, Unit::Milliseconds);
    let end_ms = (1.1 * statistics.p99_9_by_frame_ms.max(statistics.p99_by_time_ms)).max(1e-3);
    let width_ms = end_ms / BARS as f64;
    let mut counts = vec![0_usize; BARS];
    let mut values: Vec<f64> = frames_ms.iter().collect();
    run.left_out.blank(frames_ms.first_frame(), &mut values);
    for ms in values.into_iter().filter(|ms| *ms >= 0.0) {
        // The last bar has all that is slower.
        counts[((ms / width_ms) as usize).min(BARS - 1)] += 1;
    }
    let share = |count: usize| 100.0 * count as f64 / statistics.frames as f64;
    let most = counts.iter().copied().max().map_or(0.0, share);
    let title = format!("Distribution of the frame times of {}", run.file.display());
    let mut chart = Chart::new(&title, [0.0, end_ms], (1.1 * most).max(1e-3));
    chart.grid(Unit::Percent);
    for (at, count) in counts
        .into_iter()
        .enumerate()
        .filter(|(_, count)| *count > 0)
    {
        let from_ms = at as f64 * width_ms;
        let percent = value_text(share(count), Unit::Percent);
        let title = format!(
            "{percent} of the frames: {} to {}",
            text(from_ms),
            text(from_ms + width_ms)
        );
        chart.rectangle([from_ms, from_ms + width_ms], share(count), "bar", &title);
    }
    chart.line_at_x(statistics.median_ms, "mark", "median", 0);
    chart.line_at_x(statistics.p99_by_frame_ms, "mark", "99 % of frames", 0);
    chart.line_at_x(statistics.p99_by_time_ms, "budget", "99 % of time", 1);
    chart.labels_x(Unit::Milliseconds);
    Some(chart.finish())
}
