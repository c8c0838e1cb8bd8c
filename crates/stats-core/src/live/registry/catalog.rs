//! The entries of the registry: slots by path, and the facts about each series.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::panic::Location;

use super::index::Index;
use super::own_series::{FRAME_TIME_SLOT, OWN_SERIES};
use super::spec::{Meta, Path, Spec};
use super::text::Text;
use crate::live::counter::{self, BLOCK_CELLS, HISTOGRAMS, SINK, SLOTS, Spot};
use crate::live::histogram;
use crate::live::scopes::Origin;
use crate::series::repaired;
use crate::{FRAME_TIME, Precision, Problem, SeriesId, SeriesInfo, SeriesKind, Unit};

/// The maximum number of problems that are kept. The first few are enough to find the cause.
const KEPT_PROBLEMS: usize = 256;

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

/// The last segments of the paths of the series of single calls, below that of the timer.
const SINGLE_CALLS: &str = "single";
const LONGEST_CALL: &str = "longest";

/// Of a histogram: the largest sample of a frame.
const LARGEST_SAMPLE: &str = "largest";

/// The path of the frame time in budgets.
const FRAME: &str = "frame";

/// A function that returns the budget of a path and a unit, or `None` to keep the series' own, or a
/// problem, after which it is asked again for every series.
pub(crate) type BudgetFn = dyn FnMut(&str, Unit) -> Result<Option<f64>, Problem> + Send;

/// The budgets that were set for the whole program.
struct BudgetOf(Box<BudgetFn>);

impl fmt::Debug for BudgetOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BudgetOf")
    }
}

