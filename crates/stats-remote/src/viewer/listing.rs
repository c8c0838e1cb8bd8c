//! The listing of the series, numbered by the viewer.
//!
//! A game that was started again numbers its series anew. The viewer keeps its own numbers, by path,
//! so that views go on with what they show.

use std::collections::HashMap;

use stats_core::SeriesInfo;

use crate::wire::listing::Entry;

/// The most series: those of the core.
const MAX_SERIES: usize = stats_core::limits::MAX_SERIES;

/// The most bytes of all texts. Series beyond it are not listed.
const MAX_BYTES: usize = 256 << 20;

/// All series that a game ever listed.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// By the viewer's number; `None` for a series that is listed as a part of another.
    entries: Vec<Option<Listed>>,
    by_path: HashMap<String, u32>,
    /// The number in the game, by the viewer's number, and the other way around.
    to_game: Vec<Option<u32>>,
    from_game: HashMap<u32, u32>,
    /// The bytes of the texts in `entries` and `by_path`, which keeps the paths of removed entries.
    bytes: usize,
    pub(super) generation: u64,
    /// Whether the game has listed all series that it had when it was asked.
    pub(super) is_complete: bool,
}

#[derive(Debug)]
struct Listed {
    /// With the viewer's numbers.
    entry: Entry,
    generation: u64,
}

impl Listing {
    /// Forgets the numbers of the game, which was started again.
    pub(super) fn begin_session(&mut self) {
        self.is_complete = false;
        self.to_game.fill(None);
        self.from_game.clear();
    }

    /// Adds series, or changes them.
    pub(super) fn add(&mut self, entries: Vec<Entry>) {
        if entries.is_empty() {
            return;
        }
        self.generation += 1;
        for entry in entries {
            self.add_one(entry);
        }
    }

    fn add_one(&mut self, mut entry: Entry) {
        let known = self.by_path.get(&entry.path).copied();
        let taken = known.or_else(|| self.of_game(entry.id));
        let replaced = taken.and_then(|number| self.entries[number as usize].as_ref());
        let replaced = replaced.map_or(0, |listed| text_bytes(&listed.entry));
        let key = if known.is_some() { 0 } else { entry.path.len() };
        let bytes = self.bytes - replaced + key + text_bytes(&entry);
        if bytes > MAX_BYTES {
            return;
        }
        let Some(number) = taken.or_else(|| self.number_of(entry.id)) else {
            return;
        };
        self.bytes = bytes;
        self.join(number, entry.id);
        let before = self.entries[number as usize].take();
        let before = before.as_ref().map(|listed| &listed.entry);
        let parts = [entry.calls, entry.self_time];
        let own = [
            before.and_then(|e| e.calls),
            before.and_then(|e| e.self_time),
        ];
        let [calls, self_time] = std::array::from_fn(|at| {
            let of_game = parts[at]?;
            if let Some(own) = own[at] {
                self.join(own, of_game);
            }
            self.number_of(of_game)
        });
        entry.id = number;
        (entry.calls, entry.self_time) = (calls, self_time);
        entry.parent = entry.parent.and_then(|parent| self.number_of(parent));
        if known.is_none() {
            self.by_path.insert(entry.path.clone(), number);
        }
        self.entries[number as usize] = Some(Listed {
            entry,
            generation: self.generation,
        });
    }

    /// Returns the viewer's number of a series, and gives it one if it has none; `None` if there are
    /// too many.
    pub(super) fn number_of(&mut self, of_game: u32) -> Option<u32> {
        if let Some(number) = self.from_game.get(&of_game) {
            return Some(*number);
        }
        if self.entries.len() == MAX_SERIES {
            return None;
        }
        let number = self.entries.len() as u32;
        self.entries.push(None);
        self.to_game.push(None);
        self.join(number, of_game);
        Some(number)
    }

    fn join(&mut self, number: u32, of_game: u32) {
        self.to_game[number as usize] = Some(of_game);
        self.from_game.insert(of_game, number);
    }

