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
        let scopes = capture.timeline(&[frame..frame + 1])?.frame(frame)?;
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

#[cfg(test)]
mod tests {
    use stats_core::SeriesId;
    use stats_core::timeline::{LaneKind, NewScope, Scope, Timeline};

    use super::LongestCall;

    /// Returns scopes with these begins and ends, on two threads in turn.
    fn scopes(times_ns: &[(i64, i64)]) -> Vec<Scope> {
        let mut timeline = Timeline::new(1 << 20, 1);
        timeline.push_frame(0, 0..1_000_000_000);
        for (lane, (begin_ns, end_ns)) in times_ns.iter().enumerate() {
            timeline.add(NewScope {
                lane: lane as u64 % 2,
                lane_name: "worker",
                lane_kind: LaneKind::Thread,
                series: SeriesId::new(7),
                depth: 0,
                begin_ns: *begin_ns,
                end_ns: Some(*end_ns),
                is_wait: false,
            });
        }
        timeline.settle();
        let frame = timeline.frame(0).expect("it was pushed");
        frame.scopes().to_vec()
    }

    #[test]
    fn the_longest_call_is_counted_in_the_order_in_which_calls_began() {
        let calls = scopes(&[(50, 90), (10, 40), (100, 8_000_100), (60, 70)]);
        let longest = LongestCall::of(calls).expect("there are several");
        assert_eq!((longest.call, longest.of, longest.ms), (4, 4, 8.0));
        let text = "The longest call of ai/paths was call 4 of 4: 8.00 ms.";
        assert_eq!(longest.text("ai/paths"), text);
        assert_eq!(LongestCall::of(scopes(&[(1, 2)])), None);
        assert_eq!(LongestCall::of(Vec::new()), None);
    }
}
