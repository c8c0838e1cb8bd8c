//! Passes the frames of a capture to an [`Insight`], which explains them.

use std::ops::{ControlFlow, Range};

use stats_analysis::insight::{Hitch, Insight, Leak, Periodic, WARM_UP_FRAMES};
use stats_analysis::moments::{Moment, frames_before, moments};
use stats_capture::CaptureFile;
use stats_core::source::Listed;
use stats_core::{FROZEN, Frame, LogLine, STOOD_STILL, Source, Unit};

use super::columns::Columns;
use super::left_out::LeftOut;
use super::log::{Log, Logged, log_beside};
use super::longest::{Candidate, Longest};
use super::rules::Rules;
use super::slowdowns::{Slowdowns, Slower};
use super::threads;
use crate::failure::Failure;
use crate::progress::Progress;

/// The number of slowest frames that are explained if no frame is a hitch.
const SLOWEST: usize = 5;

/// The explanation of all hitches of a run, or of one frame.
#[derive(Debug)]
pub(crate) enum Explanation {
    /// One frame.
    Frame(Hitch),
    /// A run.
    Run(RunExplanation),
}

/// The findings about a run.
#[derive(Debug)]
pub(crate) struct RunExplanation {
    /// The number of frames that were judged.
    pub(crate) frames: u64,
    /// The first frames, which show what is usual: none is a hitch. `None` if no others were judged.
    pub(crate) first_frames: Option<Range<u64>>,
    /// The last frame that was judged.
    pub(crate) last_frame: u64,
    /// The number of frames that were left out.
    pub(crate) left_out: u64,
    /// The share of the time in which the thread of the frame waited for a processor, from 0 to 1;
    /// `None` if it is not known.
    pub(crate) ready_share: Option<f64>,
    /// The hitches, oldest first. They include the frames that did more work but that no player sees, and
    /// not the frames with which the run became [slower](Self::slowdowns).
    pub(crate) hitches: Vec<Hitch>,
    /// The levels that grow until the end of the run.
    pub(crate) leaks: Vec<Growth>,
    /// The periodic stalls.
    pub(crate) periodic: Vec<Periodic>,
    /// When the run became slower, in the order of the frames.
    pub(crate) slowdowns: Vec<Slower>,
    /// The frames that did not end for long, in their order.
    pub(crate) freezes: Vec<Frozen>,
    /// What a person marked while playing, in the order of the frames.
    pub(crate) moments: Vec<ExplainedMoment>,
    /// The explanations of the slowest frames, oldest first; empty if there are hitches.
    slowest: Vec<Hitch>,
    /// The longest frame if that is no hitch, although there are hitches.
    pub(crate) longest: Option<Longest>,
    /// The lines of the log beside the [listed](Self::listed) frames.
    pub(crate) log: Log,
}

/// A level that grows until the end of the run.
#[derive(Clone, Debug)]
pub(crate) struct Growth {
    pub(crate) leak: Leak,
    pub(crate) unit: Unit,
    /// Its value in the last frame that is not left out; NaN if that is not known.
    pub(crate) newest: f64,
    pub(crate) budget: Option<f64>,
}

/// A frame that did not end for long.
#[derive(Debug)]
pub(crate) struct Frozen {
    /// The frame; the one after the last frame of the run if it never ended.
    pub(crate) frame: u64,
    /// Whether it ended.
    pub(crate) has_ended: bool,
    /// For how long no frame had ended, and the open scopes of each thread.
    pub(crate) lines: Vec<String>,
}

/// A moment that a person marked, and the slowest of the frames in the two seconds before it.
#[derive(Debug)]
pub(crate) struct ExplainedMoment {
    pub(crate) moment: Moment,
    /// The frames of the two seconds before it, and its own.
    pub(crate) frames: Range<u64>,
    /// The slowest of them; `None` if none of them was judged.
    pub(crate) slowest: Option<Hitch>,
}