    /// Returns the number of a series in the game; `None` if this game does not have it.
    pub(super) fn to_game(&self, number: u32) -> Option<u32> {
        self.to_game.get(number as usize).copied().flatten()
    }

    /// Returns the viewer's number of a series of the game.
    pub(super) fn of_game(&self, of_game: u32) -> Option<u32> {
        self.from_game.get(&of_game).copied()
    }

    pub(super) fn find(&self, path: &str) -> Option<u32> {
        self.by_path.get(path).copied()
    }

    /// Returns the end of the numbers in use.
    pub(super) fn end(&self) -> u32 {
        self.entries.len() as u32
    }

    /// Returns the entry of a series that is listed by itself.
    pub(super) fn get(&self, number: u32) -> Option<SeriesInfo<'_>> {
        let listed = self.entries.get(number as usize)?.as_ref()?;
        Some(listed.entry.info())
    }

    /// Returns the series that were listed since a generation.
    pub(super) fn changed_since(&self, generation: u64) -> impl Iterator<Item = SeriesInfo<'_>> {
        let listed = self.entries.iter().flatten();
        let changed = listed.filter(move |listed| listed.generation > generation);
        changed.map(|listed| listed.entry.info())
    }

    /// Returns whether values of a series arrive late. A series that is a part of another is like it.
    pub(super) fn is_deferred(&self, number: u32) -> bool {
        if let Some(info) = self.get(number) {
            return info.is_deferred;
        }
        let is_part = |info: &SeriesInfo<'_>| {
            let parts = [info.calls, info.self_time];
            parts
                .into_iter()
                .flatten()
                .any(|part| part.number() == number)
        };
        let mut all = self.changed_since(0);
        all.find(is_part).is_some_and(|info| info.is_deferred)
    }
}

pub(super) fn text_bytes(entry: &Entry) -> usize {
    let texts = [&entry.description, &entry.unavailable, &entry.thread];
    let texts = texts.into_iter().flatten().map(String::len);
    entry.path.len() + texts.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use stats_core::{SeriesKind, Unit};

    use super::*;

    fn entry(id: u32, path: impl Into<String>) -> Entry {
        Entry {
            id,
            kind: SeriesKind::Counter,
            unit: Unit::Count,
            path: path.into(),
            budget: None,
            description: None,
            unavailable: None,
            calls: None,
            self_time: None,
            parent: None,
            thread: None,
            is_wait: false,
            is_deferred: false,
        }
    }

    #[test]
    fn texts_of_a_game_take_a_bounded_amount_of_memory() {
        let mut listing = Listing::default();
        let mib = |count: usize| "x".repeat(count << 20);
        let described = |id, path: &str, count| {
            let mut entry = entry(id, path);
            entry.description = Some(mib(count));
            entry
        };
        listing.add(vec![entry(0, mib(50)), described(1, "a", 100)]);
        assert_eq!(listing.bytes, (200 << 20) + 2);
        // Too much, alone or instead of another.
        listing.add(vec![entry(2, mib(30)), described(1, "a", 157)]);
        assert_eq!((listing.bytes, listing.end()), ((200 << 20) + 2, 2));
        // Fewer bytes replace more.
        listing.add(vec![described(1, "a", 50), entry(3, "b")]);
        assert_eq!(listing.bytes, (150 << 20) + 4);
        assert!(listing.find("b").is_some());
        // A number that gets other paths frees nothing of the paths before.
        for number in 0..200 {
            let path = format!("{number:03}{}", mib(1));
            listing.add(vec![entry(3, path)]);
            assert!(listing.bytes <= MAX_BYTES);
        }
        let keys: usize = listing.by_path.keys().map(String::len).sum();
        let entries = listing.entries.iter().flatten();
        let entries: usize = entries.map(|listed| text_bytes(&listed.entry)).sum();
        assert_eq!(keys + entries, listing.bytes);
    }
}
