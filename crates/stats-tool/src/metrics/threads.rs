//! The time in which threads ran. Unlike the time of a frame, it hardly depends on what else the
//! machine does.

use stats_analysis::insight::is_thread_figure;
use stats_core::Unit;

use super::metric::MetricList;
use super::series::SeriesFigures;

/// The folder of the thread that ends the frames.
const FRAME: &str = "frame";
/// The times of a frame's thread are those of the frames if their sum differs from the frame time by
/// at most this share and this many milliseconds. A program may give its frames other times.
const INEXACT: (f64, f64) = (0.1, 0.2);

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
        }
    }
}

/// Returns whether the times of the frame's thread add up to the frame, or may do so if the system
/// tells only some of them.
fn is_whole(series: &[SeriesFigures], frame_ms: f64) -> bool {
    let mean_ms = |figure: &str| {
        let path = format!("{FRAME}/{figure}");
        let found = series.iter().find(|series| series.record.path == path)?;
        Some(found.numbers.as_ref()?.mean)
    };
    let all = ["running", "ready", "blocked"].map(mean_ms);
    let sum: f64 = all.iter().flatten().sum();
    let inexact = INEXACT.0 * frame_ms + INEXACT.1;
    let is_too_short = all.iter().all(Option::is_some) && sum < frame_ms - inexact;
    sum <= frame_ms + inexact && !is_too_short
}
