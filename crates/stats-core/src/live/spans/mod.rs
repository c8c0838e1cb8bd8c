//! The start and the end of every scope, while there is a collector.
//!
//! Each thread writes a record when a scope begins and one when it ends, into a queue of its own
//! ([`span_queue`](super::span_queue)). Without a collector, a scope only reads a flag. A collector
//! reads the queues of all threads, and gives what it finds to every collector, so that each sees
//! every scope.
//!
//! A recorder begins, reads and ends a collector at the end of a frame, where nothing waits: what
//! another thread uses at that moment is read with the next frame, and the end of a collector is left
//! to that thread.
//!
//! - [`record`]: what a thread writes.
//! - [`hub`]: reads the queues, and knows the open scopes.
//! - [`other`]: scopes that other profilers timed.
//! - [`collector`]: one reader of all scopes.

mod collector;
mod hub;
mod other;
mod record;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::clock::Stamp;
use super::reentrancy::guarded;
use super::scopes::{Token, depth_of, this_stack};
use super::span_queue::{Pool, Record, Writer};

pub(crate) use collector::SpanCollector;
pub(crate) use other::record_span;

/// The number of collectors. Relaxed everywhere: a scope that begins or ends when the first one begins
/// or the last one ends may or may not be collected.
static COLLECTORS: AtomicU32 = AtomicU32::new(0);

/// The number of records that found no room, in all.
static LOST: AtomicU64 = AtomicU64::new(0);

/// The memory of all queues: 16 MiB at most.
static POOL: Pool = Pool::new(1 << 10);

thread_local! {
    static OWN: RefCell<Option<Own>> = const { RefCell::new(None) };
}

/// The queue of this thread.
struct Own {
    writer: Writer,
    /// Tells the hub that the thread has not ended.
    _alive: Arc<()>,
}

#[inline(always)]
pub(crate) fn are_spans_collected() -> bool {
    COLLECTORS.load(Ordering::Relaxed) > 0
}

/// Notes that a scope of this thread began.
#[cold]
#[inline(never)]
pub(super) fn note_begin(slot: u32, token: Token, begin: Stamp) {
    // A scope without an entry is known only when it ends.
    if token.is_tracked() {
        write(record::begin(slot, depth_of(token), token, begin));
    }
}

/// Notes that a scope ended on this thread.
#[cold]
#[inline(never)]
pub(super) fn note_end(slot: u32, token: Token, [begin, end]: [Stamp; 2]) {
    write(record::end(slot, depth_of(token), token, begin, end));
    if token.is_tracked() && token.stack() != this_stack() {
        write(record::moved(token));
    }
}

/// Adds a record to the queue of this thread.
#[inline]
fn write(record: Record) {
    // The thread may be ending, or be inside an allocation of this very function.
    let is_written = OWN.try_with(|own| {
        let mut own = own.try_borrow_mut().ok()?;
        if own.is_none() {
            *own = guarded(hub::register).flatten();
        }
        let take = || guarded(|| POOL.take()).flatten();
        own.as_mut().map(|own| own.writer.push(record, take))
    });
    if !matches!(is_written, Ok(Some(true))) {
        lose(1);
    }
}

/// Counts records without room.
fn lose(records: u64) {
    LOST.fetch_add(records, Ordering::Relaxed);
}
