//! The frames of the source that the views show: the newest ones, or those at which the views were
//! paused.
//!
//! Every view reads its values from [`Playback::data`]. It returns the source while the views are
//! live, and a copy while they are paused. Both are limited to the frames that are shown: from the
//! last clearing of the history to the newest frame of the last full refresh.

use std::ops::Range;

use stats_core::{Distribution, Frame, FrameSlice, Mark, Source};

use crate::data::selection::{FRAME_TIME, SelectedSeries};
use crate::data::snapshot::Snapshot;
use crate::data::tracks::{ALLOWANCE, Tracks};
use crate::data::view::Data;
use stats_analysis::track::Track;

/// Which frames are shown, and whether the views are paused.
#[derive(Debug)]
pub(crate) struct Playback {
    /// The spikes and extremes of every series on screen.
    tracks: Tracks,
    /// The copy that is shown while the views are paused.
    snapshot: Option<Snapshot>,
    /// Whether a pause was requested without a source. The next pass takes the snapshot.
    pub(crate) is_pending: bool,
    /// The frames from the first one that was not cleared to the end of the last full refresh.
    frames: Range<u64>,
    /// The generation of the source's listing and the end of its frames in the previous pass.
    seen: (u64, u64),
}

impl Default for Playback {
    fn default() -> Self {
        Self {
            tracks: Tracks::default(),
            snapshot: None,
            is_pending: false,
            frames: 0..u64::MAX,
            seen: (0, 0),
        }
    }
}

impl Playback {
    /// Returns whether the views are paused, or will be paused in the next pass.
    pub(crate) fn is_paused(&self) -> bool {
        self.snapshot.is_some() || self.is_pending
    }

    /// Returns the copy that is shown while the views are paused.
    pub(crate) fn snapshot(&self) -> Option<&Snapshot> {
        self.snapshot.as_ref()
    }

    /// Returns the first frame that was not cleared.
    pub(crate) fn first_frame(&self) -> u64 {
        self.frames.start
    }

    /// Pauses the views at the frames of the source, copying the history of every series in
    /// `shown`.
    pub(crate) fn pause<'a>(
        &mut self,
        source: &dyn Source,
        shown: impl IntoIterator<Item = &'a SelectedSeries>,
    ) {
        self.is_pending = false;
        self.snapshot = Some(Snapshot::take(source, &self.tracks, shown));
    }

    /// Shows the source again.
    pub(crate) fn resume(&mut self) {
        self.is_pending = false;
        self.snapshot = None;
    }

    /// Remembers the source's generation and number of frames. Returns whether one of them has
    /// decreased since the previous pass, which never happens within one source.
    pub(crate) fn note_source(&mut self, source: &dyn Source) -> bool {
        let seen = (source.generation(), source.frames().end);
        let before = std::mem::replace(&mut self.seen, seen);
        seen.0 < before.0 || seen.1 < before.1
    }

    /// Shows the frames up to now, without looking for their spikes.
    pub(crate) fn show_newest(&mut self, source: &dyn Source) {
        self.frames.end = source.frames().end;
    }

    /// Adds the new frames of every series in `shown` to its track. Call it once a pass.
    pub(crate) fn update<'a>(
        &mut self,
        source: &dyn Source,
        shown: impl IntoIterator<Item = &'a SelectedSeries> + Clone,
    ) {
        self.show_newest(source);
        if let Some(snapshot) = &mut self.snapshot {
            snapshot.catch_up(shown.clone(), ALLOWANCE);
        }
        self.tracks.update_all(source, shown, ALLOWANCE);
    }

    /// Finds the spikes of all frames that are shown, regardless of the cost.
    pub(crate) fn finish_tracks<'a>(
        &mut self,
        source: &dyn Source,
        shown: impl IntoIterator<Item = &'a SelectedSeries>,
    ) {
        match &mut self.snapshot {
            Some(snapshot) => snapshot.catch_up(shown, usize::MAX),
            None => self.tracks.update_all(source, shown, usize::MAX),
        }
    }

    /// Hides all frames that were recorded before now. The source keeps them.
    pub(crate) fn clear(&mut self, source: &dyn Source) {
        self.frames = source.frames().end..u64::MAX;
    }

    /// Forgets everything about one source, before another one is drawn.
    pub(crate) fn detach(&mut self) {
        self.tracks.clear();
        self.snapshot = None;
        self.frames = 0..u64::MAX;
        self.seen = (0, 0);
    }

    /// Returns the visible data of these series.
    pub(crate) fn data<'a>(
        &'a self,
        source: &'a dyn Source,
        selected: &'a [SelectedSeries],
    ) -> ShownFrames<'a> {
        let snapshot = self.snapshot.as_ref();
        ShownFrames {
            source,
            snapshot,
            tracks: &self.tracks,
            selected,
            // The frames of a paused view do not change.
            frames: self.frames.start..snapshot.map_or(self.frames.end, |_| u64::MAX),
        }
    }
}

/// The visible frames of the source or of the copy.
pub(crate) struct ShownFrames<'a> {
    source: &'a dyn Source,
    /// The copy, while the views are paused.
    snapshot: Option<&'a Snapshot>,
    tracks: &'a Tracks,
    selected: &'a [SelectedSeries],
    frames: Range<u64>,
}

impl ShownFrames<'_> {
    fn path(&self, selected: usize) -> Option<&str> {
        Some(&self.selected.get(selected)?.path)
    }

    fn track_of(&self, path: &str) -> Option<&Track> {
        match self.snapshot {
            Some(snapshot) => snapshot.track(path),
            None => self.tracks.get(path),
        }
    }
}

impl Data for ShownFrames<'_> {
    fn frames(&self) -> Range<u64> {
        let held = match self.snapshot {
            Some(snapshot) => snapshot.frames(),
            None => self.source.frames(),
        };
        let end = held.end.min(self.frames.end).max(held.start);
        held.start.max(self.frames.start).min(end)..end
    }

    fn frame(&self, index: u64) -> Option<Frame> {
        if !self.frames.contains(&index) {
            return None;
        }
        match self.snapshot {
            Some(snapshot) => snapshot.frame(index),
            None => self.source.frame(index),
        }
    }

    fn values(&self, selected: usize) -> FrameSlice<'_> {
        let Some(selected) = self.selected.get(selected) else {
            return FrameSlice::default();
        };
        let values = match self.snapshot {
            Some(snapshot) => snapshot.window_of(&selected.path),
            None => selected.history(self.source),
        };
        values.within(self.frames.clone())
    }

    fn frame_times(&self) -> FrameSlice<'_> {
        let times = match self.snapshot {
            Some(snapshot) => snapshot.frame_times(),
            None => self.source.frame_times(usize::MAX),
        };
        times.within(self.frames.clone())
    }

    fn track(&self, selected: usize) -> Option<&Track> {
        self.track_of(self.path(selected)?)
    }

    fn frame_time_track(&self) -> Option<&Track> {
        self.track_of(FRAME_TIME)
    }

    fn marks(&self) -> &[Mark] {
        self.snapshot.map_or(self.source.marks(), Snapshot::marks)
    }

    fn distribution(&self, selected: usize) -> Option<Distribution> {
        match self.snapshot {
            Some(snapshot) => snapshot.distribution(self.path(selected)?).cloned(),
            None => {
                let watch = self.selected.get(selected)?.watch.as_ref()?;
                self.source.distribution(watch.id())
            }
        }
    }
}