impl RunExplanation {
    /// Explains the hitches of a run, each compared with the frames before it. Finds the leaks and
    /// the periodic stalls. Skips the frames that the rules leave out.
    pub(crate) fn of(columns: &Columns<'_>, rules: &Rules) -> Self {
        let capture = columns.capture;
        let mut feed = Feed::new(columns, rules);
        let left_out = LeftOut::of_capture(rules, capture);
        let asked = slowest(capture, &left_out);
        let mut moments = moments_of(capture);
        let of_moments: Vec<_> = (moments.iter())
            .map(|one| slowest_of(capture, &left_out, one.frames.clone()))
            .collect();
        let mut judged = Vec::new();
        let (mut hitches, mut slowest) = (Vec::new(), Vec::new());
        let mut slowdowns = Slowdowns::default();
        let mut longest = None;
        let all = capture.frames();
        let mut progress = Progress::new("explaining", (all.end - all.start) as usize);
        for frame in all.filter_map(|index| capture.frame(index)) {
            progress.step();
            if !is_judged(capture, &left_out, frame.index) {
                feed.skip(frame);
                continue;
            }
            if asked.contains(&frame.index) {
                slowest.push(feed.explain(frame));
            }
            for (one, slowest) in moments.iter_mut().zip(&of_moments) {
                if *slowest == Some(frame.index) {
                    one.slowest = Some(feed.explain(frame));
                }
            }
            judged.push(frame.index);
            let is_noticed = feed.take(frame);
            slowdowns.take(feed.insight.slowdown());
            if asked.first() == Some(&frame.index) {
                longest = slowest.last().map(|explained| Candidate {
                    explained: explained.clone(),
                    is_warm_up: judged.len() <= WARM_UP_FRAMES as usize,
                    belongs_to: feed.insight.belongs_to(),
                });
            }
            if is_noticed {
                feed.insight.rank_noticed();
                let newest = feed.insight.hitches().back();
                hitches.extend(newest.filter(|hitch| hitch.frame == frame.index).cloned());
            }
        }
        let mut slowdowns = slowdowns.explained(columns, &judged, &mut feed.insight);
        (slowdowns.iter_mut()).for_each(|slower| slower.take_from(&mut hitches));
        let times = capture.frame_times(usize::MAX);
        let durations = judged.iter().filter_map(|frame| times.at(*frame));
        let longest = longest.and_then(|one| one.longest(&hitches, &slowdowns, durations));
        if !hitches.is_empty() {
            slowest.clear();
        }
        let log = log_beside(capture, hitches.iter().chain(&slowest));
        Self {
            frames: judged.len() as u64,
            first_frames: first_frames(&judged),
            last_frame: judged.last().copied().unwrap_or(0),
            left_out: left_out.frames(),
            ready_share: threads::ready_share_of(columns, &left_out),
            hitches,
            leaks: feed.leaks(rules),
            longest,
            periodic: feed.insight.periodic(),
            slowdowns,
            freezes: freezes_of(capture),
            moments,
            slowest,
            log,
        }
    }

    /// Returns the hitches that a player sees, oldest first.
    pub(crate) fn seen(&self) -> impl Iterator<Item = &Hitch> {
        self.hitches.iter().filter(|hitch| hitch.is_seen())
    }

    /// Returns whether the run has frames that may be hitches, after those that show what is usual.
    pub(crate) fn is_examined(&self) -> bool {
        self.first_frames.is_some()
    }

    /// Returns the lines of the log beside a listed frame that were written after the frame `before`,
    /// which a list shows above it.
    pub(crate) fn new_lines(
        &self,
        frame: u64,
        before: Option<u64>,
    ) -> impl Iterator<Item = &Logged> {
        let lines = self.log.get(&frame).into_iter().flatten();
        lines.filter(move |line| before.is_none_or(|before| line.frame > before))
    }

    /// Returns the frames that a report lists, oldest first: the hitches, or else the slowest
    /// frames.
    pub(crate) fn listed(&self) -> &[Hitch] {
        if self.hitches.is_empty() {
            &self.slowest
        } else {
            &self.hitches
        }
    }
}

