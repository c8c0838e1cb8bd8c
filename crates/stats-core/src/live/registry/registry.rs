//! The registry that all threads share: a catalog behind a lock, and the numbers that are read
//! without it.

use std::sync::OnceLock;

use super::catalog::Catalog;
use crate::live::reentrancy::refusing;
use crate::live::sync::{AtomicU64, Mutex, MutexGuard, Ordering};

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
    refusing(|| work(registry()))
}

/// Returns the program's registry, which the first call creates.
fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(Registry::new)
}

/// Runs `work` on the catalog, under its lock.
pub(crate) fn read_catalog<R>(work: impl FnOnce(&Catalog) -> R) -> R {
    with_registry(|registry| work(&registry.lock()))
}

/// Runs `work`, which may change the catalog, under its lock. Listing does, too: it asks for budgets.
pub(crate) fn change_catalog<R>(work: impl FnOnce(&mut Catalog) -> R) -> R {
    with_registry(|registry| registry.change(work))
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

    /// Sets the budget of one path, or removes it.
    pub(crate) fn set_budget(&self, path: &str, budget: Option<f64>) {
        if self.change(|catalog| catalog.set_budget(path, budget)) {
            // Relaxed: a reader that sees the new number takes the lock to read the budget.
            self.single_budgets.fetch_add(1, Ordering::Relaxed);
        }
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

    /// Changes the catalog, and then the numbers that are read without its lock.
    fn change<R>(&self, change: impl FnOnce(&mut Catalog) -> R) -> R {
        let mut catalog = self.lock();
        let result = change(&mut catalog);
        self.publish(&catalog);
        result
    }

    /// Stores the numbers that are read without the lock of the catalog.
    fn publish(&self, catalog: &Catalog) {
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

    /// Returns the number of slots in use, including those without a series.
    pub(crate) fn slots(&self) -> u32 {
        // Relaxed: it only grows, and the entries are read with the lock held.
        self.slots.load(Ordering::Relaxed) as u32
    }

    /// Locks the catalog, even after a panic: while the lock is held, only running out of memory
    /// panics, and that leaves the catalog consistent.
    fn lock(&self) -> MutexGuard<'_, Box<Catalog>> {
        self.catalog
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
