//! The records that the game writes and the hub reads. The first word of a record has its kind, and a
//! number that determines its length:
//!
//! | kind | number | words |
//! |---|---|---|
//! | `TABLE` | series | the ids of the series that each `FRAME` has from now on |
//! | `FRAME` | values | index, start, duration, nanoseconds when it ended, values |
//! | `DEFERRED` | values | id, first frame, values |
//! | `PAST` | frames | viewer and id, first frame, whether it is done, values; of the clock, starts and durations |
//! | `NEWEST` | series | pairs of an id and a value |
//! | `THREAD` | bytes of the name | name of the thread that ends the frames |
//! | `LANE` | bytes of the name | number, kind, by how much a pass may be off, name |
//! | `SCOPES` | scopes | viewer, frame, duration, lost scopes; of each scope begin, end, and the rest |
//! | `MARK` | bytes of the name | position, number of all marks, begin, end, whether it is a point, name |

pub(crate) const TABLE: u64 = 0;
pub(crate) const FRAME: u64 = 1;
pub(crate) const DEFERRED: u64 = 2;
pub(crate) const PAST: u64 = 3;
pub(crate) const NEWEST: u64 = 4;
pub(crate) const MARK: u64 = 5;
pub(crate) const THREAD: u64 = 6;
pub(crate) const LANE: u64 = 7;
pub(crate) const SCOPES: u64 = 8;

/// Returns the first word of a record.
pub(crate) const fn head(kind: u64, number: usize) -> u64 {
    kind << 56 | number as u64
}

/// The inverse of [`head`].
pub(crate) const fn parts(head: u64) -> (u64, usize) {
    (head >> 56, (head & (u64::MAX >> 8)) as usize)
}
