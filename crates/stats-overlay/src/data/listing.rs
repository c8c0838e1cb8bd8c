//! The sorted copy of a source's listing.
//!
//! All paths are stored in one string and sorted in tree order. Changes in the source are merged
//! into the copy, so that a new series among 100,000 costs microseconds instead of a full sort.

use std::ops::Range;

use stats_core::{SeriesId, SeriesInfo, SeriesKind, Source, Unit};

use stats_ui::sort_key::push_sort_key;

/// The segments below a timer and a histogram that name their calls and samples, and the suffixes
/// used instead if another series has that path.
const CALLS: [&str; 2] = ["/calls", "/calls (timer)"];
const SAMPLES: [&str; 2] = ["/samples", "/samples (histogram)"];

/// The path of the timer or histogram whose calls or samples have this path, if there is one.
pub(super) fn recorder_of(path: &str) -> Option<&str> {
    let mut suffixes = CALLS.iter().chain(&SAMPLES);
    suffixes.find_map(|suffix| path.strip_suffix(suffix))
}

/// The path of the calls or samples of a series of this path and kind. `is_taken` returns whether
/// another series has a path.
pub(super) fn count_path(path: &str, kind: SeriesKind, is_taken: impl Fn(&str) -> bool) -> String {
    let [name, long_name] = suffixes(kind).map(|suffix| format!("{path}{suffix}"));
    if is_taken(&name) { long_name } else { name }
}

/// The suffixes of the calls or samples, by the kind of either series.
fn suffixes(kind: SeriesKind) -> [&'static str; 2] {
    match kind {
        SeriesKind::Histogram | SeriesKind::HistogramSamples => SAMPLES,
        _ => CALLS,
    }
}

/// Up to this many new series are always inserted one by one.
const MANY: usize = 64;

/// One series of the listing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) id: SeriesId,
    pub(crate) kind: SeriesKind,
    pub(crate) unit: Unit,
    pub(crate) budget: Option<f64>,
    path: (u32, u32),
    description: (u32, u32),
    unavailable: (u32, u32),
}

/// All series of a source. Entries keep their indices when others are added; the tree order is
/// stored separately.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    text: String,
    entries: Vec<Entry>,
    /// The entries in tree order.
    order: Vec<u32>,
    /// Indexed by the number of an id: the entry's index plus one, or 0 if there is none.
    entry_of_id: Vec<u32>,
}

/// The outcome of reading the changes of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Entries from this index on are new. Other entries may have a new unit, budget or
    /// description.
    Added(u32),
    /// The whole listing must be read: too much changed, or a change affects the paths of other
    /// entries.
    ReadAll,
}

impl Listing {
    /// Reads the whole listing. Takes about 60 ms for 100,000 unsorted series.
    pub(crate) fn read(source: &dyn Source) -> Self {
        let mut listing = Self::default();
        source.for_each_series(&mut |info| listing.add(&info));
        listing.finish();
        listing
    }

