//! Marks and clears baseline A, and finds the series whose mean has left its band.

use std::collections::HashMap;
use std::ops::Range;

use stats_analysis::format::{count_text, whole_text};
use stats_analysis::sort::sort_by;
use stats_analysis::track::summarize_tracked;
use stats_core::{SeriesId, Source};

use crate::app::state::App;
use crate::baseline::marking::Marking;
use crate::baseline::moved::{Change, change};
use crate::baseline::saved::BaselineSeries;
use crate::baseline::saved::statistics;
use crate::data::allowance::Allowance;
use crate::data::view::Data;
use crate::input::action::Action;

/// The minimum number of frames of A: fewer have no 5th and 95th percentiles.
const MIN_FRAMES: u64 = 20;

/// How much of the newest frames to mark if none are selected, in seconds.
const MARKED_SECS: f64 = 10.0;

/// The work that a pass may spend on series outside the panes, in units: about half a millisecond.
const UNITS: usize = 2048;

impl App {
    /// Makes the selected frames, or else the last 10 seconds, the baseline. If there are no
    /// values, keeps the old baseline, and a notice says what to do.
    pub(super) fn mark_baseline(&mut self, source: &dyn Source) {
        let data = self.playback.data(source, &[]);
        let frames = match &self.frame_axis.selected_range {
            Some(selected) => {
                let held = data.frames();
                selected.start.max(held.start)..selected.end.min(held.end)
            }
            None => newest(&data),
        };
        let count = frames.end.saturating_sub(frames.start);
        if (1..MIN_FRAMES).contains(&count) {
            let found = count_text(count, "frame is", "frames are");
            return self.notice.warn(match self.frame_axis.selected_range {
                Some(_) => format!(
                    "{found} too few for A: select {MIN_FRAMES} or more, or deselect them{} and mark \
                     the last 10 seconds{}.",
                    self.key_of(Action::Back),
                    self.key_of(Action::MarkBaseline)
                ),
                None => format!("{found} too few for A: mark it when {MIN_FRAMES} are recorded."),
            });
        }
        let series = self.statistics_of(source, &frames);
        if series.is_empty() {
            return self.notice.warn(match self.frame_axis.selected_range {
                Some(_) => format!(
                    "The selected frames have no values. Select others, or deselect them{} and mark \
                     the last 10 seconds{}.",
                    self.key_of(Action::Back),
                    self.key_of(Action::MarkBaseline)
                ),
                None => "There are no frames to mark yet. Mark A when some are recorded.".to_owned(),
            });
        }
        self.baseline.set(series);
        self.marking = Some(Marking::new(self.hitches.recent(), frames));
        self.continue_marking(source);
    }

    /// Makes these statistics the baseline.
    pub(crate) fn set_baseline(&mut self, series: Vec<BaselineSeries>) {
        self.baseline.set(series);
        self.marking = None;
    }

    /// Continues with the series outside the panes, as far as one pass allows. Adds them to the
    /// baseline when all are computed.
    pub(super) fn continue_marking(&mut self, source: &dyn Source) {
        let Some(marking) = &mut self.marking else {
            return;
        };
        let mut allowance = Allowance::of_units(UNITS);
        let Some(series) = marking.proceed(source, &mut allowance) else {
            return;
        };
        let frames = marking.frames();
        self.marking = None;
        self.baseline.add(series);
        self.notice.say(format!(
            "Marked A: {} series in {}",
            whole_text(self.baseline.len() as f64),
            count_text(frames.end - frames.start, "frame", "frames")
        ));
    }

    /// Removes the baseline.
    pub(super) fn clear_baseline(&mut self) {
        if self.baseline.is_empty() {
            let key = self.key_of(Action::MarkBaseline);
            return self.notice.say(format!(
                "There is no baseline A: mark the selected frames, or the last 10 s{key}"
            ));
        }
        self.baseline.set(Vec::new());
        self.marking = None;
        self.notice.say("Cleared A");
    }

    /// Tells the tree which series have a mean outside the band of the baseline, beginning with the
    /// largest change relative to the baseline's mean. The means are those of the selected frames,
    /// or of the visible frames if none are selected.
    pub(super) fn rank_moved(&mut self, source: &dyn Source, refresh: bool) {
        if !self.tree.asks_moved() {
            return;
        }
        let frames = {
            let data = self.playback.data(source, &[]);
            self.frame_axis.chosen(&data.frames())
        };
        let values = (self.hitches.recent(), frames);
        let mut allowance = Allowance::of_units(UNITS);
        let is_new = (self.moved).update(source, &self.baseline, values, &mut allowance);
        if !is_new && !refresh {
            return;
        }
        let in_panes = self.moved_in_panes(source);
        let found = self.moved.found().iter();
        let mut moved: Vec<(SeriesId, Change)> = found
            .filter(|(id, _)| !in_panes.contains_key(id))
            .copied()
            .collect();
        moved.extend(in_panes.into_iter().filter_map(|(id, by)| Some((id, by?))));
        sort_by(&mut moved, |a, b| {
            b.1.size().total_cmp(&a.1.size()).then(a.0.cmp(&b.0))
        });
        self.tree.set_moved(&moved);
    }

    /// Returns the series that are in a pane and in the baseline, with the change of the mean;
    /// `None` if it is within the band.
    fn moved_in_panes(&self, source: &dyn Source) -> HashMap<SeriesId, Option<Change>> {
        let mut compared = HashMap::new();
        for selection in self.panes.selections() {
            let data = self.playback.data(source, selection.selected());
            let frames = self.frame_axis.chosen(&data.frames());
            for (at, selected) in selection.selected().iter().enumerate() {
                let Some(marked) = self.baseline.of(selected) else {
                    continue;
                };
                let window = data.values(at).within(frames.clone());
                let Some(summary) = summarize_tracked(data.track(at), window) else {
                    continue;
                };
                if let Some(id) = selected.id {
                    compared.insert(id, change(summary.mean, marked));
                }
            }
        }
        compared
    }

    /// Returns the statistics of all series on screen, of the pinned ones and of the frame time.
    fn statistics_of(&self, source: &dyn Source, frames: &Range<u64>) -> Vec<BaselineSeries> {
        let (mut series, mut scratch) = (Vec::new(), Vec::new());
        for selection in self.panes.selections() {
            let data = self.playback.data(source, selection.selected());
            for (at, selected) in selection.selected().iter().enumerate() {
                let window = data.values(at).within(frames.clone());
                let (path, unit) = (&selected.path, selected.unit());
                series.extend(statistics(path, unit, window, &mut scratch));
            }
        }
        series
    }
}

/// Returns the frames that began in the last [`MARKED_SECS`] seconds.
fn newest(data: &dyn Data) -> Range<u64> {
    let held = data.frames();
    let last = held.clone().last().and_then(|index| data.frame(index));
    let Some(last) = last else {
        return held.end..held.end;
    };
    let since_secs = last.start_secs + last.duration_ms / 1000.0 - MARKED_SECS;
    let is_new = |index: &u64| {
        let frame = data.frame(*index);
        frame.is_some_and(|frame| frame.start_secs >= since_secs)
    };
    let count = held.clone().rev().take_while(is_new).count() as u64;
    held.end - count..held.end
}
