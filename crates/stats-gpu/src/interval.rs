//! From the ticks of a frame's queries to milliseconds: what is believed, and what is thrown away.

/// An interval as long as this, in seconds, is none: drivers reset a GPU that is busy for so long.
pub(crate) const ABSURD_SECS: f64 = 10.0;

/// Two timestamps of the GPU, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ticks {
    pub(crate) begin: u64,
    pub(crate) end: u64,
}

/// Why an interval is not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rejection {
    /// A query was never written (it reads zero), or not in this frame (it reads as it did when the
    /// slot was last used).
    Unwritten,
    /// It ends before it begins: the clock has wrapped or was reset between the two.
    Backwards,
    /// It lasts [`ABSURD_SECS`] or more, or the period of the clock is no number.
    Absurd,
    /// It lies that far from the rest of its frame: the clock was reset within the frame.
    Disjoint,
}

impl Ticks {
    /// The shortest that holds both.
    pub(crate) fn union(self, other: Self) -> Self {
        Self {
            begin: self.begin.min(other.begin),
            end: self.end.max(other.end),
        }
    }

    /// How long it is. `period_ns` is how long a tick is.
    pub(crate) fn ms(self, period_ns: f64) -> f64 {
        self.end.saturating_sub(self.begin) as f64 * period_ns * 1e-6
    }

    /// Whether to believe it. `before` are the ticks that the same two queries had when they were
    /// last read, `frame` is what is believed of the frame so far. An interval without length is
    /// believed: clocks are coarse, in browsers 0.1 ms.
    pub(crate) fn judge(
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
        let believable = |ticks: Self| ticks.ms(period_ns) < ABSURD_SECS * 1e3;
        // `>` so that a period that is no number is refused as well.
        if !(period_ns > 0.0 && believable(self)) {
            return Err(Rejection::Absurd);
        }
        match frame {
            Some(frame) if !believable(frame.union(self)) => Err(Rejection::Disjoint),
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
    fn what_is_believed() {
        assert_eq!(judge(5, 1_000_005), Ok(1.0));
        assert_eq!(judge(7, 7), Ok(0.0), "clocks are coarse");
        assert_eq!(judge(u64::MAX - 1_000_000, u64::MAX), Ok(1.0));
        assert_eq!(judge(1, 10 * SECOND), Ok(9_999.999_999));
    }

    #[test]
    fn what_is_thrown_away() {
        assert_eq!(judge(0, 0), Err(Rejection::Unwritten));
        assert_eq!(judge(0, 5), Err(Rejection::Unwritten));
        assert_eq!(judge(5, 0), Err(Rejection::Unwritten));
        assert_eq!(judge(6, 5), Err(Rejection::Backwards));
        assert_eq!(judge(u64::MAX, 1), Err(Rejection::Backwards), "wrapped");
        assert_eq!(judge(1, 10 * SECOND + 1), Err(Rejection::Absurd));
        assert_eq!(judge(1, u64::MAX), Err(Rejection::Absurd));
    }

    #[test]
    fn stale_ticks_are_not_of_this_frame() {
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
    fn a_frame_is_not_torn_apart() {
        let frame = Some(Ticks {
            begin: 20 * SECOND,
            end: 21 * SECOND,
        });
        let judge = |begin, end| Ticks { begin, end }.judge(NEVER, frame, 1.0).map(|_| ());
        assert_eq!(judge(11 * SECOND + 1, 12 * SECOND), Ok(()));
        assert_eq!(judge(11 * SECOND, 12 * SECOND), Err(Rejection::Disjoint));
        assert_eq!(judge(29 * SECOND, 30 * SECOND), Err(Rejection::Disjoint));
        assert_eq!(judge(29 * SECOND, 30 * SECOND - 1), Ok(()));
        assert_eq!(
            judge(5, 6),
            Err(Rejection::Disjoint),
            "the clock began anew"
        );
    }

    #[test]
    fn a_period_that_is_no_number_is_refused() {
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
