//! The lines of the log that wait for the end of a frame.
//!
//! Every line has a *ticket*, counted from 0, and lies in the slot `ticket % MAX_LOG_LINES`. A
//! writer takes a ticket and fills its slot; a reader follows the tickets. Each slot has a lock of
//! its own, which nobody waits for: it is taken at the same time only if a reader has fallen behind
//! by all slots, or if a thread was stopped while it wrote. The line is then lost, and counted.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, TryLockError};

use super::reentrancy::OWNER;
use crate::limits::{MAX_LOG_LINE, MAX_LOG_LINES};
use crate::own_memory;

/// The ticket of the next line.
static NEXT: AtomicU64 = AtomicU64::new(0);
static SLOTS: OnceLock<Box<[Mutex<Slot>]>> = OnceLock::new();

#[derive(Debug)]
struct Slot {
    /// The ticket after that of the line in it; 0 if it never had one.
    end: u64,
    len: usize,
    bytes: [u8; MAX_LOG_LINE],
}

/// Adds a line of at most [`MAX_LOG_LINE`] bytes.
pub(crate) fn keep_log_line(line: &str) {
    let slots = SLOTS.get_or_init(|| {
        let _memory = own_memory(OWNER);
        let empty = || Slot {
            end: 0,
            len: 0,
            bytes: [0; MAX_LOG_LINE],
        };
        let slots: Box<[_]> = (0..MAX_LOG_LINES).map(|_| Mutex::new(empty())).collect();
        // Some systems allocate a lock when it is first taken.
        slots.iter().for_each(|slot| drop(try_lock(slot)));
        slots
    });
    // Relaxed: the lock of the slot orders what is in it.
    let ticket = NEXT.fetch_add(1, Ordering::Relaxed);
    if let Some(mut slot) = try_lock(&slots[ticket as usize % MAX_LOG_LINES])
        && slot.end <= ticket
    {
        slot.end = ticket + 1;
        slot.len = line.len();
        slot.bytes[..line.len()].copy_from_slice(line.as_bytes());
    }
}

fn try_lock(slot: &Mutex<Slot>) -> Option<MutexGuard<'_, Slot>> {
    match slot.try_lock() {
        Ok(slot) => Some(slot),
        // Nothing panics under the lock.
        Err(TryLockError::Poisoned(slot)) => Some(slot.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// A reader of all lines that are written after it was created.
#[derive(Debug)]
pub(crate) struct LogReader {
    /// The ticket of the next line to read.
    next: u64,
    /// The ticket of a line that was not complete when it was last looked at.
    waited: Option<u64>,
}

impl LogReader {
    pub(crate) fn new() -> Self {
        Self {
            next: NEXT.load(Ordering::Relaxed),
            waited: None,
        }
    }

    /// Returns whether there may be lines to read. Costs a load.
    pub(crate) fn has_more(&self) -> bool {
        NEXT.load(Ordering::Relaxed) != self.next
    }

    /// Calls `take` with the lines since the last call, in the order of their tickets. Returns the
    /// number of lines that are lost.
    ///
    /// A line that is being written is left to the next call, with those after it, and given up if
    /// it is not complete by then.
    pub(crate) fn read(&mut self, mut take: impl FnMut(&str)) -> u64 {
        let end = NEXT.load(Ordering::Relaxed);
        // Without slots, the first line is being written.
        let Some(slots) = SLOTS.get() else { return 0 };
        let oldest = end.saturating_sub(MAX_LOG_LINES as u64);
        let mut lost = oldest.saturating_sub(self.next);
        self.next = self.next.max(oldest);
        while self.next < end {
            let slot = try_lock(&slots[self.next as usize % MAX_LOG_LINES]);
            match slot.filter(|slot| slot.end > self.next) {
                Some(slot) if slot.end == self.next + 1 => {
                    take(std::str::from_utf8(&slot.bytes[..slot.len]).unwrap_or_default());
                }
                Some(_) => lost += 1,
                None if self.waited == Some(self.next) => lost += 1,
                None => {
                    self.waited = Some(self.next);
                    break;
                }
            }
            self.next += 1;
        }
        lost
    }
}
