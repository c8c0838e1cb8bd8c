//! Values that are known a few frames after the frame they belong to.
//!
//! Every event of deferred values gets a number from one sequence, by [`next_number`]: each stamp
//! that a source issues, and each frame end of a recorder that reads any. So a stamp lies in
//! exactly one frame of every recorder, regardless of their clocks.
//!
//! ```text
//!  DeferredSource::issue ──▶ lane: outstanding stamps of a source ◀── complete up to where? ──┐
//!  DeferredSource::deliver ─▶ mailbox of each recorder: wanted values ◀── what arrived? ─ LateReader ──▶ columns ──▶ rings
//! ```
//!
//! If a source gives up a stamp, NaN is delivered for each of its series, so the frame is unknown. A frame is
//! also unknown if it waited too long for a stamp, if its values found no room in the mailbox, or if the
//! reader began in that frame after a stamp of it.
//!
//! A delivery puts its values into the mailboxes first and then removes its stamp from the lane. A
//! recorder reads in the opposite order, lanes first. So once a frame has no outstanding stamps,
//! the recorder's mailbox has all values that the frame will ever get.
//!
//! - [`source`]: issues and delivers.
//! - [`lane`]: the outstanding stamps of one source.
//! - [`table`]: the sources that deliver to each series.
//! - [`mailbox`]: the values delivered to one recorder since it last took them.
//! - [`reader`]: the deferred values of one recorder.
//! - [`mod@column`]: the deferred values of one series.
//! - [`ends`]: maps a stamp to its frame.
//! - [`order`]: the sequence and the locks.
//!
//! Each recorder has a mailbox instead of a cursor in a shared log, so a stalled recorder delays
//! only its own mailbox, which is bounded. A mailbox stores only watched values. The recorder
//! misses no value and waits for no lock.
//!
//! The public types are [`DeferredSource`](crate::DeferredSource),
//! [`DeferredSeries`](crate::DeferredSeries) and [`FrameStamp`](crate::FrameStamp). The code calls
//! their values *late*, as in [`LATE_FRAMES`](crate::limits::LATE_FRAMES) and `stats/late-dropped`.

#[cfg(not(loom))]
mod column;
mod ends;
mod lane;
mod mailbox;
mod order;
#[cfg(not(loom))]
mod reader;
#[cfg(not(loom))]
mod source;
#[cfg(not(loom))]
mod table;

use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(not(loom))]
pub(crate) use column::Purpose;
#[cfg(loom)]
pub(super) use ends::Ends;
#[cfg(loom)]
pub(super) use lane::Lane;
#[cfg(loom)]
pub(super) use mailbox::{Mailbox, Post};
#[cfg(loom)]
pub(super) use order::Sequence;
#[cfg(not(loom))]
pub(super) use order::newest_number;
pub(super) use order::next_number;
#[cfg(not(loom))]
pub(crate) use reader::LateReader;
#[cfg(not(loom))]
pub(crate) use source::{LatePlace, LateSource, StampNumber};

/// The number of deferred values that were dropped.
static DROPPED: AtomicU64 = AtomicU64::new(0);

/// Returns the number of deferred values that came too late.
pub(super) fn dropped_values() -> u64 {
    // Relaxed: as in `drop_values`.
    DROPPED.load(Ordering::Relaxed)
}

fn drop_values(values: usize) {
    if values > 0 {
        // Relaxed: the number orders nothing else. `fetch_add`, so that no drop is lost.
        DROPPED.fetch_add(values as u64, Ordering::Relaxed);
    }
}
