//! The computations of the program, by slot.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::live::reentrancy::guarded;
use crate::live::registry::{Meta, Spec, change_catalog, list, read_catalog};
use crate::providers::{AddComputedError, Computation};
use crate::series::repaired;
use crate::source::Listed;
use crate::{SeriesId, SeriesKind, Unit};

/// The end of a frame may wait for its lock, so the lock is never held over foreign code.
static TABLE: Mutex<BTreeMap<u32, Arc<Definition>>> = Mutex::new(BTreeMap::new());

/// Taken by those who add to the table, before its lock. No reader takes it.
static ADDING: Mutex<()> = Mutex::new(());

/// Whether there may be any, so that nobody takes the lock of an empty table.
static IS_USED: AtomicBool = AtomicBool::new(false);

/// A computation. It is never removed.
pub(crate) struct Definition {
    slot: u32,
    pub(crate) computation: Arc<dyn Computation>,
    /// Whether the units of its inputs fit together, and otherwise why they do not; empty while that
    /// is unknown.
    unit: OnceLock<Result<(), &'static str>>,
    /// Whether it has no values because somebody said so.
    rests: AtomicBool,
}

pub(crate) fn add_computed(
    path: &str,
    description: &str,
    computation: Arc<dyn Computation>,
) -> Result<SeriesId, AddComputedError> {
    let adding = ADDING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(slot) = read_catalog(|catalog| catalog.find(path)) {
        let id = SeriesId::new(slot);
        let is_same = find(id).is_some() && has_description(slot, description);
        return is_same.then_some(id).ok_or(AddComputedError::Taken);
    }
    if let Some(mut paths) = way_to(path, computation.inputs(), &mut HashSet::new()) {
        paths.push(path.to_owned());
        paths.reverse();
        return Err(AddComputedError::Circle { paths });
    }
    // Set before the series is registered, so that a reader of the series looks for its computation.
    // Relaxed: the registry orders it.
    IS_USED.store(true, Ordering::Relaxed);
    let mut table = TABLE.lock().unwrap_or_else(PoisonError::into_inner);
    let spec = Spec {
        meta: Meta {
            description: Some(description),
            ..Meta::default()
        },
        ..computed_gauge(path)
    };
    let registered = guarded(|| change_catalog(|catalog| catalog.register(spec)));
    let slot = match registered.filter(|slot| is_computed(*slot)) {
        Some(slot) => slot,
        // Another thread was faster.
        None if read_catalog(|catalog| catalog.find(path)).is_some() => {
            return Err(AddComputedError::Taken);
        }
        None => return Err(AddComputedError::Full),
    };
    let definition = Arc::new(Definition {
        slot,
        computation,
        unit: OnceLock::new(),
        rests: AtomicBool::new(false),
    });
    table.insert(slot, Arc::clone(&definition));
    drop(table);
    drop(adding);
    settle(&definition);
    Ok(SeriesId::new(slot))
}

/// Returns the facts with which a computed series is registered.
pub(crate) fn computed_gauge(path: &str) -> Spec<'_> {
    Spec {
        is_late: true,
        ..Spec::new(path, SeriesKind::Gauge)
    }
}

/// Sets the reason why a series has no values: for example, a device cannot measure it, or a
/// service is missing. Readers show it in place of values. `None` means that it has values again;
/// if the units of the inputs of a computed series do not fit together, that stays its reason.
/// Does nothing if the id names no series.
///
/// Values that are recorded anyway are kept. A computed series is not computed meanwhile. Takes a
/// lock: call it when the reason changes, not in every frame.
pub fn set_unavailable(id: SeriesId, reason: Option<&'static str>) {
    let set = |reason| change_catalog(|catalog| catalog.set_unavailable(id.number(), reason));
    let Some(definition) = find(id) else {
        return set(reason);
    };
    // Relaxed: a recorder that does not see it yet computes one frame more.
    definition.rests.store(reason.is_some(), Ordering::Relaxed);
    set(reason.or(definition.why_wrong()));
    // Another thread may have found the mistake in the meantime.
    if reason.is_none() && definition.why_wrong().is_some() {
        set(definition.why_wrong());
    }
}

