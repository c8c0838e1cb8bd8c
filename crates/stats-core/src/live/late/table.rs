//! The table of deferred series, with the sources that deliver to each.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};

use super::lane::Lane;
use super::order::{lock, try_lock};
use crate::SeriesKind;
use crate::live::sync::{AtomicU32, AtomicU64, Ordering};

/// The number of readers of a deferred series, checked for each delivered value.
pub(super) type Wanted = &'static AtomicU32;

/// The deferred series, by slot.
static TABLE: LazyLock<Mutex<Table>> = LazyLock::new(Mutex::default);

/// Changes whenever a series gets another source.
static GENERATION: AtomicU64 = AtomicU64::new(0);

#[derive(Default)]
struct Table {
    series: HashMap<u32, Series>,
    /// Unused counts of readers, allocated together so that a delivery finds them in the cache.
    free: &'static [AtomicU32],
}

struct Series {
    kind: SeriesKind,
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

/// Lets the source of a lane deliver to a series.
pub(super) fn join(slot: u32, kind: SeriesKind, lane: &Arc<Lane>) -> Wanted {
    let mut table = lock(&TABLE);
    let Table { series, free } = &mut *table;
    if let Some(series) = series.get_mut(&slot) {
        if !series.lanes.iter().any(|other| Arc::ptr_eq(other, lane)) {
            series.lanes.retain(|lane| !lane.is_closed());
            series.lanes.push(Arc::clone(lane));
            // Relaxed: read by threads that take a later number, see `next_number`.
            GENERATION.fetch_add(1, Ordering::Relaxed);
        }
        return series.wanted;
    }
    let wanted = next_of(free);
    series.insert(
        slot,
        Series {
            kind,
            wanted,
            lanes: vec![Arc::clone(lane)],
        },
    );
    wanted
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

/// Returns the deferred series of an id, which may be that of a timer's calls.
pub(super) fn find(slot: u32) -> Option<Found> {
    let table = lock(&TABLE);
    if let Some(series) = table.series.get(&slot) {
        return Some(Found {
            slot,
            is_calls: false,
            wanted: series.wanted,
        });
    }
    let slot = slot.checked_sub(1)?;
    let series = table
        .series
        .get(&slot)
        .filter(|series| series.kind.recording_count().is_some())?;
    Some(Found {
        slot,
        is_calls: true,
        wanted: series.wanted,
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
