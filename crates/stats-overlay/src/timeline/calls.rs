//! What there is to say about one call of a timer.

use stats_analysis::format::{count_text, value_text, whole_text};
use stats_core::timeline::Scope;
use stats_core::{SeriesId, Unit};

use crate::data::shown_scopes::{FrameCopy, ShownScopes, self_times, within_frame};

/// A call that the user selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) frame: u64,
    pub(super) lane: usize,
    pub(super) series: SeriesId,
    pub(super) depth: u8,
    pub(super) begin_ns: i64,
}

impl Call {
    pub(super) fn of(frame: u64, lane: usize, scope: &Scope) -> Self {
        Self {
            frame,
            lane,
            series: scope.series(),
            depth: scope.depth(),
            begin_ns: scope.begin_ns(),
        }
    }

    /// Returns the index of its scope in its lane, if the frame is still copied.
    pub(super) fn index(&self, scopes: &ShownScopes) -> Option<usize> {
        let frame = scopes.frame(self.frame)?;
        let mut of_lane = frame.scopes_of(self.lane).iter();
        of_lane.position(|scope| Self::of(self.frame, self.lane, scope) == *self)
    }
}

/// The figures of a call. Times are in milliseconds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CallFigures {
    pub(super) total: f64,
    /// The part within the frame, and how much of it is outside the scopes inside it.
    pub(super) part: f64,
    pub(super) itself: f64,
    /// Its place among the calls of its timer in the frame, from 1 on, and their number.
    pub(super) number: (usize, usize),
    /// The median of all copied calls of its timer; `None` if there is only this one.
    pub(super) usual: Option<f64>,
    pub(super) is_open: bool,
}

impl CallFigures {
    /// Returns the figures of the scope `at` of a lane.
    pub(super) fn of(
        scopes: &ShownScopes,
        frame: &FrameCopy,
        lane: usize,
        at: usize,
    ) -> Option<Self> {
        let of_lane = frame.scopes_of(lane);
        let scope = of_lane.get(at)?;
        let mut begins: Vec<i64> = calls(frame, scope.series()).map(Scope::begin_ns).collect();
        begins.sort_unstable();
        let before = begins.partition_point(|&begin| begin < scope.begin_ns());
        let copied = scopes.frames().iter();
        let mut all: Vec<i64> = copied
            .flat_map(|frame| calls(frame, scope.series()))
            .filter(|call| !call.is_open())
            .map(Scope::duration_ns)
            .collect();
        let middle = all.len() / 2;
        let usual = (all.len() > 1).then(|| *all.select_nth_unstable(middle).1);
        let part = within_frame(scope);
        Some(Self {
            total: ms(scope.duration_ns()),
            part: ms(part.end - part.start),
            itself: ms(self_times(of_lane)[at]),
            number: (before + 1, begins.len()),
            usual: usual.map(ms),
            is_open: scope.is_open(),
        })
    }

    /// Returns the figures as a sentence.
    pub(super) fn text(&self, frame: u64) -> String {
        let time = |ms| value_text(ms, Unit::Milliseconds);
        let mut text = time(self.total);
        if self.is_open {
            text.push_str(" so far");
        }
        if self.part < self.total {
            text += &format!(", {} of it in this frame", time(self.part));
        }
        if self.itself < self.part {
            text += &format!(", {} in itself", time(self.itself));
        }
        let (number, of) = self.number;
        text += &if of == 1 {
            " · the only call".to_owned()
        } else {
            format!(
                " · call {} of {}",
                whole_text(number as f64),
                whole_text(of as f64)
            )
        };
        text += &format!(" in frame {}", whole_text(frame as f64));
        if let Some(usual) = self.usual {
            text += &format!(" · usually {}", time(usual));
        }
        text
    }
}

/// Returns the calls of a timer in a frame.
fn calls(frame: &FrameCopy, series: SeriesId) -> impl Iterator<Item = &Scope> {
    let all = frame.lanes().flat_map(|(_, scopes)| scopes);
    all.filter(move |scope| scope.series() == series)
}

/// Returns what a frame shows, for the line above the lanes.
pub(super) fn frame_text(frame: &FrameCopy) -> String {
    let mut text = format!(
        "Frame {} · {} · {}",
        whole_text(frame.index as f64),
        value_text(ms(frame.duration_ns), Unit::Milliseconds),
        count_text(frame.len() as u64, "call", "calls")
    );
    if frame.lost > 0 {
        text += &format!(" · {} missing", count_text(frame.lost, "is", "are"));
    }
    text
}

pub(super) fn ms(ns: i64) -> f64 {
    ns as f64 * 1e-6
}
