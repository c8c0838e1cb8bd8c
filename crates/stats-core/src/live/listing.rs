use super::cells;
use super::place::registry;
use crate::{Problem, SeriesId, SeriesInfo};

/// A number that changes whenever [`for_each_series`] would list something else. One load.
#[must_use]
pub fn generation() -> u64 {
    registry().generation()
}

/// Calls `visit` with every registered series, in the order of registration.
///
/// No lock is held during a call, so it may register series itself; those are listed too.
pub fn for_each_series(mut visit: impl FnMut(SeriesInfo<'static>)) {
    let mut page = Vec::new();
    let mut from = Some(0);
    while let Some(slot) = from {
        from = registry().list(slot, &mut page);
        page.drain(..).for_each(&mut visit);
    }
}

/// The series of a path; `None` while nothing is registered under it. Hashes and takes a lock.
#[must_use]
pub fn find(path: &str) -> Option<SeriesId> {
    registry().find(path).map(SeriesId::new)
}

/// What is wrong with the way series were registered, once each, oldest first, the first 256.
#[must_use]
pub fn problems() -> Vec<Problem> {
    registry().problems()
}

/// How many sets of cells exist: the most threads that ever counted at the same time. They are reused, never freed.
#[must_use]
pub fn thread_sets() -> usize {
    cells::block_sets()
}
