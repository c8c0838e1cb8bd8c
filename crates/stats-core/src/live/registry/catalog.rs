//! The entries of the registry: slots by path, and the facts about each series.
//!
//! - [`registration`]: new series, and facts about known ones.
//! - [`budgets`]: budgets that are set from outside.
//! - [`problems`]: what is wrong with registrations and values.

mod budgets;
mod problems;
mod registration;

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

use super::index::Index;
use super::own_series::OWN_SERIES;
use super::spec::Meta;
use super::text::Text;
use crate::live::counter::{self, BLOCK_CELLS, SINK, Spot};
use crate::live::scopes::Origin;
use crate::series::repaired;
use crate::{Problem, SeriesId, SeriesInfo, SeriesKind, Unit};
use budgets::Budgets;

/// Entries are kept in chunks, so that growing copies nothing and wastes at most one chunk.
const CHUNK: usize = 256;

/// The facts that every slot has, in 24 bytes. The path is empty if the slot has no series of its
/// own.
#[derive(Clone, Copy, Debug)]
struct Entry {
    path: &'static str,
    kind: SeriesKind,
    is_late: bool,
    is_wait: bool,
    /// The number of a histogram, also of the one with the calls of a timer, or of a total that a
    /// function reads; 0 for all other series.
    number: u16,
}

/// The slots of a timer: milliseconds, calls, self time, and [where it last ran](Origin).
const TIMER_SLOTS: u32 = 4;

const HOLE: Entry = Entry {
    path: "",
    kind: SeriesKind::TimerCalls,
    is_late: false,
    is_wait: false,
    number: 0,
};

/// All registered series.
#[derive(Debug, Default)]
pub(crate) struct Catalog {
    entries: Vec<Box<[Entry]>>,
    slots: u32,
    /// The number of slots that are listed.
    listed: u32,
    histograms: u16,
    /// The number of totals that a function reads.
    thread_totals: u16,
    /// The slot of each change that a reader of the listing would see, oldest first; [`SINK`] for a
    /// change that concerns no single series. Its length is the generation.
    changes: Vec<u32>,
    index: Index,
    hasher: RandomState,
    text: Text,
    metas: HashMap<u32, Meta<'static>>,
    /// The reasons why some series have no values, by slot.
    unavailable: HashMap<u32, &'static str>,
    budgets: Budgets,
    problems: Vec<Problem>,
}

impl Catalog {
    /// Returns a catalog of the core's own series.
    pub(super) fn new() -> Box<Self> {
        let mut catalog = Box::<Self>::default();
        for slot in SINK..SINK + TIMER_SLOTS {
            debug_assert_eq!(slot, catalog.slots);
            catalog.push(HOLE);
        }
        for own in &OWN_SERIES {
            debug_assert_eq!(own.slot, catalog.slots);
            catalog.add(Entry {
                path: own.path,
                kind: own.kind,
                ..HOLE
            });
            let meta = Meta {
                unit: Some(own.unit),
                description: Some(own.description),
                ..Meta::default()
            };
            catalog.metas.insert(own.slot, meta);
        }
        catalog
    }

    pub(super) fn slots(&self) -> u32 {
        self.slots
    }

    pub(crate) fn listed(&self) -> u32 {
        self.listed
    }

    /// Returns the number of histograms. They are numbered from 1.
    pub(crate) fn histograms(&self) -> u16 {
        self.histograms
    }

    pub(super) fn generation(&self) -> u64 {
        self.changes.len() as u64
    }

    /// Returns whether the time of a timer is waiting.
    pub(crate) fn is_wait(&self, slot: u32) -> bool {
        self.entry(slot).is_some_and(|entry| entry.is_wait)
    }

    /// Sets the reason why a registered series has no values; `None` if it has values.
    pub(crate) fn set_unavailable(&mut self, slot: u32, reason: Option<&'static str>) {
        if self.kind(slot).is_none() {
            return;
        }
        let before = match reason {
            None => self.unavailable.remove(&slot),
            Some(reason) => self.unavailable.insert(slot, reason),
        };
        if before != reason {
            self.changes.push(slot);
        }
    }

    fn unit(&self, slot: u32, kind: SeriesKind) -> Unit {
        let given = self.metas.get(&slot).and_then(|meta| meta.unit);
        given.unwrap_or(match kind {
            SeriesKind::Timer => Unit::Milliseconds,
            _ => Unit::Count,
        })
    }

    /// Returns the slot of a path, which is repaired as at registration.
    pub(crate) fn find(&self, path: &str) -> Option<u32> {
        let path = repaired(path);
        let hash = self.hasher.hash_one(&*path);
        self.index.find(hash, |slot| {
            self.entry(slot).is_some_and(|entry| entry.path == path)
        })
    }

    /// Returns the kind of the series in a slot; `None` if there is none.
    pub(crate) fn kind(&self, slot: u32) -> Option<SeriesKind> {
        self.entry(slot)
            .filter(|entry| !entry.path.is_empty())
            .map(|entry| entry.kind)
    }