/// Returns the frames that did not end for long.
fn freezes_of(capture: &CaptureFile) -> Vec<Frozen> {
    let mut freezes: Vec<Frozen> = Vec::new();
    let end = capture.frames().end;
    for mark in capture.marks().iter().filter(|mark| mark.is_point) {
        let line = LogLine::of_mark(&mark.name).filter(|line| line.target == FROZEN);
        let Some(line) = line else { continue };
        let frame = mark.frames.start;
        if freezes.last().is_none_or(|last| last.frame != frame) {
            freezes.push(Frozen {
                frame,
                has_ended: frame < end,
                lines: Vec::new(),
            });
        }
        let lines = freezes.last_mut().map(|freeze| &mut freeze.lines);
        lines
            .into_iter()
            .for_each(|lines| lines.push(line.text.to_owned()));
    }
    freezes
}

/// Returns the moments that a person marked. None is explained yet.
fn moments_of(capture: &CaptureFile) -> Vec<ExplainedMoment> {
    let all = capture.frames();
    let marks = capture.mark_records().iter();
    let marks = marks.map(|mark| (mark.name.as_str(), mark.begin));
    let explained = moments(marks).into_iter().map(|moment| {
        let duration_ms = |frame| Some(capture.frame(frame)?.duration_ms);
        // A mark of a frame that was not recorded belongs to the last frame.
        let frame = moment.frame.min(all.end.saturating_sub(1));
        ExplainedMoment {
            frames: frames_before(frame, all.start, duration_ms),
            moment,
            slowest: None,
        }
    });
    explained.collect()
}

/// Returns whether the whole program stood still in a frame, for example in a debugger.
fn stood_still(capture: &CaptureFile, frame: u64) -> bool {
    let marks = capture.marks();
    let first = marks.partition_point(|mark| mark.frames.start < frame);
    let of_frame = marks[first..]
        .iter()
        .take_while(|mark| mark.frames.start == frame);
    let mut lines = of_frame.filter_map(|mark| LogLine::of_mark(&mark.name));
    lines.any(|line| line.target == STOOD_STILL)
}

/// Returns whether a frame is judged: it is not left out, and the program did not stand still.
fn is_judged(capture: &CaptureFile, left_out: &LeftOut, frame: u64) -> bool {
    !left_out.has(frame) && !stood_still(capture, frame)
}

/// Returns the judged frames that show what is usual; `None` if there are no others.
fn first_frames(judged: &[u64]) -> Option<Range<u64>> {
    let (first, others) = judged.split_at_checked(WARM_UP_FRAMES as usize)?;
    (!others.is_empty()).then(|| first[0]..first[first.len() - 1] + 1)
}

/// Returns the slowest of some frames that is judged.
fn slowest_of(capture: &CaptureFile, left_out: &LeftOut, frames: Range<u64>) -> Option<u64> {
    let known = frames.filter(|frame| is_judged(capture, left_out, *frame));
    let known = known.filter_map(|frame| Some((capture.frame(frame)?.duration_ms, frame)));
    let slowest = known.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))?;
    Some(slowest.1)
}

/// Returns the slowest of the frames that are judged.
fn slowest(capture: &CaptureFile, left_out: &LeftOut) -> Vec<u64> {
    let times = capture.frame_times(usize::MAX);
    let all = capture.frames();
    let judged = all.filter(|frame| is_judged(capture, left_out, *frame));
    let mut frames: Vec<(f64, u64)> = judged
        .filter_map(|frame| Some((times.at(frame)?, frame)))
        .collect();
    frames.sort_by(|a, b| b.0.total_cmp(&a.0));
    frames.truncate(SLOWEST);
    frames.into_iter().map(|(_, frame)| frame).collect()
}

