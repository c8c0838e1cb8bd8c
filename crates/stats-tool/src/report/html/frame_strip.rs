//! The times of all frames as one picture: a band from the fastest to the slowest frame of each
//! column.

use std::fmt::Write;

use stats_analysis::format::whole_text;
use stats_core::{FrameSlice, Unit};

use super::chart::Chart;
use crate::metrics::RunMetrics;

/// The number of columns.
const COLUMNS: usize = 800;

/// The most marks that have a label.
const MOST_LABELS: usize = 12;

/// Returns the picture of a run; `None` without frames.
pub(super) fn frame_strip(run: &RunMetrics, frames_ms: FrameSlice<'_>) -> Option<String> {
    let statistics = &run.clock("frame")?.statistics;
    let frames = frames_ms.frames();
    let budget_ms = statistics.rules.budget_ms;
    // A single slow frame does not flatten all others; what is higher is drawn at the top.
    let usual_ms = 1.25 * statistics.p99_9_by_frame_ms;
    let top_ms = usual_ms
        .max(budget_ms.map_or(0.0, |ms| 1.25 * ms))
        .max(1e-3);
    let title = format!("Frame times of {}", run.file.display());
    let mut chart = Chart::new(&title, [frames.start as f64, frames.end as f64], top_ms);
    for (_, range) in &run.left_out.ranges {
        let x = [range.start as f64, range.end as f64];
        chart.rectangle(x, top_ms, "left-out", "left out");
    }
    chart.grid(Unit::Milliseconds);
    let (band, line) = columns(&chart, frames_ms);
    chart.path("band", &band);
    chart.path("line", &line);
    if let Some(ms) = budget_ms {
        chart.line_at_y(ms, "budget", "budget");
    }
    for frame in &statistics.hitches {
        let frame = (frames.start as usize + frame) as f64;
        let at = format!("M{:.1} 20v12", chart.at_x(frame));
        chart.path("hitch", &at);
    }
    let spans = run.spans.iter();
    let spans = spans.flat_map(|span| span.frames.iter().map(|range| (range.start, &span.name)));
    for (at, (frame, name)) in spans.take(MOST_LABELS).enumerate() {
        chart.line_at_x(frame as f64, "mark", name, (at % 2) as u8);
    }
    for step in 0..=4 {
        let frame = frames.start + (frames.end - frames.start) * step / 4;
        chart.label_x(frame as f64, &format!("frame {}", whole_text(frame as f64)));
    }
    Some(chart.finish())
}

/// Returns the outline of the band, and the line of the means.
fn columns(chart: &Chart, frames_ms: FrameSlice<'_>) -> (String, String) {
    let values: Vec<f64> = frames_ms.iter().collect();
    let first = frames_ms.first_frame() as f64;
    let per_column = values.len().div_ceil(COLUMNS).max(1);
    let (mut upper, mut lower, mut line) = (String::new(), Vec::new(), String::new());
    for (at, column) in values.chunks(per_column).enumerate() {
        let known = || column.iter().copied().filter(|ms| !ms.is_nan());
        let (Some(min), Some(max)) = (known().reduce(f64::min), known().reduce(f64::max)) else {
            continue;
        };
        let mean = known().sum::<f64>() / known().count() as f64;
        let x = chart.at_x(first + (at * per_column) as f64 + per_column as f64 / 2.0);
        let command = if upper.is_empty() { 'M' } else { 'L' };
        let _ = write!(upper, "{command}{x:.1} {:.1}", chart.at_y(max));
        let _ = write!(line, "{command}{x:.1} {:.1}", chart.at_y(mean));
        lower.push(format!("L{x:.1} {:.1}", chart.at_y(min)));
    }
    lower.reverse();
    if !upper.is_empty() {
        upper += &lower.concat();
        upper.push('Z');
    }
    (upper, line)
}
