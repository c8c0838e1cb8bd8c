//! Histograms: the distribution of samples over a run.

use super::builder::metadata;
use crate::backend::{Handle, Place, Static};
use crate::{Distribution, Number, Precision, SeriesId, SeriesKind};

/// The distribution of samples over a whole run: exact count, sum, minimum, maximum, mean and
/// standard deviation, and any quantile.
///
/// Recording is wait-free from any number of threads: each has its own buckets, which are allocated
/// when a sample first falls into them. As a series, a frame's value is the sum of that frame's
/// samples, and [`samples_id`](Self::samples_id) counts them. With
/// [`largest`](Histogram::largest), the largest sample of each frame is a series, too.
///
/// # Which samples are recorded
///
/// - Zero, and magnitudes below 10⁻⁹, share a bucket in which quantiles read 0.
/// - Negative samples count like others, in mirrored buckets.
/// - Magnitudes from 10¹⁵ on share a bucket, in which quantiles read the maximum (or the minimum).
/// - A sample that is not finite, or beyond ±10¹⁴⁰, is refused and counted in
///   `stats/refused-samples`. So is an integer that [`Counter::add`](crate::Counter::add) refuses,
///   as the wrapped difference of unsigned integers.
/// - A global allocator that records sizes may record one while the core itself allocates. If that
///   is the first sample of the thread or of a page of buckets, it is refused and counted too.
/// - If the histogram is refused, because its path has another kind or because the [maximum number
///   of histograms](crate::limits::MAX_HISTOGRAMS) is reached, all samples are dropped and its
///   snapshots are empty. This is reported once, as a [`Problem`](crate::Problem).
///
/// # Memory
///
/// For each thread that records: by default 4 KiB for values over three decades, and 37 KiB if
/// samples of both signs fall into every bucket. See [`Precision`] for the finer settings. More
/// samples never take more memory. A thread that ends leaves its buckets to the next. Each thread
/// that records into any histogram also has a table of 8 KiB for all of them.
///
/// ```
/// use stats_core::{Histogram, Unit};
///
/// static PACK: Histogram = Histogram::new("io/pack").unit(Unit::Milliseconds);
///
/// PACK.record(5.5);
/// PACK.record(823.2);
/// # if stats_core::ENABLED {
/// let run = PACK.snapshot();
/// assert_eq!((run.count(), run.min(), run.max()), (2, Some(5.5), Some(823.2)));
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Histogram<P = Static> {
    place: P,
}

/// A [`Histogram`] with a path made at run time: `Copy`, usable from any thread, valid forever.
pub type HistogramHandle = Histogram<Handle>;

/// Returns the histogram for a path, registering it if it is new; see
/// [`counter()`](crate::counter()).
#[must_use]
pub fn histogram(path: &str) -> HistogramHandle {
    Histogram {
        place: Handle::new(path, SeriesKind::Histogram),
    }
}

impl Histogram {
    /// Creates a histogram for a `static`; see [`Counter::new`](crate::Counter::new).
    #[must_use]
    pub const fn new(path: &'static str) -> Self {
        Self {
            place: Static::new(path, SeriesKind::Histogram),
        }
    }

    /// Sets how many significant digits are distinguished. Default: [`Precision::TwoDigits`].
    #[must_use]
    pub const fn precision(self, precision: Precision) -> Self {
        Self {
            place: self.place.precision(precision),
        }
    }

    /// Keeps the largest sample of each frame, in one more series below the path of the histogram:
    /// `largest`, a gauge in the unit of the histogram. It is exact, whatever the
    /// [`Precision`], and 0 in a frame without a sample. So a packet of 1,003 bytes is found in its
    /// frame. If a recorder ends a frame while others end more than 60, the largest sample of its
    /// frame before may appear in it again.
    ///
    /// Declare it wherever the histogram is declared. A thread that has recorded a sample before does
    /// not take part; neither does a later thread that takes over the buckets of such a thread. If the
    /// program has a series of its own at the path, that series stays, the largest samples have none,
    /// and a [problem](crate::Problem::ReservedPath) is reported. A sample takes about 4 ns
    /// longer, and each thread 1 KiB more.
    ///
    /// ```
    /// use stats_core::{Histogram, Recorder, Unit, find};
    ///
    /// static PACKETS: Histogram = Histogram::new("net/packet-size").unit(Unit::Bytes).largest();
    ///
    /// PACKETS.record(450);
    /// # if stats_core::ENABLED {
    /// let largest = find("net/packet-size/largest").expect("the histogram was used");
    /// let mut recorder = Recorder::new();
    /// let watch = recorder.watch(largest);
    /// PACKETS.record(1003);
    /// PACKETS.record(450);
    /// recorder.end_frame();
    /// assert_eq!(recorder.history(&watch, 1).last(), Some(1003.0));
    /// # }
    /// ```
    #[must_use]
    pub const fn largest(self) -> Self {
        Self {
            place: self.place.calls(),
        }
    }
}

impl Histogram<Handle> {
    /// Sets how many significant digits are distinguished. A precision that is already set is kept,
    /// and so is the one that the first sample fixed.
    pub fn precision(self, precision: Precision) -> Self {
        Self {
            place: self.place.precision(precision),
        }
    }

    /// Keeps the largest sample of each frame; see [`Histogram::largest`](Histogram::largest). Set
    /// the unit before.
    pub fn largest(self) -> Self {
        Self {
            place: self.place.calls(),
        }
    }
}

metadata!(Histogram: unit);

impl<P: Place> Histogram<P> {
    /// Adds a sample. Allocates only for the first sample of each thread and for the first in each
    /// page of buckets.
    #[inline(always)]
    #[track_caller]
    pub fn record(&self, sample: impl Number) {
        self.place.record(sample);
    }

    /// Returns the samples that all threads have recorded in the current run; see
    /// [`begin_run`](crate::begin_run).
    ///
    /// While other threads record, the count is that of the buckets; a sample that is being
    /// recorded may be in the buckets and not yet in sum, mean and deviation. Copies all buckets
    /// that have samples, in linear time: a few microseconds for a few hundred buckets,
    /// milliseconds for hundreds of thousands.
    #[must_use]
    pub fn snapshot(&self) -> Distribution {
        self.place.snapshot()
    }

    /// Returns the id of the series that counts the samples of each frame.
    #[must_use]
    pub fn samples_id(&self) -> SeriesId {
        self.place.calls_id()
    }
}