/// Returns the computed series through which `inputs` need the one at `path`, the last one first: none
/// if it is an input itself. `None` if they do not need it. `seen` are the slots that were looked at.
fn way_to(path: &str, inputs: &[String], seen: &mut HashSet<u32>) -> Option<Vec<String>> {
    if inputs.iter().any(|input| repaired(input) == repaired(path)) {
        return Some(Vec::new());
    }
    inputs.iter().find_map(|input| {
        let slot = read_catalog(|catalog| catalog.find(input))?;
        let of = find(SeriesId::new(slot)).filter(|_| seen.insert(slot))?;
        let mut way = way_to(path, of.computation.inputs(), seen)?;
        way.push(input.clone());
        Some(way)
    })
}

/// Returns whether a slot is that of a computed series. No other gauge is deferred.
fn is_computed(slot: u32) -> bool {
    read_catalog(|catalog| catalog.is_late(slot) && catalog.kind(slot) == Some(SeriesKind::Gauge))
}

fn has_description(slot: u32, description: &str) -> bool {
    let mut is_same = false;
    list(Listed::Numbers(slot..slot + 1), &mut |info| {
        is_same = info.description.unwrap_or_default() == description;
        ControlFlow::Break(())
    });
    is_same
}

/// Returns the computation of a series; `None` if it is not computed.
pub(crate) fn find(id: SeriesId) -> Option<Arc<Definition>> {
    // Relaxed: as in `add_computed`.
    if !IS_USED.load(Ordering::Relaxed) {
        return None;
    }
    let table = TABLE.lock().unwrap_or_else(PoisonError::into_inner);
    table.get(&id.number()).map(Arc::clone)
}

/// Finds the unit of a series if all of its inputs are registered, or the reason why it has no
/// values. Returns whether that is decided.
pub(crate) fn settle(definition: &Definition) -> bool {
    if definition.unit.get().is_some() {
        return true;
    }
    let mut units = Vec::new();
    for path in definition.computation.inputs() {
        let Some(slot) = read_catalog(|catalog| catalog.find(path)) else {
            return false;
        };
        let input = find(SeriesId::new(slot));
        // No circle: see `way_to`.
        if input.is_some_and(|input| !settle(&input)) {
            return false;
        }
        let mut unit = Unit::Count;
        list(Listed::Numbers(slot..slot + 1), &mut |info| {
            unit = info.unit;
            ControlFlow::Break(())
        });
        units.push(unit);
    }
    match definition.computation.unit(&units) {
        Ok(unit) => {
            let meta = Meta {
                unit: Some(unit),
                ..Meta::default()
            };
            change_catalog(|catalog| catalog.describe(definition.slot, meta));
            let _ = definition.unit.set(Ok(()));
        }
        Err(why) => {
            let why: &'static str = Box::leak(why.into());
            // Kept first, so that a thread that sets another reason sees it. Every thread finds the same
            // mistake.
            let _ = definition.unit.set(Err(why));
            change_catalog(|catalog| catalog.set_unavailable(definition.slot, Some(why)));
        }
    }
    true
}

impl Definition {
    /// Returns whether it has no values: the units of its inputs do not fit together, or somebody said
    /// so.
    pub(super) fn has_no_values(&self) -> bool {
        // Relaxed: as in `set_unavailable`.
        self.why_wrong().is_some() || self.rests.load(Ordering::Relaxed)
    }

    /// Returns why the units of its inputs do not fit together; `None` if they do, or are unknown.
    fn why_wrong(&self) -> Option<&'static str> {
        self.unit.get().and_then(|fits| fits.err())
    }
}
