//! What the views draw from: live data and a snapshot of it, read through one interface.

use std::collections::HashMap;
use std::ops::Range;

use stats_core::{Distribution, Frame, Mark, Source, Window};

use crate::selection::{FRAME_TIME, Ticked};
use crate::track::{Track, Tracks};

/// Frames and the values of the ticked series in them.
///
/// Series are named by their place among the ticked ones.
pub(crate) trait Data {
    /// The indices of the frames there are.
    fn frames(&self) -> Range<u64>;
    /// One frame; `None` where it is not held.
    fn frame(&self, index: u64) -> Option<Frame>;
    /// The values of a ticked series; empty where it has none.
    fn values(&self, ticked: usize) -> Window<'_>;
    /// The durations of the frames in milliseconds.
    fn frame_times(&self) -> Window<'_>;
    /// What is kept beside the values of a ticked series: its spikes, and what thins it fast.
    /// `None` where it is not followed.
    fn track(&self, _ticked: usize) -> Option<&Track> {
        None
    }
    /// The same of the frame time, ticked or not.
    fn frame_time_track(&self) -> Option<&Track> {
        None
    }
    /// What was said of the frames.
    fn marks(&self) -> &[Mark] {
        &[]
    }
    /// How the samples of a ticked histogram are distributed; `None` of any other series.
    fn distribution(&self, _ticked: usize) -> Option<Distribution> {
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

    fn values(&self, ticked: usize) -> Window<'_> {
        self.data.values(ticked).within(self.frames.clone())
    }

    fn frame_times(&self) -> Window<'_> {
        self.data.frame_times().within(self.frames.clone())
    }

    fn track(&self, ticked: usize) -> Option<&Track> {
        self.data.track(ticked)
    }

    fn frame_time_track(&self) -> Option<&Track> {
        self.data.frame_time_track()
    }

    fn marks(&self) -> &[Mark] {
        self.data.marks()
    }

    fn distribution(&self, ticked: usize) -> Option<Distribution> {
        self.data.distribution(ticked)
    }
}

/// The whole history of a ticked series; empty where it has none, and where what stands in it means
/// nothing.
pub(crate) fn window_of<'a>(source: &'a dyn Source, ticked: &Ticked) -> Window<'a> {
    match &ticked.watch {
        _ if ticked.is_frame_time() => source.frame_times(usize::MAX),
        // Frame by frame it brought nothing: a row of zeros, which would be read as measured.
        _ if !ticked.unavailable().is_empty() => Window::default(),
        Some(watch) => source.window(watch, usize::MAX),
        None => Window::default(),
    }
}

/// The source as it is now.
pub(crate) struct Live<'a> {
    pub(crate) source: &'a dyn Source,
    pub(crate) ticked: &'a [Ticked],
    pub(crate) tracks: &'a Tracks,
}

impl Data for Live<'_> {
    fn frames(&self) -> Range<u64> {
        self.source.frames()
    }

    fn frame(&self, index: u64) -> Option<Frame> {
        self.source.frame(index)
    }

    fn values(&self, ticked: usize) -> Window<'_> {
        self.ticked
            .get(ticked)
            .map_or(Window::default(), |ticked| window_of(self.source, ticked))
    }

    fn frame_times(&self) -> Window<'_> {
        self.source.frame_times(usize::MAX)
    }

    fn track(&self, ticked: usize) -> Option<&Track> {
        self.tracks.get(&self.ticked.get(ticked)?.path)
    }

    fn frame_time_track(&self) -> Option<&Track> {
        self.tracks.get(FRAME_TIME)
    }

    fn marks(&self) -> &[Mark] {
        self.source.marks()
    }

    fn distribution(&self, ticked: usize) -> Option<Distribution> {
        self.source
            .distribution(self.ticked.get(ticked)?.watch.as_ref()?.id())
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
    fn copy(window: Window<'_>, limit: Option<f64>) -> Self {
        let (older, newer) = window.as_slices();
        Self {
            first_frame: window.first_frame(),
            values: [older, newer].concat(),
            limit,
        }
    }

    fn window(&self) -> Window<'_> {
        Window::new(self.first_frame, &self.values, &[])
    }
}

