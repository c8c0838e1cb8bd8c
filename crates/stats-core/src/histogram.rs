use crate::backend::{Handle, Place, Static};
use crate::builder::metadata;
use crate::{Distribution, Number, Precision, SeriesId, SeriesKind};

/// How samples are distributed over a whole run: exact count, sum, least and greatest, mean,
/// standard deviation, and any quantile.
///
/// Recording is wait-free from any number of threads: each has buckets of its own, made when they
/// are hit. As a series, a frame's value is the sum of the samples of that frame, and
/// [`samples_id`](Self::samples_id) counts them.
///
/// # What becomes of a sample
///
/// - Zero, and what is below 10⁻⁹ in magnitude, has a bucket of its own, in which quantiles read 0.
/// - Negative samples count like others, in mirrored buckets: differences are negative as often as
///   not.
/// - From 10¹⁵ on all share a bucket, in which quantiles read the greatest (or least) sample.
/// - What is not finite, or beyond ±10¹⁴⁰, is refused and counted in `stats/refused-samples`.
/// - So is what is recorded while the core itself allocates on this thread (a global allocator that
///   records the sizes it is asked for), where it would be the first sample of the thread or of a
///   page of buckets.
/// - Of a histogram that found no place, for a path of another kind or because there are [as
///   many](crate::limits::MAX_HISTOGRAMS) as there can be, all samples are dropped, and its snapshots are
///   empty. That is reported once, as a [`Problem`](crate::Problem).
///
/// # Memory
///
/// For each thread that records: by default 4 KiB for values over three decades, and 37 KiB where
/// samples of both signs hit every bucket; see [`Precision`] for the finer ones. However many
/// samples are recorded, there is never more. A thread that ends leaves its buckets to the next.
/// Any thread that records at all also has a table of 8 KiB of its own, for all histograms
/// together.
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

/// A [`Histogram`] by a path made at run time: `Copy`, from any thread, valid for ever.
pub type HistogramHandle = Histogram<Handle>;

/// The histogram of a path, registered if need be; see [`counter()`](crate::counter()).
#[must_use]
pub fn histogram(path: &str) -> HistogramHandle {
    Histogram {
        place: Handle::new(path, SeriesKind::Histogram),
    }
}

impl Histogram {
    /// A histogram for a `static`; see [`Counter::new`](crate::Counter::new).
    #[must_use]
    pub const fn new(path: &'static str) -> Self {
        Self {
            place: Static::new(path, SeriesKind::Histogram),
        }
    }

    /// Says how finely samples are told apart. Default: [`Precision::TwoDigits`].
    #[must_use]
    pub const fn precision(self, precision: Precision) -> Self {
        Self {
            place: self.place.precision(precision),
        }
    }
}

impl Histogram<Handle> {
    /// Says how finely samples are told apart. What is known already stands, and so does what the
    /// first sample found.
    pub fn precision(self, precision: Precision) -> Self {
        Self {
            place: self.place.precision(precision),
        }
    }
}

metadata!(Histogram: unit);

impl<P: Place> Histogram<P> {
    /// Adds a sample. The first of each thread, and the first in each page of buckets, allocates;
    /// no other does.
    #[inline(always)]
    pub fn record(&self, sample: impl Number) {
        self.place.record(sample);
    }

    /// What was recorded during the run under way, by all threads; see
    /// [`begin_run`](crate::begin_run).
    ///
    /// While others record, the count is that of the buckets, and a sample that is being recorded
    /// may be in the buckets and not yet in sum, mean and deviation. Copies all buckets that were
    /// hit, in linear time: some microseconds for some hundred of them, milliseconds for hundred
    /// thousands.
    #[must_use]
    pub fn snapshot(&self) -> Distribution {
        self.place.snapshot()
    }

    /// The id of the series that counts the samples of each frame.
    #[must_use]
    pub fn samples_id(&self) -> SeriesId {
        self.place.calls_id()
    }
}
