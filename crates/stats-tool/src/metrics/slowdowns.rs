//! When a run became slower, and what grew with it.

use stats_analysis::insight::{FrameValues, Hitch, Insight, Slowdown};
use stats_core::{Frame, FrameSlice, Source};

use super::columns::Columns;
use crate::statistics::{Drift, median};

/// The maximum number of frames on each side that are compared.
const COMPARED: usize = 600;
/// A slow frame that takes this many times as long as the others is a hitch, and says nothing about them.
const HITCH: f64 = 2.0;
/// A hitch belongs to a slowdown if it is at most this many frames before or after its first frame.
const BEFORE: u64 = 3;
const AFTER: u64 = 60;
/// A slowdown has ended if the frames of two such times are nearer to the time before.
const BLOCK_MS: f64 = 500.0;
/// The maximum number of parts into which a run is divided. They have equal numbers of frames.
const PARTS: usize = 32;
/// The minimum number of frames of a part.
const PART_FRAMES: usize = 30;
/// The least rise of a run that becomes slower little by little, in milliseconds and as a share, and
/// the largest mean distance of its parts from a straight line, as a share of the rise.
const MIN_MS: f64 = 1.0;
const MIN_SHARE: f64 = 0.2;
const STRAIGHT: f64 = 1.0 / 6.0;

/// A part of a run that was slower than what was before.
#[derive(Debug)]
pub(crate) struct Slower {
    /// From which time to which, and the first slow frame.
    pub(crate) slowdown: Slowdown,
    /// The last slow frame; `None` if no second that is nearer to the time before followed.
    pub(crate) last_frame: Option<u64>,
    /// Whether the frames became longer little by little over the whole run.
    pub(crate) is_gradual: bool,
    /// What explains the mean of the slow frames, compared with those before; `None` if they took no
    /// longer.
    pub(crate) cause: Option<Hitch>,
    /// The frame with which it began, if it was noticed as a hitch.
    pub(crate) began: Option<Hitch>,
}

impl Slower {
    /// Takes the hitches that are nothing but slow frames with which this one begins.
    pub(super) fn take_from(&mut self, hitches: &mut Vec<Hitch>) {
        let mut own = hitches.extract_if(.., |hitch| self.has(hitch));
        let began = own.next();
        own.for_each(drop);
        self.began = began;
    }

    /// Returns whether a frame is among the slow ones.
    pub(super) fn lasts_in(&self, frame: u64) -> bool {
        frame >= self.slowdown.first_frame && self.last_frame.is_none_or(|last| frame <= last)
    }

    fn has(&self, hitch: &Hitch) -> bool {
        let Slowdown {
            first_frame, to_ms, ..
        } = self.slowdown;
        let as_slow = Hitch {
            usual_ms: to_ms,
            ..hitch.clone()
        };
        !self.is_gradual
            && (first_frame.saturating_sub(BEFORE)..=first_frame + AFTER).contains(&hitch.frame)
            && hitch.is_seen()
            && !as_slow.is_seen()
    }
}

/// Collects the slowdowns that an [`Insight`] finds in a run.
#[derive(Debug, Default)]
pub(super) struct Slowdowns(Vec<Slowdown>);

impl Slowdowns {
    /// Takes the slowdown that lasts in the newest frame.
    pub(super) fn take(&mut self, found: Option<Slowdown>) {
        let Some(found) = found else { return };
        match self.0.last_mut() {
            Some(last) if last.first_frame == found.first_frame => *last = found,
            _ => self.0.push(found),
        }
    }

    /// Returns the slowdowns with their causes. `frames` are the frames that are judged.
    pub(super) fn explained(
        self,
        columns: &Columns<'_>,
        frames: &[u64],
        insight: &mut Insight,
    ) -> Vec<Slower> {
        let times = columns.capture.frame_times(usize::MAX);
        let mut all: Vec<Slower> = Vec::new();
        for slowdown in self.0 {
            let at = frames.partition_point(|frame| *frame < slowdown.first_frame);
            let (before, after) = frames.split_at(at);
            let last_frame = last_slow(&times, after, slowdown);
            let is_slow = |frame: &u64| last_frame.is_none_or(|last| *frame <= last);
            let slow = &after[..after.partition_point(is_slow)];
            let before = usual_before(before, &all);
            let cause = cause(columns, &times, (&before, slow), slowdown.to_ms, insight);
            all.push(Slower {
                slowdown,
                last_frame,
                is_gradual: false,
                cause,
                began: None,
            });
        }
        if all.is_empty() {
            all.extend(gradual(columns, frames, &times, insight));
        }
        all
    }
}

/// Returns the last of some frames that are compared with those of a slowdown, without the frames of the
/// slowdowns that `ended` among them.
fn usual_before(frames: &[u64], ended: &[Slower]) -> Vec<u64> {
    let end = frames.last().copied().unwrap_or(0);
    let is_slow = |frame: u64| {
        ended.iter().any(|slower| {
            let last = slower.last_frame.filter(|last| *last < end);
            last.is_some_and(|last| (slower.slowdown.first_frame..=last).contains(&frame))
        })
    };
    let usual = frames
        .iter()
        .rev()
        .copied()
        .filter(|frame| !is_slow(*frame));
    let mut usual: Vec<u64> = usual.take(COMPARED).collect();
    usual.reverse();
    usual
}