impl Explanation {
    /// Explains a frame, compared with what was usual before it.
    pub(crate) fn of_frame(
        columns: &Columns<'_>,
        rules: &Rules,
        wanted: u64,
    ) -> Result<Self, Failure> {
        let capture = columns.capture;
        let all = capture.frames();
        let Some(frame) = capture.frame(wanted) else {
            return Err(Failure::Usage(if all.is_empty() {
                "the run has no frames".to_owned()
            } else if all.contains(&wanted) {
                format!("frame {wanted} was dropped while recording; name a neighboring frame")
            } else {
                format!(
                    "the run has no frame {wanted}; its frames are {} to {}",
                    all.start,
                    all.end.saturating_sub(1)
                )
            }));
        };
        let mut feed = Feed::new(columns, rules);
        let left_out = LeftOut::of_capture(rules, capture);
        let mut progress = Progress::new("explaining", (wanted - all.start) as usize);
        for before in (all.start..wanted).filter_map(|index| capture.frame(index)) {
            progress.step();
            if is_judged(capture, &left_out, before.index) {
                feed.take(before);
            } else {
                feed.skip(before);
            }
        }
        Ok(Self::Frame(feed.explain(frame)))
    }
}

/// An [`Insight`], and the columns that feed it.
struct Feed<'a> {
    insight: Insight,
    columns: &'a Columns<'a>,
    /// By the number of the series.
    units: Vec<Unit>,
    /// The values of the newest frame, kept to reuse the memory.
    values: Vec<f64>,
    /// When the newest frame ended.
    ended_secs: Option<f64>,
}

/// The maximum number of hitches that are examined for periodic stalls.
const MAX_HITCHES: usize = 4_096;
/// A shorter time between two frames is a rounding error.
const MIN_DROPPED_MS: f64 = 0.1;

impl<'a> Feed<'a> {
    fn new(columns: &'a Columns<'_>, rules: &Rules) -> Self {
        let capture = columns.capture;
        let mut insight = Insight::new();
        insight.keep_hitches(MAX_HITCHES);
        let mut units = vec![Unit::Count; capture.series().len()];
        // The values of a capture are complete, so none is deferred.
        capture.list(Listed::All, &mut |mut info| {
            info.is_deferred = false;
            let at = info.id.number() as usize;
            if let Some(series) = capture.series().get(at) {
                units[at] = info.unit;
                info.budget = rules.budget_of(series);
            }
            insight.set_listed(&info);
            ControlFlow::Continue(())
        });
        insight.set_frame_thread(capture.frame_thread());
        Self {
            insight,
            columns,
            units,
            values: Vec::new(),
            ended_secs: None,
        }
    }

    /// Skips a frame that is left out.
    fn skip(&mut self, frame: Frame) {
        self.skip_dropped(frame);
        self.insight.skip(frame.duration_ms);
    }

    /// Skips the frames before this one that were dropped while recording, if there are any.
    fn skip_dropped(&mut self, frame: Frame) {
        let ended_secs = frame.start_secs + frame.duration_ms / 1e3;
        let before_secs = self.ended_secs.replace(ended_secs);
        let dropped_ms = before_secs.map_or(0.0, |before| (frame.start_secs - before) * 1e3);
        if dropped_ms > MIN_DROPPED_MS {
            self.insight.skip(dropped_ms);
        }
    }

    /// Takes a frame. Returns whether it is a hitch.
    fn take(&mut self, frame: Frame) -> bool {
        self.skip_dropped(frame);
        self.read(frame.index);
        (self.insight).take_frame(frame.index, frame.duration_ms, &self.values)
    }

    /// Explains a frame, compared with the frames that were taken.
    fn explain(&mut self, frame: Frame) -> Hitch {
        self.read(frame.index);
        (self.insight).explain(frame.index, frame.duration_ms, &self.values)
    }

    fn leaks(&self, rules: &Rules) -> Vec<Growth> {
        let leaks = self.insight.leaks().into_iter();
        let growth = |leak: Leak| {
            let series = leak.series as usize;
            let record = self.columns.capture.series().get(series);
            Growth {
                unit: self.units[series],
                newest: self.values.get(series).copied().unwrap_or(f64::NAN),
                budget: record.and_then(|record| rules.budget_of(record)),
                leak,
            }
        };
        leaks.map(growth).collect()
    }

    fn read(&mut self, frame: u64) {
        self.columns.read_frame(frame, &mut self.values);
    }
}
