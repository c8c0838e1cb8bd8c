//! Frame times: a histogram, the longest of the last minute, and hitches.

use std::sync::atomic::{AtomicU64, Ordering};

use stats_core::frame_metrics::HitchRule;

use crate::page::Page;

/// The upper bounds of the buckets in milliseconds: the periods of 1000, 500, 240, 144, 120, 90, 60,
/// 50, 40, 30, 20, 15, 10, 5, 2 and 1 frames per second, rounded up so that a frame at exactly that
/// rate is in its bucket.
const BOUNDS_MS: [f64; 16] = [
    1.0, 2.0, 4.2, 7.0, 8.5, 11.5, 17.0, 20.5, 25.5, 34.0, 50.5, 67.0, 101.0, 201.0, 501.0, 1001.0,
];

/// The maximum is kept for this many parts of the last minute.
const PARTS: usize = 6;
const PART_MS: f64 = 10_000.0;

/// What the thread of the frames writes and that of the server reads.
///
/// All orderings are relaxed: each number is a statistic by itself, and has one writer.
#[derive(Debug, Default)]
pub(crate) struct FrameTotals {
    counts: [AtomicU64; BOUNDS_MS.len() + 1],
    /// The bits of an `f64`, as the maxima below.
    sum_ms: AtomicU64,
    max_ms: [AtomicU64; PARTS],
    hitches: AtomicU64,
}

/// The one that writes them.
#[derive(Debug, Default)]
pub(crate) struct FrameTimes {
    now_ms: f64,
    sum_ms: f64,
    part: usize,
    previous_ms: Option<f64>,
    /// When the newest hitch began.
    hitch_ms: Option<f64>,
}

impl FrameTimes {
    /// Adds a frame. A time that is negative or not finite is not one.
    pub(crate) fn add(&mut self, ms: f64, totals: &FrameTotals) {
        if !(ms >= 0.0 && ms.is_finite()) {
            return;
        }
        let bucket = BOUNDS_MS.partition_point(|bound| *bound < ms);
        add(&totals.counts[bucket]);
        self.sum_ms += ms;
        totals
            .sum_ms
            .store(self.sum_ms.to_bits(), Ordering::Relaxed);
        if self.is_hitch(ms) {
            add(&totals.hitches);
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

    /// Returns whether a frame is a hitch, as [`hitches`](stats_core::frame_metrics::hitches) does.
    fn is_hitch(&mut self, ms: f64) -> bool {
        let rule = HitchRule::default();
        let previous_ms = self.previous_ms.replace(ms);
        let is_hitch = ms > rule.threshold_ms
            && previous_ms.is_some_and(|previous_ms| ms >= rule.ratio * previous_ms)
            && self
                .hitch_ms
                .is_none_or(|hitch_ms| self.now_ms - hitch_ms >= rule.dead_time_ms);
        if is_hitch {
            self.hitch_ms = Some(self.now_ms);
        }
        is_hitch
    }
}

/// There is one writer.
fn add(count: &AtomicU64) {
    count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
}

impl FrameTotals {
    pub(crate) fn write(&self, page: &mut Page) {
        let get = |number: &AtomicU64| number.load(Ordering::Relaxed);
        page.family(
            "stats_frame_seconds",
            "histogram",
            Some("seconds"),
            "Frame times.",
        );
        let mut count = 0;
        for (at, in_bucket) in self.counts.iter().enumerate() {
            count += get(in_bucket);
            // Whole tenths of milliseconds, so that the text is short.
            let bound = BOUNDS_MS
                .get(at)
                .map_or(f64::INFINITY, |ms| (ms * 10.0).round() / 1e4);
            page.bucket("stats_frame_seconds", &[], bound, count);
        }
        let sum_ms = f64::from_bits(get(&self.sum_ms));
        page.sample("stats_frame_seconds_count", &[], count as f64);
        page.sample("stats_frame_seconds_sum", &[], sum_ms / 1e3);
        let max = "stats_frame_max_seconds";
        page.family(
            max,
            "gauge",
            Some("seconds"),
            "The longest frame of the last minute of frames.",
        );
        let max_ms = self
            .max_ms
            .iter()
            .map(|max| f64::from_bits(get(max)))
            .fold(0.0, f64::max);
        page.sample(max, &[], max_ms / 1e3);
        page.family(
            "stats_frame_hitches",
            "counter",
            None,
            "Frames over 60 ms that took 1.5 times as long as the one before.",
        );
        page.sample("stats_frame_hitches_total", &[], get(&self.hitches) as f64);
    }
}

#[cfg(test)]
mod tests {
    use stats_core::frame_metrics::{HitchRule, hitches};
    use stats_testing::Random;

    use super::*;

    #[test]
    fn a_frame_of_any_length_is_counted() {
        let (totals, mut times) = (FrameTotals::default(), FrameTimes::default());
        for ms in [f64::MAX, f64::MAX, 1.0, -1.0, f64::INFINITY] {
            times.add(ms, &totals);
        }
        let counts: u64 = (totals.counts.iter())
            .map(|count| count.load(Ordering::Relaxed))
            .sum();
        assert_eq!(counts, 3);
    }

    #[test]
    fn hitches_maximum_and_buckets_are_those_computed_from_all_frames() {
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
            let (totals, mut times) = (FrameTotals::default(), FrameTimes::default());
            for ms in &frames {
                times.add(*ms, &totals);
            }
            let expected = hitches(&frames, HitchRule::default()).len() as u64;
            assert_eq!(totals.hitches.load(Ordering::Relaxed), expected);
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
