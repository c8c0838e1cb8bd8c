//! Deferred values: costs of a frame that are known a few frames later.

use crate::backend::{LatePlace, LateSource, Place, StampNumber};
use crate::{SeriesId, SeriesKind, Unit};

/// A source of values that are known a few frames after the frame they belong to: GPU timestamps,
/// times that a worker adds up, responses from a server.
///
/// During a frame the source [`issue`](DeferredSource::issue)s a stamp. A few frames later, from
/// any thread and in any order, it [`deliver`](DeferredSource::deliver)s the values for that stamp,
/// or [`give_up`](DeferredSource::give_up)s. A stamp lies in exactly one frame of every
/// [`Recorder`](crate::Recorder), regardless of its clock, and the values belong to that frame. A
/// frame is *complete* when none of its stamps is outstanding. Histories end before the first
/// incomplete frame, so a value that was read never changes. A frame without a stamp reads 0: the
/// source had nothing to measure in it.
///
/// All series of a source become complete together. Clones share the source. When the last clone is
/// dropped, its outstanding stamps are given up. Several sources can have series with the same
/// path: their values add up, and a frame is complete when it is complete for all of them.
///
/// # Unknown frames
///
/// A frame that was not measured in full is unknown in all series of the source: its value is
/// `None` in [`FrameSlice::at`](crate::FrameSlice::at) and NaN in
/// [`FrameSlice::iter`](crate::FrameSlice::iter). Graphs have a gap there, statistics leave it out,
/// and captures store null. These frames are unknown:
///
/// - A frame with a stamp that was given up, even if other stamps of it were delivered. A source
///   that measured nothing because there was nothing delivers an empty batch instead.
/// - A frame that waited too long for a stamp; see [Limits](#limits).
/// - The first frame of a watch that is taken after a stamp of that frame was issued.
/// - The frames of values for which a recorder had no room, which are 262,144 between two of its frame
///   ends.
///
/// # Limits
///
/// - A value may be up to [`LATE_FRAMES`](crate::limits::LATE_FRAMES) frames late. After that, its
///   frame counts as complete and unknown, and later values are dropped. They are counted in
///   `stats/late-dropped` if the series is watched, peeked at or surveyed.
/// - If a history is shorter than the delay, none of its frames is ever complete, and it stays
///   empty.
///
/// ```
/// use stats_core::{DeferredSource, Recorder};
///
/// let gpu = DeferredSource::new();
/// let shadows = gpu.timer("gpu/shadows");
/// let mut recorder = Recorder::new();
/// let watch = recorder.watch(shadows.id());
///
/// let stamp = gpu.issue(); // in frame 0
/// recorder.end_frame();
/// recorder.end_frame();
/// gpu.deliver(stamp, &[(shadows, 1.5), (shadows, 0.5)]); // in frame 2
/// recorder.end_frame();
/// # if stats_core::ENABLED {
/// assert_eq!(recorder.history(&watch, 600).at(0), Some(2.0));
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct DeferredSource {
    source: LateSource,
}

/// A moment in a frame for which a [`DeferredSource`] will deliver values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[must_use = "the current frame waits for the stamp: deliver it or give it up"]
pub struct FrameStamp {
    number: StampNumber,
}

/// A series of a [`DeferredSource`]: `Copy`, usable from any thread, valid forever.
#[derive(Clone, Copy, Debug)]
pub struct DeferredSeries {
    place: LatePlace,
}

impl DeferredSource {
    /// Creates a source without series.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the timer for a path, in milliseconds, registering it if it is new. Each entry of a
    /// delivery is one call. Hashes the path and takes a lock, so call it once and keep the series.
    ///
    /// If the path belongs to a series of another kind, or to a series with immediate values, the
    /// clash is reported; see [`Problem`](crate::Problem). Values delivered to it are then dropped.
    #[must_use]
    pub fn timer(&self, path: &str) -> DeferredSeries {
        DeferredSeries {
            place: self.source.series(path, SeriesKind::Timer),
        }
    }

    /// Works like [`timer`](DeferredSource::timer), but for a counter. A frame's value is the sum
    /// of the values delivered for it.
    #[must_use]
    pub fn counter(&self, path: &str) -> DeferredSeries {
        DeferredSeries {
            place: self.source.series(path, SeriesKind::Counter),
        }
    }

    /// Issues a stamp for the current frame, which is incomplete until the stamp is delivered or
    /// given up. Takes a lock for a few nanoseconds.
    ///
    /// At most 65,536 stamps of a source can be outstanding. Issuing another gives up the oldest.
    pub fn issue(&self) -> FrameStamp {
        FrameStamp {
            number: self.source.issue(),
        }
    }

    /// Delivers all values of a stamp. Several entries of one series add up, and so do several
    /// stamps of one frame. A series without an entry gets no value, which reads 0 if no other stamp of
    /// the frame has one for it.
    ///
    /// Values that are not finite are refused and counted in `stats/refused-samples`. Values of a
    /// stamp that was delivered or given up before are dropped and counted in `stats/late-dropped`.
    /// Takes a few nanoseconds for each value, and more for watched ones.
    #[track_caller]
    pub fn deliver(&self, stamp: FrameStamp, values: &[(DeferredSeries, f64)]) {
        self.source.deliver(
            stamp.number,
            values.iter().map(|(series, value)| (series.place, *value)),
        );
    }

    /// Gives up a stamp, for which no values will arrive: they exist, but nobody measured them. Its
    /// frame is complete without them, and **unknown** in all series of the source. If there is
    /// nothing to measure, [`deliver`](Self::deliver) an empty batch. Does nothing if the stamp was
    /// delivered or given up before. Takes a lock and a few nanoseconds for each series of the source.
    pub fn give_up(&self, stamp: FrameStamp) {
        self.source.give_up(stamp.number);
    }
}

impl DeferredSeries {
    /// Sets the unit of the values. The unit of a timer is always the millisecond. A unit that is
    /// already set is kept; see [`Problem`](crate::Problem).
    pub fn unit(self, unit: Unit) -> Self {
        Self {
            place: self.place.unit(unit),
        }
    }

    /// Sets the value above which a frame is over budget. A budget that is already set is kept.
    pub fn budget(self, budget: f64) -> Self {
        Self {
            place: self.place.budget(budget),
        }
    }

    /// Sets a one-sentence description of the series. A description that is already set is kept.
    pub fn describe(self, description: &str) -> Self {
        Self {
            place: self.place.describe(description),
        }
    }

    /// Returns the id by which to watch the series. If the path belongs to another kind of series,
    /// or no slot was free, the id names no series and its history stays empty.
    #[must_use]
    pub fn id(&self) -> SeriesId {
        self.place.series_id()
    }
}
