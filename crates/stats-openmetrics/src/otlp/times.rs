//! The start times of totals. A collector treats totals with a different start time as new.

use std::collections::HashMap;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::metric::Buckets;

/// The times of an export, in nanoseconds since 1970.
#[derive(Debug)]
pub(super) struct Times {
    /// The start of all totals except those of histograms.
    pub(super) begun: u64,
    /// The time of the previous export.
    previous: u64,
    pub(super) now: u64,
    /// By path, the buckets of a histogram in the last export, and the start of its run.
    histograms: HashMap<String, (Buckets, u64)>,
}

impl Times {
    /// Begins the totals now.
    pub(super) fn new() -> Self {
        let now = system_time();
        Self {
            begun: now,
            previous: now,
            now,
            histograms: HashMap::new(),
        }
    }

    /// Begins an export. Its time is later than that of the previous export, even if the clock of
    /// the system was set back.
    pub(super) fn begin_export(&mut self) {
        self.previous = self.now;
        self.now = system_time().max(self.previous + 1);
    }

    /// Returns when a histogram began. If any of its counts is smaller than in the previous export,
    /// a new run began, and its start is the time of that export.
    pub(super) fn begin_of(&mut self, path: &str, buckets: &Buckets) -> u64 {
        let Some((before, begun)) = self.histograms.get_mut(path) else {
            let first = (buckets.clone(), self.begun);
            self.histograms.insert(path.to_owned(), first);
            return self.begun;
        };
        if is_smaller(buckets, before) {
            *begun = self.previous;
        }
        before.clone_from(buckets);
        *begun
    }
}

/// Returns whether `now` has fewer samples than `before`, up to any bound.
fn is_smaller(now: &Buckets, before: &Buckets) -> bool {
    let up_to = |bound: f64| {
        let end = now.bounds.partition_point(|of_now| *of_now <= bound);
        // No sample is above the largest bound.
        let end = if end == now.bounds.len() {
            end + 1
        } else {
            end
        };
        now.counts[..end].iter().sum::<u64>()
    };
    let bounds = before.bounds.iter().chain([&f64::INFINITY]);
    let mut counted = bounds.zip(before.cumulative());
    counted.any(|(bound, count)| up_to(*bound) < count)
}

fn system_time() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buckets(bounds: &[f64], counts: &[u64]) -> Buckets {
        Buckets {
            bounds: bounds.to_vec(),
            counts: counts.to_vec(),
            ..Buckets::default()
        }
    }

    #[test]
    fn a_histogram_begins_again_if_any_count_is_smaller_than_before() {
        let before = || buckets(&[1.0, 2.0, 5.0], &[0, 4, 1, 0]);
        for (now, is_new) in [
            (before(), false),
            (buckets(&[1.0, 2.0, 5.0], &[0, 5, 1, 0]), false),
            (
                buckets(&[0.5, 1.0, 2.0, 5.0, 10.0], &[0, 1, 4, 1, 1, 0]),
                false,
            ),
            // Fewer samples in all.
            (buckets(&[0.0], &[0, 0]), true),
            (buckets(&[1.0, 2.0], &[0, 4, 0]), true),
            // More samples, but fewer of them are small.
            (buckets(&[1.0, 2.0, 5.0], &[0, 3, 9, 0]), true),
            (buckets(&[5.0, 10.0], &[3, 9, 0]), true),
        ] {
            let mut times = Times::new();
            let begun = times.begun;
            assert_eq!(times.begin_of("a", &before()), begun);
            times.begin_export();
            let first = times.now;
            times.begin_export();
            let expected = if is_new { first } else { begun };
            assert_eq!(times.begin_of("a", &now), expected, "{now:?}");
            times.begin_export();
            assert_eq!(
                times.begin_of("a", &now),
                expected,
                "it is the same run: {now:?}"
            );
            assert_eq!(times.begin_of("b", &now), begun);
        }
    }

    #[test]
    fn each_export_is_later_than_the_one_before() {
        let mut times = Times::new();
        times.now = u64::MAX / 2;
        for _ in 0..3 {
            let before = times.now;
            times.begin_export();
            assert!(times.now > before);
        }
    }
}