/// Returns the last frame that is as slow as a slowdown; `None` if there is no end. `frames` begin with
/// its first one.
fn last_slow(times: &FrameSlice<'_>, frames: &[u64], slowdown: Slowdown) -> Option<u64> {
    let middle_ms = (slowdown.from_ms + slowdown.to_ms) / 2.0;
    let (mut sum_ms, mut longest_ms, mut count) = (0.0, 0.0_f64, 0.0);
    // Where this block and the block before it begin. `fast` spans a fast block and the block before it.
    let (mut start, mut before, mut fast) = (0, 0, None);
    for (at, frame) in frames.iter().enumerate() {
        // A block has no gap.
        if at > 0 && frames[at - 1] + 1 != *frame {
            (start, sum_ms, longest_ms, count) = (at, 0.0, 0.0, 0.0);
        }
        let Some(ms) = times.at(*frame) else { continue };
        (sum_ms, longest_ms, count) = (sum_ms + ms, longest_ms.max(ms), count + 1.0);
        if sum_ms < BLOCK_MS || count < 4.0 {
            continue;
        }
        let is_fast = (sum_ms - longest_ms) / (count - 1.0) < middle_ms;
        fast = match fast {
            Some(found) if is_fast => return last_above(times, &frames[found], slowdown),
            _ => is_fast.then_some(before..at + 1),
        };
        (before, start) = (start, at + 1);
        (sum_ms, longest_ms, count) = (0.0, 0.0, 0.0);
    }
    None
}

/// Returns the frame after which frames that are slow at first are fast. A single slow or fast frame
/// between others does not count.
fn last_above(times: &FrameSlice<'_>, frames: &[u64], slowdown: Slowdown) -> Option<u64> {
    let Slowdown { from_ms, to_ms, .. } = slowdown;
    let above_ms = |ms: f64| ms.clamp(from_ms, to_ms) - (from_ms + to_ms) / 2.0;
    let known = frames
        .iter()
        .filter_map(|frame| Some((*frame, times.at(*frame)?)));
    let sums = known.scan(0.0, |sum_ms, (frame, ms)| {
        *sum_ms += above_ms(ms);
        Some((frame, *sum_ms))
    });
    Some(sums.max_by(|a, b| a.1.total_cmp(&b.1))?.0)
}

/// Returns the slowdown of a run whose frames become longer little by little.
fn gradual(
    columns: &Columns<'_>,
    frames: &[u64],
    times: &FrameSlice<'_>,
    insight: &mut Insight,
) -> Option<Slower> {
    let size = frames.len().div_ceil(PARTS).max(PART_FRAMES);
    let parts: Vec<&[u64]> = frames.chunks_exact(size).collect();
    let part_ms = |part: &&[u64]| {
        let ms: Vec<f64> = part.iter().filter_map(|frame| times.at(*frame)).collect();
        median(&ms)
    };
    let parts_ms: Vec<f64> = parts.iter().map(part_ms).collect();
    let drift = Drift::of(&parts_ms)?;
    let rise_ms = drift.last - drift.first;
    let steps = (parts_ms.len() - 1) as f64;
    let off_ms = |(at, ms): (usize, &f64)| (ms - drift.first - rise_ms * at as f64 / steps).abs();
    let off_ms = parts_ms.iter().enumerate().map(off_ms).sum::<f64>() / (steps + 1.0);
    if rise_ms < MIN_MS.max(MIN_SHARE * drift.first) || off_ms > STRAIGHT * rise_ms {
        return None;
    }
    let end = parts.len().div_ceil(5);
    let [before, slow] =
        [&parts[..end], &parts[parts.len() - end..]].map(|parts: &[&[u64]]| parts.concat());
    let compared = |frames: &[u64]| {
        let step = frames.len().div_ceil(COMPARED);
        frames.iter().step_by(step).copied().collect::<Vec<_>>()
    };
    let compared = [compared(&before), compared(&slow)];
    let slowdown = Slowdown::new(*frames.first()?, drift.first, drift.last);
    Some(Slower {
        slowdown,
        last_frame: None,
        is_gradual: true,
        cause: cause(
            columns,
            times,
            (&compared[0], &compared[1]),
            drift.last,
            insight,
        ),
        began: None,
    })
}

/// Explains slow frames, compared with those before; `None` if they took no longer.
fn cause(
    columns: &Columns<'_>,
    times: &FrameSlice<'_>,
    (before, slow): (&[u64], &[u64]),
    to_ms: f64,
    insight: &mut Insight,
) -> Option<Hitch> {
    let no_hitch = |frame: &&u64| times.at(**frame).is_some_and(|ms| ms < HITCH * to_ms);
    let visit = |frames: &mut dyn Iterator<Item = &u64>, visit: &mut dyn FnMut(FrameValues<'_>)| {
        let mut values = Vec::new();
        for frame in frames {
            let Some(Frame { duration_ms, .. }) = columns.capture.frame(*frame) else {
                continue;
            };
            columns.read_frame(*frame, &mut values);
            visit(FrameValues {
                ms: duration_ms,
                values: &values,
            });
        }
    };
    let cause = insight.explain_among(
        *slow.first()?,
        |each| visit(&mut slow.iter().filter(no_hitch).take(COMPARED), each),
        |each| visit(&mut before.iter(), each),
        |_| None,
    );
    cause.filter(|cause| cause.excess_ms > 0.0)
}
