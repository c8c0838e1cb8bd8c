//! The frames that are left out of the figures of a run.

use std::ops::Range;

use stats_capture::CaptureFile;
use stats_core::{Mark, Source};

use super::rules::Rules;

/// The reason why frames are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The program was warming up.
    WarmUp,
    /// They belong to an excluded span of this name.
    Span(String),
}

impl Reason {
    /// Returns `warm-up`, or the name of the span.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::WarmUp => "warm-up",
            Self::Span(name) => name,
        }
    }
}

/// The frames that are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LeftOut {
    /// The ranges that are left out, and why. They may overlap.
    pub(crate) ranges: Vec<(Reason, Range<u64>)>,
    /// The same frames, in order and merged.
    merged: Vec<Range<u64>>,
}

impl LeftOut {
    /// Finds the frames of a capture that rules leave out.
    pub(crate) fn of_capture(rules: &Rules, capture: &CaptureFile) -> Self {
        let begin_secs = |at| capture.frame(at).map(|frame| frame.start_secs);
        Self::of(rules, capture.frames(), begin_secs, capture.marks())
    }

    /// Finds the frames that rules leave out. `begin_secs` returns when a frame began; `None` for a
    /// dropped one.
    fn of(
        rules: &Rules,
        all: Range<u64>,
        begin_secs: impl Fn(u64) -> Option<f64>,
        marks: &[Mark],
    ) -> Self {
        let mut ranges = Vec::new();
        let zero = all.clone().find_map(&begin_secs).unwrap_or(0.0);
        let is_warm = |begin: f64| begin - zero >= rules.warm_up_secs;
        let end = all.clone().find(|at| begin_secs(*at).is_some_and(is_warm));
        let frames = all.start.saturating_add(rules.warm_up_frames);
        let warm_up = all.start..end.unwrap_or(all.end).max(frames).min(all.end);
        if !warm_up.is_empty() {
            ranges.push((Reason::WarmUp, warm_up));
        }
        for mark in marks.iter().filter(|mark| !mark.is_point) {
            let is_excluded = rules
                .exclude
                .iter()
                .any(|pattern| pattern.matches(&mark.name));
            let frames = mark.frames.start.max(all.start)..mark.frames.end.min(all.end);
            if is_excluded && !frames.is_empty() {
                ranges.push((Reason::Span(mark.name.clone()), frames));
            }
        }
        let merged = merged(ranges.iter().map(|(_, range)| range.clone()).collect());
        Self { ranges, merged }
    }

    /// Returns whether a frame is left out.
    pub(crate) fn has(&self, frame: u64) -> bool {
        let after = self.merged.partition_point(|range| range.end <= frame);
        (self.merged.get(after)).is_some_and(|range| range.contains(&frame))
    }

    /// Returns the number of frames that are left out.
    pub(crate) fn frames(&self) -> u64 {
        self.merged
            .iter()
            .map(|range| range.end - range.start)
            .sum()
    }

    /// Replaces the values of frames that are left out with NaN. The first value belongs to the
    /// frame `first_frame`.
    pub(super) fn blank(&self, first_frame: u64, values: &mut [f64]) {
        let end = first_frame + values.len() as u64;
        for range in &self.merged {
            let begin = range.start.clamp(first_frame, end) - first_frame;
            let end = range.end.clamp(first_frame, end) - first_frame;
            if begin < end {
                values[begin as usize..end as usize].fill(f64::NAN);
            }
        }
    }
}

fn merged(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use stats_config::Pattern;
    use stats_core::Mark;

    use super::{LeftOut, Reason, Rules};

    #[test]
    fn warm_up_and_excluded_spans_are_left_out_once() {
        let rules = Rules {
            warm_up_secs: 0.025,
            exclude: vec![Pattern::try_from("loading*".to_owned()).unwrap()],
            ..Rules::default()
        };
        let marks = [
            Mark::new("loading The Hollow", 2..5, false),
            Mark::new("fight", 4..9, false),
            Mark::new("loading", 9..u64::MAX, false),
            Mark::new("loading done", 7..8, true),
        ];
        let begin_secs = |frame| Some(7.0 + frame as f64 / 100.0);
        let left_out = LeftOut::of(&rules, 0..12, begin_secs, &marks);
        assert_eq!(
            left_out.ranges,
            [
                (Reason::WarmUp, 0..3),
                (Reason::Span("loading The Hollow".into()), 2..5),
                (Reason::Span("loading".into()), 9..12),
            ]
        );
        assert_eq!(left_out.frames(), 8);
        let mut values = [1.0; 10];
        left_out.blank(1, &mut values);
        let kept: Vec<bool> = values.iter().map(|value| !value.is_nan()).collect();
        let expected: Vec<bool> = (1..11).map(|frame| (5..9).contains(&frame)).collect();
        assert_eq!(kept, expected);
    }

    #[test]
    fn a_warm_up_in_frames_leaves_out_as_many_of_a_faster_run() {
        let of = |warm_up_frames, warm_up_secs, frames_per_second: f64, all| {
            let rules = Rules {
                warm_up_frames,
                warm_up_secs,
                ..Rules::default()
            };
            let begin_secs = |frame| Some(frame as f64 / frames_per_second);
            LeftOut::of(&rules, all, begin_secs, &[]).ranges
        };
        let warm_up = |frames| vec![(Reason::WarmUp, frames)];
        for frames_per_second in [10.0, 60.0, 500.0] {
            assert_eq!(of(30, 0.0, frames_per_second, 0..90), warm_up(0..30));
        }
        // The longer of the two is left out.
        assert_eq!(of(30, 1.0, 64.0, 0..90), warm_up(0..64));
        assert_eq!(of(80, 1.0, 64.0, 0..90), warm_up(0..80));
        assert_eq!(of(1, 0.0, 64.0, 7..9), warm_up(7..8));
        assert_eq!(of(u64::MAX, 0.0, 64.0, 7..9), warm_up(7..9));
        assert_eq!(of(u64::MAX, 0.0, 64.0, 7..7), []);
        assert_eq!(of(0, 0.0, 64.0, 0..90), []);
    }

    #[test]
    fn dropped_frames_and_pauses_do_not_make_the_warm_up_longer() {
        let rules = Rules {
            warm_up_secs: 5.0,
            ..Rules::default()
        };
        let is_dropped = |frame: u64| (60..240).contains(&frame);
        let begin_secs = |frame| (!is_dropped(frame)).then_some(1.0 + frame as f64 / 64.0);
        let of = |all| LeftOut::of(&rules, all, begin_secs, &[]).ranges;
        assert_eq!(of(0..840), [(Reason::WarmUp, 0..320)]);
        assert_eq!(of(0..100), [(Reason::WarmUp, 0..100)]);
        assert_eq!(of(100..840), [(Reason::WarmUp, 100..560)]);
        assert_eq!(of(0..0), []);
    }
}
