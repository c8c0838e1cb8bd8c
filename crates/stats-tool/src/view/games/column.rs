//! The values of a series of another game, in the frames of the first.

use std::collections::VecDeque;
use std::ops::Range;

use stats_core::{Frame, FrameSlice, SeriesKind, Source, Watch};

/// How long a frame waits for ticks of a game that sends none, in seconds.
const PATIENCE_SECS: f64 = 2.0;

/// What becomes of the values of several ticks that ended in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fold {
    /// They are added: what was counted, and times.
    Sum,
    /// The last one: levels.
    Last,
    /// The largest one: the frame time, because each value is that of a frame of its own.
    Largest,
}

impl Fold {
    pub(super) fn of(kind: SeriesKind) -> Self {
        match kind {
            SeriesKind::Gauge | SeriesKind::UpDownCounter => Self::Last,
            SeriesKind::FrameTime => Self::Largest,
            _ => Self::Sum,
        }
    }

    fn join(self, before: Option<f64>, value: f64) -> f64 {
        match (self, before) {
            (Self::Sum, Some(before)) => before + value,
            (Self::Largest, Some(before)) if before > value => before,
            _ => value,
        }
    }
}

/// The clock of a game, on the axis of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Offset {
    /// What is added to a time of the game.
    pub(super) secs: f64,
    /// By how much it may be wrong.
    pub(super) error_secs: f64,
}

impl Offset {
    /// Returns when a frame ended on the axis.
    pub(super) fn end_secs(self, frame: &Frame) -> f64 {
        frame.start_secs + frame.duration_ms / 1e3 + self.secs
    }
}

/// A game and its clock.
#[derive(Clone, Copy)]
pub(super) struct Timed<'a> {
    pub(super) source: &'a dyn Source,
    pub(super) offset: Offset,
}

/// The values of a series: for each frame of the first game those of the ticks that ended in it. A frame
/// in which none ended, and one with a tick whose value is not known, has NaN.
///
/// Each tick belongs to one frame, or to none if it arrives when that was read. A value that was read
/// never changes, however the clocks are corrected later.
#[derive(Debug)]
pub(super) struct GameColumn {
    /// The position of the game.
    pub(super) game: usize,
    /// The watch of that game.
    pub(super) watch: Watch,
    fold: Fold,
    first_frame: u64,
    values: VecDeque<f64>,
    /// The first tick that belongs to no frame yet; `None` before the first frame.
    next_tick: Option<u64>,
}

impl GameColumn {
    pub(super) fn new(game: usize, watch: Watch, fold: Fold) -> Self {
        Self {
            game,
            watch,
            fold,
            first_frame: 0,
            values: VecDeque::new(),
            next_tick: None,
        }
    }

    pub(super) fn window(&self, frames: usize) -> FrameSlice<'_> {
        let (older, newer) = self.values.as_slices();
        let all = FrameSlice::new(self.first_frame, older, newer);
        let end = all.frames().end;
        all.within(end.saturating_sub(frames as u64)..end)
    }

    /// Takes in the frames of the first game whose ticks arrived.
    pub(super) fn take(&mut self, first: Timed<'_>, other: Timed<'_>) {
        let frames = first.source.frames();
        self.forget(frames.start);
        let newest = frames
            .end
            .checked_sub(1)
            .and_then(|at| first.source.frame(at));
        let Some(newest_secs) = newest.map(|frame| first.offset.end_secs(&frame)) else {
            return;
        };
        let known = other.source.history(&self.watch, usize::MAX);
        for index in self.first_frame + self.values.len() as u64..frames.end {
            let Some(frame) = first.source.frame(index) else {
                // Its ticks are left out.
                self.values.push_back(f64::NAN);
                continue;
            };
            let end_secs = first.offset.end_secs(&frame);
            let is_over = newest_secs - end_secs > PATIENCE_SECS;
            let begin_secs = frame.start_secs + first.offset.secs;
            let next = self
                .next_tick
                .unwrap_or_else(|| first_after(other, begin_secs));
            // A tick may seem to end before a frame because the clocks were corrected.
            let error_secs = first.offset.error_secs + other.offset.error_secs;
            let times = begin_secs - error_secs..end_secs;
            let Some((value, next)) = self.fold_ticks(other, known, (next, times, is_over)) else {
                break;
            };
            self.next_tick = Some(next);
            self.values.push_back(value);
        }
        // Values that were not known when the history began are no part of it.
        while self.values.front().is_some_and(|value| value.is_nan()) {
            self.values.pop_front();
            self.first_frame += 1;
        }
    }

    /// Joins the ticks from `tick` on that ended in `times`. A tick that ended before `times` came too late
    /// for its frame, and is skipped. Returns the value and the tick after them. `None` if further ticks of that time may still
    /// arrive, unless the wait is over.
    fn fold_ticks(
        &self,
        other: Timed<'_>,
        known: FrameSlice<'_>,
        (tick, times, is_over): (u64, Range<f64>, bool),
    ) -> Option<(f64, u64)> {
        let ticks = other.source.frames();
        let mut tick = tick.max(ticks.start);
        let (mut value, mut is_known) = (None, true);
        loop {
            if tick >= ticks.end {
                if is_over {
                    break;
                }
                return None;
            }
            // A tick whose time is not known is left out.
            if let Some(frame) = other.source.frame(tick) {
                let end_secs = other.offset.end_secs(&frame);
                if end_secs > times.end {
                    break;
                }
                if end_secs < times.start {
                    tick += 1;
                    continue;
                }
                if tick >= known.frames().end && !is_over {
                    return None;
                }
                match known.at(tick) {
                    Some(new) => value = Some(self.fold.join(value, new)),
                    None => is_known = false,
                }
            }
            tick += 1;
        }
        Some((value.filter(|_| is_known).unwrap_or(f64::NAN), tick))
    }

    /// Forgets the frames before `start`.
    fn forget(&mut self, start: u64) {
        while self.first_frame < start && self.values.pop_front().is_some() {
            self.first_frame += 1;
        }
        self.first_frame = self.first_frame.max(start);
    }
}

/// Returns the first tick that ended after a time.
fn first_after(other: Timed<'_>, secs: f64) -> u64 {
    let mut ticks = other.source.frames();
    let end = ticks.end;
    let is_after = |tick: &u64| {
        let frame = other.source.frame(*tick);
        frame.is_some_and(|frame| other.offset.end_secs(&frame) > secs)
    };
    ticks.find(is_after).unwrap_or(end)
}
