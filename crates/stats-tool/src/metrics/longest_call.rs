//! The longest call of a timer in a frame, from the scopes of a capture.

use stats_analysis::format::value_text;
use stats_capture::CaptureFile;
use stats_core::timeline::Scope;
use stats_core::{Source, Unit};

/// The longest of several calls of a timer in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LongestCall {
    /// Which of the calls, in the order in which they began, from 1.
    pub(crate) call: usize,
    /// The number of calls.
    pub(crate) of: usize,
    pub(crate) ms: f64,
}

impl LongestCall {
    /// Returns the longest call of a timer that ended in a frame. `None` if it is not known, or if
    /// there was only one call.
    pub(crate) fn find(capture: &mut CaptureFile, frame: u64, path: &str) -> Option<Self> {
        let id = capture.find(path)?;
        let scopes = capture.timeline(frame..frame + 1)?.frame(frame)?;
        let is_call = |scope: &&Scope| scope.series() == id && !scope.is_open();
        Self::of(scopes.scopes().iter().filter(is_call).copied().collect())
    }

    fn of(mut calls: Vec<Scope>) -> Option<Self> {
        calls.sort_by_key(Scope::begin_ns);
        let longest = (0..calls.len()).max_by_key(|at| calls[*at].duration_ns())?;
        (calls.len() > 1).then(|| Self {
            call: longest + 1,
            of: calls.len(),
            ms: calls[longest].duration_ns() as f64 / 1e6,
        })
    }

    /// Returns a sentence about the calls of a path.
    pub(crate) fn text(self, path: &str) -> String {
        let Self { call, of, ms } = self;
        let ms = value_text(ms, Unit::Milliseconds);
        format!("The longest call of {path} was call {call} of {of}: {ms}.")
    }
}