impl BudgetOf {
    fn of(&mut self, path: &str, unit: Unit) -> Result<Option<f64>, Problem> {
        Ok((self.0)(path, unit)?.filter(|budget| budget.is_finite()))
    }
}

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
    budget_of: Option<BudgetOf>,
    /// The budgets of single paths, which replace all others.
    single_budgets: BTreeMap<Box<str>, f64>,
    /// The budgets that `single_budgets` and `budget_of` have, by slot.
    budgets: HashMap<u32, f64>,
    /// The slots for which `budget_of` is asked before they are listed the next time: new ones, and
    /// those whose unit became known.
    unasked: Vec<u32>,
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

    /// Reports that `given` is reserved, and that `used` was registered in its place.
    pub(crate) fn report_reserved_path(&mut self, given: &str, used: &str) {
        self.report(Problem::ReservedPath {
            given: excerpt(given),
            used: excerpt(used),
        });
    }

    /// Reports that a source counts further names in the series at `path`.
    pub(crate) fn report_over_limit(&mut self, path: &str, limit: usize) {
        self.report(Problem::OverLimit {
            path: excerpt(path),
            limit,
        });
    }

    /// Reports that a series refused a value for the first time.
    pub(crate) fn report_refused(&mut self, slot: u32, location: &'static Location<'static>) {
        if let Some(path) = self.path(slot) {
            self.report(Problem::RefusedValue {
                path: excerpt(path),
                location,
            });
        }
    }

    /// Reports that the total of a series is not exact, since the add at `location`.
    pub(crate) fn report_inexact(
        &mut self,
        slot: u32,
        location: Option<&'static Location<'static>>,
    ) {
        if let Some(path) = self.path(slot) {
            self.report(Problem::InexactTotal {
                path: excerpt(path),
                location,
            });
        }
    }

    /// Reports that a scope of a timer was not ended on its thread.
    pub(crate) fn report_open_scope(&mut self, slot: u32) {
        if let Some(path) = self.path(slot) {
            self.report(Problem::OpenScope {
                path: excerpt(path),
            });
        }
    }

    /// Returns the problems found so far, each once, up to 256.
    pub(crate) fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Returns the slot of a series, registering it if its path is new.
    pub(crate) fn register(&mut self, spec: Spec<'_>) -> u32 {
        let given = match spec.path {
            Path::Static(path) | Path::Borrowed(path) => path,
        };
        let path = repaired(given);
        if path != given {
            self.report(Problem::BadPath {
                given: excerpt(given),
                used: excerpt(&path),
            });
        }
        let path = if path == FRAME_TIME {
            let used = format!("{FRAME_TIME} (series)");
            self.report_reserved_path(given, &used);
            Cow::Owned(used)
        } else {
            path
        };
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
        let Some(free) = self.free_slot(&spec) else {
            // Reported once: otherwise reports of all further paths would leave no room for other
            // problems.
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
        let number = if spec.kind == SeriesKind::Histogram {
            self.histograms
        } else {
            0
        };
        let entry = Entry {
            path: kept,
            kind: spec.kind,
            is_late: spec.is_late,
            is_wait: spec.is_wait,
            number,
        };
        let slot = self.add(entry);
        if let Some(kind) = spec.kind.recording_count() {
            self.push(Entry { kind, ..entry });
        }
        if spec.has_scopes() {
            let kind = SeriesKind::TimerSelf;
            self.push(Entry { kind, ..entry });
            self.push(HOLE);
        }
        // Part of the same change as the registration: no reader has listed the series yet.
        self.learn(slot, spec.meta);
        self.set_precision(slot, spec.precision);
        slot
    }

    /// Registers a counter whose total a function reads. Returns the number of the total, from 1;
    /// `None` if the path belongs to another series, or there is no room.
    pub(crate) fn register_thread_total(&mut self, spec: Spec<'_>) -> Option<u16> {
        let (Path::Static(path) | Path::Borrowed(path)) = spec.path;
        if let Some(slot) = self.find(path) {
            let number = self.number(slot);
            if self.kind(slot) == Some(spec.kind) && number > 0 {
                return Some(number);
            }
            self.report_reserved_path(path, path);
            return None;
        }
        let next = self.thread_totals.checked_add(1)?;
        let slot = self.register(spec);
        if slot == SINK {
            return None;
        }
        self.thread_totals = next;
        let (chunk, at) = position(slot);
        self.entries[chunk][at].number = next;
        Some(next)
    }

    /// Adds facts about a registered series. Counts as a change if any of them is new.
    pub(crate) fn describe(&mut self, slot: u32, meta: Meta<'_>) {
        if self.kind(slot).is_some() && self.learn(slot, meta) {
            self.changes.push(slot);
        }
    }

    /// Declares that the time of a timer is waiting. Counts as a change if it was not declared
    /// before.
    pub(crate) fn set_wait(&mut self, slot: u32) {
        let (chunk, at) = position(slot);
        if self.kind(slot) == Some(SeriesKind::Timer)
            && !std::mem::replace(&mut self.entries[chunk][at].is_wait, true)
        {
            self.changes.push(slot);
        }
    }

    /// Registers the distribution of the calls of a timer, and the longest call of a frame, or the
    /// largest sample of a frame of a histogram, unless the series has them.
    pub(crate) fn add_calls(&mut self, slot: u32) {
        let Some(entry) = self.entry(slot).filter(|entry| !entry.is_late) else {
            return;
        };
        match entry.kind {
            SeriesKind::Timer if entry.number == 0 => self.add_single_calls(slot, entry.path),
            SeriesKind::Histogram if entry.number != 0 => {
                let path = format!("{}/{LARGEST_SAMPLE}", entry.path);
                let unit = self.unit(slot, entry.kind);
                let what = "The largest sample of the frame; 0 without a sample.";
                if self.add_peak(&path, unit, what, entry.number) {
                    histogram::keep_largest(usize::from(entry.number));
                }
            }
            _ => {}
        }
    }

    fn add_single_calls(&mut self, slot: u32, timer: &str) {
        let path = format!("{timer}/{SINGLE_CALLS}");
        let ms = Unit::Milliseconds;
        let taken = self.find(&path).and_then(|slot| self.kind(slot));
        if taken == Some(SeriesKind::Histogram) {
            return self.report_reserved_path(&path, &path);
        }
        let calls = self.register(Spec {
            precision: Some(Precision::FourDigits),
            ..part(
                &path,
                SeriesKind::Histogram,
                ms,
                "Single calls of the timer.",
            )
        });
        if calls == SINK || self.kind(calls) != Some(SeriesKind::Histogram) {
            return;
        }
        let number = self.number(calls);
        let (chunk, at) = position(slot);
        self.entries[chunk][at].number = number;
        let path = format!("{timer}/{LONGEST_CALL}");
        let what = "The longest call that ended in the frame; 0 without a call.";
        self.add_peak(&path, ms, what, number);
    }

    /// Registers the largest sample of each frame of a histogram, unless it has the series. Returns
    /// whether it has it: not if there is no room, or the path belongs to a series of the program.
    fn add_peak(&mut self, path: &str, unit: Unit, description: &str, number: u16) -> bool {
        if let Some(slot) = self.find(path) {
            let is_peak = self.kind(slot) == Some(SeriesKind::Gauge) && self.number(slot) == number;
            if !is_peak {
                self.report_reserved_path(path, path);
            }
            return is_peak;
        }
        let peak = self.register(part(path, SeriesKind::Gauge, unit, description));
        if peak == SINK {
            return false;
        }
        let (chunk, at) = position(peak);
        self.entries[chunk][at].number = number;
        true
    }

    /// Returns whether the time of a timer is waiting.
    pub(crate) fn is_wait(&self, slot: u32) -> bool {
        self.entry(slot).is_some_and(|entry| entry.is_wait)
    }

    /// Fixes the precision of a histogram, unless it is fixed.
    pub(crate) fn set_precision(&mut self, slot: u32, precision: Option<Precision>) {
        let Entry {
            path, kind, number, ..
        } = self.entry(slot).unwrap_or(HOLE);
        if let (Some(second), SeriesKind::Histogram) = (precision, kind)
            && let Err(first) = histogram::set_precision(usize::from(number), second)
        {
            self.report(Problem::PrecisionClash {
                path: excerpt(path),
                first,
                second,
            });
        }
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

    /// Replaces the budgets of all series, including those that will be registered.
    pub(crate) fn set_budgets(&mut self, budget_of: Box<BudgetFn>) {
        self.budget_of = Some(BudgetOf(budget_of));
        self.ask_for_all_budgets();
    }

    /// Sets the budget of one path, or removes it. Returns whether it is new.
    pub(super) fn set_budget(&mut self, path: &str, budget: Option<f64>) -> bool {
        let budget = budget.filter(|budget| budget.is_finite());
        let before = match budget {
            Some(budget) => self.single_budgets.insert(path.into(), budget),
            None => self.single_budgets.remove(path),
        };
        if before == budget {
            return false;
        }
        // A problem concerns all series that were asked for before it was found.
        match self
            .find(path)
            .map(|slot| (slot, self.ask_for_budget(slot)))
        {
            Some((_, (false, _))) => self.ask_for_all_budgets(),
            Some((slot, (true, true))) => self.changes.push(slot),
            Some((_, (true, false))) | None => {}
        }
        true
    }

    /// Returns the budget that was set for one path.
    pub(crate) fn single_budget(&self, path: &str) -> Option<f64> {
        self.single_budgets.get(path).copied()
    }

    /// Asks for the budgets of the series that were registered since the last listing. Not earlier,
    /// because a series gets its unit after it is registered.
    fn ask_for_budgets(&mut self) {
        let mut is_fine = true;
        for slot in std::mem::take(&mut self.unasked) {
            // A reader that lists the change of the slot lists this budget, too.
            is_fine &= self.ask_for_budget(slot).0;
        }
        if !is_fine {
            self.ask_for_all_budgets();
        }
    }

    /// Returns the budget of a frame that was set with those of the series.
    pub(super) fn frame_budget_ms(&self) -> Option<f64> {
        self.budgets.get(&FRAME_TIME_SLOT).copied()
    }

    fn ask_for_all_budgets(&mut self) {
        self.unasked.clear();
        // A problem can concern series that were asked for before it was found.
        for _ in 0..2 {
            let mut is_fine = true;
            for slot in 0..self.slots {
                let (is_decided, is_new) = self.ask_for_budget(slot);
                is_fine &= is_decided;
                if is_new {
                    self.changes.push(slot);
                }
            }
            if is_fine {
                break;
            }
        }
    }

    /// Asks for the budget of a series. Returns whether it is decided, and whether it is new.
    fn ask_for_budget(&mut self, slot: u32) -> (bool, bool) {
        let Some(entry) = self.entry(slot).filter(|entry| !entry.path.is_empty()) else {
            return (true, false);
        };
        let unit = self.unit(slot, entry.kind);
        let path = match entry.kind {
            SeriesKind::FrameTime => FRAME,
            _ => entry.path,
        };
        let single = self.single_budgets.get(entry.path).copied();
        let asked = match (single, self.budget_of.as_mut()) {
            (Some(budget), _) => Ok(Some(budget)),
            (None, Some(budgets)) => budgets.of(path, unit),
            (None, None) => Ok(None),
        };
        let is_fine = asked.is_ok();
        let budget = asked.unwrap_or_else(|problem| {
            self.report(problem);
            None
        });
        let before = match budget {
            Some(budget) => self.budgets.insert(slot, budget),
            None => self.budgets.remove(&slot),
        };
        (is_fine, before != budget)
    }

    /// Returns the unit of the series in a slot.
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

    /// Returns the slot for a caller that registers a path a second time.
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
            if spec.is_wait {
                self.set_wait(slot);
            }
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

    /// Fills in missing facts. A known fact is kept, and a different value for it is reported.
    /// Returns whether anything was filled in.
    fn learn(&mut self, slot: u32, meta: Meta<'_>) -> bool {
        let description = meta.description.filter(|text| !text.is_empty());
        let meta = Meta {
            description,
            ..meta
        };
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
        if self.budget_of.is_some() && known.unit.is_none() && meta.unit.is_some() {
            self.unasked.push(slot);
        }
        known.unit = known.unit.or(meta.unit);
        known.budget = known.budget.or(budget);
        if known.description.is_none() {
            known.description = meta.description.map(|text| self.text.keep(text));
        }
        self.metas.insert(slot, known) != Some(known)
    }

    pub(crate) fn report(&mut self, problem: Problem) {
        if self.problems.len() < KEPT_PROBLEMS && !self.problems.contains(&problem) {
            self.problems.push(problem);
            self.changes.push(SINK);
        }
    }

    /// Returns the next slot with room for the series. If a series has several slots, they start at
    /// a multiple of their number, so that all of them are in the same block.
    fn free_slot(&self, spec: &Spec<'_>) -> Option<u32> {
        let size = match spec.kind.recording_count() {
            Some(_) if spec.has_scopes() => TIMER_SLOTS,
            Some(_) => 2,
            None => 1,
        };
        let first = self.slots.next_multiple_of(size);
        (first + size <= SLOTS).then_some(first)
    }

    fn add(&mut self, entry: Entry) -> u32 {
        let slot = self.slots;
        self.push(entry);
        if self.budget_of.is_some() {
            self.unasked.push(slot);
        }
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
            budget: self.budgets.get(&slot).copied().or(meta.budget),
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

/// Returns the facts of a series that belongs to a timer or a histogram.
fn part<'a>(path: &'a str, kind: SeriesKind, unit: Unit, description: &'a str) -> Spec<'a> {
    Spec {
        meta: Meta {
            unit: Some(unit),
            budget: None,
            description: Some(description),
        },
        ..Spec::new(path, kind)
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

/// Cuts a path for the text of a problem, if it is longer than anyone would read.
fn excerpt(path: &str) -> String {
    const CHARS: usize = 200;
    match path.char_indices().nth(CHARS) {
        Some((end, _)) => format!("{}…", &path[..end]),
        None => path.to_owned(),
    }
}

/// Returns the chunk of a slot and its position there.
fn position(slot: u32) -> (usize, usize) {
    (slot as usize / CHUNK, slot as usize % CHUNK)
}
