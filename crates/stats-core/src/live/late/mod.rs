//! Values that are known frames later.
//!
//! All that happens to late values is put in one order by [`next_number`]: each stamp is a number,
//! and so is the end of each frame of a recorder that reads any. So a stamp lies in exactly one
//! frame of every recorder, whatever its clock says.
//!
//! ```text
//!  DeferredSource::issue ──▶ lane: the source's outstanding stamps ◀── how far is it known? ──┐
//!  DeferredSource::deliver ─▶ mailbox of each recorder, wanted values alone ◀── what came? ─ LateReader ──▶ columns ──▶ rings
//! ```
//!
//! A delivery is in the mailboxes before its stamp leaves the lane. A recorder looks the other way
//! round, lanes first: what it then finds in its mailbox is all that the frames without outstanding
//! stamps will ever get.

mod column;
mod ends;
mod lane;
#[cfg(test)]
mod lane_tests;
mod mailbox;
mod order;
mod reader;
mod source;
mod table;

use super::sync::{AtomicU64, Mutex, MutexGuard, Ordering};
use order::Sequence;

pub(crate) use column::Use;
pub(crate) use reader::LateReader;
pub(crate) use source::{LatePlace, LateSource, StampNumber};

/// The next number; see the head of the file.
fn next_number() -> u64 {
    static SEQUENCE: Sequence = Sequence(AtomicU64::new(1));
    SEQUENCE.next()
}

/// Late values dropped so far.
static DROPPED: AtomicU64 = AtomicU64::new(0);

/// How many values came too late.
pub(crate) fn dropped_values() -> u64 {
    DROPPED.load(Ordering::Relaxed)
}

fn drop_values(values: usize) {
    if values > 0 {
        // Relaxed: a number for people; `fetch_add` so that none is lost.
        DROPPED.fetch_add(values as u64, Ordering::Relaxed);
    }
}
