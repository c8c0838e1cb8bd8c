//! What stands behind a counter: a static that finds its slot on first use, or a handle that has it.

use std::sync::OnceLock;

use super::block::Block;
use super::cells::{self, Held};
use super::layout::{SINK, UNREGISTERED, offset_of};
use super::lazy_slot;
use super::registry::{Meta, Path, Registry, Spec};
use super::sync::{AtomicU32, AtomicU64, Ordering};
use crate::{Kind, Local, Number, SeriesId, Unit};

static REGISTRY: OnceLock<Registry> = OnceLock::new();

/// Values refused so far. An integer of its own, since an add may be refused because no cell can be had.
static REFUSED_SAMPLES: AtomicU64 = AtomicU64::new(0);

/// The program's registry.
pub(crate) fn registry() -> &'static Registry {
    REGISTRY.get_or_init(Registry::new)
}

/// How many values were refused.
pub(crate) fn refused_samples() -> u64 {
    REFUSED_SAMPLES.load(Ordering::Relaxed)
}

#[cold]
#[inline(never)]
fn refuse() {
    // Relaxed: a number for people; `fetch_add` so that none is lost.
    REFUSED_SAMPLES.fetch_add(1, Ordering::Relaxed);
}

/// Where a counter's values go. Sealed: [`Static`] and [`Handle`] are all there is.
pub trait Place {
    #[doc(hidden)]
    fn slot(&self) -> u32;

    #[doc(hidden)]
    fn register(&self) -> u32;

    #[doc(hidden)]
    fn handle(&self) -> Handle {
        match self.slot() {
            UNREGISTERED => Handle(cells::guarded(|| self.register()).unwrap_or(SINK)),
            slot => Handle(slot),
        }
    }

    #[doc(hidden)]
    fn series_id(&self) -> SeriesId {
        SeriesId::new(self.handle().0)
    }

    #[doc(hidden)]
    fn calls_id(&self) -> SeriesId {
        match self.handle().0 {
            SINK => SeriesId::new(SINK),
            slot => SeriesId::new(slot + 1),
        }
    }

    #[doc(hidden)]
    #[inline(always)]
    fn add<N: Number>(&self, n: N) {
        self.add_f64(n.to_f64(), N::ALWAYS_FINITE);
    }

    #[doc(hidden)]
    #[inline(always)]
    fn sub<N: Number>(&self, n: N) {
        self.add_f64(-n.to_f64(), N::ALWAYS_FINITE);
    }

    #[doc(hidden)]
    #[inline(always)]
    fn add_f64(&self, n: f64, always_finite: bool) {
        let slot = self.slot();
        let added = match cells::own_block(slot) {
            Some(block) => block.cell(offset_of(slot)).add(n, always_finite),
            None => self.add_cold(n),
        };
        if !added {
            refuse();
        }
    }

    #[doc(hidden)]
    #[cold]
    #[inline(never)]
    fn add_cold(&self, n: f64) -> bool {
        let add = |block: &'static Block, slot| block.cell(offset_of(slot)).add(n, false);
        cells::cold(|| self.register(), add).unwrap_or(false)
    }

    #[doc(hidden)]
    #[inline(always)]
    fn set<N: Number>(&self, value: N) {
        let (slot, value) = (self.slot(), value.to_f64());
        if !(N::ALWAYS_FINITE || value.is_finite()) {
            return refuse();
        }
        match cells::shared_block(slot) {
            Some(block) => block.cell(offset_of(slot)).set(value),
            None => self.set_cold(value),
        }
    }

    #[doc(hidden)]
    #[cold]
    #[inline(never)]
    fn set_cold(&self, value: f64) {
        let set = || {
            let slot = self.register();
            cells::make_shared_block(slot).cell(offset_of(slot)).set(value);
        };
        cells::guarded(set).unwrap_or_else(refuse);
    }

    /// Adds to a timer: to its milliseconds, and one to its calls in the next cell.
    #[doc(hidden)]
    #[inline(always)]
    fn add_call(&self, ms: f64) {
        let slot = self.slot();
        let added = match cells::own_block(slot) {
            Some(block) => add_call(block, slot, ms),
            None => cells::cold(|| self.register(), |block, slot| add_call(block, slot, ms)).unwrap_or(false),
        };
        if !added {
            refuse();
        }
    }

    #[doc(hidden)]
    fn local(&self) -> Local {
        Local::new(Held::new(|| self.register()))
    }
}

#[inline(always)]
fn add_call(block: &'static Block, slot: u32, ms: f64) -> bool {
    // The pair starts at an even slot, so both cells are in the same block.
    block.cell(offset_of(slot)).add(ms, false) && block.cell(offset_of(slot) + 1).add(1.0, true)
}

impl Held {
    #[inline(always)]
    pub(crate) fn add<N: Number>(&self, n: N) {
        self.add_f64(n.to_f64(), N::ALWAYS_FINITE);
    }

    #[inline(always)]
    pub(crate) fn sub<N: Number>(&self, n: N) {
        self.add_f64(-n.to_f64(), N::ALWAYS_FINITE);
    }

    #[inline(always)]
    fn add_f64(&self, n: f64, always_finite: bool) {
        if !self.cell().add(n, always_finite) {
            refuse();
        }
    }
}

/// A place in a `static`: it knows its path, and finds its slot the first time it is used.
#[derive(Debug)]
pub struct Static {
    slot: AtomicU32,
    kind: Kind,
    path: &'static str,
    meta: Meta<'static>,
}

impl Static {
    pub(crate) const fn new(path: &'static str, kind: Kind) -> Self {
        let meta = Meta { unit: None, budget: None, description: "" };
        Self { slot: AtomicU32::new(UNREGISTERED), kind, path, meta }
    }

    pub(crate) const fn unit(mut self, unit: Unit) -> Self {
        self.meta.unit = Some(unit);
        self
    }

    pub(crate) const fn budget(mut self, budget: f64) -> Self {
        self.meta.budget = Some(budget);
        self
    }

    pub(crate) const fn describe(mut self, description: &'static str) -> Self {
        self.meta.description = description;
        self
    }
}

impl Place for Static {
    #[inline(always)]
    fn slot(&self) -> u32 {
        // Relaxed: see `lazy_slot`.
        self.slot.load(Ordering::Relaxed)
    }

    fn register(&self) -> u32 {
        let spec = Spec { path: Path::Static(self.path), kind: self.kind, meta: self.meta };
        lazy_slot::resolve(&self.slot, || registry().register(spec))
    }
}

/// A place found at run time: a slot, `Copy`, usable from any thread and valid for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handle(u32);

impl Handle {
    pub(crate) fn new(path: &str, kind: Kind) -> Self {
        let spec = Spec { path: Path::Borrowed(path), kind, meta: Meta::default() };
        Self(cells::guarded(|| registry().register(spec)).unwrap_or(SINK))
    }

    pub(crate) fn unit(self, unit: Unit) -> Self {
        self.describe_by(Meta { unit: Some(unit), ..Meta::default() })
    }

    pub(crate) fn budget(self, budget: f64) -> Self {
        self.describe_by(Meta { budget: Some(budget), ..Meta::default() })
    }

    pub(crate) fn describe(self, description: &str) -> Self {
        self.describe_by(Meta { description, ..Meta::default() })
    }

    fn describe_by(self, meta: Meta<'_>) -> Self {
        cells::guarded(|| registry().describe(self.0, meta));
        self
    }
}

impl Place for Handle {
    #[inline(always)]
    fn slot(&self) -> u32 {
        self.0
    }

    fn register(&self) -> u32 {
        self.0
    }
}
