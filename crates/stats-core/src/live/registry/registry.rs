//! The registry that all threads share: a catalog behind a lock, and the numbers that are read
//! without it.

use std::ops::Range;
use std::panic::Location;
use std::sync::OnceLock;

use super::catalog::{BudgetFn, BudgetOf, Catalog};
use super::spec::{Meta, Spec};
use crate::live::reentrancy::refusing;
use crate::live::sync::{AtomicU64, Mutex, MutexGuard, Ordering};
use crate::{Precision, Problem, SeriesInfo, SeriesKind, path};

/// Paths to slots, and the listing.
#[derive(Debug)]
pub(crate) struct Registry {
    /// Boxed, so that the first value of a program moves little on its stack.
    catalog: Mutex<Box<Catalog>>,
    generation: AtomicU64,
    problems: AtomicU64,
    listed: AtomicU64,
    slots: AtomicU64,
    /// The bits of the budget of a frame; NaN for none.
    frame_budget_ms: AtomicU64,
    /// How often the budget of one path was changed.
    single_budgets: AtomicU64,
}

/// Runs `work` on the program's registry.
///
/// During the call, the values that a counting global allocator adds on this thread are refused: to
/// register its counter, the allocator would need the lock that `work` may hold.
pub(crate) fn with_registry<R>(work: impl FnOnce(&'static Registry) -> R) -> R {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    refusing(|| work(REGISTRY.get_or_init(Registry::new)))
}

impl Registry {
    /// Returns a registry of the core's own series.
    fn new() -> Self {
        let catalog = Catalog::new();
        let (listed, slots) = (
            AtomicU64::new(catalog.listed().into()),
            AtomicU64::new(catalog.slots().into()),
        );
        Self {
            catalog: Mutex::new(catalog),
            generation: AtomicU64::new(0),
            problems: AtomicU64::new(0),
            listed,
            slots,
            frame_budget_ms: AtomicU64::new(f64::NAN.to_bits()),
            single_budgets: AtomicU64::new(0),
        }
    }

    /// Returns the slot of a series, registering it if its path is new. The same path always has
    /// the same slot.
    pub(crate) fn register(&self, spec: Spec<'_>) -> u32 {
        self.change(|catalog| catalog.register(spec))
    }

    /// Registers a counter whose total a function reads. Returns the number of the total, from 1.
    pub(crate) fn register_thread_total(&self, spec: Spec<'_>) -> Option<u16> {
        self.change(|catalog| catalog.register_thread_total(spec))
    }

    /// Adds unit, budget or description to a registered series.
    pub(crate) fn describe(&self, slot: u32, meta: Meta<'_>) {
        self.change(|catalog| catalog.describe(slot, meta));
    }

    /// Declares that the time of a registered timer is waiting.
    pub(crate) fn set_wait(&self, slot: u32) {
        self.change(|catalog| catalog.set_wait(slot));
    }

    /// Registers the series of the single calls of a timer, or of the largest samples of a
    /// histogram, unless it has them.
    pub(crate) fn add_calls(&self, slot: u32) {
        self.change(|catalog| catalog.add_calls(slot));
    }

    /// Returns whether the time of a timer is waiting.
    pub(crate) fn is_wait(&self, slot: u32) -> bool {
        self.lock().is_wait(slot)
    }

    /// Fixes the precision of a registered histogram, unless it is fixed already.
    pub(crate) fn set_precision(&self, slot: u32, precision: Precision) {
        self.change(|catalog| catalog.set_precision(slot, Some(precision)));
    }

    /// Sets the reason why a registered series has no values; `None` if it has values.
    pub(crate) fn set_unavailable(&self, slot: u32, reason: Option<&'static str>) {
        self.change(|catalog| catalog.set_unavailable(slot, reason));
    }

    /// Replaces the budgets of all series, including those that will be registered.
    pub(crate) fn set_budgets(&self, budget_of: Box<BudgetFn>) {
        self.change(|catalog| catalog.set_budgets(BudgetOf(budget_of)));
    }

    /// Sets the budget of one path, or removes it.
    pub(crate) fn set_budget(&self, path: &str, budget: Option<f64>) {
        if self.change(|catalog| catalog.set_budget(path, budget)) {
            // Relaxed: a reader that sees the new number takes the lock to read the budget.
            self.single_budgets.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Returns the budget that was set for one path.
    pub(crate) fn single_budget(&self, path: &str) -> Option<f64> {
        self.lock().single_budget(path)
    }

    /// Returns how often the budget of one path was changed.
    pub(crate) fn single_budget_changes(&self) -> u64 {
        // Relaxed: as in `set_budget`.
        self.single_budgets.load(Ordering::Relaxed)
    }

    /// Returns the budget of a frame that was set with those of the series.
    pub(crate) fn frame_budget_ms(&self) -> Option<f64> {
        // Relaxed: as in `change`.
        let ms = f64::from_bits(self.frame_budget_ms.load(Ordering::Relaxed));
        (!ms.is_nan()).then_some(ms)
    }

    /// Reports that `given` is reserved, and that `used` was registered in its place.
    pub(crate) fn report_reserved_path(&self, given: &str, used: &str) {
        self.change(|catalog| catalog.report_reserved_path(given, used));
    }

    /// Reports that a source counts further names in the series at `path`.
    pub(crate) fn report_over_limit(&self, path: &str, limit: usize) {
        self.change(|catalog| catalog.report_over_limit(path, limit));
    }

    /// Reports that a series refused a value for the first time.
    pub(crate) fn report_refused(&self, slot: u32, location: &'static Location<'static>) {
        self.change(|catalog| catalog.report_refused(slot, location));
    }

    /// Reports that the total of a series is not exact.
    pub(crate) fn report_inexact(&self, slot: u32, location: Option<&'static Location<'static>>) {
        self.change(|catalog| catalog.report_inexact(slot, location));
    }

    /// Reports that a scope of a timer was not ended on its thread.
    pub(crate) fn report_open_scope(&self, slot: u32) {
        self.change(|catalog| catalog.report_open_scope(slot));
    }

    /// Reports a problem, unless it is known.
    pub(crate) fn report(&self, problem: Problem) {
        self.change(|catalog| catalog.report(problem));
    }

    fn change<R>(&self, change: impl FnOnce(&mut Catalog) -> R) -> R {
        let mut catalog = self.lock();
        let result = change(&mut catalog);
        // Relaxed: the first two are shown to people. The number of slots only grows, and readers
        // read it after the generation stored below.
        self.problems
            .store(catalog.problems().len() as u64, Ordering::Relaxed);
        self.listed
            .store(catalog.listed().into(), Ordering::Relaxed);
        self.slots.store(catalog.slots().into(), Ordering::Relaxed);
        // Relaxed: a number that orders nothing.
        let frame_ms = catalog.frame_budget_ms().unwrap_or(f64::NAN);
        self.frame_budget_ms
            .store(frame_ms.to_bits(), Ordering::Relaxed);
        // Release, paired with the Acquire in `generation`. The listing itself is read under the
        // lock.
        self.generation
            .store(catalog.generation(), Ordering::Release);
        result
    }

    /// Returns a number that changes whenever the listing does.
    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Returns the number of problems found so far, up to 256.
    pub(crate) fn problem_count(&self) -> u64 {
        // Relaxed: only shown to people.
        self.problems.load(Ordering::Relaxed)
    }

    /// Returns the number of listed series.
    pub(crate) fn listed_count(&self) -> u64 {
        // Relaxed: only shown to people.
        self.listed.load(Ordering::Relaxed)
    }

    /// Returns the problems found so far, each once, up to 256.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        self.lock().problems().to_vec()
    }

    /// Returns the number of slots in use, including those without a series.
    pub(crate) fn slots(&self) -> u32 {
        // Relaxed: it only grows, and the entries are read with the lock held.
        self.slots.load(Ordering::Relaxed) as u32
    }

    /// Returns the slot of a path, which is repaired as at registration.
    pub(crate) fn find(&self, path: &str) -> Option<u32> {
        self.lock().find(&path::repaired(path))
    }

    /// Returns the kind of the series in a slot; `None` if there is none.
    pub(crate) fn kind(&self, slot: u32) -> Option<SeriesKind> {
        self.lock().kind(slot)
    }

    /// Returns whether the values of a slot's series are deferred.
    pub(crate) fn is_late(&self, slot: u32) -> bool {
        self.lock().is_late(slot)
    }

    /// Returns the number of the histogram that a slot belongs to, as its samples or as their
    /// count, or of a total that a function reads; 0 for all other slots.
    pub(crate) fn number(&self, slot: u32) -> u16 {
        self.lock().number(slot)
    }

    /// Returns the number of histograms. They are numbered from 1.
    pub(crate) fn histograms(&self) -> u16 {
        self.lock().histograms()
    }

    /// Fills `page` with listed series of these slots. Returns the slot to continue from, or
    /// `slots.start` if none is left.
    pub(crate) fn list(&self, slots: Range<u32>, page: &mut Vec<SeriesInfo<'static>>) -> u32 {
        self.change(|catalog| catalog.list(slots, page))
    }

    /// Returns the listed series of a slot; `None` if it has none.
    pub(crate) fn listed(&self, slot: u32) -> Option<SeriesInfo<'static>> {
        self.change(|catalog| catalog.listed_in(slot))
    }

    /// Calls `visit` for some slots from `from` on, with the facts that a reader of their values
    /// needs. Returns the slot to continue from, or `from` if none is left. `visit` runs under the
    /// lock.
    pub(crate) fn for_some_slots(
        &self,
        from: u32,
        visit: &mut dyn FnMut(u32, Option<SeriesKind>, bool, u16),
    ) -> u32 {
        self.lock().for_some_slots(from, visit)
    }

    /// Fills `page` with series that changed after the generation `since`. Returns the generation
    /// to continue from, or `since` if no change is left.
    pub(crate) fn changes(&self, since: u64, page: &mut Vec<SeriesInfo<'static>>) -> u64 {
        self.change(|catalog| catalog.changes(since, page))
    }

    /// Locks the catalog, even after a panic: while the lock is held, only running out of memory
    /// panics, and that leaves the catalog consistent.
    fn lock(&self) -> MutexGuard<'_, Box<Catalog>> {
        self.catalog
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
