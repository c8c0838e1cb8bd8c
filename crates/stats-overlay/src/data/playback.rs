//! The frames of the source that the views show: the newest ones, or those at which the views were
//! paused.
//!
//! Every view reads its values from [`Playback::data`]. It returns the source while the views are
//! live and a copy while they are paused, each cut to the frames that are shown: those since the
//! history was last cleared, up to the newest frame of the last full refresh.

use std::ops::Range;

use stats_core::{Distribution, Frame, FrameSlice, Mark, Source};

use crate::data::selection::SelectedSeries;
use crate::data::snapshot::{Frozen, Snapshot};
use crate::data::tracks::{ALLOWANCE, Tracks};
use crate::data::view::{Data, Live};
use stats_analysis::track::Track;

/// Which frames are shown, and whether the views are paused.
#[derive(Debug)]
pub(crate) struct Playback {
    /// The spikes and extremes of every series on screen.
    tracks: Tracks,
    /// The copy that is shown while the views are paused.
    snapshot: Option<Snapshot>,
    /// Whether a pause was requested without a source. The next pass takes the snapshot.
    is_pending: bool,
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
    /// Returns whether the views are paused, or will be in the next pass.
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

    /// Pauses the views with the next pass, which has a source to copy.
    pub(crate) fn pause_with_next_pass(&mut self) {
        self.is_pending = true;
    }

    /// Returns whether a pause waits for a source, and drops that request.
    pub(crate) fn take_pending(&mut self) -> bool {
        std::mem::take(&mut self.is_pending)
    }

    /// Shows the source again.
    pub(crate) fn resume(&mut self) {
        self.is_pending = false;
        self.snapshot = None;
    }

    /// Returns whether the source differs from the previous pass: its generation or its number of
    /// frames went back, which never happens within one source.
    pub(crate) fn is_another(&self, source: &dyn Source) -> bool {
        source.generation() < self.seen.0 || source.frames().end < self.seen.1
    }

    /// Remembers the source's generation and number of frames, for
    /// [`is_another`](Self::is_another).
    pub(crate) fn note_source(&mut self, source: &dyn Source) {
        self.seen = (source.generation(), source.frames().end);
    }

    /// Shows the frames up to now, without looking for their spikes.
    pub(crate) fn show_newest(&mut self, source: &dyn Source) {
        self.frames.end = source.frames().end;
    }

    /// Takes in the new frames of every series in `shown`. Call it once a pass.
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

    /// Returns what is shown of these series.
    pub(crate) fn data<'a>(
        &'a self,
        source: &'a dyn Source,
        selected: &'a [SelectedSeries],
    ) -> ShownFrames<'a> {
        match &self.snapshot {
            // The frames of a paused view do not change.
            Some(snapshot) => ShownFrames {
                origin: Origin::Frozen(Frozen { snapshot, selected }),
                frames: self.frames.start..u64::MAX,
            },
            None => ShownFrames {
                origin: Origin::Live(Live {
                    source,
                    selected,
                    tracks: &self.tracks,
                }),
                frames: self.frames.clone(),
            },
        }
    }
}

/// The frames that are shown, of the source or of the copy.
pub(crate) struct ShownFrames<'a> {
    origin: Origin<'a>,
    frames: Range<u64>,
}

enum Origin<'a> {
    Live(Live<'a>),
    Frozen(Frozen<'a>),
}

impl ShownFrames<'_> {
    fn all(&self) -> &dyn Data {
        match &self.origin {
            Origin::Live(live) => live,
            Origin::Frozen(frozen) => frozen,
        }
    }
}

impl Data for ShownFrames<'_> {
    fn frames(&self) -> Range<u64> {
        let held = self.all().frames();
        let end = held.end.min(self.frames.end).max(held.start);
        held.start.max(self.frames.start).min(end)..end
    }

    fn frame(&self, index: u64) -> Option<Frame> {
        self.all()
            .frame(index)
            .filter(|_| self.frames.contains(&index))
    }

    fn values(&self, selected: usize) -> FrameSlice<'_> {
        self.all().values(selected).within(self.frames.clone())
    }

    fn frame_times(&self) -> FrameSlice<'_> {
        self.all().frame_times().within(self.frames.clone())
    }

    fn track(&self, selected: usize) -> Option<&Track> {
        self.all().track(selected)
    }

    fn frame_time_track(&self) -> Option<&Track> {
        self.all().frame_time_track()
    }

    fn marks(&self) -> &[Mark] {
        self.all().marks()
    }

    fn distribution(&self, selected: usize) -> Option<Distribution> {
        self.all().distribution(selected)
    }
}
