//! The place of a counter: a path that finds its slot on first use, or the slot itself.
//!
//! All kinds of counters are thin: `Counter`, `Timer` and the others choose which operations to
//! offer, and [`Place`] implements them. [`Static`] is the place of a counter in a `static`, and
//! [`Handle`] the place of one that was looked up at run time.
//!
//! A series has a *slot*, the number of its cell. A [`Spot`] is the slot as the hot path needs it: a block
//! and a cell in it. A place holds a spot, or finds it by its path.
//!
//! Each operation has two parts. The hot part is inlined into the program: it reads the spot,
//! finds the thread's block or shard and writes to it. If there is no spot or no block yet, the
//! cold part registers the series and claims the block, and then writes.

use std::panic::Location;

use super::counter::{self, Block, Held, Outcome, SINK, Spot, is_exact};
use super::histogram;
use super::reentrancy::guarded;
use super::refusals::{refuse, refuse_at, report_inexact};
use super::registry::{Meta, Path, Spec, change_catalog};
use super::scopes::Origin;
use super::sync::{AtomicU32, Ordering};
use crate::{Distribution, Number, Precision, ScopeTime, SeriesId, SeriesKind, Unit};

/// The destination of a counter's values. Sealed: only [`Static`] and [`Handle`] implement it.
pub trait Place: sealed::Sealed {
    #[doc(hidden)]
    fn spot(&self) -> Spot;

    #[doc(hidden)]
    fn register(&self) -> Spot;