    /// Merges the changes since a generation of the source. Takes a few microseconds for a new
    /// series among 100,000.
    pub(crate) fn read_changes(&mut self, source: &dyn Source, since: u64) -> Change {
        let first = self.entries.len();
        let mut is_whole = true;
        let tells = source.for_each_change(since, &mut |info| {
            is_whole = is_whole && self.take_in(&info, first)
        });
        if tells && is_whole && self.order_new(first) {
            Change::Added(first as u32)
        } else {
            Change::ReadAll
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn entry(&self, at: u32) -> &Entry {
        &self.entries[at as usize]
    }

    /// All entries, in no particular order.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entries in tree order.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    pub(crate) fn path(&self, at: u32) -> &str {
        self.slice(self.entries[at as usize].path)
    }

    pub(crate) fn description(&self, at: u32) -> &str {
        self.slice(self.entries[at as usize].description)
    }

    /// Why a series has no values; empty if it has values.
    pub(crate) fn unavailable(&self, at: u32) -> &str {
        self.slice(self.entries[at as usize].unavailable)
    }

    /// The entry of an id.
    pub(crate) fn entry_of(&self, id: SeriesId) -> Option<u32> {
        self.entry_of_id.get(id.number() as usize)?.checked_sub(1)
    }

    /// The entry of a path.
    pub(crate) fn find(&self, path: &str) -> Option<u32> {
        let end = self.place_of(path);
        // The sort key does not distinguish control characters: a neighbor may have the path.
        self.order[end.saturating_sub(16)..end]
            .iter()
            .copied()
            .find(|&entry| self.path(entry) == path)
    }

    /// The entry of a path, or of the calls or samples that once had it: those of a histogram were
    /// named `calls`.
    pub(crate) fn find_renamed(&self, path: &str) -> Option<u32> {
        let today = || {
            let recorder = recorder_of(path)?;
            let kind = self.entry(self.find(recorder)?).kind;
            let path = count_path(recorder, kind, |path| {
                let found = self.find(path).map(|at| self.entry(at).kind);
                found.is_some_and(|kind| !kind.is_recording_count())
            });
            self.find(&path)
        };
        self.find(path).or_else(today)
    }

    /// The position at which a path is inserted: after those that compare equal.
    fn place_of(&self, path: &str) -> usize {
        let (mut wanted, mut key) = (Vec::new(), Vec::new());
        push_sort_key(path, &mut wanted);
        self.order.partition_point(|&entry| {
            key.clear();
            push_sort_key(self.path(entry), &mut key);
            key <= wanted
        })
    }

    /// Merges a new or changed series. Returns `false` if the change affects other entries.
    fn take_in(&mut self, info: &SeriesInfo<'_>, first_new: usize) -> bool {
        let Some(at) = self.entry_of(info.id) else {
            self.add(info);
            // Sorting everything is faster than inserting many entries one by one.
            return self.entries.len() - first_new <= MANY.max(first_new / 16);
        };
        if self.path(at) != info.path || self.entry(at).kind != info.kind {
            return false;
        }
        if self.description(at) != info.description.unwrap_or_default() {
            let description = span(self.push_text(info.description.unwrap_or_default()));
            self.entries[at as usize].description = description;
        }
        if self.unavailable(at) != info.unavailable.unwrap_or_default() {
            self.set_unavailable(at, info);
        }
        let entry = &mut self.entries[at as usize];
        (entry.unit, entry.budget) = (info.unit, info.budget);
        true
    }

    /// Stores why a series, and thus its calls, has no values.
    fn set_unavailable(&mut self, at: u32, info: &SeriesInfo<'_>) {
        let unavailable = span(self.push_text(info.unavailable.unwrap_or_default()));
        self.entries[at as usize].unavailable = unavailable;
        if let Some(calls) = info.calls.and_then(|calls| self.entry_of(calls)) {
            self.entries[calls as usize].unavailable = unavailable;
        }
    }

    /// Inserts the entries from `first` on into the order. Returns `false` if two entries have the
    /// same path.
    fn order_new(&mut self, first: usize) -> bool {
        let mut places: Vec<(usize, u32)> = Vec::new();
        for entry in first as u32..self.entries.len() as u32 {
            places.push((self.place_of(self.path(entry)), entry));
        }
        let mut keys = (Vec::new(), Vec::new());
        places.sort_by(|a, b| {
            keys.0.clear();
            keys.1.clear();
            push_sort_key(self.path(a.1), &mut keys.0);
            push_sort_key(self.path(b.1), &mut keys.1);
            a.0.cmp(&b.0)
                .then_with(|| keys.0.cmp(&keys.1))
                .then(a.1.cmp(&b.1))
        });
        // From the end, so that each existing entry moves once.
        let mut end = self.order.len();
        self.order.resize(end + places.len(), 0);
        for (before, &(place, entry)) in places.iter().enumerate().rev() {
            self.order.copy_within(place..end, place + before + 1);
            self.order[place + before] = entry;
            end = place;
        }
        !places
            .iter()
            .enumerate()
            .any(|(before, &(place, _))| self.clashes(place + before))
    }

    /// Whether the entry at a position has the same path as a neighbor.
    fn clashes(&self, place: usize) -> bool {
        let path = |place: usize| self.order.get(place).map(|&entry| self.path(entry));
        path(place) == path(place + 1) || (place > 0 && path(place) == path(place - 1))
    }

    fn slice(&self, (start, end): (u32, u32)) -> &str {
        &self.text[start as usize..end as usize]
    }

    /// Adds a series and, for a timer or a histogram, its calls or samples as a child.
    ///
    /// Offsets into the text have 32 bits; series beyond 4 GiB of text are left out.
    fn add(&mut self, info: &SeriesInfo<'_>) {
        if self.text.len()
            + info.path.len() * 2
            + info.description.map_or(0, str::len)
            + info.unavailable.map_or(0, str::len)
            + 16
            > u32::MAX as usize
        {
            return;
        }
        let path = self.push_text(info.path);
        let description = self.push_text(info.description.unwrap_or_default());
        let unavailable = span(self.push_text(info.unavailable.unwrap_or_default()));
        self.push(Entry {
            id: info.id,
            kind: info.kind,
            unit: info.unit,
            budget: info.budget,
            path: span(path.clone()),
            description: span(description),
            unavailable,
        });
        if let Some(calls) = info.calls {
            let kind = match info.kind {
                SeriesKind::Histogram => SeriesKind::HistogramSamples,
                _ => SeriesKind::TimerCalls,
            };
            let path = self.push_count(path, suffixes(kind)[0]);
            self.push(Entry {
                id: calls,
                kind,
                unit: Unit::Count,
                budget: None,
                path,
                description: (0, 0),
                unavailable,
            });
        }
    }

    fn push(&mut self, entry: Entry) {
        let number = entry.id.number() as usize;
        if number >= self.entry_of_id.len() {
            self.entry_of_id.resize(number + 1, 0);
        }
        self.entries.push(entry);
        self.entry_of_id[number] = self.entries.len() as u32;
    }

    /// Appends the path of a series' calls or samples.
    fn push_count(&mut self, of: Range<usize>, suffix: &str) -> (u32, u32) {
        let start = self.text.len();
        self.text.extend_from_within(of);
        self.text.push_str(suffix);
        span(start..self.text.len())
    }

    /// Sorts the entries, and renames calls and samples if another series has their path.
    fn finish(&mut self) {
        self.sort();
        let mut shadowed: Vec<usize> = Vec::new();
        for pair in self.order.windows(2) {
            if self.path(pair[0]) == self.path(pair[1]) {
                let count = pair
                    .iter()
                    .find(|&&at| self.entry(at).kind.is_recording_count());
                shadowed.extend(count.map(|&at| at as usize));
            }
        }
        for &at in &shadowed {
            let Entry { path, kind, .. } = self.entries[at];
            let [suffix, long_suffix] = suffixes(kind);
            let of = path.0 as usize..path.1 as usize - suffix.len();
            self.entries[at].path = self.push_count(of, long_suffix);
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
        self.order = order.iter().map(|&(_, _, at)| at).collect();
    }
}

fn span(range: Range<usize>) -> (u32, u32) {
    (range.start as u32, range.end as u32)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use stats_testing::Random;

    /// A listing of counters with these paths.
    pub(crate) fn listing_of(paths: &[&str]) -> Listing {
        let mut listing = Listing::default();
        for (number, path) in paths.iter().enumerate() {
            listing.add(&SeriesInfo::new(
                SeriesId::new(number as u32),
                path,
                SeriesKind::Counter,
                Unit::Count,
            ));
        }
        listing.sort();
        listing
    }

    fn paths(listing: &Listing) -> Vec<&str> {
        listing.order().iter().map(|&at| listing.path(at)).collect()
    }

    #[test]
    fn paths_sort_in_the_order_people_expect() {
        let listing = listing_of(&[
            "b",
            "enemy/10/count",
            "a!",
            "enemy/9/count",
            "A/x",
            "a",
            "a/b",
            "enemy/9",
            "Zoo",
            "yak",
        ]);
        assert_eq!(
            paths(&listing),
            [
                "a",
                "a/b",
                "A/x",
                "a!",
                "b",
                "enemy/9",
                "enemy/9/count",
                "enemy/10/count",
                "yak",
                "Zoo"
            ]
        );
    }

    #[test]
    fn paths_of_one_folder_are_adjacent() {
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
                assert!(
                    sorted[first..=last].iter().all(|path| inside(path)),
                    "{prefix} is not contiguous"
                );
            }
        }
    }

