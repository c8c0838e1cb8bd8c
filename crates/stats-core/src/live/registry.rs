//! Every series that was ever registered: slots by path, and what is known of each.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use super::index::Index;
use super::layout::{HISTOGRAMS, SINK, SLOTS};
use super::own_series::OWN_SERIES;
use super::shards;
use super::spec::{Meta, Path, Spec};
use super::sync::{AtomicU64, Mutex, MutexGuard, Ordering};
use super::text::Text;
use crate::{Precision, Problem, SeriesId, SeriesInfo, SeriesKind, Unit, path};

/// Problems that are kept; by then the first few tell the story.
const KEPT_PROBLEMS: usize = 256;

/// What every slot has, in 24 bytes. The path is empty for slots that are no series of their own.
#[derive(Clone, Copy, Debug)]
struct Entry {
    path: &'static str,
    kind: SeriesKind,
    is_late: bool,
    /// The number of a histogram; 0 for all else.
    histogram: u16,
}

/// Paths to slots. The program has one; the models make their own.
#[derive(Debug)]
pub(crate) struct Registry {
    state: Mutex<State>,
    generation: AtomicU64,
    problems: AtomicU64,
    listed: AtomicU64,
    slots: AtomicU64,
}

#[derive(Debug, Default)]
struct State {
    entries: Vec<Box<[Entry; CHUNK]>>,
    slots: u32,
    /// How many of the slots are listed.
    listed: u32,
    histograms: u16,
    /// The slot of each change that a reader of the listing would see, oldest first; [`SINK`] where
    /// no series changed. Its length is the generation.
    changes: Vec<u32>,
    index: Index,
    hasher: RandomState,
    text: Text,
    metas: HashMap<u32, Meta<'static>>,
    /// Why some series have no values, by slot.
    unavailable: HashMap<u32, &'static str>,
    problems: Vec<Problem>,
}

/// Entries are kept in chunks, so that growing copies nothing and wastes at most one chunk.
const CHUNK: usize = 256;

const HOLE: Entry = Entry {
    path: "",
    kind: SeriesKind::TimerCalls,
    is_late: false,
    histogram: 0,
};

impl Registry {
    /// A registry that holds the core's own series alone.
    pub(crate) fn new() -> Self {
        let mut state = State::default();
        for slot in [SINK, SINK + 1] {
            debug_assert_eq!(slot, state.slots);
            state.push(HOLE);
        }
        for own in OWN_SERIES {
            debug_assert_eq!(own.slot, state.slots);
            state.add(Entry {
                path: own.path,
                kind: own.kind,
                is_late: false,
                histogram: 0,
            });
            let meta = Meta {
                unit: Some(own.unit),
                description: own.description,
                ..Meta::default()
            };
            state.metas.insert(own.slot, meta);
        }
        let (listed, slots) = (
            AtomicU64::new(state.listed.into()),
            AtomicU64::new(state.slots.into()),
        );
        Self {
            state: Mutex::new(state),
            generation: AtomicU64::new(0),
            problems: AtomicU64::new(0),
            listed,
            slots,
        }
    }

    /// The slot of a series, registered if need be. The same path always has the same slot.
    pub(crate) fn register(&self, spec: Spec<'_>) -> u32 {
        self.change(|state| state.register(spec))
    }

    /// Adds to what is known of a registered series.
    pub(crate) fn describe(&self, slot: u32, meta: Meta<'_>) {
        self.change(|state| {
            if state
                .entry(slot)
                .is_some_and(|entry| !entry.path.is_empty())
            {
                state.describe(slot, meta);
            }
        });
    }

    /// Fixes the precision of a registered histogram where nobody did.
    pub(crate) fn set_precision(&self, slot: u32, precision: Precision) {
        self.change(|state| state.set_precision(slot, Some(precision)));
    }