    #[doc(hidden)]
    fn handle(&self) -> Handle {
        match self.spot() {
            Spot::UNREGISTERED => Handle(guarded(|| self.register()).unwrap_or_else(sink)),
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
    fn self_id(&self) -> SeriesId {
        match self.handle().0.slot() {
            SINK => SeriesId::new(SINK),
            slot => SeriesId::new(slot + 2),
        }
    }

    #[doc(hidden)]
    #[inline(always)]
    #[track_caller]
    fn add<N: Number>(&self, n: N) {
        match n.to_summand() {
            Some(n) => self.add_f64(n, N::IS_INTEGER),
            None => self.refuse(),
        }
    }

    #[doc(hidden)]
    #[inline(always)]
    #[track_caller]
    fn sub<N: Number>(&self, n: N) {
        match n.to_summand() {
            Some(n) => self.add_f64(-n, N::IS_INTEGER),
            None => self.refuse(),
        }
    }

    #[doc(hidden)]
    #[inline(always)]
    #[track_caller]
    fn add_f64(&self, n: f64, is_integer: bool) {
        let spot = self.spot();
        let is_added = counter::own_block(spot)
            .is_some_and(|block| block.cell(spot.offset()).add(n, is_integer));
        if !is_added {
            self.add_cold(n);
        }
    }

    #[doc(hidden)]
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn add_cold(&self, n: f64) {
        let add = |block: Block, spot: Spot| block.cell(spot.offset()).add_inexact(n);
        write_cold(self, add, Location::caller());
    }

    #[doc(hidden)]
    #[inline(always)]
    #[track_caller]
    fn set<N: Number>(&self, value: N) {
        let (spot, value) = (self.spot(), value.to_f64());
        if !(N::IS_INTEGER || value.is_finite()) {
            return self.refuse();
        }
        match counter::shared_block(spot) {
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
            counter::make_shared_block(spot)
                .cell(spot.offset())
                .set(value);
        };
        guarded(set).unwrap_or_else(refuse);
    }

    #[doc(hidden)]
    #[inline(always)]
    #[track_caller]
    fn add_shared<N: Number>(&self, n: N) {
        let Some(n) = n.to_summand() else {
            return self.refuse();
        };
        let spot = self.spot();
        let is_added = counter::shared_block(spot)
            .is_some_and(|block| block.cell(spot.offset()).add_shared(n));
        if !is_added {
            self.add_shared_cold(n);
        }
    }

    #[doc(hidden)]
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn add_shared_cold(&self, n: f64) {
        let add = |block: Block, spot: Spot| block.cell(spot.offset()).add_shared_inexact(n);
        let spot = self.spot();
        let added = match counter::shared_block(spot) {
            Some(block) => add(block, spot),
            None => guarded(|| {
                let spot = self.register();
                add(counter::make_shared_block(spot), spot)
            })
            .unwrap_or(Outcome::Refused),
        };
        report_added(self, added, Location::caller());
    }

    /// Adds a call that a scope of another timer measured.
    #[doc(hidden)]
    #[inline(always)]
    #[track_caller]
    fn add_scope(&self, time: ScopeTime) {
        self.add_timed(Call::new(time.ms, time.self_ms, None));
    }

    /// Adds a call to a timer, or refuses it if there is no number. All of the call's time is self
    /// time.
    #[doc(hidden)]
    #[inline(always)]
    #[track_caller]
    fn add_call(&self, ms: Option<f64>) {
        match ms {
            Some(ms) => self.add_timed(Call::new(ms, ms, None)),
            None => self.refuse(),
        }
    }

    #[doc(hidden)]
    #[inline(always)]
    #[track_caller]
    fn add_timed(&self, call: Call) {
        let spot = self.spot();
        let is_added = counter::own_block(spot).is_some_and(|block| call.add(block, spot));
        if !is_added {
            self.add_timed_cold(call);
        }
        // Also set before the first use of a `static`.
        if spot.histogram() != 0 {
            self.add_single(call.ms);
        }
    }

    /// Adds a call to the distribution of the timer's calls, if it has one.
    #[doc(hidden)]
    #[cold]
    #[inline(never)]
    fn add_single(&self, ms: f64) {
        let spot = self.spot();
        if spot != Spot::UNREGISTERED && spot.histogram() != 0 {
            // A call that the timer refused is counted there.
            let _ = histogram::record_call(spot, ms);
        }
    }

    #[doc(hidden)]
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn add_timed_cold(&self, call: Call) {
        let add = |block: Block, spot: Spot| call.add_inexact(block, spot);
        write_cold(self, add, Location::caller());
    }

    /// Records a sample of a histogram.
    #[doc(hidden)]
    #[inline(always)]
    #[track_caller]
    fn record<N: Number>(&self, sample: N) {
        let is_recorded = sample
            .to_summand()
            .is_some_and(|sample| histogram::record(self.spot(), sample, || self.register()));
        if !is_recorded {
            self.refuse();
        }
    }

    /// Counts a refused value, and reports the caller's location.
    #[doc(hidden)]
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn refuse(&self) {
        // The first value of a static may be the refused one.
        refuse_at(self.handle().0, Location::caller());
    }

    /// Returns the samples of a histogram in the current run.
    #[doc(hidden)]
    fn snapshot(&self) -> Distribution {
        histogram::snapshot(self.handle().0.histogram())
    }

    /// Returns a handle to this thread's cell.
    #[doc(hidden)]
    fn hold(&self) -> Held {
        Held::new(|| self.register())
    }
}

pub(super) mod sealed {
    pub trait Sealed {}
}

/// Writes to the thread's own block of a place, and claims it first if there is none.
fn write_cold<P: Place + ?Sized>(
    place: &P,
    write: impl FnOnce(Block, Spot) -> Outcome,
    location: &'static Location<'static>,
) {
    let spot = place.spot();
    let added = match counter::own_block(spot) {
        Some(block) => write(block, spot),
        None => counter::cold(|| place.register(), write).unwrap_or(Outcome::Refused),
    };
    report_added(place, added, location);
}

/// Reports what an add at `location` did, unless it only changed the total.
fn report_added<P: Place + ?Sized>(
    place: &P,
    added: Outcome,
    location: &'static Location<'static>,
) {
    match added {
        Outcome::Added => {}
        Outcome::LeftExactRange => report_inexact(place.handle().0, Some(location)),
        // The first value of a static may be the refused one.
        Outcome::Refused => refuse_at(place.handle().0, location),
    }
}

/// A call of a timer. Its milliseconds go into the first cell, a 1 into the second, its self time
/// into the third, and its origin, if known, into the fourth.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Call {
    ms: f64,
    self_ms: f64,
    origin: Option<Origin>,
}

impl Call {
    #[inline(always)]
    pub(super) fn new(ms: f64, self_ms: f64, origin: Option<Origin>) -> Self {
        Self {
            ms,
            self_ms,
            origin,
        }
    }

    /// Adds the call if both sums are exact. Otherwise returns `false` and changes nothing;
    /// [`add_inexact`](Self::add_inexact) then adds it.
    #[inline(always)]
    fn add(self, block: Block, spot: Spot) -> bool {
        let sums = self.sums(block, spot);
        let is_added = is_exact(sums[0]) && is_exact(sums[1]);
        if is_added {
            self.set(block, spot, sums);
        }
        is_added
    }

    /// Adds the call, even if the sums are not exact. Changes nothing if one is not finite.
    fn add_inexact(self, block: Block, spot: Spot) -> Outcome {
        let sums = self.sums(block, spot);
        if !sums.iter().all(|sum| sum.is_finite()) {
            return Outcome::Refused;
        }
        let before = |at| block.cell(spot.offset() + at).get();
        let outcomes = [
            Outcome::of(before(0), sums[0]),
            Outcome::of(before(2), sums[1]),
        ];
        self.set(block, spot, sums);
        if outcomes.contains(&Outcome::LeftExactRange) {
            Outcome::LeftExactRange
        } else {
            Outcome::Added
        }
    }