    /// Returns the path of the series in a slot; `None` if there is none.
    fn path(&self, slot: u32) -> Option<&'static str> {
        self.entry(slot)
            .map(|entry| entry.path)
            .filter(|path| !path.is_empty())
    }

    /// Returns whether the values of a slot's series are deferred.
    pub(crate) fn is_late(&self, slot: u32) -> bool {
        self.entry(slot).is_some_and(|entry| entry.is_late)
    }

    /// Returns the number of the histogram that a slot belongs to, as its samples or as their
    /// count, or of a total that a function reads; 0 for all other slots.
    pub(crate) fn number(&self, slot: u32) -> u16 {
        self.entry(slot).map_or(0, |entry| entry.number)
    }

    /// Fills `page` with listed series of these slots. Returns the slot to continue from, or
    /// `slots.start` if none is left.
    pub(crate) fn list(&mut self, slots: Range<u32>, page: &mut Vec<SeriesInfo<'static>>) -> u32 {
        self.ask_for_budgets();
        let until = self.page_end(slots.start).min(slots.end);
        page.extend((slots.start..until).filter_map(|slot| self.info(slot)));
        until.max(slots.start)
    }

    /// Returns the listed series of a slot; `None` if it has none.
    pub(super) fn listed_in(&mut self, slot: u32) -> Option<SeriesInfo<'static>> {
        self.ask_for_budgets();
        self.info(slot)
    }

    /// Calls `visit` for some slots from `from` on, with the facts that a reader of their values
    /// needs. Returns the slot to continue from, or `from` if none is left. `visit` runs under the
    /// lock.
    pub(crate) fn for_some_slots(
        &self,
        from: u32,
        visit: &mut dyn FnMut(u32, Option<SeriesKind>, bool, u16),
    ) -> u32 {
        let until = self.page_end(from).max(from);
        for slot in from..until {
            let entry = self.entry(slot).unwrap_or(HOLE);
            let kind = Some(entry.kind).filter(|_| !entry.path.is_empty());
            visit(slot, kind, entry.is_late, entry.number);
        }
        until
    }

    /// Returns the slot after those that are read under one lock.
    fn page_end(&self, from: u32) -> u32 {
        from.saturating_add(CHUNK as u32).min(self.slots)
    }

    /// Fills `page` with series that changed after the generation `since`. Returns the generation
    /// to continue from, or `since` if no change is left.
    pub(crate) fn changes(&mut self, since: u64, page: &mut Vec<SeriesInfo<'static>>) -> u64 {
        self.ask_for_budgets();
        let from = usize::try_from(since)
            .unwrap_or(usize::MAX)
            .min(self.changes.len());
        let until = (from + CHUNK).min(self.changes.len());
        page.extend(
            self.changes[from..until]
                .iter()
                .filter_map(|&slot| self.info(slot)),
        );
        if from == until { since } else { until as u64 }
    }

    fn add(&mut self, entry: Entry) -> u32 {
        let slot = self.slots;
        self.push(entry);
        self.budgets.ask_later(slot);
        self.listed += 1;
        self.index.insert(self.hasher.hash_one(entry.path), slot);
        self.changes.push(slot);
        slot
    }

    fn push(&mut self, entry: Entry) {
        let (chunk, at) = position(self.slots);
        if chunk == self.entries.len() {
            // Not an array in a box, which would first take its place on the stack.
            self.entries.push(vec![HOLE; CHUNK].into());
        }
        self.entries[chunk][at] = entry;
        self.slots += 1;
    }

    fn entry(&self, slot: u32) -> Option<Entry> {
        let (chunk, at) = position(slot);
        (slot < self.slots).then(|| self.entries[chunk][at])
    }

    fn info(&self, slot: u32) -> Option<SeriesInfo<'static>> {
        let entry = self.entry(slot)?;
        if entry.path.is_empty() || entry.kind.is_companion() {
            return None;
        }
        let is_timer = entry.kind == SeriesKind::Timer;
        let meta = self.metas.get(&slot).copied().unwrap_or_default();
        let has_scopes = is_timer && !entry.is_late;
        let origin = if has_scopes { origin(slot) } else { None };
        Some(SeriesInfo {
            id: SeriesId::new(slot),
            path: entry.path,
            kind: entry.kind,
            unit: self.unit(slot, entry.kind),
            budget: self.budgets.get(slot).or(meta.budget),
            description: meta.description,
            unavailable: self.unavailable.get(&slot).copied(),
            calls: entry
                .kind
                .recording_count()
                .map(|_| SeriesId::new(slot + 1)),
            self_time: has_scopes.then(|| SeriesId::new(slot + 2)),
            parent: origin
                .and_then(Origin::around)
                .filter(|around| *around != slot)
                .map(SeriesId::new),
            thread: origin.and_then(|origin| origin.thread().name()),
            is_wait: entry.is_wait,
            is_deferred: entry.is_late,
        })
    }
}

/// Returns where the timer in a slot last ran.
fn origin(slot: u32) -> Option<Origin> {
    let spot = Spot::of(slot + TIMER_SLOTS - 1);
    Origin::newest(|visit| {
        counter::for_each_block(slot as usize / BLOCK_CELLS, |block| {
            if let Some(origin) = Origin::from_f64(block.cell(spot.offset()).get()) {
                visit(origin);
            }
        });
    })
}

/// Returns the chunk of a slot and its position there.
fn position(slot: u32) -> (usize, usize) {
    (slot as usize / CHUNK, slot as usize % CHUNK)
}