    #[test]
    fn a_timer_adds_its_calls() {
        let mut listing = Listing::default();
        let mut info = SeriesInfo::new(
            SeriesId::new(1),
            "ai/paths",
            SeriesKind::Timer,
            Unit::Milliseconds,
        );
        info.calls = Some(SeriesId::new(2));
        listing.add(&info);
        listing.sort();
        assert_eq!(paths(&listing), ["ai/paths", "ai/paths/calls"]);
        assert_eq!(listing.entry(1).kind, SeriesKind::TimerCalls);
        assert_eq!(recorder_of(listing.path(1)), Some("ai/paths"));
        assert_eq!(recorder_of("ai/paths"), None);
    }

    #[test]
    fn a_series_and_its_calls_keep_the_reason_for_having_no_values() {
        let mut listing = Listing::default();
        let mut info = SeriesInfo::new(
            SeriesId::new(1),
            "gpu/frame",
            SeriesKind::Timer,
            Unit::Milliseconds,
        );
        info.calls = Some(SeriesId::new(2));
        info.unavailable = Some("not here");
        listing.add(&info);
        listing.add(&SeriesInfo::new(
            SeriesId::new(3),
            "gpu/more",
            SeriesKind::Timer,
            Unit::Milliseconds,
        ));
        let reasons = |listing: &Listing| [0, 1, 2].map(|at| listing.unavailable(at).to_owned());
        assert_eq!(reasons(&listing), ["not here", "not here", ""]);
        for reason in [None, Some("another reason"), Some("another reason")] {
            info.unavailable = reason;
            assert!(listing.take_in(&info, 3));
            let reason = reason.unwrap_or_default();
            assert_eq!(reasons(&listing), [reason, reason, ""]);
        }
    }