    /// Returns the milliseconds and the self time with those of this call.
    #[inline(always)]
    fn sums(self, block: Block, spot: Spot) -> [f64; 2] {
        // The first slot is a multiple of four, so all cells are in the same block.
        let cell = |at| block.cell(spot.offset() + at).get();
        [cell(0) + self.ms, cell(2) + self.self_ms]
    }

    #[inline(always)]
    fn set(self, block: Block, spot: Spot, [ms, self_ms]: [f64; 2]) {
        let cell = |at| block.cell(spot.offset() + at);
        cell(0).set(ms);
        cell(1).add(1.0, true);
        cell(2).set(self_ms);
        if let Some(origin) = self.origin {
            cell(3).set(origin.to_f64());
        }
    }
}

/// Returns the spot of a counter that could not be registered. That counts as one refusal.
fn sink() -> Spot {
    refuse();
    Spot::SINK
}

/// Returns the spot of a series, registering it if its path is new.
fn register(spec: Spec<'_>) -> Spot {
    change_catalog(|catalog| {
        let slot = catalog.register(spec);
        if spec.has_calls {
            catalog.add_calls(slot);
        }
        let spot = Spot::of(slot);
        if matches!(spec.kind, SeriesKind::Histogram | SeriesKind::Timer) {
            spot.with_histogram(catalog.number(slot))
        } else {
            spot
        }
    })
}

/// The place of a counter in a `static`: it has a path, and finds its slot on first use.
#[derive(Debug)]
pub struct Static {
    spot: AtomicU32,
    kind: SeriesKind,
    is_wait: bool,
    has_calls: bool,
    precision: Option<Precision>,
    path: &'static str,
    meta: Meta<'static>,
}

impl Static {
    pub(crate) const fn new(path: &'static str, kind: SeriesKind) -> Self {
        let meta = Meta {
            unit: None,
            budget: None,
            description: None,
        };
        Self {
            spot: AtomicU32::new(Spot::UNREGISTERED.to_bits()),
            kind,
            is_wait: false,
            has_calls: false,
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
        self.meta.description = Some(description);
        self
    }

    pub(crate) const fn wait(mut self) -> Self {
        self.is_wait = true;
        self
    }

    pub(crate) const fn calls(mut self) -> Self {
        self.has_calls = true;
        self
    }

    pub(crate) const fn path(&self) -> &'static str {
        self.path
    }
}

impl sealed::Sealed for Static {}

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
            is_wait: self.is_wait,
            has_calls: self.has_calls,
            precision: self.precision,
            meta: self.meta,
        };
        counter::resolve(&self.spot, || register(spec))
    }
}

/// The place of a counter that was looked up at run time: a slot. `Copy`, usable from any thread,
/// valid forever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handle(Spot);

impl Handle {
    pub(crate) fn new(path: &str, kind: SeriesKind) -> Self {
        Self::registered(path, kind, false)
    }

    /// Returns the place of a series with deferred values.
    pub(crate) fn late(path: &str, kind: SeriesKind) -> Self {
        Self::registered(path, kind, true)
    }

    fn registered(path: &str, kind: SeriesKind, is_late: bool) -> Self {
        let spec = Spec {
            is_late,
            ..Spec::new(path, kind)
        };
        Self(guarded(|| register(spec)).unwrap_or_else(sink))
    }

    pub(crate) fn precision(self, precision: Precision) -> Self {
        guarded(|| change_catalog(|catalog| catalog.set_precision(self.0.slot(), Some(precision))));
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
            description: Some(description),
            ..Meta::default()
        })
    }

    pub(crate) fn wait(self) -> Self {
        guarded(|| change_catalog(|catalog| catalog.set_wait(self.0.slot())));
        self
    }

    pub(crate) fn calls(self) -> Self {
        let add = || {
            change_catalog(|catalog| {
                catalog.add_calls(self.0.slot());
                Spot::of(self.0.slot()).with_histogram(catalog.number(self.0.slot()))
            })
        };
        Self(guarded(add).unwrap_or(self.0))
    }

    fn describe_by(self, meta: Meta<'_>) -> Self {
        guarded(|| change_catalog(|catalog| catalog.describe(self.0.slot(), meta)));
        self
    }
}

impl sealed::Sealed for Handle {}

impl Place for Handle {
    #[inline(always)]
    fn spot(&self) -> Spot {
        self.0
    }

    fn register(&self) -> Spot {
        self.0
    }
}
