//! Compares any frames with the frames around them.

use super::earlier::Earlier;
use super::engine::Insight;
use super::hitch::Hitch;
use super::moment::Moment;
use super::usual::UsualValue;
use super::verdict;

/// A frame, and the values of all series in it.
#[derive(Clone, Copy, Debug)]
pub struct FrameValues<'a> {
    /// The duration of the frame in milliseconds.
    pub ms: f64,
    /// The values, indexed by series number. NaN and missing entries are unknown.
    pub values: &'a [f64],
}

impl Insight {
    /// Explains any frames, noticed or not. Compares the means of the `chosen` frames with the
    /// usual values of the `others`, which are in order. Returns `None` if there are no chosen
    /// frames or no others. `chosen` and `others` pass the frames to the given function, one by
    /// one. A [compact](Self::compact) engine looks paths up with `path_of`.
    ///
    /// `frame` is the first chosen frame. Deferred series are left out. The result is not added to
    /// [`hitches`](Self::hitches). Takes about 2 ns for each value.
    pub fn explain_among(
        &mut self,
        frame: u64,
        chosen: impl FnOnce(&mut dyn FnMut(FrameValues<'_>)),
        others: impl FnOnce(&mut dyn FnMut(FrameValues<'_>)),
        path_of: impl FnMut(u32) -> Option<String>,
    ) -> Option<Hitch> {
        let mut usual_values = self.usual_values().forgotten();
        let mut usual = UsualValue::default();
        let structure = self.structure();
        let mut earlier = Earlier::default();
        others(&mut |other| {
            usual.learn(other.ms, f64::INFINITY);
            usual_values.learn(earlier.without(&structure, other.values, other.ms));
        });
        let mut mean = Mean::default();
        chosen(&mut |chosen| mean.add(chosen));
        if mean.frames == 0.0 || usual.values_seen() == 0 {
            return None;
        }
        let mut values = mean.values();
        self.forget_deferred(&mut values);
        let mut moment = Moment::default();
        let times = (frame, mean.ms / mean.frames, usual.usual());
        moment.fill(times, &values, &usual_values);
        let mut hitch = self.rank_once(&mut moment, path_of);
        if hitch.excess_ms <= 0.0 {
            hitch.verdict = verdict::not_longer(&hitch, "the frames around it");
        }
        Some(hitch)
    }
}

/// The mean of frames, value by value.
#[derive(Debug, Default)]
struct Mean {
    frames: f64,
    ms: f64,
    /// The sum and the number of known values.
    sums: Vec<(f64, f64)>,
}

impl Mean {
    fn add(&mut self, frame: FrameValues<'_>) {
        self.frames += 1.0;
        self.ms += frame.ms;
        if self.sums.len() < frame.values.len() {
            self.sums.resize(frame.values.len(), (0.0, 0.0));
        }
        for ((sum, known), value) in self.sums.iter_mut().zip(frame.values) {
            if value.is_finite() {
                *sum += value;
                *known += 1.0;
            }
        }
    }

    /// Returns the mean of each series; NaN if none of its values is known.
    fn values(&self) -> Vec<f64> {
        self.sums.iter().map(|(sum, known)| sum / known).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::insight::{Facts, Role};
    use stats_core::{SeriesKind, Unit};

    /// An insight of two timers, whose values are the parts of a frame.
    fn two_timers() -> Insight {
        let mut insight = Insight::new();
        for (number, path) in [(0, "ai/paths"), (1, "render")] {
            let facts = Facts::new(path, SeriesKind::Timer, Unit::Milliseconds);
            insight.set_series(number, facts);
        }
        insight
    }

    fn frames(values: &[[f64; 2]]) -> impl FnOnce(&mut dyn FnMut(FrameValues<'_>)) {
        |visit| {
            values.iter().for_each(|values| {
                visit(FrameValues {
                    ms: values.iter().sum(),
                    values,
                });
            });
        }
    }

    #[test]
    fn a_range_is_compared_with_the_frames_around_it() {
        let around = [[1.0, 6.0]; 60];
        let chosen = [[3.0, 6.0], [5.0, 6.0], [f64::NAN, 6.0]];
        let hitch = two_timers().explain_among(70, frames(&chosen[..2]), frames(&around), |_| None);
        let hitch = hitch.unwrap();
        assert_eq!(
            (hitch.frame, hitch.frame_ms, hitch.usual_ms),
            (70, 10.0, 7.0)
        );
        assert_eq!(hitch.verdict, "+3.0 ms: 100 % ai/paths");
        assert_eq!(hitch.findings[0].role, Role::Culprit);
        assert_eq!(
            (hitch.findings[0].value, hitch.findings[0].usual),
            (4.0, 1.0)
        );
    }

    #[test]
    fn a_frame_with_usual_work_says_how_much_less_or_longer_it_waited() {
        for (render_ms, wait_ms, expected) in [
            (6.0, 5.0, "-0.5 ms: not longer than usual"),
            (
                6.0,
                1.0,
                "-0.5 ms: not more work than usual, and 4.0 ms less waiting",
            ),
            (
                6.5,
                2.0,
                "+0.0 ms: not more work than usual, and 3.0 ms less waiting",
            ),
        ] {
            let mut insight = two_timers();
            let wait = Facts::new("present", SeriesKind::Timer, Unit::Milliseconds);
            insight.set_series(
                2,
                Facts {
                    is_wait: true,
                    ..wait
                },
            );
            for frame in 0..100 {
                insight.take_frame(frame, 12.5, &[1.0, 6.5, 5.0]);
            }
            let ms = 1.0 + render_ms + wait_ms;
            let hitch = insight.explain(100, ms, &[1.0, render_ms, wait_ms]);
            assert_eq!(hitch.verdict, expected);
        }
        // The first frame has nothing to be compared with.
        let hitch = two_timers().explain(0, 7.0, &[1.0, 6.0]);
        assert_eq!(hitch.verdict, "+7.0 ms: no earlier frame to compare with");
        assert_eq!((hitch.usual_ms, hitch.single_culprit), (0.0, false));
        let has_culprit = hitch.findings.iter().any(|one| one.role == Role::Culprit);
        assert!(!has_culprit, "{hitch:?}");
    }

    #[test]
    fn a_frame_that_is_not_longer_has_an_answer_and_no_frames_have_none() {
        let around = [[1.0, 6.0]; 60];
        let mut insight = two_timers();
        let hitch = insight.explain_among(0, frames(&[[0.5, 5.0]]), frames(&around), |_| None);
        let verdict = hitch.unwrap().verdict;
        assert!(
            verdict.ends_with("ms: not longer than the frames around it"),
            "{verdict}"
        );
        assert_eq!(
            insight.explain_among(0, frames(&[]), frames(&around), |_| None),
            None
        );
        assert_eq!(
            insight.explain_among(0, frames(&around), frames(&[]), |_| None),
            None
        );
    }
}
