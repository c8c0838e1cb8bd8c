//! One thread's part of a histogram: its moments, and its buckets in pages that are allocated when
//! a sample first falls into them.

use std::sync::OnceLock;

use super::peaks::Peaks;
use super::tally::{Reading, Tally};
use crate::Precision;
use crate::distribution::LARGEST_SAMPLE;
use crate::distribution::buckets::Entry;
use crate::distribution::precision::Scale;
use crate::live::reentrancy::guarded;
use crate::live::sync::{AtomicU64, Ordering};

/// The number of buckets in a page: half a KiB.
const PAGE: usize = 64;

type Page = Box<[AtomicU64; PAGE]>;

/// Buckets of one sign, by page.
type Pages = Box<[OnceLock<Page>]>;

/// One thread's part, written by its owner and read by all threads.
///
/// The fields that every sample needs share one cache line: the end of the tally, and the fields
/// after it.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Shard {
    tally: Tally,
    scale: &'static Scale,
    /// The buckets of samples of zero and above; empty if the largest samples are kept. Every sample
    /// is unusual then, so that others need no test.
    positive: Pages,
    /// The buckets of samples below zero, mirrored. Most histograms have none.
    negative: OnceLock<Pages>,
    /// Of the calls of a timer, or if the largest samples are kept.
    peaks: OnceLock<Box<Peaks>>,
    /// The buckets in place of `positive`, if the largest samples are kept.
    positive_with_peaks: Option<Pages>,
}

fn pages(scale: &Scale) -> Pages {
    (0..=scale.last as usize / PAGE)
        .map(|_| OnceLock::new())
        .collect()
}

impl Shard {
    pub(crate) fn new(precision: Precision) -> Self {
        let scale = precision.scale();
        Self {
            tally: Tally::new(),
            scale,
            positive: pages(scale),
            negative: OnceLock::new(),
            peaks: OnceLock::new(),
            positive_with_peaks: None,
        }
    }

    /// Creates a shard that also keeps its largest samples.
    pub(super) fn with_peaks(precision: Precision) -> Self {
        let shard = Self::new(precision);
        Self {
            positive: Box::default(),
            peaks: OnceLock::from(Box::new(Peaks::new())),
            positive_with_peaks: Some(shard.positive),
            ..shard
        }
    }

    /// Returns the buckets of samples of zero and above.
    fn positive(&self) -> &Pages {
        self.positive_with_peaks.as_ref().unwrap_or(&self.positive)
    }

    /// Notes a call of a timer, whose sample was added. For the owner only.
    pub(super) fn note_call(&self, ms: f64) {
        let peaks = self
            .peaks
            .get()
            .or_else(|| guarded(|| self.peaks.get_or_init(|| Box::new(Peaks::new()))));
        if let Some(peaks) = peaks {
            peaks.add(ms);
        }
    }

    /// Returns the longest call of some intervals; `None` if there was none.
    pub(super) fn longest_call(&self, begin: u64, end: u64) -> Option<f64> {
        self.peaks.get()?.longest_of(begin, end)
    }

    /// Adds a sample. Returns `false` if it is refused. For the owner only.
    #[inline(always)]
    pub(crate) fn record(&self, sample: f64, run: u32) -> bool {
        let page_of = |bucket: usize| self.positive.get(bucket / PAGE)?.get();
        let usual = self
            .scale
            .usual_bucket_of(sample)
            .map(|bucket| bucket as usize);
        match usual.and_then(|bucket| Some((page_of(bucket)?, bucket))) {
            Some((page, bucket)) => {
                add_one(&page[bucket % PAGE]);
                self.tally.add(sample, run);
                true
            }
            None => self.record_unusual(sample, run),
        }
    }

    /// Adds a sample that is the first of a page, zero or close to it, huge, negative, or refused;
    /// and every sample if the largest ones are kept.
    #[inline(never)]
    fn record_unusual(&self, sample: f64, run: u32) -> bool {
        let magnitude = sample.abs();
        if magnitude > LARGEST_SAMPLE || magnitude.is_nan() {
            return false;
        }
        let bucket = self.scale.bucket_of(magnitude) as usize;
        let pages = if sample < 0.0 {
            self.negative.get()
        } else {
            Some(self.positive())
        };
        let page = pages.and_then(|pages| pages[bucket / PAGE].get());
        let Some(page) = page.or_else(|| self.make_page(sample < 0.0, bucket)) else {
            return false;
        };
        add_one(&page[bucket % PAGE]);
        self.tally.add(sample, run);
        if self.positive_with_peaks.is_some()
            && let Some(peaks) = self.peaks.get()
        {
            peaks.add(sample);
        }
        true
    }

    /// Allocates the page of a bucket. Returns `None` inside an allocation that the core itself
    /// makes.
    #[cold]
    #[inline(never)]
    fn make_page(&self, is_negative: bool, bucket: usize) -> Option<&Page> {
        guarded(|| {
            let pages = if is_negative {
                self.negative.get_or_init(|| pages(self.scale))
            } else {
                self.positive()
            };
            pages[bucket / PAGE]
                .get_or_init(|| Box::new(std::array::from_fn(|_| AtomicU64::new(0))))
        })
    }

    /// Returns the number of samples.
    pub(crate) fn count(&self) -> u64 {
        self.tally.count()
    }

    /// Returns the sum of the samples.
    pub(crate) fn sum(&self) -> f64 {
        until_some(|| self.tally.try_sum())
    }

    /// Returns the moments of the last two runs, as of one point in time. Buckets that are read
    /// afterward contain all samples of these moments.
    pub(crate) fn reading(&self) -> Reading {
        until_some(|| self.tally.try_read())
    }

    /// Returns the buckets with samples, of all runs, in ascending order. The bucket of zero
    /// appears twice if it contains negative samples.
    pub(crate) fn buckets(&self) -> impl Iterator<Item = Entry> + '_ {
        // Relaxed: each bucket is a number by itself.
        let count = |bucket: &AtomicU64| bucket.load(Ordering::Relaxed);
        let negative = self
            .negative
            .get()
            .into_iter()
            .flat_map(|pages| pages.iter().enumerate().rev());
        let negative = negative
            .filter_map(|(at, page)| Some((at, page.get()?)))
            .flat_map(move |(at, page)| {
                page.iter()
                    .enumerate()
                    .rev()
                    .map(move |(offset, bucket)| (-((at * PAGE + offset) as i32), count(bucket)))
            });
        let positive = self
            .positive()
            .iter()
            .enumerate()
            .filter_map(|(at, page)| Some((at, page.get()?)));
        let positive = positive.flat_map(move |(at, page)| {
            page.iter()
                .enumerate()
                .map(move |(offset, bucket)| ((at * PAGE + offset) as i32, count(bucket)))
        });
        negative.chain(positive).filter(|(_, count)| *count > 0)
    }
}

/// Waits until the owner has finished a fold: a few nanoseconds, or until the owner is scheduled
/// again.
fn until_some<T>(read: impl Fn() -> Option<T>) -> T {
    let mut tries = 0;
    loop {
        if let Some(found) = read() {
            return found;
        }
        tries += 1;
        if tries % 64 == 0 {
            std::thread::yield_now();
        }
        std::hint::spin_loop();
    }
}

#[inline(always)]
fn add_one(bucket: &AtomicU64) {
    // Relaxed load and store: only the owner writes, and each bucket is a number by itself.
    bucket.store(bucket.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
}
