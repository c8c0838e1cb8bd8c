//! The lines of the log that wait for the end of a frame.
//!
//! Every line has a *ticket*, counted from 0, and lies in the slot `ticket % MAX_LOG_LINES`. A
//! writer takes a ticket and fills its slot; a reader follows the tickets. Each slot has a lock of
//! its own, held while 256 bytes are copied. A writer never waits for it. If a reader of an
//! older line holds the lock, or a writer that all others have overtaken, the line is lost, and
//! counted. A reader tries some times, as another reader may have it.
//!
//! The lines of a freeze have slots of their own: nothing that the rest of the program writes before
//! the frame ends replaces them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, TryLockError};

use super::reentrancy::OWNER;
use crate::limits::{MAX_LOG_LINE, MAX_LOG_LINES};
use crate::{FROZEN, LogLine, own_memory};

static LINES: Slots = Slots::new(MAX_LOG_LINES);
static FREEZES: Slots = Slots::new(32);

/// How often a reader tries to lock a slot.
const TRIES: u32 = 100;

struct Slots {
    /// The ticket of the next line.
    next: AtomicU64,
    count: usize,
    all: OnceLock<Box<[Mutex<Slot>]>>,
}

#[derive(Debug)]
struct Slot {
    /// The ticket after that of the line in it; 0 if it never had one.
    end: u64,
    len: usize,
    bytes: [u8; MAX_LOG_LINE],
}

/// Adds a line of at most [`MAX_LOG_LINE`] bytes.
pub(crate) fn keep_log_line(line: &str) {
    let is_freeze = LogLine::of_mark(line).is_some_and(|line| line.target == FROZEN);
    if is_freeze { &FREEZES } else { &LINES }.keep(line);
}

impl Slots {
    const fn new(count: usize) -> Self {
        Self {
            next: AtomicU64::new(0),
            count,
            all: OnceLock::new(),
        }
    }

    fn keep(&self, line: &str) {
        let slots = self.all.get_or_init(|| {
            let _memory = own_memory(OWNER);
            let empty = || Slot {
                end: 0,
                len: 0,
                bytes: [0; MAX_LOG_LINE],
            };
            let slots: Box<[_]> = (0..self.count).map(|_| Mutex::new(empty())).collect();
            // Some systems allocate a lock when it is first taken.
            slots.iter().for_each(|slot| drop(try_lock(slot)));
            slots
        });
        // Relaxed: the lock of the slot orders what is in it.
        let ticket = self.next.fetch_add(1, Ordering::Relaxed);
        if let Some(mut slot) = try_lock(&slots[ticket as usize % self.count])
            && slot.end <= ticket
        {
            slot.end = ticket + 1;
            slot.len = line.len();
            slot.bytes[..line.len()].copy_from_slice(line.as_bytes());
        }
    }

    /// The ticket of the next line.
    fn next(&self) -> u64 {
        self.next.load(Ordering::Relaxed)
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
    freezes: Cursor,
    lines: Cursor,
}

/// How far the lines are read.
#[derive(Debug)]
struct Cursor {
    /// The ticket of the next line to read.
    next: u64,
    /// The ticket of a line that was not complete when it was last looked at.
    waited: Option<u64>,
}

impl LogReader {
    pub(crate) fn new() -> Self {
        Self {
            freezes: Cursor::end_of(&FREEZES),
            lines: Cursor::end_of(&LINES),
        }
    }

    /// Returns whether there may be lines to read. Costs two loads.
    pub(crate) fn has_more(&self) -> bool {
        LINES.next() != self.lines.next || FREEZES.next() != self.freezes.next
    }

    /// Like [`read`](Self::read), with the lines of freezes, which that does not read.
    pub(crate) fn read_freezes(&mut self, take: impl FnMut(&str)) -> u64 {
        self.freezes.read(&FREEZES, take)
    }

    /// Calls `take` with the lines since the last call, in the order of their tickets. Returns the
    /// number of lines that are lost.
    ///
    /// A line that is being written is left to the next call, with those after it, and given up if
    /// it is not complete by then.
    pub(crate) fn read(&mut self, take: impl FnMut(&str)) -> u64 {
        self.lines.read(&LINES, take)
    }
}

impl Cursor {
    fn end_of(slots: &Slots) -> Self {
        Self {
            next: slots.next(),
            waited: None,
        }
    }

    fn read(&mut self, from: &Slots, mut take: impl FnMut(&str)) -> u64 {
        let end = from.next();
        // Without slots, the first line is being written.
        let Some(slots) = from.all.get() else {
            return 0;
        };
        let oldest = end.saturating_sub(from.count as u64);
        let mut lost = oldest.saturating_sub(self.next);
        self.next = self.next.max(oldest);
        while self.next < end {
            let slot = &slots[self.next as usize % from.count];
            // A copy: `take` may be slow.
            let line = (0..TRIES).find_map(|_| {
                let line = try_lock(slot).map(|slot| (slot.end, slot.len, slot.bytes));
                if line.is_none() {
                    std::hint::spin_loop();
                }
                line
            });
            match line.filter(|(end, ..)| *end > self.next) {
                Some((end, len, bytes)) if end == self.next + 1 => {
                    take(std::str::from_utf8(&bytes[..len]).unwrap_or_default());
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