    #[test]
    fn a_histogram_adds_its_samples_which_are_found_by_their_former_path() {
        let mut listing = Listing::default();
        let mut sizes = SeriesInfo::new(
            SeriesId::new(1),
            "sizes",
            SeriesKind::Histogram,
            Unit::Bytes,
        );
        sizes.calls = Some(SeriesId::new(2));
        listing.add(&sizes);
        listing.finish();
        assert_eq!(paths(&listing), ["sizes", "sizes/samples"]);
        assert_eq!(listing.entry(1).kind, SeriesKind::HistogramSamples);
        for path in ["sizes/samples", "sizes/calls", "sizes/calls (timer)"] {
            assert_eq!(listing.find_renamed(path), Some(1), "{path}");
        }
        assert_eq!(listing.find_renamed("other/calls"), None);
    }

    #[test]
    fn calls_or_samples_and_a_counter_with_their_path_are_distinct() {
        for (kind, [name, long_name]) in
            [(SeriesKind::Timer, CALLS), (SeriesKind::Histogram, SAMPLES)]
        {
            let mut recorder = SeriesInfo::new(SeriesId::new(1), "x", kind, Unit::Milliseconds);
            recorder.calls = Some(SeriesId::new(2));
            let (path, below) = (format!("x{name}"), format!("x{name}/y"));
            let counter = |id, path| {
                SeriesInfo::new(SeriesId::new(id), path, SeriesKind::Counter, Unit::Count)
            };
            let (counter, below) = (counter(3, &path), counter(4, &below));
            for infos in [[&recorder, &counter, &below], [&below, &counter, &recorder]] {
                let mut listing = Listing::default();
                infos.into_iter().for_each(|info| listing.add(info));
                listing.finish();
                let renamed = format!("x{long_name}");
                assert_eq!(paths(&listing), ["x", counter.path, below.path, &renamed]);
                let ids: Vec<u32> = listing
                    .order()
                    .iter()
                    .map(|&at| listing.entry(at).id.number())
                    .collect();
                assert_eq!(ids, [1, 3, 4, 2]);
                assert_eq!(recorder_of(&renamed), Some("x"));
                let is_taken = |path: &str| path == counter.path;
                assert_eq!(count_path("x", kind, is_taken), renamed);
                assert_eq!(count_path("x", kind, |_| false), path);
            }
        }
    }
}
