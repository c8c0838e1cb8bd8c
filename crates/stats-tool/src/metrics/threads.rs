//! The time in which threads ran. Unlike the time of a frame, it hardly depends on what else the
//! machine does.

use std::ops::{ControlFlow, Range};

use stats_analysis::bottleneck::{Bottleneck, BottleneckSeries};
use stats_analysis::insight::{add_up_to_frame, is_thread_figure};
use stats_capture::CaptureFile;
use stats_core::source::Listed;
use stats_core::{FrameSlice, Source, Unit};

use super::columns::Columns;
use super::left_out::LeftOut;
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
            list.lower(format!("{path}-p5"), numbers.p5, running.unit);
            list.lower(format!("{path}-p99"), numbers.p99, running.unit);
        }
    }
}

/// Tells what limits the frames that are not left out.
pub(super) fn bottleneck(columns: &Columns<'_>, left_out: &LeftOut) -> Bottleneck {
    let capture = columns.capture;
    let mut frame_ms: Vec<f64> = capture.frame_times(usize::MAX).iter().collect();
    let first = capture.frames().start;
    left_out.blank(first, &mut frame_ms);
    judge(columns, FrameSlice::new(first, &frame_ms, &[]))
}

/// Tells what limits the frames in some ranges, which do not overlap.
pub(super) fn bottleneck_within(columns: &Columns<'_>, ranges: &[Range<u64>]) -> Bottleneck {
    let all = columns.capture.frame_times(usize::MAX);
    let end = ranges.iter().map(|range| range.end).max().unwrap_or(0);
    let first = ranges.iter().map(|range| range.start).min().unwrap_or(end);
    let mut frame_ms = vec![f64::NAN; (end - first) as usize];
    for frame in ranges.iter().cloned().flatten() {
        frame_ms[(frame - first) as usize] = all.at(frame).unwrap_or(f64::NAN);
    }
    judge(columns, FrameSlice::new(first, &frame_ms, &[]))
}

/// The wait of PresentMon: the time in which the thread of the frame waits in its present.
const CPU_WAIT: &str = "frame/cpu wait";

/// Returns whether a frame is divided as PresentMon does it, into the time before its present and
/// the time in it, and the system does not tell more.
fn is_split_by_presents(capture: &CaptureFile) -> bool {
    let has = |path: &str| capture.series().iter().any(|series| series.path == path);
    has("frame/cpu") && has(CPU_WAIT) && !has("frame/running")
}

fn judge(columns: &Columns<'_>, frame_ms: FrameSlice<'_>) -> Bottleneck {
    let capture = columns.capture;
    let mut series = BottleneckSeries::default();
    let is_split_by_presents = is_split_by_presents(capture);
    capture.list(Listed::All, &mut |mut info| {
        if is_split_by_presents {
            info.path = match info.path {
                "frame/cpu" => "frame/running",
                CPU_WAIT => "frame/blocked",
                path => path,
            };
        }
        // The frame time has no column.
        let column = columns.all.get(info.id.number() as usize);
        if let Some(Some(column)) = column {
            series.add(&info, capture.frame_thread(), || column);
        }
        ControlFlow::Continue(())
    });
    series.judge(|column| column.slice(), frame_ms, capture.run().refresh_hz)
}

/// Returns the share of the time in which the thread of the frame waited for a processor, from 0 to
/// 1. `None` if it is not known.
pub(super) fn ready_share(series: &[SeriesFigures], frame_ms: f64) -> Option<f64> {
    let ready_ms = mean_ms(series, "ready").filter(|_| is_whole(series, frame_ms))?;
    (frame_ms > 0.0).then(|| ready_ms / frame_ms)
}

/// Works like [`ready_share`], for the frames of a capture that are not left out.
pub(super) fn ready_share_of(columns: &Columns<'_>, left_out: &LeftOut) -> Option<f64> {
    let frames = columns.capture.frame_times(usize::MAX);
    let times = ["running", "ready", "blocked"];
    let times = times.map(|figure| columns.get(&format!("{FRAME}/{figure}")));
    let (mut frame_ms, mut sums) = (0.0, [0.0; 3]);
    for frame in columns
        .capture
        .frames()
        .filter(|frame| !left_out.has(*frame))
    {
        let values = times.map(|column| column.and_then(|column| column.slice().at(frame)));
        // The first value of a run is not known.
        if let (Some(ms), [_, Some(_), _]) = (frames.at(frame), values) {
            frame_ms += ms;
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += value.unwrap_or(0.0);
            }
        }
    }
    let mut known = times
        .iter()
        .zip(sums)
        .map(|(column, sum)| column.map(|_| sum));
    let sums = std::array::from_fn(|_| known.next().flatten());
    (frame_ms > 0.0 && add_up_to_frame(sums, frame_ms))
        .then(|| sums[1].map(|ready| ready / frame_ms))?
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
