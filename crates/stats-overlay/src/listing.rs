//! The listing of a source, copied once per generation into one string and sorted as the tree shows it.

use std::ops::Range;

use stats_core::{Kind, SeriesId, SeriesInfo, Source, Unit};

/// The segment under a timer that stands for its calls.
const CALLS: &str = "/calls";
/// The same where a series of its own has that path.
const CALLS_OF_TIMER: &str = "/calls (timer)";

/// The path of the timer whose calls have this path, if any have.
pub(crate) fn timer_of_calls(path: &str) -> Option<&str> {
    path.strip_suffix(CALLS).or_else(|| path.strip_suffix(CALLS_OF_TIMER))
}

/// One series of the listing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) id: SeriesId,
    pub(crate) kind: Kind,
    pub(crate) unit: Unit,
    pub(crate) budget: Option<f64>,
    path: (u32, u32),
    description: (u32, u32),
}

/// All series of a source, in the order of the tree.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    text: String,
    entries: Vec<Entry>,
}

impl Listing {
    /// Reads the whole listing: about 60 ms for 100,000 series in no order, so only when the generation changed.
    pub(crate) fn read(source: &dyn Source) -> Self {
        let mut listing = Self::default();
        source.for_each_series(&mut |info| listing.add(&info));
        listing.finish();
        listing
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn entry(&self, at: usize) -> &Entry {
        &self.entries[at]
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(crate) fn path(&self, at: usize) -> &str {
        self.slice(self.entries[at].path)
    }

    pub(crate) fn description(&self, at: usize) -> &str {
        self.slice(self.entries[at].description)
    }

    fn slice(&self, (start, end): (u32, u32)) -> &str {
        &self.text[start as usize..end as usize]
    }

    /// Adds a series, and the calls of a timer as its child.
    ///
    /// The text of a listing is addressed with 32 bits; what would go beyond 4 GiB is left out.
    fn add(&mut self, info: &SeriesInfo<'_>) {
        if self.text.len() + info.path.len() * 2 + info.description.len() + 16 > u32::MAX as usize {
            return;
        }
        let path = self.push_text(info.path);
        let description = self.push_text(info.description);
        self.entries.push(Entry {
            id: info.id,
            kind: info.kind,
            unit: info.unit,
            budget: info.budget,
            path: span(path.clone()),
            description: span(description),
        });
        if let Some(calls) = info.calls {
            let path = self.push_calls(path, CALLS);
            self.entries.push(Entry {
                id: calls,
                kind: Kind::TimerCalls,
                unit: Unit::Count,
                budget: None,
                path,
                description: (0, 0),
            });
        }
    }

    /// Appends the path of a timer's calls.
    fn push_calls(&mut self, timer: Range<usize>, suffix: &str) -> (u32, u32) {
        let start = self.text.len();
        self.text.extend_from_within(timer);
        self.text.push_str(suffix);
        span(start..self.text.len())
    }

    /// Sorts, and gives the calls of a timer another path where a series of its own has theirs.
    fn finish(&mut self) {
        self.sort();
        let mut shadowed = Vec::new();
        for at in 1..self.entries.len() {
            if self.path(at - 1) == self.path(at) {
                shadowed.extend([at - 1, at].into_iter().find(|&at| self.entries[at].kind == Kind::TimerCalls));
            }
        }
        for &at in &shadowed {
            let (start, end) = self.entries[at].path;
            let timer = start as usize..end as usize - CALLS.len();
            self.entries[at].path = self.push_calls(timer, CALLS_OF_TIMER);
        }
        if !shadowed.is_empty() {
            self.sort();
        }
    }

    fn push_text(&mut self, text: &str) -> Range<usize> {
        let start = self.text.len();
        self.text.push_str(text);
        start..self.text.len()
    }

    fn sort(&mut self) {
        let mut keys = Vec::with_capacity(self.text.len() * 2);
        let mut order: Vec<(u32, u32, u32)> = Vec::with_capacity(self.entries.len());
        for (at, entry) in self.entries.iter().enumerate() {
            let start = keys.len();
            push_sort_key(self.slice(entry.path), &mut keys);
            order.push((start as u32, keys.len() as u32, at as u32));
        }
        let key = |&(start, end, _): &(u32, u32, u32)| &keys[start as usize..end as usize];
        order.sort_by(|a, b| key(a).cmp(key(b)));
        self.entries = order.iter().map(|&(_, _, at)| self.entries[at as usize]).collect();
    }
}

fn span(range: Range<usize>) -> (u32, u32) {
    (range.start as u32, range.end as u32)
}

/// Appends bytes whose order is the order people expect: case aside, numbers by their value, a folder with all that is
/// in it together (what differs in case only must not be interleaved, so such a segment is spelled out behind its key).
fn push_sort_key(path: &str, key: &mut Vec<u8>) {
    const END_OF_FOLDED: u8 = 1;
    const END_OF_SEGMENT: u8 = 0;
    for segment in path.split('/') {
        let start = key.len();
        push_folded(segment.as_bytes(), key);
        let same = &key[start..] == segment.as_bytes();
        key.push(END_OF_FOLDED);
        if !same {
            key.extend(segment.bytes().map(|byte| byte.max(2)));
        }
        key.push(END_OF_SEGMENT);
    }
}

/// ASCII lower case; a run of digits becomes its length without leading zeros, then the digits.
fn push_folded(segment: &[u8], key: &mut Vec<u8>) {
    let mut at = 0;
    while at < segment.len() {
        let digits = segment[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            key.push(segment[at].to_ascii_lowercase().max(2));
            at += 1;
            continue;
        }
        let run = &segment[at..at + digits];
        let zeros = run.iter().take_while(|&&byte| byte == b'0').count();
        let number = &run[zeros..];
        // '0'..='9' sort among the other characters; the length goes behind the '0' so that 9 < 10.
        key.push(b'0');
        key.push((number.len() + 2).min(255) as u8);
        key.extend_from_slice(number);
        at += digits;
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::testing::Random;

    /// A listing of counters with these paths.
    pub(crate) fn listing_of(paths: &[&str]) -> Listing {
        let mut listing = Listing::default();
        for (number, path) in paths.iter().enumerate() {
            listing.add(&SeriesInfo::new(SeriesId::new(number as u32), path, Kind::Counter, Unit::Count));
        }
        listing.sort();
        listing
    }

    fn paths(listing: &Listing) -> Vec<&str> {
        (0..listing.len()).map(|at| listing.path(at)).collect()
    }

    #[test]
    fn paths_stand_in_the_order_people_expect() {
        let listing = listing_of(&["b", "enemy/10/count", "a!", "enemy/9/count", "A/x", "a", "a/b", "enemy/9", "Zoo", "yak"]);
        assert_eq!(paths(&listing), ["a", "a/b", "A/x", "a!", "b", "enemy/9", "enemy/9/count", "enemy/10/count", "yak", "Zoo"]);
    }

    #[test]
    fn what_shares_a_folder_stands_together() {
        let mut random = Random::new(3);
        for _ in 0..50 {
            let owned: Vec<String> = (0..200).map(|_| random.path()).collect();
            let listing = listing_of(&owned.iter().map(String::as_str).collect::<Vec<_>>());
            let sorted = paths(&listing);
            for path in &sorted {
                let prefix = path.split('/').next().unwrap();
                let inside = |path: &str| path.split('/').next() == Some(prefix);
                let first = sorted.iter().position(|path| inside(path)).unwrap();
                let last = sorted.iter().rposition(|path| inside(path)).unwrap();
                assert!(sorted[first..=last].iter().all(|path| inside(path)), "{prefix} is torn apart");
            }
        }
    }

    #[test]
    fn a_timer_brings_its_calls() {
        let mut listing = Listing::default();
        let mut info = SeriesInfo::new(SeriesId::new(1), "ai/paths", Kind::Timer, Unit::Milliseconds);
        info.calls = Some(SeriesId::new(2));
        listing.add(&info);
        listing.sort();
        assert_eq!(paths(&listing), ["ai/paths", "ai/paths/calls"]);
        assert_eq!(listing.entry(1).kind, Kind::TimerCalls);
        assert_eq!(timer_of_calls(listing.path(1)), Some("ai/paths"));
        assert_eq!(timer_of_calls("ai/paths"), None);
    }

    #[test]
    fn calls_and_a_counter_of_their_path_stand_apart() {
        for timer_first in [true, false] {
            let mut listing = Listing::default();
            let mut timer = SeriesInfo::new(SeriesId::new(1), "x", Kind::Timer, Unit::Milliseconds);
            timer.calls = Some(SeriesId::new(2));
            let counter = SeriesInfo::new(SeriesId::new(3), "x/calls", Kind::Counter, Unit::Count);
            let below = SeriesInfo::new(SeriesId::new(4), "x/calls/y", Kind::Counter, Unit::Count);
            for info in if timer_first { [&timer, &counter, &below] } else { [&below, &counter, &timer] } {
                listing.add(info);
            }
            listing.finish();
            assert_eq!(paths(&listing), ["x", "x/calls", "x/calls/y", "x/calls (timer)"]);
            let ids: Vec<u32> = listing.entries().iter().map(|entry| entry.id.number()).collect();
            assert_eq!(ids, [1, 3, 4, 2]);
            assert_eq!(timer_of_calls("x/calls (timer)"), Some("x"));
        }
    }
}
