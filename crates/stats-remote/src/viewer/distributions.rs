//! The distributions of the histograms that views show. The game sends those that were asked for lately.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use stats_core::Distribution;

use super::Instant;
use super::source::RemoteSource;
use crate::wire::distribution::{Gained, MAX_BUCKETS};
use crate::wire::to_game::ToGame;

/// How long a histogram is still sent after a view last showed it. A histogram that was shown since the
/// game was last told always counts, so a long frame of the viewer does not end it.
const STILL_SENT: Duration = Duration::from_millis(500);
/// The interval between two requests that tell the game which histograms to send.
const EVERY: Duration = Duration::from_millis(100);

/// The largest number of histograms that are sent at a time. The distributions of others are not known.
const MAX_HISTOGRAMS: usize = 64;

/// The histograms that were asked for.
#[derive(Debug, Default)]
pub(super) struct Distributions {
    /// By the viewer's number. A cell, because views ask while they read the source.
    asked: RefCell<BTreeMap<u32, Asked>>,
    /// When the game was told, and what.
    told: Option<Instant>,
    sent: Vec<u32>,
}

#[derive(Debug)]
struct Asked {
    asked: Instant,
    /// Whether it was asked for since the game was told.
    is_new: bool,
    /// For each bucket, a value in it and the number of its samples, in ascending order.
    buckets: Vec<(f64, u64)>,
    /// The distribution as of the last message; `None` before the first.
    known: Option<Distribution>,
}

impl Distributions {
    /// Forgets what the game was told on an earlier connection.
    pub(super) fn begin_connection(&mut self) {
        self.sent.clear();
    }

    /// Returns the distribution of a histogram as it was last sent, and asks for it.
    pub(super) fn ask(&self, series: u32) -> Option<Distribution> {
        let (mut asked, now) = (self.asked.borrow_mut(), Instant::now());
        if asked.len() >= MAX_HISTOGRAMS && !asked.contains_key(&series) {
            return None;
        }
        let of_series = asked.entry(series).or_insert_with(|| Asked {
            asked: now,
            is_new: true,
            buckets: Vec::new(),
            known: None,
        });
        (of_series.asked, of_series.is_new) = (now, true);
        of_series.known.clone()
    }

    /// Takes in what a histogram gained.
    pub(super) fn take(&mut self, series: u32, gained: Gained) {
        let Some(asked) = self.asked.get_mut().get_mut(&series) else {
            return;
        };
        if gained.is_new {
            asked.buckets.clear();
        }
        for (value, count) in gained.buckets {
            let at = (asked.buckets).binary_search_by(|(other, _)| other.total_cmp(&value));
            match at {
                Ok(at) => asked.buckets[at].1 = asked.buckets[at].1.saturating_add(count),
                Err(at) if asked.buckets.len() < MAX_BUCKETS => {
                    asked.buckets.insert(at, (value, count));
                }
                Err(_) => {}
            }
        }
        if let Some(summary) = gained.summary {
            let buckets = asked.buckets.iter().copied();
            asked.known = Distribution::from_parts(gained.precision, buckets, summary);
        }
    }
}

impl RemoteSource {
    /// Tells the game which histograms views show now.
    pub(super) fn sync_distributions(&mut self) {
        let (now, distributions) = (Instant::now(), &mut self.distributions);
        let is_recent = |told: Instant| now.saturating_duration_since(told) < EVERY;
        if distributions.told.is_some_and(is_recent) || self.status.error.is_some() {
            return;
        }
        distributions.told = Some(now);
        let asked = distributions.asked.get_mut();
        asked.retain(|_, asked| {
            std::mem::take(&mut asked.is_new)
                || now.saturating_duration_since(asked.asked) < STILL_SENT
        });
        let numbers = asked.keys().filter_map(|id| self.listing.to_game(*id));
        let mut numbers: Vec<u32> = numbers.collect();
        numbers.sort_unstable();
        if numbers != distributions.sent {
            self.link.send(ToGame::Histograms(numbers.clone()));
            distributions.sent = numbers;
        }
    }
}

#[cfg(test)]
mod tests {
    use stats_core::Precision;
    use stats_testing::{Random, rounds};

    use super::*;
    use crate::wire::to_viewer::{ToViewer, encode_gained};

    fn samples(random: &mut Random, len: usize) -> Distribution {
        let precisions = [
            Precision::TwoDigits,
            Precision::ThreeDigits,
            Precision::FourDigits,
        ];
        let mut samples = Distribution::new(precisions[random.index(3)]);
        for _ in 0..len {
            samples.record(match random.below(4) {
                0 => random.value(),
                1 => -1e16 * random.value(),
                2 => 0.0,
                _ => random.below(3000) as f64,
            });
        }
        samples
    }

    #[test]
    fn what_a_histogram_gained_gives_its_distribution_in_any_run() {
        let mut random = Random::new(12);
        for _ in 0..rounds(300) {
            let mut now = samples(&mut random, 0);
            let (mut sent, mut known) = (None, Distributions::default());
            known.ask(7);
            let mut parts_at_once = 0;
            for step in 0..6 {
                let more = [0, 1, 40, 4000][random.index(if step < 3 { 4 } else { 3 })];
                let more = samples(&mut random, more);
                match random.below(4) {
                    // Another run.
                    0 => now = more,
                    _ => now.merge(&more),
                }
                let parts = Gained::since(7, sent.as_ref(), &now);
                assert_eq!(parts.is_empty(), sent.as_ref() == Some(&now));
                parts_at_once = parts_at_once.max(parts.len());
                for part in parts {
                    let Ok(ToViewer::Gained(part)) = ToViewer::decode(&encode_gained(&part)) else {
                        panic!("it is what a histogram gained");
                    };
                    known.take(7, part);
                }
                assert_eq!(known.ask(7).as_ref(), Some(&now));
                sent = Some(now.clone());
            }
        }
    }
}
