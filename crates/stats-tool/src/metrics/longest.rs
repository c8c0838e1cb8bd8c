//! The longest frame of a run whose hitches are shorter, and why it is no hitch.

use stats_analysis::insight::Hitch;

use super::slowdowns::Slower;

/// The longest frame of a run that has hitches, but no longer one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Longest {
    pub(crate) frame: u64,
    pub(crate) ms: f64,
    /// The number of frames that are longer than the longest hitch.
    pub(crate) longer: usize,
    /// Why it is no hitch.
    pub(crate) reason: NoHitch,
}

/// Why a long frame is no hitch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum NoHitch {
    /// It is one of the first frames, which show what is usual.
    WarmUp,
    /// It belongs to the hitch of this frame before it.
    PartOf(u64),
    /// It belongs to this frame before it, which did more work, but took no longer.
    AfterWork(u64),
    /// It belongs to a slowdown.
    Slowdown,
    /// Many frames around it took long: one took this time.
    Usual(f64),
    /// It is hardly farther from the usual time than some frames around it.
    Unsteady(f64),
}

/// The longest judged frame of a run.
pub(super) struct Candidate {
    /// What explains it.
    pub(super) explained: Hitch,
    pub(super) is_warm_up: bool,
    /// The noticed frame [to which it belongs](stats_analysis::insight::Insight::belongs_to).
    pub(super) belongs_to: Option<u64>,
}

impl Candidate {
    /// Returns why the frame is no hitch; `None` if it is no longer than the longest one, or if no hitch is
    /// seen. `durations` are those of all judged frames, in milliseconds.
    pub(super) fn longest(
        &self,
        hitches: &[Hitch],
        slowdowns: &[Slower],
        durations: impl Iterator<Item = f64>,
    ) -> Option<Longest> {
        let Hitch {
            frame, frame_ms, ..
        } = self.explained;
        let seen = hitches.iter().filter(|hitch| hitch.is_seen());
        let most_ms = seen.map(|hitch| hitch.frame_ms).reduce(f64::max)?;
        (frame_ms > most_ms).then(|| Longest {
            frame,
            ms: frame_ms,
            longer: durations.filter(|ms| *ms > most_ms).count(),
            reason: self.reason(hitches, slowdowns),
        })
    }

    fn reason(&self, hitches: &[Hitch], slowdowns: &[Slower]) -> NoHitch {
        let Hitch {
            frame, usual_ms, ..
        } = self.explained;
        // A hitch with which a slowdown began is not listed.
        let before = hitches
            .iter()
            .find(|one| Some(one.frame) == self.belongs_to);
        if self.is_warm_up {
            NoHitch::WarmUp
        } else if let Some(before) = before {
            match before.is_seen() {
                true => NoHitch::PartOf(before.frame),
                false => NoHitch::AfterWork(before.frame),
            }
        } else if slowdowns.iter().any(|slower| slower.lasts_in(frame)) {
            NoHitch::Slowdown
        } else if self.explained.is_seen() {
            NoHitch::Unsteady(usual_ms)
        } else {
            NoHitch::Usual(usual_ms)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::hitch;

    fn frame(frame: u64, frame_ms: f64, usual_ms: f64) -> Hitch {
        Hitch {
            frame,
            frame_ms,
            usual_ms,
            ..hitch(None)
        }
    }

    fn candidate(explained: Hitch, belongs_to: Option<u64>) -> Candidate {
        Candidate {
            explained,
            is_warm_up: false,
            belongs_to,
        }
    }

    #[test]
    fn frames_that_are_longer_than_the_longest_seen_hitch_are_counted() {
        let longest = candidate(frame(500, 30.0, 28.0), None);
        // No player sees the second one.
        let hitches = [frame(100, 20.0, 10.0), frame(200, 29.0, 28.5)];
        let durations = || [10.0, 20.0, 29.0, 25.0, 30.0].into_iter();
        let expected = Longest {
            frame: 500,
            ms: 30.0,
            longer: 3,
            reason: NoHitch::Usual(28.0),
        };
        assert_eq!(longest.longest(&hitches, &[], durations()), Some(expected));
        assert_eq!(longest.longest(&hitches[1..], &[], durations()), None);
        assert_eq!(longest.longest(&[], &[], durations()), None);
        let hitches = [frame(500, 30.0, 10.0)];
        assert_eq!(longest.longest(&hitches, &[], durations()), None);
    }

    #[test]
    fn the_reason_is_the_noticed_frame_before_it_and_otherwise_the_frames_around_it() {
        let hitches = [frame(100, 20.0, 10.0), frame(200, 29.0, 28.5)];
        let long = |belongs_to| candidate(frame(300, 40.0, 10.0), belongs_to);
        let reason = |belongs_to| long(belongs_to).reason(&hitches, &[]);
        assert_eq!(reason(Some(100)), NoHitch::PartOf(100));
        assert_eq!(reason(Some(200)), NoHitch::AfterWork(200));
        assert_eq!(reason(None), NoHitch::Unsteady(10.0));
        let first = Candidate {
            is_warm_up: true,
            ..long(None)
        };
        assert_eq!(first.reason(&hitches, &[]), NoHitch::WarmUp);
    }
}
