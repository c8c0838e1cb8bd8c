//! Frame times: a histogram, the longest of the last minute, and the count of frames over
//! 60 ms.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use stats_core::Source;
use stats_core::frame_metrics::{Over60Ms, Over60MsRule};

use crate::metric::{Buckets, Data, Metric, MetricUnit, Point};

/// The upper bounds of the buckets in milliseconds: the periods of 1000, 500, 240, 144, 120, 90,
/// 60, 50, 40, 30, 20, 15, 10, 5, 2 and 1 frames per second. They are rounded up, so that a frame at
/// exactly such a rate is in the bucket of the rate.
const BOUNDS_MS: [f64; 16] = [
    1.0, 2.0, 4.2, 7.0, 8.5, 11.5, 17.0, 20.5, 25.5, 34.0, 50.5, 67.0, 101.0, 201.0, 501.0, 1001.0,
];

/// The number of parts of the last minute, each with its own maximum.
const PARTS: usize = 6;
const PART_MS: f64 = 10_000.0;

/// The statistics of all frames. The thread that ends frames writes them, and the exporting thread
/// reads them.
///
/// All orderings are relaxed: each number is a statistic by itself, and has one writer.
#[derive(Debug, Default)]
pub(crate) struct FrameTotals {
    counts: [AtomicU64; BOUNDS_MS.len() + 1],
    /// The bits of an `f64`, like the maxima below.
    sum_ms: AtomicU64,
    max_ms: [AtomicU64; PARTS],
    over_60_ms: AtomicU64,
}

/// The writer of [`FrameTotals`].
#[derive(Debug, Default)]
pub(crate) struct FrameTimes {
    totals: Arc<FrameTotals>,
    /// The first frame of the source that is not added yet.
    next_frame: u64,
    now_ms: f64,
    sum_ms: f64,
    part: usize,
    over_60_ms: Over60Ms,
}

impl FrameTimes {
    /// Returns the totals that it writes.
    pub(crate) fn totals(&self) -> Arc<FrameTotals> {
        Arc::clone(&self.totals)
    }

    /// Adds the frames of `source` that ended since the last call.
    pub(crate) fn add_new(&mut self, source: &impl Source) {
        if !stats_core::ENABLED {
            return;
        }
        let frames = source.frames();
        for frame in self.next_frame.max(frames.start)..frames.end {
            if let Some(frame) = source.frame(frame) {
                self.add(frame.duration_ms);
            }
        }
        self.next_frame = frames.end;
    }

    /// Adds a frame. Ignores a time that is negative or not finite.
    fn add(&mut self, ms: f64) {
        if !(ms >= 0.0 && ms.is_finite()) {
            return;
        }
        let bucket = BOUNDS_MS.partition_point(|bound| *bound < ms);
        self.sum_ms += ms;
        let is_over_60_ms = self.over_60_ms.is_next_one(ms, Over60MsRule::default());
        let totals = &self.totals;
        add(&totals.counts[bucket]);
        totals
            .sum_ms
            .store(self.sum_ms.to_bits(), Ordering::Relaxed);
        if is_over_60_ms {
            add(&totals.over_60_ms);
        }
        self.now_ms += ms;
        let part = (self.now_ms / PART_MS) as usize;
        // The parts that began since the last frame have no frame yet.
        for before in (self.part..part).rev().take(PARTS) {
            totals.max_ms[(before + 1) % PARTS].store(0, Ordering::Relaxed);
        }
        self.part = part;
        let max = &totals.max_ms[part % PARTS];
        if ms > f64::from_bits(max.load(Ordering::Relaxed)) {
            max.store(ms.to_bits(), Ordering::Relaxed);
        }
    }
}

/// Adds 1. A load and a store suffice, because there is one writer.
fn add(count: &AtomicU64) {
    count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
}

