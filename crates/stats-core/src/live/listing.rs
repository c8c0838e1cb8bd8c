//! What is registered, for everybody to read.

use super::cells;
use super::place::with_registry;
use super::registry::Registry;
use crate::{Problem, SeriesId, SeriesInfo};

/// A number that changes whenever [`for_each_series`] would list something else. One load.
#[must_use]
pub fn generation() -> u64 {
    with_registry(Registry::generation)
}

/// Calls `visit` with every registered series, in the order of registration.
///
/// No lock is held during a call, so it may register series itself; those are listed too.
pub fn for_each_series(mut visit: impl FnMut(SeriesInfo<'static>)) {
    let (mut page, mut from) = (Vec::new(), 0);
    loop {
        let next = with_registry(|registry| registry.list(from, &mut page));
        if next == from {
            return;
        }
        page.drain(..).for_each(&mut visit);
        from = next;
    }
}

/// Calls `visit` with each series that was registered, or described otherwise, since [`generation`]
/// was `since`; with all of them for 0, with none for a generation that is yet to come.
///
/// Takes time for what changed alone. A series can come more than once, as it is now. No lock is
/// held while `visit` runs.
pub fn for_each_change(since: u64, mut visit: impl FnMut(SeriesInfo<'static>)) {
    let (mut page, mut from) = (Vec::new(), since);
    loop {
        let next = with_registry(|registry| registry.changes(from, &mut page));
        if next == from {
            return;
        }
        page.drain(..).for_each(&mut visit);
        from = next;
    }
}

/// The series of a path; `None` while nothing is registered under it. Hashes and takes a lock.
///
/// A path with empty segments finds what is counted without them.
#[must_use]
pub fn find(path: &str) -> Option<SeriesId> {
    with_registry(|registry| registry.find(path)).map(SeriesId::new)
}

/// Says why a series has no values, which readers show in their place: a device that cannot measure
/// it, a service that is not there. With nothing for a reason it has values again. Of an id that
/// names no series nothing happens.
///
/// What is recorded all the same is kept. Takes a lock: for when it changes, not for every frame.
pub fn set_unavailable(id: SeriesId, reason: &'static str) {
    with_registry(|registry| registry.set_unavailable(id.number(), reason));
}

/// What is wrong with the way series were registered, once each, oldest first, the first 256.
#[must_use]
pub fn problems() -> Vec<Problem> {
    with_registry(Registry::problems)
}

/// Reports a [`Problem::ReservedPath`]: the program asked for `given`, which the calling source
/// keeps for a series of its own, and the source registered `used` instead. For authors of sources
/// that turn the program's names into paths.
///
/// Reported once for each pair of paths. Takes a lock: call it when a name is first seen, not every
/// frame. Does nothing without the feature `enabled`.
pub fn report_reserved_path(given: &str, used: &str) {
    with_registry(|registry| registry.report_reserved_path(given, used));
}

/// How many sets of cells exist: the most threads that ever counted at the same time. They are
/// reused, never freed.
///
/// A set is 8 KiB for each 1024 series that its threads touched. Walks all of them: a nanosecond
/// for each 8 KiB. The series `stats/cell-block-sets` tells the same of each frame.
#[must_use]
pub fn cell_block_sets() -> usize {
    cells::block_sets(with_registry(Registry::slots))
}
