//! The longest calls that one thread timed, by interval; of a histogram, the largest samples.
//!
//! A maximum is no difference of two totals, and each recorder has frames of its own. So time is
//! divided into intervals: each reading of a recorder ends one and begins the next. A thread keeps
//! the longest call of each interval in which it timed any, and the longest call of a frame is that
//! of its intervals.

use super::super::sync::{AtomicU32, AtomicU64, Ordering, fence};

/// The number of intervals that are kept.
const KEPT: usize = 64;

/// The number of the current interval, from 1.
static INTERVAL: AtomicU64 = AtomicU64::new(1);

/// Ends the interval, and returns the number of the next one.
pub(crate) fn end_interval() -> u64 {
    // Relaxed, here and below: a call that ends at this very moment counts toward either interval.
    INTERVAL.fetch_add(1, Ordering::Relaxed) + 1
}

/// The longest calls of one thread. One thread writes, and any may read.
#[derive(Debug)]
pub(crate) struct Peaks {
    /// A ring. The newest entry is at `newest`.
    all: [Peak; KEPT],
    newest: AtomicU32,
}

#[derive(Debug)]
struct Peak {
    /// 0 while it has no calls, or while it is written.
    interval: AtomicU64,
    /// The milliseconds of the longest call, as bits.
    longest: AtomicU64,
}

impl Peaks {
    pub(crate) fn new() -> Self {
        let peak = |_| Peak {
            interval: AtomicU64::new(0),
            longest: AtomicU64::new(0),
        };
        Self {
            all: std::array::from_fn(peak),
            newest: AtomicU32::new(0),
        }
    }

    /// Adds a call. For the owner only.
    pub(crate) fn add(&self, ms: f64) {
        self.add_to(INTERVAL.load(Ordering::Relaxed), ms);
    }

    fn add_to(&self, interval: u64, ms: f64) {
        let newest = self.newest.load(Ordering::Relaxed) as usize % KEPT;
        let peak = &self.all[newest];
        if peak.interval.load(Ordering::Relaxed) == interval {
            peak.rise_to(ms);
            return;
        }
        let next = (newest + 1) % KEPT;
        let oldest = &self.all[next];
        if oldest.interval.load(Ordering::Relaxed) != 0 {
            // Of a recorder whose frames have many intervals, the call remains in its frame.
            self.all[(next + 1) % KEPT].rise_to(oldest.longest());
        }
        oldest.interval.store(0, Ordering::Relaxed);
        // A reader that sees the new call does not see the old interval.
        fence(Ordering::Release);
        oldest.longest.store(ms.to_bits(), Ordering::Relaxed);
        // Release, paired with the Acquire in `longest_of`: the call is visible with its interval.
        oldest.interval.store(interval, Ordering::Release);
        self.newest.store(next as u32, Ordering::Relaxed);
    }

    /// Returns the longest call of the intervals from `begin` up to `end`; `None` if there was none.
    pub(crate) fn longest_of(&self, begin: u64, end: u64) -> Option<f64> {
        let of_peak = |peak: &Peak| {
            let interval = peak.interval.load(Ordering::Acquire);
            let longest = peak.longest();
            fence(Ordering::Acquire);
            let is_same = peak.interval.load(Ordering::Relaxed) == interval;
            (is_same && interval != 0 && (begin..end).contains(&interval)).then_some(longest)
        };
        self.all.iter().filter_map(of_peak).reduce(f64::max)
    }
}

impl Peak {
    fn longest(&self) -> f64 {
        f64::from_bits(self.longest.load(Ordering::Relaxed))
    }

    fn rise_to(&self, ms: f64) {
        if ms > self.longest() {
            self.longest.store(ms.to_bits(), Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{KEPT, Peaks};

    #[test]
    fn the_longest_call_of_any_intervals_is_found_while_they_are_kept() {
        // Of each call: its interval, and its milliseconds.
        let calls: Vec<(u64, f64)> = (0..4000_u64)
            .map(|call| (1 + call / 3 * 2, (call * 7919 % 1009) as f64 - 20.0))
            .collect();
        let peaks = Peaks::new();
        for (at, (interval, ms)) in calls.iter().enumerate() {
            peaks.add_to(*interval, *ms);
            for width in [1, 2, 5, 2 * (KEPT as u64 - 1)] {
                let begin = (interval + 1).saturating_sub(width);
                let is_inside = |call: &&(u64, f64)| call.0 >= begin;
                let expected = calls[..=at].iter().filter(is_inside);
                let expected = expected.map(|call| call.1).reduce(f64::max);
                assert_eq!(
                    peaks.longest_of(begin, interval + 1),
                    expected,
                    "{at} {width}"
                );
            }
            let all = calls[..=at].iter().map(|call| call.1).reduce(f64::max);
            assert_eq!(peaks.longest_of(0, u64::MAX), all, "none is ever lost");
        }
        assert_eq!(peaks.longest_of(5, 5), None);
    }
}
