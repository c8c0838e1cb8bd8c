//! What the views draw from: live data and a snapshot of it, read through one interface.

use std::collections::HashMap;
use std::ops::Range;

use stats_core::{Distribution, Frame, FrameSlice, Mark, Source};

use crate::data::selection::{FRAME_TIME, SelectedSeries};
use crate::data::tracks::Tracks;
use stats_analysis::track::Track;

/// Frames and the values of the selected series in them.
///
/// Series are named by their place among the selected ones.
pub(crate) trait Data {
    /// The indices of the frames there are.
    fn frames(&self) -> Range<u64>;
    /// One frame; `None` where it is not held.
    fn frame(&self, index: u64) -> Option<Frame>;
    /// The values of a selected series; empty where it has none.
    fn values(&self, selected: usize) -> FrameSlice<'_>;
    /// The durations of the frames in milliseconds.
    fn frame_times(&self) -> FrameSlice<'_>;
    /// What is kept beside the values of a selected series: its spikes, and what thins it fast.
    /// `None` where it is not followed.
    fn track(&self, _selected: usize) -> Option<&Track> {
        None
    }
    /// The same of the frame time, selected or not.
    fn frame_time_track(&self) -> Option<&Track> {
        None
    }
    /// What was said of the frames.
    fn marks(&self) -> &[Mark] {
        &[]
    }
    /// How the samples of a selected histogram are distributed; `None` of any other series.
    fn distribution(&self, _selected: usize) -> Option<Distribution> {
        None
    }
}

/// The part of other data that is shown.
pub(crate) struct Part<'a> {
    pub(crate) data: &'a dyn Data,
    pub(crate) frames: Range<u64>,
}

impl Data for Part<'_> {
    fn frames(&self) -> Range<u64> {
        let held = self.data.frames();
        let end = held.end.min(self.frames.end).max(held.start);
        held.start.max(self.frames.start).min(end)..end
    }

    fn frame(&self, index: u64) -> Option<Frame> {
        self.data
            .frame(index)
            .filter(|_| self.frames.contains(&index))
    }

    fn values(&self, selected: usize) -> FrameSlice<'_> {
        self.data.values(selected).within(self.frames.clone())
    }

    fn frame_times(&self) -> FrameSlice<'_> {
        self.data.frame_times().within(self.frames.clone())
    }

    fn track(&self, selected: usize) -> Option<&Track> {
        self.data.track(selected)
    }

    fn frame_time_track(&self) -> Option<&Track> {
        self.data.frame_time_track()
    }

    fn marks(&self) -> &[Mark] {
        self.data.marks()
    }

    fn distribution(&self, selected: usize) -> Option<Distribution> {
        self.data.distribution(selected)
    }
}

/// The whole history of a selected series; empty where it has none, and where what stands in it means
/// nothing.
pub(crate) fn window_of<'a>(source: &'a dyn Source, selected: &SelectedSeries) -> FrameSlice<'a> {
    match &selected.watch {
        _ if selected.is_frame_time() => source.frame_times(usize::MAX),
        // Frame by frame it brought nothing: a row of zeros, which would be read as measured.
        _ if !selected.unavailable().is_empty() => FrameSlice::default(),
        Some(watch) => source.history(watch, usize::MAX),
        None => FrameSlice::default(),
    }
}

/// The source as it is now.
pub(crate) struct Live<'a> {
    pub(crate) source: &'a dyn Source,
    pub(crate) selected: &'a [SelectedSeries],
    pub(crate) tracks: &'a Tracks,
}

impl Data for Live<'_> {
    fn frames(&self) -> Range<u64> {
        self.source.frames()
    }

    fn frame(&self, index: u64) -> Option<Frame> {
        self.source.frame(index)
    }

    fn values(&self, selected: usize) -> FrameSlice<'_> {
        self.selected
            .get(selected)
            .map_or(FrameSlice::default(), |selected| {
                window_of(self.source, selected)
            })
    }

    fn frame_times(&self) -> FrameSlice<'_> {
        self.source.frame_times(usize::MAX)
    }

    fn track(&self, selected: usize) -> Option<&Track> {
        self.tracks.get(&self.selected.get(selected)?.path)
    }

    fn frame_time_track(&self) -> Option<&Track> {
        self.tracks.get(FRAME_TIME)
    }

    fn marks(&self) -> &[Mark] {
        self.source.marks()
    }

    fn distribution(&self, selected: usize) -> Option<Distribution> {
        self.source
            .distribution(self.selected.get(selected)?.watch.as_ref()?.id())
    }
}

/// A copy of everything the views show, made when they are paused.
#[derive(Debug)]
pub(crate) struct Snapshot {
    frames: Vec<Frame>,
    times: Run,
    series: HashMap<String, Run>,
    /// Those of the histograms among the series.
    distributions: HashMap<String, Distribution>,
    marks: Vec<Mark>,
    tracks: Tracks,
}

