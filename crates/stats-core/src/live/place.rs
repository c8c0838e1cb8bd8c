//! What stands behind a counter: a static that finds its slot on first use, or a handle that has
//! it.

use std::sync::OnceLock;

use super::block::Block;
use super::cells::{self, Held};
use super::layout::{SINK, Spot};
use super::lazy_slot;
use super::registry::Registry;
use super::shards;
use super::spec::{Meta, Path, Spec};
use super::sync::{AtomicU32, AtomicU64, Ordering};
use crate::{Distribution, LocalCounter, Number, Precision, SeriesId, SeriesKind, Unit};

/// Values refused so far. An integer of its own, since an add may be refused because no cell can be
/// had.
static REFUSED_SAMPLES: AtomicU64 = AtomicU64::new(0);

/// Runs `work` on the program's registry.
///
/// What a counting global allocator adds meanwhile is refused: to register its counter it would
/// need the lock that is held.
pub(crate) fn with_registry<R>(work: impl FnOnce(&'static Registry) -> R) -> R {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    cells::refusing(|| work(REGISTRY.get_or_init(Registry::new)))
}

/// How many values were refused.
pub(crate) fn refused_samples() -> u64 {
    REFUSED_SAMPLES.load(Ordering::Relaxed)
}

#[cold]
#[inline(never)]
pub(crate) fn refuse() {
    // Relaxed: a number for people; `fetch_add` so that none is lost.
    REFUSED_SAMPLES.fetch_add(1, Ordering::Relaxed);
}

/// The spot of a counter that could not be registered, which counts as one refusal.
fn sink() -> Spot {
    refuse();
    Spot::SINK
}

/// Where a counter's values go. Sealed: [`Static`] and [`Handle`] are all there is.
pub trait Place {
    #[doc(hidden)]
    fn spot(&self) -> Spot;

    #[doc(hidden)]
    fn register(&self) -> Spot;

    #[doc(hidden)]
    fn handle(&self) -> Handle {
        match self.spot() {
            Spot::UNREGISTERED => Handle(cells::guarded(|| self.register()).unwrap_or_else(sink)),
            spot => Handle(spot),
        }
    }

    #[doc(hidden)]
    fn series_id(&self) -> SeriesId {
        SeriesId::new(self.handle().0.slot())
    }

    #[doc(hidden)]
    fn calls_id(&self) -> SeriesId {
        match self.handle().0.slot() {
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
        let spot = self.spot();
        let added = match cells::own_block(spot) {
            Some(block) => block.cell(spot.offset()).add(n, always_finite),
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
        let add = |block: &'static Block, spot: Spot| block.cell(spot.offset()).add(n, false);
        cells::cold(|| self.register(), add).unwrap_or(false)
    }

    #[doc(hidden)]
    #[inline(always)]
    fn set<N: Number>(&self, value: N) {
        let (spot, value) = (self.spot(), value.to_f64());
        if !(N::ALWAYS_FINITE || value.is_finite()) {
            return refuse();
        }
        match cells::shared_block(spot) {
            Some(block) => block.cell(spot.offset()).set(value),
            None => self.set_cold(value),
        }
    }

    #[doc(hidden)]
    #[cold]
    #[inline(never)]
    fn set_cold(&self, value: f64) {
        let set = || {
            let spot = self.register();
            cells::make_shared_block(spot)
                .cell(spot.offset())
                .set(value);
        };
        cells::guarded(set).unwrap_or_else(refuse);
    }

    /// Adds to a timer: to its milliseconds, and one to its calls in the next cell.
    #[doc(hidden)]
    #[inline(always)]
    fn add_call(&self, ms: f64) {
        let spot = self.spot();
        let added = match cells::own_block(spot) {
            Some(block) => add_call(block, spot, ms),
            None => cells::cold(|| self.register(), |block, spot| add_call(block, spot, ms))
                .unwrap_or(false),
        };
        if !added {
            refuse();
        }
    }

    /// Records a sample of a histogram.
    #[doc(hidden)]
    #[inline(always)]
    fn record<N: Number>(&self, sample: N) {
        if !shards::record(self.spot(), sample.to_f64(), || self.register()) {
            refuse();
        }
    }

    /// What a histogram holds.
    #[doc(hidden)]
    fn snapshot(&self) -> Distribution {
        shards::snapshot(self.handle().0.histogram())
    }

    #[doc(hidden)]
    fn local(&self) -> LocalCounter {
        LocalCounter::new(Held::new(|| self.register()))
    }
}

#[inline(always)]
fn add_call(block: &'static Block, spot: Spot, ms: f64) -> bool {
    // The pair starts at an even slot, so both cells are in the same block.
    block.cell(spot.offset()).add(ms, false) && block.cell(spot.offset() + 1).add(1.0, true)
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
    spot: AtomicU32,
    kind: SeriesKind,
    precision: Option<Precision>,
    path: &'static str,
    meta: Meta<'static>,
}

impl Static {
    pub(crate) const fn new(path: &'static str, kind: SeriesKind) -> Self {
        let meta = Meta {
            unit: None,
            budget: None,
            description: "",
        };
        Self {
            spot: AtomicU32::new(Spot::UNREGISTERED.to_bits()),
            kind,
            precision: None,
            path,
            meta,
        }
    }

    pub(crate) const fn unit(mut self, unit: Unit) -> Self {
        self.meta.unit = Some(unit);
        self
    }

    pub(crate) const fn budget(mut self, budget: f64) -> Self {
        self.meta.budget = Some(budget);
        self
    }

    pub(crate) const fn precision(mut self, precision: Precision) -> Self {
        self.precision = Some(precision);
        self
    }

    pub(crate) const fn describe(mut self, description: &'static str) -> Self {
        self.meta.description = description;
        self
    }
}

impl Place for Static {
    #[inline(always)]
    fn spot(&self) -> Spot {
        // Relaxed: see `lazy_slot`.
        Spot::from_bits(self.spot.load(Ordering::Relaxed))
    }

    fn register(&self) -> Spot {
        let spec = Spec {
            path: Path::Static(self.path),
            kind: self.kind,
            is_late: false,
            precision: self.precision,
            meta: self.meta,
        };
        lazy_slot::resolve(&self.spot, || register(spec))
    }
}

/// The spot of a series, registered if need be.
fn register(spec: Spec<'_>) -> Spot {
    with_registry(|registry| {
        let slot = registry.register(spec);
        let spot = Spot::of(slot);
        if spec.kind == SeriesKind::Histogram {
            spot.with_histogram(registry.histogram(slot))
        } else {
            spot
        }
    })
}

/// A place found at run time: a slot, `Copy`, usable from any thread and valid for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handle(Spot);

impl Handle {
    pub(crate) fn new(path: &str, kind: SeriesKind) -> Self {
        Self::registered(path, kind, false)
    }

    /// Of a series whose values are known later.
    pub(crate) fn late(path: &str, kind: SeriesKind) -> Self {
        Self::registered(path, kind, true)
    }

    fn registered(path: &str, kind: SeriesKind, is_late: bool) -> Self {
        let spec = Spec {
            path: Path::Borrowed(path),
            kind,
            is_late,
            precision: None,
            meta: Meta::default(),
        };
        Self(cells::guarded(|| register(spec)).unwrap_or_else(sink))
    }

    pub(crate) fn precision(self, precision: Precision) -> Self {
        cells::guarded(|| {
            with_registry(|registry| registry.set_precision(self.0.slot(), precision))
        });
        self
    }

    pub(crate) fn unit(self, unit: Unit) -> Self {
        self.describe_by(Meta {
            unit: Some(unit),
            ..Meta::default()
        })
    }

    pub(crate) fn budget(self, budget: f64) -> Self {
        self.describe_by(Meta {
            budget: Some(budget),
            ..Meta::default()
        })
    }

    pub(crate) fn describe(self, description: &str) -> Self {
        self.describe_by(Meta {
            description,
            ..Meta::default()
        })
    }

    fn describe_by(self, meta: Meta<'_>) -> Self {
        cells::guarded(|| with_registry(|registry| registry.describe(self.0.slot(), meta)));
        self
    }
}

impl Place for Handle {
    #[inline(always)]
    fn spot(&self) -> Spot {
        self.0
    }

    fn register(&self) -> Spot {
        self.0
    }
}
