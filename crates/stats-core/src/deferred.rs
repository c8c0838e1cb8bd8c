//! Late values: what a frame brought, known frames later.

use crate::backend::{LatePlace, LateSource, Place, StampNumber};
use crate::{SeriesId, SeriesKind, Unit};

/// One source of values that are known later than the frame that they belong to: a GPU's
/// timestamps, scopes that a worker adds up, what a server answers. All its series complete
/// together.
///
/// During a frame the source [`issue`](DeferredSource::issue)s a stamp; frames later, from any thread and in
/// any order, it [`deliver`](DeferredSource::deliver)s what that frame brought, or
/// [`give_up`](DeferredSource::give_up)s. A stamp lies in exactly one frame of every
/// [`Recorder`](crate::Recorder), whatever its clock, and the values stand in that frame of its
/// histories. Until a frame is known whole, windows end before it: a value that can be read never
/// changes later.
///
/// A frame of which nothing is known, since its stamp was given up or its values came too late,
/// reads 0 once it is past, like one that brought nothing: a source that can fail counts its
/// failures in a series of its own. A watch that is taken after the stamp was issued has a known 0
/// for that frame. In a history that is shorter than the delay, no frame is ever known, and windows
/// stay empty.
///
/// A value may come as late as [`LATE_FRAMES`](crate::limits::LATE_FRAMES) frames; by then its frame counts
/// as known, and what comes later is dropped and counted in `stats/late-dropped`, where somebody
/// watches, peeks at or surveys its series: nobody else can miss it.
///
/// Clones are the same source. When the last is dropped, its outstanding stamps are given up.
/// Several sources can have series of one path: their values add up, and a frame is known when both
/// know it.
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

/// A moment in the frame under way that a [`Late`] source has still to say something of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[must_use = "the frame under way waits for it: deliver it, or give it up"]
pub struct FrameStamp {
    number: StampNumber,
}

/// A series of a [`Late`] source: `Copy`, from any thread, valid for ever.
#[derive(Clone, Copy, Debug)]
pub struct DeferredSeries {
    place: LatePlace,
}

impl DeferredSource {
    /// A source without series.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The series of a path, in milliseconds, registered if need be. Each entry of a delivery is
    /// one call. Hashes and takes a lock: look it up once and keep it.
    ///
    /// A path that is taken by a series of another kind, or by one whose values are not late, is
    /// reported: see [`Problem`](crate::Problem). What is delivered to it then is dropped.
    #[must_use]
    pub fn timer(&self, path: &str) -> DeferredSeries {
        DeferredSeries {
            place: self.source.series(path, SeriesKind::Timer),
        }
    }

    /// The same as [`timer`](DeferredSource::timer) of things that are counted: a frame's value is the sum of
    /// what was delivered for it.
    #[must_use]
    pub fn counter(&self, path: &str) -> DeferredSeries {
        DeferredSeries {
            place: self.source.series(path, SeriesKind::Counter),
        }
    }

    /// A stamp of the frame under way, which from now on waits for it. Takes a lock for some
    /// nanoseconds.
    ///
    /// A source can have 65,536 stamps outstanding; with one more, its oldest is given up.
    pub fn issue(&self) -> FrameStamp {
        FrameStamp {
            number: self.source.issue(),
        }
    }

    /// Says what the stamp's frame brought, and that this is all. Several entries of one series add
    /// up, as do several stamps of one frame; a series without an entry brought nothing.
    ///
    /// Values that are not finite are refused and counted in `stats/refused-samples`; those of a
    /// stamp that was delivered or given up already are dropped and counted in
    /// `stats/late-dropped`. Takes a few nanoseconds for each value, more for those that somebody
    /// watches.
    pub fn deliver(&self, stamp: FrameStamp, values: &[(DeferredSeries, f64)]) {
        self.source.deliver(
            stamp.number,
            values.iter().map(|(series, value)| (series.place, *value)),
        );
    }

    /// Says that nothing will come: the frame is known without it, and **reads 0**, as if nothing
    /// had been done in it. Count it somewhere if that is to be told apart. Nothing where the stamp
    /// was delivered or given up already.
    pub fn give_up(&self, stamp: FrameStamp) {
        self.source.give_up(stamp.number);
    }
}

impl DeferredSeries {
    /// Says what one unit of a value means. Of a timer it is the millisecond, whatever is said.
    /// What is known already stands; see [`Problem`](crate::Problem).
    pub fn unit(self, unit: Unit) -> Self {
        Self {
            place: self.place.unit(unit),
        }
    }

    /// Says above which value a frame is over budget. What is known already stands.
    pub fn budget(self, budget: f64) -> Self {
        Self {
            place: self.place.budget(budget),
        }
    }

    /// Says in a sentence what is measured. What is known already stands.
    pub fn describe(self, description: &str) -> Self {
        Self {
            place: self.place.describe(description),
        }
    }

    /// The id to watch the series by. Of one that clashed, or found no slot, it names no series:
    /// windows stay empty.
    #[must_use]
    pub fn id(&self) -> SeriesId {
        self.place.series_id()
    }
}
