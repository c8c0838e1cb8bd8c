//! Converts the ticks of a frame's queries to milliseconds, and decides which intervals to accept.
//!
//! A timestamp can be missing, left over from an earlier frame, or come from a clock that wrapped
//! or was reset. One such value would ruin the scale of a graph and every average.

/// Intervals of at least this length, in seconds, are rejected: drivers reset a GPU that is busy
/// for that long.
const ABSURD_SECS: f64 = 10.0;

/// The timestamps of an interval, in ticks of the GPU's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ticks {
    pub(super) begin: u64,
    pub(super) end: u64,
}

/// The reason why an interval is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rejection {
    /// A query was never written (it reads zero), or not in this frame (it still has the value that
    /// it had when the slot was last used).
    Unwritten,
    /// The interval ends before it begins: the clock wrapped or was reset in between.
    Backwards,
    /// The interval lasts [`ABSURD_SECS`] or longer, or the period of the clock is not a positive
    /// finite number.
    Absurd,
    /// The interval and the rest of its frame span [`ABSURD_SECS`] or more: the clock was reset
    /// during the frame.
    Disjoint,
}

impl Ticks {
    /// Returns the shortest interval that contains both.
    pub(super) fn union(self, other: Self) -> Self {
        Self {
            begin: self.begin.min(other.begin),
            end: self.end.max(other.end),
        }
    }

    /// Returns the length in milliseconds. `period_ns` is the length of a tick.
    pub(super) fn ms(self, period_ns: f64) -> f64 {
        self.end.saturating_sub(self.begin) as f64 * period_ns * 1e-6
    }

    /// Accepts or rejects the interval.
    ///
    /// `before` are the ticks that the same two queries had when they were last read. `frame` is
    /// the extent of the intervals of the frame that were accepted so far. An empty interval is
    /// accepted: clocks are coarse, in browsers 0.1 ms.
    pub(super) fn judge(
        self,
        before: Self,
        frame: Option<Self>,
        period_ns: f64,
    ) -> Result<Self, Rejection> {
        let (begin, end) = (self.begin, self.end);
        if begin == 0 || end == 0 || begin == before.begin || end == before.end {
            return Err(Rejection::Unwritten);
        }
        if end < begin {
            return Err(Rejection::Backwards);
        }
        let is_plausible = |ticks: Self| ticks.ms(period_ns) < ABSURD_SECS * 1e3;
        // `>` rejects a period that is NaN as well.
        if !(period_ns > 0.0 && is_plausible(self)) {
            return Err(Rejection::Absurd);
        }
        match frame {
            Some(frame) if !is_plausible(frame.union(self)) => Err(Rejection::Disjoint),
            _ => Ok(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEVER: Ticks = Ticks { begin: 0, end: 0 };
    const SECOND: u64 = 1_000_000_000;

    fn judge(begin: u64, end: u64) -> Result<f64, Rejection> {
        Ticks { begin, end }
            .judge(NEVER, None, 1.0)
            .map(|ticks| ticks.ms(1.0))
    }

    #[test]
    fn plausible_intervals_are_accepted() {
        assert_eq!(judge(5, 1_000_005), Ok(1.0));
        assert_eq!(judge(7, 7), Ok(0.0), "clocks are coarse");
        assert_eq!(judge(u64::MAX - 1_000_000, u64::MAX), Ok(1.0));
        assert_eq!(judge(1, 10 * SECOND), Ok(9_999.999_999));
    }

    #[test]
    fn implausible_intervals_are_rejected() {
        assert_eq!(judge(0, 0), Err(Rejection::Unwritten));
        assert_eq!(judge(0, 5), Err(Rejection::Unwritten));
        assert_eq!(judge(5, 0), Err(Rejection::Unwritten));
        assert_eq!(judge(6, 5), Err(Rejection::Backwards));
        assert_eq!(judge(u64::MAX, 1), Err(Rejection::Backwards), "wrapped");
        assert_eq!(judge(1, 10 * SECOND + 1), Err(Rejection::Absurd));
        assert_eq!(judge(1, u64::MAX), Err(Rejection::Absurd));
    }

    #[test]
    fn ticks_left_from_an_earlier_frame_are_rejected() {
        let before = Ticks {
            begin: 100,
            end: 200,
        };
        let judge = |begin, end| Ticks { begin, end }.judge(before, None, 1.0);
        assert_eq!(judge(100, 200), Err(Rejection::Unwritten));
        assert_eq!(judge(300, 200), Err(Rejection::Unwritten));
        assert_eq!(judge(100, 300), Err(Rejection::Unwritten));
        assert_eq!(
            judge(300, 400),
            Ok(Ticks {
                begin: 300,
                end: 400
            })
        );
    }

    #[test]
    fn an_interval_far_from_the_rest_of_its_frame_is_rejected() {
        let frame = Some(Ticks {
            begin: 20 * SECOND,
            end: 21 * SECOND,
        });
        let judge = |begin, end| Ticks { begin, end }.judge(NEVER, frame, 1.0).map(|_| ());
        assert_eq!(judge(11 * SECOND + 1, 12 * SECOND), Ok(()));
        assert_eq!(judge(11 * SECOND, 12 * SECOND), Err(Rejection::Disjoint));
        assert_eq!(judge(29 * SECOND, 30 * SECOND), Err(Rejection::Disjoint));
        assert_eq!(judge(29 * SECOND, 30 * SECOND - 1), Ok(()));
        assert_eq!(judge(5, 6), Err(Rejection::Disjoint), "the clock was reset");
    }

    #[test]
    fn a_period_that_is_not_positive_and_finite_is_rejected() {
        for period in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(
                Ticks { begin: 5, end: 6 }.judge(NEVER, None, period),
                Err(Rejection::Absurd),
                "{period}"
            );
        }
        assert_eq!(Ticks { begin: 10, end: 35 }.ms(40.0), 0.001);
    }
}