    /// Says why a registered series has no values; nothing where it has.
    pub(crate) fn set_unavailable(&self, slot: u32, reason: &'static str) {
        self.change(|state| {
            if state.entry(slot).is_none_or(|entry| entry.path.is_empty()) {
                return;
            }
            let before = if reason.is_empty() {
                state.unavailable.remove(&slot)
            } else {
                state.unavailable.insert(slot, reason)
            };
            if before.unwrap_or_default() != reason {
                state.changes.push(slot);
            }
        });
    }

    /// Reports that `given` is reserved, and that `used` was registered in its place.
    pub(crate) fn report_reserved_path(&self, given: &str, used: &str) {
        self.change(|state| {
            state.report(Problem::ReservedPath {
                given: excerpt(given),
                used: excerpt(used),
            });
        });
    }

    fn change<R>(&self, change: impl FnOnce(&mut State) -> R) -> R {
        let mut state = lock(&self.state);
        let result = change(&mut state);
        // Relaxed: numbers for people, and one that only grows and is known to whoever knows the
        // generation stored below.
        self.problems
            .store(state.problems.len() as u64, Ordering::Relaxed);
        self.listed.store(state.listed.into(), Ordering::Relaxed);
        self.slots.store(state.slots.into(), Ordering::Relaxed);
        // Release, paired with the Acquire in `generation`; the listing itself is read under the
        // lock.
        self.generation
            .store(state.changes.len() as u64, Ordering::Release);
        result
    }

    /// Changes whenever the listing does.
    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// How many problems are kept.
    pub(crate) fn problem_count(&self) -> u64 {
        self.problems.load(Ordering::Relaxed)
    }

    /// How many series are listed.
    pub(crate) fn listed_count(&self) -> u64 {
        self.listed.load(Ordering::Relaxed)
    }

    /// The problems found so far, once each, the first 256 of them.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        lock(&self.state).problems.clone()
    }

    /// The slots handed out so far, holes included.
    pub(crate) fn slots(&self) -> u32 {
        self.slots.load(Ordering::Relaxed) as u32
    }

    /// The slot registered under a path, which is repaired as at registration.
    pub(crate) fn find(&self, path: &str) -> Option<u32> {
        lock(&self.state).find(&path::repaired(path))
    }

    /// The kind of what a slot holds; `None` for slots that hold nothing.
    pub(crate) fn kind(&self, slot: u32) -> Option<SeriesKind> {
        lock(&self.state)
            .entry(slot)
            .filter(|entry| !entry.path.is_empty())
            .map(|entry| entry.kind)
    }

    /// Whether the values of a slot are known later.
    pub(crate) fn is_late(&self, slot: u32) -> bool {
        lock(&self.state)
            .entry(slot)
            .is_some_and(|entry| entry.is_late)
    }

    /// The number of the histogram that a slot belongs to, as the samples or their count; 0 where
    /// there is none.
    pub(crate) fn histogram(&self, slot: u32) -> u16 {
        lock(&self.state)
            .entry(slot)
            .map_or(0, |entry| entry.histogram)
    }

    /// How many histograms there are: they are numbered from 1 on.
    pub(crate) fn histograms(&self) -> u16 {
        lock(&self.state).histograms
    }

    /// Fills `page` with listed series from slot `from` on; the slot to go on from, which is `from`
    /// itself at the end.
    pub(crate) fn list(&self, from: u32, page: &mut Vec<SeriesInfo<'static>>) -> u32 {
        let state = lock(&self.state);
        let until = from.saturating_add(CHUNK as u32).min(state.slots);
        page.extend((from..until).filter_map(|slot| state.info(slot)));
        until
    }

    /// Fills `page` with series that changed after the generation `since`; the generation to go on
    /// from, which is `since` at the end.
    pub(crate) fn changes(&self, since: u64, page: &mut Vec<SeriesInfo<'static>>) -> u64 {
        let state = lock(&self.state);
        let from = usize::try_from(since)
            .unwrap_or(usize::MAX)
            .min(state.changes.len());
        let until = (from + CHUNK).min(state.changes.len());
        page.extend(
            state.changes[from..until]
                .iter()
                .filter_map(|&slot| state.info(slot)),
        );
        if from == until { since } else { until as u64 }
    }
}

