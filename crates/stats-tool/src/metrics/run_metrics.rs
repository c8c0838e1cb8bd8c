//! All figures of a run.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use stats_analysis::bottleneck::Bottleneck;
use stats_analysis::format::count_text;
use stats_analysis::insight::{is_machine_figure, is_thread_figure};
use stats_capture::{CaptureFile, GroupRecord, Machine, MarkRecord, Run};
use stats_core::{FrameSlice, LogLine, Mark, Source, Unit};

use super::breakdown::Breakdown;
use super::clock::{Clock, Times};
use super::columns::Columns;
use super::explanation::RunExplanation;
use super::left_out::LeftOut;
use super::memory::{Memory, RESIDENT, TRACKED};
use super::metric::{Metric, MetricList};
use super::rules::{Rules, unit_of};
use super::samples::Samples;
use super::series::SeriesFigures;
use super::span::SpanFigures;
use super::teams::{self, TeamFigures};
use super::threads;
use super::throttling::Throttling;
use super::timestamps::Timestamps;
use crate::failure::Failure;
use crate::input::Unread;
use crate::output::{name_of, say};

/// The maximum number of span names with figures, for programs that name every span differently.
const MAX_SPANS: usize = 100;

/// The maximum number of damaged series that a sentence names.
const MAX_DAMAGED: usize = 5;

/// The name of the metric that counts the frames that were not recorded.
pub(crate) const LOST_FRAMES: &str = "capture/dropped-frames";

/// All figures of a run, computed from its capture.
#[derive(Debug)]
pub(crate) struct RunMetrics {
    /// The capture.
    pub(crate) file: PathBuf,
    /// The description of the run.
    pub(crate) run: Run,
    /// The frames of the capture, including those that are left out.
    pub(crate) frames: Range<u64>,
    /// The number of these frames that were not dropped. Some of them may be left out.
    pub(crate) recorded_frames: u64,
    /// The quality of the clock.
    pub(crate) timestamps: Timestamps,
    /// The frames that are left out of all figures except those of spans and histograms.
    pub(crate) left_out: LeftOut,
    /// The frame times, and those on the CPU and the GPU if the program measures them.
    pub(crate) clocks: Vec<Clock>,
    /// The hitches, leaks and periodic stalls.
    pub(crate) explained: RunExplanation,
    /// The spans, in the order in which their names first appear.
    pub(crate) spans: Vec<SpanFigures>,
    /// The marks of the run.
    pub(crate) marks: Vec<MarkRecord>,
    /// The number of scopes that the file beside the capture should have and has not.
    pub(crate) lost_scopes: u64,
    /// The breakdown of the frame time; `None` if the run has no self times.
    pub(crate) breakdown: Option<Breakdown>,
    /// What the series of each team did; empty if `stats.toml` names no teams.
    pub(crate) teams: Vec<TeamFigures>,
    /// The paths of the series with a budget that belong to no team; empty without teams.
    pub(crate) teamless: Vec<String>,
    /// Memory and allocations.
    pub(super) memory: Memory,
    /// The memory by group.
    pub(crate) groups: Vec<GroupRecord>,
    /// The chips that slowed down because they became hot.
    pub(crate) throttling: Vec<Throttling>,
    /// What limits the frame rate.
    pub(crate) bottleneck: Bottleneck,
    /// Every series that can be read, in the order of registration.
    pub(crate) series: Vec<SeriesFigures>,
    /// The paths of the series whose values are damaged.
    pub(crate) damaged: Vec<String>,
    /// The paths of the series that another program wrote in a form that cannot be read.
    pub(crate) unreadable: Vec<String>,
    /// What is implausible about the file, one sentence each, without the capital letter and the
    /// period.
    pub(crate) doubts: Vec<String>,
    /// The number of frames that were not recorded; `None` if the file does not say.
    pub(crate) lost_frames: Option<u64>,
    /// The number of damaged bytes in a journal, whose frames are missing.
    pub(crate) damaged_bytes: u64,
    /// Every histogram.
    pub(crate) histograms: Vec<Samples>,
}

