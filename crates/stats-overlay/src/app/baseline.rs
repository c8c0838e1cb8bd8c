//! Marks and clears the baseline A.

use std::ops::Range;

use stats_analysis::format::whole_text;
use stats_analysis::range_statistics::RangeStats;
use stats_analysis::track::summarize_tracked;
use stats_core::{SeriesId, Source};

use crate::app::state::App;
use crate::data::selection::SelectedSeries;
use crate::data::view::Data;
use crate::persist::saved::BaselineSeries;
use crate::search::spiking::FRAME_TIME_ID;

/// How many seconds of the newest frames are marked if no frames are selected.
const MARKED_SECS: f64 = 10.0;

/// The smallest change of a mean, relative to the baseline's mean, that counts. Rounding can move
/// the mean of equal values out of their band.
const ROUNDING: f64 = 1e-9;

impl App {
    /// Makes the selected frames, or else the last 10 seconds, the baseline. If there are no
    /// values, the baseline stays, and a notice says what to do.
    pub(super) fn mark_baseline(&mut self, source: &dyn Source) {
        let data = self.playback.data(source, &[]);
        let frames = match &self.timeline.selected_range {
            Some(selected) => {
                let held = data.frames();
                selected.start.max(held.start)..selected.end.min(held.end)
            }
            None => newest(&data),
        };
        let series = self.statistics_of(source, &frames);
        if series.is_empty() {
            return self.notice.warn(match self.timeline.selected_range {
                Some(_) => {
                    "The selected frames have no values. Select others, or press Esc and then \
                     Shift+A to mark the last 10 seconds."
                }
                None => "There are no frames to mark yet. Mark A when some are recorded.",
            });
        }
        self.baseline.set(series);
        self.notice.say(format!(
            "Marked A: {} series in {} frames",
            whole_text(self.baseline.len() as f64),
            whole_text((frames.end - frames.start) as f64)
        ));
    }

    /// Removes the baseline.
    pub(super) fn clear_baseline(&mut self) {
        if self.baseline.is_empty() {
            return self.notice.say(
                "There is no baseline A. Shift+A marks the selected frames, or the last 10 s",
            );
        }
        self.baseline.set(Vec::new());
        self.notice.say("Cleared A");
    }

    /// Returns the series of [`statistics_of`](Self::statistics_of) whose mean is out of the band
    /// of the baseline, and the change of the mean relative to that of the baseline, the largest
    /// first. The means are those of the selected or else the visible frames.
    pub(super) fn moved(&self, source: &dyn Source) -> Vec<(SeriesId, f64)> {
        let mut moved = Vec::new();
        for selection in self.panes.selections() {
            let data = self.playback.data(source, selection.selected());
            let (left, right) = self.timeline.visible(&data.frames());
            let visible = left.ceil().max(0.0) as u64..right.floor().max(0.0) as u64 + 1;
            let frames = self.timeline.selected_range.clone().unwrap_or(visible);
            for (at, selected) in selection.selected().iter().enumerate() {
                let Some(marked) = self.baseline.of(selected) else {
                    continue;
                };
                let window = data.values(at).within(frames.clone());
                let summary = summarize_tracked(data.track(at), window);
                let id = selected.id.unwrap_or(FRAME_TIME_ID);
                let change = summary.and_then(|summary| change(summary.mean, marked));
                moved.extend(change.map(|change| (id, change)));
            }
        }
        moved.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        moved.dedup_by_key(|(id, _)| *id);
        moved
    }

    /// Returns the statistics of all series on screen, of the pinned ones and of the frame time.
    fn statistics_of(&self, source: &dyn Source, frames: &Range<u64>) -> Vec<BaselineSeries> {
        let (mut series, mut scratch) = (Vec::new(), Vec::new());
        for selection in self.panes.selections() {
            let data = self.playback.data(source, selection.selected());
            for (at, selected) in selection.selected().iter().enumerate() {
                let window = data.values(at).within(frames.clone());
                let stats = RangeStats::of(window, &mut scratch);
                series.extend(stats.map(|stats| of_series(selected, &stats)));
            }
        }
        series
    }
}

/// Returns the change of a mean relative to that of the baseline, infinite if that is 0; `None`
/// within the band.
fn change(mean: f64, marked: &BaselineSeries) -> Option<f64> {
    let is_out = mean < marked.p5 || mean > marked.p95;
    let change = (mean - marked.mean).abs() / marked.mean.abs();
    (is_out && change > ROUNDING).then_some(change)
}

fn of_series(selected: &SelectedSeries, stats: &RangeStats) -> BaselineSeries {
    BaselineSeries {
        path: selected.path.clone(),
        unit: selected.unit().symbol().to_owned(),
        count: stats.count,
        mean: stats.mean,
        min: stats.min,
        p5: stats.p5,
        p95: stats.p95,
        max: stats.max,
        ..BaselineSeries::default()
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