impl FrameTotals {
    /// Returns the totals as metrics.
    pub(crate) fn metrics(&self) -> [Metric<'static>; 3] {
        let get = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let max_ms = self
            .max_ms
            .iter()
            .map(|max| f64::from_bits(get(max)))
            .fold(0.0, f64::max);
        let times = Buckets {
            // Whole tenths of milliseconds, so that the text is short.
            bounds: BOUNDS_MS.map(|ms| (ms * 10.0).round() / 1e4).into(),
            counts: self.counts.iter().map(get).collect(),
            sum: f64::from_bits(get(&self.sum_ms)) / 1e3,
            min: 0.0,
        };
        [
            Metric {
                name: "stats.frame",
                unit: MetricUnit::Seconds,
                help: "Frame times.",
                data: Data::Histogram(Point::only(times)),
            },
            Metric {
                name: "stats.frame_max",
                unit: MetricUnit::Seconds,
                help: "The longest frame of the last minute of frames.",
                data: Data::Gauge(Point::only(max_ms / 1e3)),
            },
            Metric {
                name: "stats.frames_over_60_ms",
                unit: MetricUnit::Other,
                help: "Frames over 60 ms that took at least 1.5 times as long as the previous one, at most one in 200 ms.",
                data: Data::Counter(Point::only(get(&self.over_60_ms) as f64)),
            },
        ]
    }
}

#[cfg(test)]
mod tests {
    use stats_core::frame_metrics::{Over60MsRule, over_60_ms};
    use stats_testing::Random;

    use super::*;

    #[test]
    fn a_frame_of_any_length_is_counted() {
        let mut times = FrameTimes::default();
        let totals = times.totals();
        for ms in [f64::MAX, f64::MAX, 1.0, -1.0, f64::INFINITY] {
            times.add(ms);
        }
        let counts: u64 = (totals.counts.iter())
            .map(|count| count.load(Ordering::Relaxed))
            .sum();
        assert_eq!(counts, 3);
    }

    #[test]
    fn frames_over_60_ms_maximum_and_buckets_are_those_computed_from_all_frames() {
        let mut random = Random::new(1);
        for _ in 0..50 {
            let frames: Vec<f64> = (0..2_000)
                .map(|_| match random.below(40) {
                    0 => 60.0 + random.below(200) as f64,
                    1 => 60.0,
                    2 => f64::NAN,
                    3 => random.below(15_000) as f64,
                    _ => random.below(50) as f64 / 2.0,
                })
                .collect();
            let mut times = FrameTimes::default();
            let totals = times.totals();
            for ms in &frames {
                times.add(*ms);
            }
            let expected = over_60_ms(&frames, Over60MsRule::default()).len() as u64;
            assert_eq!(totals.over_60_ms.load(Ordering::Relaxed), expected);
            let all: Vec<f64> = frames.into_iter().filter(|ms| ms.is_finite()).collect();
            let count =
                |from: f64, to| all.iter().filter(|ms| **ms > from && **ms <= to).count() as u64;
            let mut from = -1.0;
            for (at, to) in BOUNDS_MS.into_iter().chain([f64::INFINITY]).enumerate() {
                assert_eq!(totals.counts[at].load(Ordering::Relaxed), count(from, to));
                from = to;
            }
            // The frames that ended in the newest six parts.
            let mut end = 0.0;
            let ends: Vec<(f64, f64)> = all
                .iter()
                .map(|ms| {
                    end += ms;
                    (end, *ms)
                })
                .collect();
            let newest = (end / PART_MS) as usize;
            let expected = ends
                .iter()
                .filter(|(end, _)| (*end / PART_MS) as usize + PARTS > newest)
                .map(|(_, ms)| *ms)
                .fold(0.0, f64::max);
            let max = totals
                .max_ms
                .iter()
                .map(|max| f64::from_bits(max.load(Ordering::Relaxed)));
            assert_eq!(max.fold(0.0, f64::max), expected);
        }
    }
}
