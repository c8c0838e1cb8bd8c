//! The copy of everything on screen that the views show while they are paused.

use std::collections::HashMap;
use std::ops::Range;

use stats_core::{Distribution, Frame, FrameSlice, Mark, Source};

use crate::data::selection::SelectedSeries;
use crate::data::tracks::Tracks;
use stats_analysis::track::Track;

/// A copy of everything that the views show.
#[derive(Debug)]
pub(crate) struct Snapshot {
    frames: Vec<Frame>,
    times: Run,
    series: HashMap<String, Run>,
    /// The distributions of the histograms among the series.
    distributions: HashMap<String, Distribution>,
    marks: Vec<Mark>,
    tracks: Tracks,
}

/// Consecutive values of one series.
#[derive(Debug, Default)]
struct Run {
    first_frame: u64,
    values: Vec<f64>,
    /// The value above which a frame is over budget.
    limit: Option<f64>,
}

impl Run {
    fn copy(window: FrameSlice<'_>, limit: Option<f64>) -> Self {
        let (older, newer) = window.as_slices();
        Self {
            first_frame: window.first_frame(),
            values: [older, newer].concat(),
            limit,
        }
    }

    fn window(&self) -> FrameSlice<'_> {
        FrameSlice::new(self.first_frame, &self.values, &[])
    }
}

impl Snapshot {
    /// Copies the frame times, the histories of the selected series and their tracks. A path that
    /// several panes show is copied once.
    pub(super) fn take<'a>(
        source: &dyn Source,
        tracks: &Tracks,
        selected: impl IntoIterator<Item = &'a SelectedSeries>,
    ) -> Self {
        let (mut series, mut distributions) = (HashMap::new(), HashMap::new());
        for selected in selected {
            if !series.contains_key(&selected.path) {
                if let Some(distribution) = selected
                    .watch
                    .as_ref()
                    .and_then(|watch| source.distribution(watch.id()))
                {
                    distributions.insert(selected.path.clone(), distribution);
                }
                series.insert(
                    selected.path.clone(),
                    Run::copy(selected.history(source), selected.limit()),
                );
            }
        }
        Self {
            frames: source
                .frames()
                .filter_map(|index| source.frame(index))
                .collect(),
            times: Run::copy(source.frame_times(usize::MAX), None),
            series,
            distributions,
            marks: source.marks().to_vec(),
            tracks: tracks.clone(),
        }
    }

    /// Continues the search for spikes in histories that were not searched to their ends when the
    /// snapshot was taken, and applies changed budgets of the `selected` series.
    pub(super) fn catch_up<'a>(
        &mut self,
        selected: impl IntoIterator<Item = &'a SelectedSeries>,
        mut allowance: usize,
    ) {
        for selected in selected {
            if let Some(run) = self.series.get_mut(&selected.path) {
                run.limit = selected.limit();
            }
        }
        for (path, run) in &self.series {
            self.tracks
                .update(path, run.window(), run.limit, &mut allowance);
        }
    }

    /// Returns the indices of its frames.
    pub(super) fn frames(&self) -> Range<u64> {
        let first = self.frames.first().map_or(0, |frame| frame.index);
        first..self.end()
    }

    pub(super) fn frame(&self, index: u64) -> Option<Frame> {
        let at = index.checked_sub(self.frames().start)?;
        self.frames.get(usize::try_from(at).ok()?).copied()
    }

    /// Returns the track of a path that was selected.
    pub(super) fn track(&self, path: &str) -> Option<&Track> {
        self.tracks.get(path).filter(|_| self.had(path))
    }

    /// Returns the distribution of a path whose histogram was selected.
    pub(crate) fn distribution(&self, path: &str) -> Option<&Distribution> {
        self.distributions.get(path)
    }

    pub(super) fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Returns the end of its frames: the number of frames recorded until it was taken.
    pub(crate) fn end(&self) -> u64 {
        self.frames.last().map_or(0, |frame| frame.index + 1)
    }

    /// Returns the history of a path; empty if there is none.
    pub(crate) fn window_of(&self, path: &str) -> FrameSlice<'_> {
        let run = self.series.get(path);
        run.map_or(FrameSlice::default(), Run::window)
    }

    /// Returns the durations of its frames.
    pub(super) fn frame_times(&self) -> FrameSlice<'_> {
        self.times.window()
    }

    /// Returns whether a path was selected when the snapshot was taken.
    pub(crate) fn had(&self, path: &str) -> bool {
        self.series.contains_key(path)
    }

    /// Returns whether the snapshot has values of a path. It has none for a series that was
    /// selected later.
    pub(crate) fn holds(&self, path: &str) -> bool {
        self.series
            .get(path)
            .is_some_and(|run| !run.values.is_empty())
    }
}

// These tests need counters that count.
#[cfg(all(test, feature = "enabled"))]
mod tests {
    use super::*;
    use crate::data::selection::{FRAME_TIME, Selection};
    use stats_core::{Recorder, counter};

    /// Returns a recorder of 600 frames with one spike at frame 400, and the tracks of the selected
    /// series.
    fn recorded(selection: &mut Selection) -> (Recorder, Tracks) {
        let handle = counter("data/spiky");
        let (mut recorder, mut tracks) = (Recorder::new(), Tracks::default());
        selection.set("data/spiky", true);
        selection.resolve(&mut recorder, &Default::default());
        for frame in 0..600 {
            handle.add(if frame == 400 { 50.0 } else { 10.0 });
            recorder.end_frame();
        }
        tracks.update_all(
            &recorder,
            selection.selected(),
            crate::data::tracks::ALLOWANCE,
        );
        (recorder, tracks)
    }

    #[test]
    fn a_snapshot_has_each_path_once_with_its_spikes() {
        let (mut first, second) = (Selection::new(), Selection::new());
        let (mut recorder, mut tracks) = recorded(&mut first);
        let snapshot = Snapshot::take(
            &recorder,
            &tracks,
            first.selected().iter().chain(second.selected()),
        );
        assert_eq!(snapshot.series.len(), 2);
        assert!(
            snapshot.holds("data/spiky")
                && snapshot.holds(FRAME_TIME)
                && !snapshot.holds("another")
        );
        // The snapshot does not contain frames from after the pause.
        (0..5000).for_each(|_| recorder.end_frame());
        (0..4).for_each(|_| {
            tracks.update_all(&recorder, first.selected(), crate::data::tracks::ALLOWANCE)
        });
        let spiky = "data/spiky";
        let live = tracks.get(spiky);
        assert_eq!(live.map(|track| track.spikes.is_spike(400)), Some(false));
        assert!(
            snapshot
                .track(spiky)
                .is_some_and(|track| track.spikes.spikes().eq([400]))
        );
        assert_eq!(snapshot.window_of(spiky).at(400), Some(50.0));
        assert!(snapshot.track("another").is_none());
    }
}
