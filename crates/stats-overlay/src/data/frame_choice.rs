//! Chooses the frames that statistics cover: the selected frames or those on screen, without the
//! frames of excluded marks.

use std::ops::Range;

use stats_core::{FrameRules, FrameSlice, Mark};

use crate::data::frame_axis::FrameAxis;
use crate::input::settings::Settings;
use stats_analysis::pace::{SLACK, frame_rules};

/// The frame rates into which the statistics divide the time. A frame reaches a rate if it takes at
/// most 1.1 times the rate's period; budgets have the same tolerance.
pub(crate) const RATES: [f64; 5] = [240.0, 144.0, 120.0, 60.0, 30.0];

/// The frames that the statistics cover.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChosenFrames {
    pub(crate) frames: Range<u64>,
    /// Whether the user selected them; otherwise they are the frames on screen.
    pub(crate) selected: bool,
    /// Whether frame 0 is on screen and left out.
    pub(crate) without_first: bool,
}

impl ChosenFrames {
    /// Returns the selected frames, or those on screen, that the history still contains. Frame 0 is
    /// included only if it was selected or is the only frame.
    pub(crate) fn of(frame_axis: &FrameAxis, held: &Range<u64>) -> Self {
        let frames = frame_axis.chosen(held);
        let selected = frame_axis.selected_range.is_some();
        let without_first = !selected && leaves_out_first(held, frames.start);
        let start = frames.start.max(held.start).max(u64::from(without_first));
        Self {
            frames: start..frames.end.min(held.end).max(start),
            selected,
            without_first,
        }
    }
}

/// Returns the first frame whose time is meaningful. Frame 0 began when the recorder was created,
/// not at the end of another frame, so it counts only if it is the only frame.
pub(crate) fn first_timed(held: &Range<u64>) -> u64 {
    held.start.max(u64::from(held.end > 1))
}

/// Returns whether the frames from `start` on include frame 0 although it does not count.
pub(crate) fn leaves_out_first(held: &Range<u64>, start: u64) -> bool {
    held.start.max(start) < first_timed(held)
}

/// The suffix of texts about frames without frame 0.
pub(crate) const WITHOUT_FIRST: &str = " (without frame 0)";

/// The maximum number of span names with a checkbox that excludes them.
const MAX_SPANS: usize = 32;

/// The name of spans, and the number of chosen frames that they cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) name: String,
    pub(crate) frames: u64,
    /// The end of the frames counted so far.
    counted_to: u64,
}

/// Collects the names of the spans that cover any of `frames`: the first 32 names, and all
/// `excluded` names, even if they cover no frame. They are sorted, so that none moves when frames
/// are added. A frame counts once per name. Returns whether there are further names. Takes one pass
/// over the marks.
pub(crate) fn spans(
    marks: &[Mark],
    frames: &Range<u64>,
    excluded: &[String],
    spans: &mut Vec<Span>,
) -> bool {
    spans.clear();
    let mut is_cut = false;
    for mark in marks.iter().filter(|mark| !mark.is_point) {
        let part = clip(mark, frames);
        if part.is_empty() {
            continue;
        }
        let at = spans
            .iter()
            .position(|span| span.name == mark.name)
            .unwrap_or_else(|| {
                spans.push(Span {
                    name: mark.name.clone(),
                    frames: 0,
                    counted_to: frames.start,
                });
                spans.len() - 1
            });
        if at >= MAX_SPANS && !excluded.contains(&mark.name) {
            spans.truncate(at);
            is_cut = true;
            continue;
        }
        // Marks are sorted by their first frame.
        let span = &mut spans[at];
        span.frames += part.end.saturating_sub(part.start.max(span.counted_to));
        span.counted_to = span.counted_to.max(part.end);
    }
    for name in excluded {
        if spans.iter().all(|span| span.name != *name) {
            spans.push(Span {
                name: name.clone(),
                frames: 0,
                counted_to: frames.start,
            });
        }
    }
    spans.sort_unstable_by(|one, next| one.name.cmp(&next.name));
    is_cut
}

fn clip(mark: &Mark, frames: &Range<u64>) -> Range<u64> {
    mark.frames.start.max(frames.start)..mark.frames.end.min(frames.end)
}

/// Copies the times of these frames. Times in spans with an `excluded` name become NaN, which
/// statistics skip like unknown times. Returns the number of excluded frames. Works like
/// [`FrameSlice::without_marked`], but ignores points and reuses memory.
pub(crate) fn read_times(
    window: FrameSlice<'_>,
    frames: &Range<u64>,
    marks: &[Mark],
    excluded: &[String],
    times_ms: &mut Vec<f64>,
) -> usize {
    let window = window.within(frames.clone());
    let (older, newer) = window.as_slices();
    times_ms.clear();
    times_ms.extend_from_slice(older);
    times_ms.extend_from_slice(newer);
    let held = window.frames();
    let unknown = unknown_in(times_ms);
    for mark in marks
        .iter()
        .filter(|mark| !mark.is_point && excluded.contains(&mark.name))
    {
        let part = clip(mark, &held);
        if !part.is_empty() {
            times_ms[(part.start - held.start) as usize..(part.end - held.start) as usize]
                .fill(f64::NAN);
        }
    }
    unknown_in(times_ms) - unknown
}

pub(crate) fn unknown_in(values: &[f64]) -> usize {
    values.iter().filter(|value| value.is_nan()).count()
}