impl RunMetrics {
    /// Returns the marks that are no lines of the log.
    pub(crate) fn marks_without_log(&self) -> impl Iterator<Item = &MarkRecord> + Clone {
        let marks = self.marks.iter();
        marks.filter(|mark| LogLine::of_mark(&mark.name).is_none())
    }

    /// Computes the figures of a capture or a journal that was opened from `file`. Fails if a
    /// budget of `stats.toml` does not say which of its series it judges, or if the file cannot be
    /// read.
    pub(crate) fn of(capture: &CaptureFile, file: &Path, rules: &Rules) -> Result<Self, Failure> {
        rules.check_budgets(capture.series())?;
        let left_out = LeftOut::of_capture(rules, capture);
        let columns = Columns::read(capture)?;
        let clocks = FrameClocks::read(&columns, rules);
        let series = all_series(&columns, &left_out, rules);
        let missing = capture.missing_frames();
        let dropped = capture.run().cost.map(|cost| cost.dropped_frames);
        let whole = clocks.judged(&left_out, rules);
        let frame = whole.first().map(|clock| &clock.statistics);
        let explained = RunExplanation::of(&columns, rules);
        let (frames, total_ms) = frame.map_or((0, 0.0), |frame| (frame.frames, frame.total_ms));
        Ok(Self {
            file: file.to_owned(),
            run: capture.run().clone(),
            frames: capture.frames(),
            recorded_frames: capture.frames().filter_map(|at| capture.frame(at)).count() as u64,
            timestamps: Timestamps::of(capture),
            spans: spans(&columns, file, &clocks, rules),
            marks: capture.mark_records().to_vec(),
            lost_scopes: capture.scopes().map_or(0, |scopes| scopes.lost),
            teams: teams::all_of(
                &rules.teams,
                &series,
                &columns,
                &left_out,
                &explained.hitches,
            ),
            teamless: teams::teamless(&rules.teams, &series),
            explained,
            breakdown: Breakdown::of(
                &series,
                capture.frame_thread(),
                &rules.teams,
                frames,
                total_ms,
            ),
            memory: Memory::of(&series),
            groups: capture.memory().groups.clone(),
            throttling: Throttling::all_of(&columns, &left_out),
            bottleneck: threads::bottleneck(&columns, &left_out),
            histograms: histograms(capture),
            clocks: whole,
            left_out,
            series,
            damaged: columns.unread(Unread::Damaged),
            unreadable: columns.unread(Unread::Unsupported),
            doubts: capture.warnings().to_vec(),
            lost_frames: dropped.max((missing > 0).then_some(missing)),
            damaged_bytes: capture.damaged_bytes(),
        })
    }

    /// Returns the figures that are compared as a list, in an order that never changes. Names are
    /// unique within a run, and the same in every run.
    pub(crate) fn list(&self) -> Vec<Metric> {
        self.figures(|path| !is_machine_figure(path))
    }

    /// Like [`list`](Self::list), with what the machine did, which differs from run to run.
    pub(crate) fn shown(&self) -> Vec<Metric> {
        self.figures(|_| true)
    }