impl State {
    fn register(&mut self, spec: Spec<'_>) -> u32 {
        let given = match spec.path {
            Path::Static(path) | Path::Borrowed(path) => path,
        };
        let path = path::repaired(given);
        if path != given {
            self.report(Problem::BadPath {
                given: excerpt(given),
                used: excerpt(&path),
            });
        }
        if let Some(slot) = self.find(&path) {
            return self.join(slot, spec);
        }
        if spec.kind == SeriesKind::Histogram && usize::from(self.histograms) == HISTOGRAMS - 2 {
            if !self
                .problems
                .iter()
                .any(|problem| matches!(problem, Problem::TooManyHistograms { .. }))
            {
                self.report(Problem::TooManyHistograms {
                    path: excerpt(&path),
                });
            }
            return SINK;
        }
        let Some(free) = self.free_slot(spec.kind) else {
            // Once: one path after the other would follow, and leave no room for anything else.
            if !self
                .problems
                .iter()
                .any(|problem| matches!(problem, Problem::Full { .. }))
            {
                self.report(Problem::Full {
                    path: excerpt(&path),
                });
            }
            return SINK;
        };
        while self.slots < free {
            self.push(HOLE);
        }
        let kept = match spec.path {
            Path::Static(given) if path == given => given,
            _ => self.text.keep(&path),
        };
        self.histograms += u16::from(spec.kind == SeriesKind::Histogram);
        let histogram = if spec.kind == SeriesKind::Histogram {
            self.histograms
        } else {
            0
        };
        let is_late = spec.is_late;
        let slot = self.add(Entry {
            path: kept,
            kind: spec.kind,
            is_late,
            histogram,
        });
        if spec.kind.has_calls() {
            self.push(Entry {
                path: kept,
                kind: SeriesKind::TimerCalls,
                is_late,
                histogram,
            });
        }
        // One change with the registration: nobody has listed it yet.
        self.learn(slot, spec.meta);
        self.set_precision(slot, spec.precision);
        slot
    }

    /// The slot for someone who registers a path that is there already.
    fn join(&mut self, slot: u32, spec: Spec<'_>) -> u32 {
        let Some(Entry {
            path,
            kind: first,
            is_late,
            ..
        }) = self.entry(slot)
        else {
            return SINK;
        };
        if first == spec.kind && is_late != spec.is_late {
            self.report(Problem::LateClash {
                path: excerpt(path),
                is_first_late: is_late,
            });
            return SINK;
        }
        if first == spec.kind {
            self.set_precision(slot, spec.precision);
            self.describe(slot, spec.meta);
            return slot;
        }
        self.report(Problem::KindClash {
            path: excerpt(path),
            first,
            second: spec.kind,
        });
        let is_sum = |kind| matches!(kind, SeriesKind::Counter | SeriesKind::UpDownCounter);
        let is_late = is_late || spec.is_late;
        if is_sum(first) && is_sum(spec.kind) && !is_late {
            slot
        } else {
            SINK
        }
    }

    /// Fixes the precision of a histogram where nobody did.
    fn set_precision(&mut self, slot: u32, precision: Option<Precision>) {
        let Entry {
            path, histogram, ..
        } = self.entry(slot).unwrap_or(HOLE);
        if let (Some(second), 1..) = (precision, histogram)
            && let Err(first) = shards::set_precision(usize::from(histogram), second)
        {
            self.report(Problem::PrecisionClash {
                path: excerpt(path),
                first,
                second,
            });
        }
    }

    /// Fills in what was not known, which is a change where there was anything.
    fn describe(&mut self, slot: u32, meta: Meta<'_>) {
        if self.learn(slot, meta) {
            self.changes.push(slot);
        }
    }

