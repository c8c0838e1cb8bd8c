//! The table of deferred series, with the sources that deliver to each.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};

use super::lane::Lane;
use super::order::{lock, try_lock};
use crate::SeriesKind;
use crate::live::registry::read_catalog;
use crate::live::sync::{AtomicU32, AtomicU64, Ordering};

/// The number of readers of a deferred series, checked for each delivered value.
pub(super) type Wanted = &'static AtomicU32;

/// The deferred series, by slot.
static TABLE: LazyLock<Mutex<Table>> = LazyLock::new(Mutex::default);

/// Changes whenever a series gets another source.
static GENERATION: AtomicU64 = AtomicU64::new(0);

#[derive(Default)]
struct Table {
    series: HashMap<u32, LateSeries>,
    /// Unused counts of readers, allocated together so that a delivery finds them in the cache.
    free: &'static [AtomicU32],
}

struct LateSeries {
    wanted: Wanted,
    lanes: Vec<Arc<Lane>>,
}

/// The facts about a series that a reader needs.
pub(super) struct Found {
    /// The slot for which values are delivered.
    pub(super) slot: u32,
    /// Whether the reader asked for the calls of a timer.
    pub(super) is_calls: bool,
    pub(super) wanted: Wanted,
}

/// Lets the source of a lane deliver to a series. Returns the number of readers, and whether the lane
/// is new there.
pub(super) fn join(slot: u32, lane: &Arc<Lane>) -> (Wanted, bool) {
    let mut table = lock(&TABLE);
    let series = table.series(slot);
    let is_new = !series.lanes.iter().any(|other| Arc::ptr_eq(other, lane));
    if is_new {
        series.lanes.retain(|lane| !lane.is_closed());
        series.lanes.push(Arc::clone(lane));
        // Relaxed: read by threads that take a later number, see `next_number`.
        GENERATION.fetch_add(1, Ordering::Relaxed);
    }
    (series.wanted, is_new)
}

impl Table {
    /// Returns the entry of a series. Adds one without lanes if it has none.
    fn series(&mut self, slot: u32) -> &mut LateSeries {
        let Self { series, free } = self;
        series.entry(slot).or_insert_with(|| LateSeries {
            wanted: next_of(free),
            lanes: Vec::new(),
        })
    }
}

fn next_of(free: &mut &'static [AtomicU32]) -> Wanted {
    static NEVER: AtomicU32 = AtomicU32::new(0);
    if free.is_empty() {
        *free = Box::leak(Box::new([const { AtomicU32::new(0) }; 256]));
    }
    let Some((wanted, rest)) = free.split_first() else {
        return &NEVER;
    };
    *free = rest;
    wanted
}

/// Returns the deferred series of an id, which may be that of a timer's calls; `None` if the values
/// of the series are not deferred.
///
/// A series is listed before its source joins it, so the registry decides: a reader that finds the
/// series in between waits for its first lane.
pub(super) fn find(id: u32) -> Option<Found> {
    let (kind, is_late) = read_catalog(|catalog| (catalog.kind(id), catalog.is_late(id)));
    // A deferred gauge is computed: nobody delivers its values.
    let kind = kind.filter(|kind| is_late && *kind != SeriesKind::Gauge)?;
    let is_calls = kind.is_companion();
    let slot = if is_calls { id.checked_sub(1)? } else { id };
    Some(Found {
        slot,
        is_calls,
        wanted: lock(&TABLE).series(slot).wanted,
    })
}

/// Returns a number that changes when readers have to fetch the lanes of their series again.
pub(super) fn generation() -> u64 {
    // Relaxed: see `join`.
    GENERATION.load(Ordering::Relaxed)
}

/// The table, locked, to read its lanes.
pub(super) struct Open(MutexGuard<'static, Table>);

/// Waits for the table.
pub(super) fn open() -> Open {
    Open(lock(&TABLE))
}

/// Returns the table; `None` while another thread uses it.
pub(super) fn try_open() -> Option<Open> {
    try_lock(&TABLE).map(Open)
}

impl Open {
    /// Returns the lanes whose sources deliver to a slot.
    pub(super) fn lanes(&self, slot: u32) -> &[Arc<Lane>] {
        self.0.series.get(&slot).map_or(&[], |series| &series.lanes)
    }
}