impl Snapshot {
    /// Copies the clock, the histories of all ticked series, each path once however many panes show
    /// it, and their tracks.
    pub(crate) fn take<'a>(
        source: &dyn Source,
        tracks: &Tracks,
        ticked: impl IntoIterator<Item = &'a Ticked>,
    ) -> Self {
        let (mut series, mut distributions) = (HashMap::new(), HashMap::new());
        for ticked in ticked {
            if !series.contains_key(&ticked.path) {
                if let Some(distribution) = ticked
                    .watch
                    .as_ref()
                    .and_then(|watch| source.distribution(watch.id()))
                {
                    distributions.insert(ticked.path.clone(), distribution);
                }
                series.insert(
                    ticked.path.clone(),
                    Run::copy(window_of(source, ticked), ticked.limit()),
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
    pub(crate) fn window_of(&self, path: &str) -> Window<'_> {
        let run = if path == FRAME_TIME {
            Some(&self.times)
        } else {
            self.series.get(path)
        };
        run.map_or(Window::default(), Run::window)
    }

    /// Whether a path was ticked when it was taken.
    pub(crate) fn had(&self, path: &str) -> bool {
        self.series.contains_key(path)
    }

    /// Whether it holds values of a path: what was ticked later was recorded too late for it.
    pub(crate) fn holds(&self, path: &str) -> bool {
        self.series
            .get(path)
            .is_some_and(|run| !run.values.is_empty())
    }
}

/// A snapshot, seen through the series that are ticked now.
pub(crate) struct Frozen<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) ticked: &'a [Ticked],
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

    fn values(&self, ticked: usize) -> Window<'_> {
        let Some(ticked) = self.ticked.get(ticked) else {
            return Window::default();
        };
        self.snapshot.window_of(&ticked.path)
    }

    fn frame_times(&self) -> Window<'_> {
        self.snapshot.times.window()
    }

    fn track(&self, ticked: usize) -> Option<&Track> {
        let path = &self.ticked.get(ticked)?.path;
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

    fn distribution(&self, ticked: usize) -> Option<Distribution> {
        self.snapshot
            .distributions
            .get(&self.ticked.get(ticked)?.path)
            .cloned()
    }
}

// They need counters that count.
#[cfg(all(test, feature = "enabled"))]
mod tests {
    use super::*;
    use crate::selection::Selection;
    use stats_core::{Recorder, counter};

    /// A recorder of 600 frames with one spike at frame 400, and the tracks of what is ticked.
    fn recorded(selection: &mut Selection) -> (Recorder, Tracks) {
        let handle = counter("data/spiky");
        let (mut recorder, mut tracks) = (Recorder::new(), Tracks::default());
        selection.set("data/spiky", true);
        selection.resolve(&mut recorder);
        for frame in 0..600 {
            handle.add(if frame == 400 { 50.0 } else { 10.0 });
            recorder.push_frame();
        }
        tracks.update_all(&recorder, selection.ticked(), crate::track::ALLOWANCE);
        (recorder, tracks)
    }

    #[test]
    fn a_snapshot_holds_each_path_once_and_its_spikes() {
        let (mut first, second) = (Selection::new(), Selection::new());
        let (mut recorder, mut tracks) = recorded(&mut first);
        let snapshot = Snapshot::take(
            &recorder,
            &tracks,
            first.ticked().iter().chain(second.ticked()),
        );
        assert_eq!(snapshot.series.len(), 2);
        assert!(
            snapshot.holds("data/spiky")
                && snapshot.holds(FRAME_TIME)
                && !snapshot.holds("another")
        );
        // What happens after the pause is not in it.
        (0..5000).for_each(|_| recorder.push_frame());
        (0..4).for_each(|_| tracks.update_all(&recorder, first.ticked(), crate::track::ALLOWANCE));
        let live = Live {
            source: &recorder,
            ticked: first.ticked(),
            tracks: &tracks,
        };
        assert_eq!(
            live.track(1).map(|track| track.spikes.is_spike(400)),
            Some(false)
        );
        let frozen = Frozen {
            snapshot: &snapshot,
            ticked: first.ticked(),
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