    /// Fills in what was not known; what was known stands, and another value for it is reported.
    /// Whether anything was filled in.
    fn learn(&mut self, slot: u32, meta: Meta<'_>) -> bool {
        if meta == Meta::default() {
            return false;
        }
        let path = self.entry(slot).map_or("", |entry| entry.path);
        let mut known = self.metas.get(&slot).copied().unwrap_or_default();
        if let (Some(first), Some(second)) = (known.unit, meta.unit)
            && first != second
        {
            self.report(Problem::UnitClash {
                path: excerpt(path),
                first,
                second,
            });
        }
        let budget = meta.budget.filter(|budget| budget.is_finite());
        if budget != meta.budget {
            self.report(Problem::BadBudget {
                path: excerpt(path),
            });
        }
        if let (Some(first), Some(second)) = (known.budget, budget)
            && first != second
        {
            self.report(Problem::BudgetClash {
                path: excerpt(path),
                first,
                second,
            });
        }
        known.unit = known.unit.or(meta.unit);
        known.budget = known.budget.or(budget);
        if known.description.is_empty() {
            known.description = self.text.keep(meta.description);
        }
        self.metas.insert(slot, known) != Some(known)
    }

    fn report(&mut self, problem: Problem) {
        if self.problems.len() < KEPT_PROBLEMS && !self.problems.contains(&problem) {
            self.problems.push(problem);
            self.changes.push(SINK);
        }
    }

    /// The next slot with room for the kind. The pair of a timer or a histogram starts at an even
    /// slot, so that one block holds both.
    fn free_slot(&self, kind: SeriesKind) -> Option<u32> {
        let (first, size) = if kind.has_calls() {
            (self.slots.next_multiple_of(2), 2)
        } else {
            (self.slots, 1)
        };
        (first + size <= SLOTS).then_some(first)
    }

    fn add(&mut self, entry: Entry) -> u32 {
        let slot = self.slots;
        self.push(entry);
        self.listed += 1;
        self.index.insert(self.hasher.hash_one(entry.path), slot);
        self.changes.push(slot);
        slot
    }

    fn push(&mut self, entry: Entry) {
        let (chunk, at) = place(self.slots);
        if chunk == self.entries.len() {
            self.entries.push(Box::new([HOLE; CHUNK]));
        }
        self.entries[chunk][at] = entry;
        self.slots += 1;
    }

    fn find(&self, path: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(path);
        self.index.find(hash, |slot| {
            self.entry(slot).is_some_and(|entry| entry.path == path)
        })
    }

    fn entry(&self, slot: u32) -> Option<Entry> {
        let (chunk, at) = place(slot);
        (slot < self.slots).then(|| self.entries[chunk][at])
    }

    fn info(&self, slot: u32) -> Option<SeriesInfo<'static>> {
        let entry = self.entry(slot)?;
        if entry.path.is_empty() || entry.kind == SeriesKind::TimerCalls {
            return None;
        }
        let is_timer = entry.kind == SeriesKind::Timer;
        let default_unit = if is_timer {
            Unit::Milliseconds
        } else {
            Unit::Count
        };
        let meta = self.metas.get(&slot).copied().unwrap_or_default();
        Some(SeriesInfo {
            id: SeriesId::new(slot),
            path: entry.path,
            kind: entry.kind,
            unit: meta.unit.unwrap_or(default_unit),
            budget: meta.budget,
            description: meta.description,
            unavailable: self.unavailable.get(&slot).copied().unwrap_or_default(),
            calls: entry.kind.has_calls().then(|| SeriesId::new(slot + 1)),
        })
    }
}

/// A path as a problem names it: cut where it is longer than anybody would read.
fn excerpt(path: &str) -> String {
    const CHARS: usize = 200;
    match path.char_indices().nth(CHARS) {
        Some((end, _)) => format!("{}…", &path[..end]),
        None => path.to_owned(),
    }
}

fn place(slot: u32) -> (usize, usize) {
    (slot as usize / CHUNK, slot as usize % CHUNK)
}

/// Nothing panics while the lock is held but running out of memory, and then the state is still
/// whole.
fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
