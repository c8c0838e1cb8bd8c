//! The time in which threads ran. Unlike the time of a frame, it hardly depends on what else the
//! machine does.

use stats_analysis::insight::{add_up_to_frame, is_thread_figure};
use stats_core::Unit;

use super::metric::MetricList;
use super::series::SeriesFigures;

/// The folder of the thread that ends the frames.
const FRAME: &str = "frame";
/// Adds the mean time in which each thread ran in a frame. `frame_ms` is the mean frame time.
pub(super) fn add_running_to(list: &mut MetricList, series: &[SeriesFigures], frame_ms: f64) {
    for running in series {
        let path = &running.record.path;
        let folder = path.strip_suffix("/running");
        let (Some(folder), Some(numbers)) = (folder, &running.numbers) else {
            continue;
        };
        let is_of_frame = || folder != FRAME || is_whole(series, frame_ms);
        let is_figure = is_thread_figure(path, running.unit);
        if is_figure && running.unit == Unit::Milliseconds && is_of_frame() {
            list.lower(path.clone(), numbers.mean, running.unit);
            list.lower(format!("{path}-p99"), numbers.p99, running.unit);
        }
    }
}

/// Returns the share of the time in which the thread of the frame waited for a processor, from 0 to
/// 1. `None` if it is not known.
pub(super) fn ready_share(series: &[SeriesFigures], frame_ms: f64) -> Option<f64> {
    let ready_ms = mean_ms(series, "ready").filter(|_| is_whole(series, frame_ms))?;
    (frame_ms > 0.0).then(|| ready_ms / frame_ms)
}

/// Returns the mean of a figure of the frame's thread.
fn mean_ms(series: &[SeriesFigures], figure: &str) -> Option<f64> {
    let path = format!("{FRAME}/{figure}");
    let is_it = |one: &&SeriesFigures| {
        one.record.path == path
            && one.unit == Unit::Milliseconds
            && is_thread_figure(&path, one.unit)
    };
    Some(series.iter().find(is_it)?.numbers.as_ref()?.mean)
}

/// Returns whether the times of the frame's thread add up to the frame. A program may give its
/// frames other times.
fn is_whole(series: &[SeriesFigures], frame_ms: f64) -> bool {
    let times = ["running", "ready", "blocked"].map(|figure| mean_ms(series, figure));
    add_up_to_frame(times, frame_ms)
}