    fn figures(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<Metric> {
        let mut list = MetricList::default();
        if let Some(frame) = self.clock("frame") {
            let Clock { statistics, .. } = frame;
            list.neutral("run/frames".into(), statistics.frames as f64, Unit::Count);
            let seconds = statistics.total_ms / 1e3;
            list.neutral("run/seconds".into(), seconds, Unit::Seconds);
            frame.add_rates_to(&mut list, "run/");
            let hitches = self.explained.seen().count() as f64;
            list.lower("run/hitches".into(), hitches, Unit::Count);
            let frame_ms = statistics.total_ms / statistics.frames as f64;
            threads::add_running_to(&mut list, &self.series, frame_ms);
        }
        self.clocks
            .iter()
            .for_each(|clock| clock.add_to(&mut list, ""));
        self.memory.add_to(&mut list);
        self.breakdown
            .iter()
            .for_each(|parts| parts.add_to(&mut list));
        self.teams.iter().for_each(|team| team.add_to(&mut list));
        self.spans.iter().for_each(|span| span.add_to(&mut list));
        let us_per_frame = self.run.cost.map(|cost| cost.us_per_frame);
        let us = Unit::Microseconds;
        list.lower("capture/cost-per-frame".into(), us_per_frame, us);
        let lost = self.lost_frames.map(|frames| frames as f64);
        list.lower(LOST_FRAMES.into(), lost, Unit::Count);
        self.series
            .iter()
            .filter(|series| !is_thread_figure(&series.record.path, series.unit))
            .filter(|series| is_wanted(&series.record.path))
            .for_each(|series| series.add_to(&mut list));
        self.histograms
            .iter()
            .for_each(|samples| samples.add_to(&mut list));
        list.metrics
    }

    /// Returns the share of the time in which the thread of the frame waited for a processor, from 0
    /// to 1; `None` if it is not known.
    pub(crate) fn ready_share(&self) -> Option<f64> {
        let statistics = &self.clock("frame")?.statistics;
        threads::ready_share(&self.series, statistics.total_ms / statistics.frames as f64)
    }

    /// Returns the time of a frame that metrics call `frame`, `cpu` or `gpu`.
    pub(crate) fn clock(&self, name: &str) -> Option<&Clock> {
        self.clocks.iter().find(|clock| clock.name == name)
    }

    /// Returns a sentence about the damage of the file; `None` if there is none.
    pub(crate) fn damage(&self) -> Option<String> {
        let file = name_of(&self.file);
        let mut parts = Vec::new();
        if self.damaged_bytes > 0 {
            parts.push(format!(
                "{file} has {}. Their frames are missing.",
                count_text(self.damaged_bytes, "damaged byte", "damaged bytes")
            ));
        }
        if !self.damaged.is_empty() {
            let list = listed(&self.damaged);
            parts.push(format!(
                "{file} has damaged series, which are not judged: {list}."
            ));
        }
        if !parts.is_empty() {
            parts.push("Copy the file again, or record the run again.".into());
        }
        if !self.unreadable.is_empty() {
            parts.push(format!(
                "{file} has series that cannot be read, which are not judged: {}. Write them as plain numbers.",
                listed(&self.unreadable)
            ));
        }
        (!parts.is_empty()).then(|| parts.join(" "))
    }

    /// Describes the machine on which the run was recorded, without its power state. Machines of
    /// the same kind have the same text.
    pub(crate) fn machine(&self) -> String {
        let Machine {
            cpu,
            cores,
            memory_bytes,
            os,
            gpu,
            driver,
            ..
        } = &self.run.machine;
        let gib = memory_bytes
            .map(|bytes| format!("{} GiB", (bytes as f64 / (1_u64 << 30) as f64).round()));
        let parts = [
            cpu.clone(),
            cores.map(|cores| count_text(cores as u64, "thread", "threads")),
            gib,
            os.clone(),
            gpu.clone(),
            driver.clone(),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// Returns the first paths, for a sentence.
fn listed(paths: &[String]) -> String {
    let (shown, more) = paths.split_at(paths.len().min(MAX_DAMAGED));
    let list = shown.join(", ");
    match more.len() {
        0 => list,
        more => format!("{list} and {more} more"),
    }
}

/// The times of all frames.
struct FrameClocks<'a> {
    capture: &'a CaptureFile,
    times: Vec<FrameTimes<'a>>,
}

/// One time of each frame.
struct FrameTimes<'a> {
    name: &'static str,
    path: Option<&'a str>,
    budget_ms: Option<f64>,
    /// From the first frame of the capture on.
    ms: Vec<f64>,
}

impl<'a> FrameClocks<'a> {
    fn read(columns: &Columns<'a>, rules: &'a Rules) -> Self {
        let capture = columns.capture;
        let period_ms = capture
            .run()
            .refresh_hz
            .filter(|hz| *hz > 0.0)
            .map(|hz| 1e3 / hz);
        let expected = rules.expected.budget("frame", Unit::Milliseconds);
        let budget_ms = rules.budget_ms.or(expected).or(period_ms);
        let frames = capture.frame_times(usize::MAX).iter().collect();
        let mut times = vec![FrameTimes {
            name: "frame",
            path: None,
            budget_ms,
            ms: frames,
        }];
        for (name, path) in [("cpu", &rules.cpu), ("gpu", &rules.gpu)] {
            let record = capture.series().iter().find(|series| series.path == *path);
            if let (Some(record), Some(column)) = (record, columns.get(path)) {
                let scale = ms_of(unit_of(record));
                let mut ms = by_frame(capture.frames(), column.slice());
                ms.iter_mut().for_each(|ms| *ms *= scale);
                times.push(FrameTimes {
                    name,
                    path: Some(path.as_str()),
                    budget_ms: rules.budget_of(record).map(|budget| budget * scale),
                    ms,
                });
            }
        }
        Self { capture, times }
    }

    /// Returns the statistics of the frames that are not left out.
    fn judged(&self, left_out: &LeftOut, rules: &Rules) -> Vec<Clock> {
        let first = self.capture.frames().start;
        self.statistics(rules, &|position| first + position as u64, |values| {
            let mut values = values.to_vec();
            left_out.blank(first, &mut values);
            values
        })
    }

    /// Returns the statistics of the frames within some ranges.
    fn within(&self, ranges: &[Range<u64>], rules: &Rules) -> Vec<Clock> {
        let first = self.capture.frames().start;
        // An empty position between two ranges keeps a run of frames from spanning both.
        let frames: Vec<Option<u64>> = ranges
            .iter()
            .flat_map(|range| range.clone().map(Some).chain([None]))
            .collect();
        let frame_at = |position: usize| frames[position].unwrap_or(first);
        self.statistics(rules, &frame_at, |values| {
            let value =
                |frame: &Option<u64>| frame.map_or(f64::NAN, |at| values[(at - first) as usize]);
            frames.iter().map(value).collect()
        })
    }

    fn statistics(
        &self,
        rules: &Rules,
        frame_at: &dyn Fn(usize) -> u64,
        select: impl Fn(&[f64]) -> Vec<f64>,
    ) -> Vec<Clock> {
        let start_secs = |frame| {
            let frame = self.capture.frame(frame);
            frame.map_or(f64::NAN, |frame| frame.start_secs)
        };
        let whole_ms = select(&self.times[0].ms);
        let clocks = self.times.iter().filter_map(|times| {
            let times = Times {
                name: times.name,
                path: times.path,
                ms: &select(&times.ms),
                whole_ms: &whole_ms,
                frame_at,
                start_secs: &start_secs,
                budget_ms: times.budget_ms,
                refresh_hz: self.capture.run().refresh_hz,
            };
            Clock::of(&times, rules)
        });
        clocks.collect()
    }
}

/// Returns the milliseconds of a unit of time; 1 for any other unit, which is taken for
/// milliseconds.
fn ms_of(unit: Unit) -> f64 {
    match unit {
        Unit::Seconds => 1e3,
        Unit::Microseconds => 1e-3,
        Unit::Custom("ns") => 1e-6,
        _ => 1.0,
    }
}

/// Returns values by frame; NaN for frames without one.
fn by_frame(frames: Range<u64>, values: FrameSlice<'_>) -> Vec<f64> {
    frames
        .map(|frame| values.at(frame).unwrap_or(f64::NAN))
        .collect()
}

/// Returns the figures of all series that can be read.
fn all_series(columns: &Columns<'_>, left_out: &LeftOut, rules: &Rules) -> Vec<SeriesFigures> {
    let frames_ms = columns.capture.frame_times(usize::MAX);
    let (mut series, mut scratch) = (Vec::new(), Vec::new());
    for (record, column) in columns.capture.series().iter().zip(&columns.all) {
        let Some(column) = column else { continue };
        let unit = unit_of(record);
        let mut record = record.clone();
        record.budget = rules.budget_of(&record);
        series.push(SeriesFigures::of(
            record,
            unit,
            column.slice(),
            left_out,
            frames_ms,
            &mut scratch,
        ));
    }
    series
}

fn histograms(capture: &CaptureFile) -> Vec<Samples> {
    let samples = capture.histograms().iter().filter_map(|record| {
        let mut series = capture.series().iter();
        let series = series.find(|series| series.path == record.path);
        let better = series.map(|series| series.better).unwrap_or_default();
        let unit = series.and_then(|series| Unit::from_symbol(&series.unit));
        Samples::of(record, unit.unwrap_or_default(), better)
    });
    samples.collect()
}

fn spans(
    columns: &Columns<'_>,
    file: &Path,
    clocks: &FrameClocks<'_>,
    rules: &Rules,
) -> Vec<SpanFigures> {
    let capture = columns.capture;
    let memory = [TRACKED, RESIDENT]
        .into_iter()
        .find(|path| capture.find(path).is_some());
    let memory = memory.and_then(|path| columns.get(path));
    let all = capture.frames();
    let is_recorded = |frame: &u64| capture.frame(*frame).is_some();
    let recorded: Vec<u64> = all.clone().filter(is_recorded).collect();
    let mut names: Vec<(&str, Vec<Range<u64>>)> = Vec::new();
    let (mut positions, mut left_out) = (HashMap::new(), 0_u32);
    for Mark { name, frames, .. } in capture.marks().iter().filter(|mark| !mark.is_point) {
        if names.len() == MAX_SPANS && !positions.contains_key(name.as_str()) {
            left_out += 1;
            continue;
        }
        let position = *positions.entry(name.as_str()).or_insert_with(|| {
            names.push((name, Vec::new()));
            names.len() - 1
        });
        let frames = frames.start.clamp(all.start, all.end)..frames.end.clamp(all.start, all.end);
        names[position].1.push(frames);
    }
    if left_out > 0 {
        say(format_args!(
            "{} has spans of more than {MAX_SPANS} names, so {} no figures; use fewer names, for \
             instance without a number in each",
            name_of(file),
            count_text(left_out.into(), "span has", "spans have")
        ));
    }
    let figures = names.into_iter().map(|(name, frames)| {
        let seconds = |ranges: &[Range<u64>]| -> Vec<f64> {
            ranges
                .iter()
                .map(|range| seconds_of(capture, &recorded, range))
                .collect()
        };
        let merged = without_overlaps(frames.clone());
        SpanFigures {
            name: name.to_owned(),
            longest_secs: seconds(&frames).into_iter().reduce(f64::max),
            // Folded from 0, because an empty sum is −0.
            total_secs: seconds(&merged).iter().fold(0.0, |sum, secs| sum + secs),
            clocks: clocks.within(&merged, rules),
            bottleneck: threads::bottleneck_within(columns, &merged),
            memory_bytes: memory.and_then(|column| {
                let values = merged
                    .iter()
                    .flat_map(|range| column.slice().within(range.clone()).iter());
                values.filter(|value| !value.is_nan()).reduce(f64::max)
            }),
            frames,
        }
    });
    figures.collect()
}

/// Merges the ranges that share frames.
fn without_overlaps(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// Returns the duration of a range of frames, including dropped ones. `recorded` are the frames of
/// the capture that were not dropped.
fn seconds_of(capture: &CaptureFile, recorded: &[u64], range: &Range<u64>) -> f64 {
    // Marks may lie in a long gap, so nothing searches the gap.
    let position = |frame| recorded.partition_point(|known| *known < frame);
    let frames = recorded.get(position(range.start)..position(range.end));
    let frames = frames.unwrap_or_default();
    let known = |frame: Option<&u64>| capture.frame(*frame?);
    match (known(frames.first()), known(frames.last())) {
        (Some(first), Some(last)) => last.start_secs + last.duration_ms / 1e3 - first.start_secs,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::without_overlaps;

    #[test]
    fn frames_of_overlapping_spans_count_once_and_neighbors_stay_apart() {
        let spans = vec![5..9, 0..2, 2..4, 7..12, 8..10, 12..12];
        assert_eq!(without_overlaps(spans), [0..2, 2..4, 5..12, 12..12]);
    }
}