/// Returns the rules for frame statistics.
pub(crate) fn rules(settings: &Settings) -> FrameRules {
    let is_positive = |value: &f64| value.is_finite() && *value > 0.0;
    let mut rules = frame_rules(settings.frame_budget_ms.filter(is_positive));
    rules.refresh_period_ms = settings.display_hz.filter(is_positive).map(|hz| 1e3 / hz);
    rules.rates_fps = RATES.iter().map(|rate| rate / SLACK).collect();
    rules
}

/// Returns the rules for the statistics of a series other than the frame time. There is no
/// tolerance, since the measured work does not wait for a display.
pub(crate) fn timer_rules(budget_ms: Option<f64>) -> FrameRules {
    let mut rules = FrameRules::default();
    rules.is_frame_time = false;
    rules.budget_ms = budget_ms;
    rules.rates_fps.clear();
    rules
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    #[test]
    fn the_chosen_frames_are_selected_or_on_screen() {
        let mut frame_axis = FrameAxis::default();
        assert_eq!(ChosenFrames::of(&frame_axis, &(0..0)).frames, 0..0);
        assert_eq!(
            ChosenFrames::of(&frame_axis, &(0..1)).frames,
            0..1,
            "only frame 0"
        );
        assert_eq!(ChosenFrames::of(&frame_axis, &(0..200)).frames, 1..200);
        assert_eq!(
            ChosenFrames::of(&frame_axis, &(100..5000)).frames,
            4400..5000
        );
        let without_first = |frame_axis: &FrameAxis, held: Range<u64>| {
            ChosenFrames::of(frame_axis, &held).without_first
        };
        assert_eq!(
            [0..0, 0..1, 0..2, 0..600, 0..601, 1..9].map(|held| without_first(&frame_axis, held)),
            [false, false, true, true, false, false]
        );
        frame_axis.show((1000.5, 1010.2));
        assert_eq!(
            ChosenFrames::of(&frame_axis, &(100..5000)),
            ChosenFrames {
                frames: 1001..1011,
                selected: false,
                without_first: false
            }
        );
        frame_axis.selected_range = Some(0..20);
        assert_eq!(
            ChosenFrames::of(&frame_axis, &(0..5000)),
            ChosenFrames {
                frames: 0..20,
                selected: true,
                without_first: false
            }
        );
        assert_eq!(ChosenFrames::of(&frame_axis, &(10..5000)).frames, 10..20);
        assert!(
            ChosenFrames::of(&frame_axis, &(30..5000)).frames.is_empty(),
            "gone by now"
        );
    }

    #[test]
    fn frames_of_excluded_spans_are_skipped_and_counted() {
        let mut random = Random::new(12);
        let names = ["loading", "menu", "fight"];
        for _ in 0..500 {
            let mut begin = 0;
            let marks: Vec<Mark> = (0..random.below(8))
                .map(|_| {
                    begin += random.below(40);
                    let end = if random.below(5) == 0 {
                        u64::MAX
                    } else {
                        begin + 1 + random.below(60)
                    };
                    Mark::new(
                        names[random.below(3) as usize],
                        begin..end,
                        random.below(6) == 0,
                    )
                })
                .collect();
            let excluded: Vec<String> = (0..random.below(3))
                .map(|at| names[at as usize].to_owned())
                .collect();
            let (first, values) = (random.below(50), vec![16.0; random.below(200) as usize]);
            let frames = random.below(100)..random.below(300);
            let mut times = vec![1.0];
            let left_out = read_times(
                FrameSlice::new(first, &values, &[]),
                &frames,
                &marks,
                &excluded,
                &mut times,
            );
            let held: Vec<u64> = (first..first + values.len() as u64)
                .filter(|frame| frames.contains(frame))
                .collect();
            let is_in = |frame: u64, name: &str| {
                marks
                    .iter()
                    .any(|mark| !mark.is_point && mark.name == name && mark.frames.contains(&frame))
            };
            let out: Vec<bool> = held
                .iter()
                .map(|&frame| excluded.iter().any(|name| is_in(frame, name)))
                .collect();
            assert_eq!(times.iter().map(|ms| ms.is_nan()).collect::<Vec<_>>(), out);
            assert_eq!(left_out, out.iter().filter(|out| **out).count());
            let mut found = Vec::new();
            assert!(!spans(&marks, &frames, &excluded, &mut found));
            for name in names {
                let count = frames.clone().filter(|&frame| is_in(frame, name)).count() as u64;
                let span = found.iter().find(|span| span.name == name);
                assert_eq!(
                    span.map_or(0, |span| span.frames),
                    count,
                    "{name} {marks:?} {frames:?}"
                );
            }
            assert!(
                found
                    .iter()
                    .all(|span| span.frames > 0 || excluded.contains(&span.name))
            );
            assert!(
                excluded
                    .iter()
                    .all(|name| found.iter().filter(|span| span.name == *name).count() == 1),
                "{found:?}"
            );
        }
    }

    #[test]
    fn some_of_thousands_of_names_are_listed_with_all_excluded_ones() {
        let marks: Vec<Mark> = (0..4096)
            .map(|at| Mark::new(at.to_string(), at..at + 2, false))
            .collect();
        let excluded = ["4000", "long gone", "3", "4000"].map(str::to_owned);
        let mut found = Vec::new();
        assert!(
            spans(&marks, &(0..5000), &excluded, &mut found),
            "there are more"
        );
        let names: Vec<&str> = found.iter().map(|span| span.name.as_str()).collect();
        let mut expected: Vec<String> = (0..MAX_SPANS).map(|at| at.to_string()).collect();
        expected.extend(["4000", "long gone"].map(str::to_owned));
        expected.sort();
        assert_eq!(names, expected);
        assert_eq!(
            found.iter().map(|span| span.frames).sum::<u64>(),
            2 * (MAX_SPANS as u64 + 1)
        );
    }
}