/// Consecutive values of one series.
#[derive(Debug, Default)]
struct Run {
    first_frame: u64,
    values: Vec<f64>,
    /// The value above which a frame is a spike.
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
    /// Copies the clock, the histories of all selected series, each path once however many panes show
    /// it, and their tracks.
    pub(crate) fn take<'a>(
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
                    Run::copy(window_of(source, selected), selected.limit()),
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

    /// Goes on finding spikes where a long history was not searched to its end when it was taken.
    pub(crate) fn catch_up(&mut self, mut allowance: usize) {
        for (path, run) in &self.series {
            self.tracks
                .update(path, run.window(), run.limit, &mut allowance);
        }
    }

    /// The frame it was taken at, which is not in it any more: the number of frames recorded until
    /// then.
    pub(crate) fn end(&self) -> u64 {
        self.frames.last().map_or(0, |frame| frame.index + 1)
    }

    /// The history of the series of a path; empty where it has none.
    pub(crate) fn window_of(&self, path: &str) -> FrameSlice<'_> {
        let run = if path == FRAME_TIME {
            Some(&self.times)
        } else {
            self.series.get(path)
        };
        run.map_or(FrameSlice::default(), Run::window)
    }

    /// Whether a path was selected when it was taken.
    pub(crate) fn had(&self, path: &str) -> bool {
        self.series.contains_key(path)
    }

    /// Whether it holds values of a path: what was selected later was recorded too late for it.
    pub(crate) fn holds(&self, path: &str) -> bool {
        self.series
            .get(path)
            .is_some_and(|run| !run.values.is_empty())
    }
}

/// A snapshot, seen through the series that are selected now.
pub(crate) struct Frozen<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) selected: &'a [SelectedSeries],
}

impl Data for Frozen<'_> {
    fn frames(&self) -> Range<u64> {
        let first = self.snapshot.frames.first().map_or(0, |frame| frame.index);
        first..self.snapshot.end()
    }

    fn frame(&self, index: u64) -> Option<Frame> {
        let at = index.checked_sub(self.frames().start)?;
        self.snapshot.frames.get(usize::try_from(at).ok()?).copied()
    }

    fn values(&self, selected: usize) -> FrameSlice<'_> {
        let Some(selected) = self.selected.get(selected) else {
            return FrameSlice::default();
        };
        self.snapshot.window_of(&selected.path)
    }

    fn frame_times(&self) -> FrameSlice<'_> {
        self.snapshot.times.window()
    }

    fn track(&self, selected: usize) -> Option<&Track> {
        let path = &self.selected.get(selected)?.path;
        self.snapshot
            .tracks
            .get(path)
            .filter(|_| self.snapshot.series.contains_key(path))
    }

    fn frame_time_track(&self) -> Option<&Track> {
        self.snapshot.tracks.get(FRAME_TIME)
    }

    fn marks(&self) -> &[Mark] {
        &self.snapshot.marks
    }

    fn distribution(&self, selected: usize) -> Option<Distribution> {
        self.snapshot
            .distributions
            .get(&self.selected.get(selected)?.path)
            .cloned()
    }
}

// They need counters that count.
#[cfg(all(test, feature = "enabled"))]
mod tests {
    use super::*;
    use crate::data::selection::Selection;
    use stats_core::{Recorder, counter};

    /// A recorder of 600 frames with one spike at frame 400, and the tracks of what is selected.
    fn recorded(selection: &mut Selection) -> (Recorder, Tracks) {
        let handle = counter("data/spiky");
        let (mut recorder, mut tracks) = (Recorder::new(), Tracks::default());
        selection.set("data/spiky", true);
        selection.resolve(&mut recorder);
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
    fn a_snapshot_holds_each_path_once_and_its_spikes() {
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
        // What happens after the pause is not in it.
        (0..5000).for_each(|_| recorder.end_frame());
        (0..4).for_each(|_| {
            tracks.update_all(&recorder, first.selected(), crate::data::tracks::ALLOWANCE)
        });
        let live = Live {
            source: &recorder,
            selected: first.selected(),
            tracks: &tracks,
        };
        assert_eq!(
            live.track(1).map(|track| track.spikes.is_spike(400)),
            Some(false)
        );
        let frozen = Frozen {
            snapshot: &snapshot,
            selected: first.selected(),
        };
        assert!(
            frozen
                .track(1)
                .is_some_and(|track| track.spikes.spikes().eq([400]))
        );
        assert_eq!(frozen.values(1).at(400), Some(50.0));
        assert!(frozen.track(2).is_none());
    }
}
