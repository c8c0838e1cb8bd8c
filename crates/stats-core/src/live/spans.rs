//! The buffers of scopes that ended, one for each thread, while there is a collector.
//!
//! Scopes are collected where they end: the start follows from the duration, so one event per scope
//! is enough. Without a collector, a scope only reads one flag. Each buffer is bounded, and its
//! thread never waits for the lock; scopes that do not fit are counted as lost.

use std::cell::RefCell;
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::clock::Instant;
use super::reentrancy::guarded;
use super::scopes::this_name;
use crate::{SeriesId, Span};

/// The capacity of a thread's buffer in scopes: 1.3 MB.
const CAPACITY: usize = 1 << 15;

/// The capacity of a buffer that the thread itself allocates: 164 KB. The collector replaces it
/// with a larger one. The collector's thread allocates that one, because a memory tracker charges
/// an allocation to the current work of its thread.
const FIRST_CAPACITY: usize = 1 << 12;

/// The maximum number of thread names of other profilers between two calls of `take`.
const MAX_NAMES: usize = 1 << 10;

/// Whether there is a collector. Relaxed everywhere: a scope that ends at that moment may or may
/// not be collected.
static ARE_COLLECTED: AtomicBool = AtomicBool::new(false);

static LOST: AtomicU64 = AtomicU64::new(0);

/// The buffers of all threads.
static THREADS: Mutex<Vec<Arc<Buffer>>> = Mutex::new(Vec::new());

/// The scopes of other profilers.
static FOREIGN: Mutex<Foreign> = Mutex::new(Foreign {
    names: Vec::new(),
    ended: Vec::new(),
});

thread_local! {
    static OWN: RefCell<Option<Arc<Buffer>>> = const { RefCell::new(None) };
}

/// A scope that ended.
#[derive(Clone, Copy, Debug)]
struct Ended {
    slot: u32,
    depth: u32,
    begin: Instant,
    end: Instant,
}

/// The scopes of one thread.
#[derive(Debug)]
struct Buffer {
    thread: String,
    /// Does not grow when the thread adds a scope. The thread only tries the lock, which the
    /// collector holds for a few instructions.
    ended: Mutex<Vec<Ended>>,
}

/// The scopes of other profilers, each with the number of its thread's name.
#[derive(Default)]
struct Foreign {
    names: Vec<String>,
    ended: Vec<(usize, Ended)>,
}

#[inline(always)]
pub(crate) fn are_spans_collected() -> bool {
    ARE_COLLECTED.load(Ordering::Relaxed)
}

/// Adds a scope of this thread that ends now, and took `ms`.
#[cold]
#[inline(never)]
pub(super) fn note(slot: u32, depth: u32, ms: f64) {
    let end = Instant::now();
    let taken = Duration::try_from_secs_f64(ms / 1e3).unwrap_or_default();
    let ended = Ended {
        slot,
        depth,
        begin: end.checked_sub(taken).unwrap_or(end),
        end,
    };
    // The thread may be ending, or be inside an allocation of this very function.
    let is_added = OWN.try_with(|own| {
        let mut own = own.try_borrow_mut().ok()?;
        if own.is_none() {
            *own = guarded(Buffer::register);
        }
        own.as_ref().map(|buffer| buffer.push(ended))
    });
    if !matches!(is_added, Ok(Some(true))) {
        LOST.fetch_add(1, Ordering::Relaxed);
    }
}

pub(crate) fn record_span(span: Span<'_>) {
    let mut foreign = lock(&FOREIGN);
    let ended = Ended {
        slot: span.id.number(),
        depth: span.depth,
        begin: span.begin,
        end: span.end,
    };
    if !foreign.push(span.thread, ended) {
        LOST.fetch_add(1, Ordering::Relaxed);
    }
}

/// The only collector.
#[derive(Debug)]
pub(crate) struct SpanCollector {
    /// The scopes taken from a buffer. Kept to reuse its memory.
    taken: Vec<Ended>,
}

impl SpanCollector {
    pub(crate) fn begin() -> Option<Self> {
        if ARE_COLLECTED.swap(true, Ordering::Relaxed) {
            return None;
        }
        LOST.store(0, Ordering::Relaxed);
        for buffer in lock(&THREADS).iter() {
            *lock(&buffer.ended) = Vec::with_capacity(CAPACITY);
        }
        Some(Self {
            taken: Vec::with_capacity(CAPACITY),
        })
    }

    pub(crate) fn take(&mut self, mut visit: impl FnMut(Span<'_>)) {
        let buffers = lock(&THREADS).clone();
        for buffer in &buffers {
            self.taken.reserve_exact(CAPACITY);
            mem::swap(&mut *lock(&buffer.ended), &mut self.taken);
            for ended in self.taken.drain(..) {
                visit(ended.on(&buffer.thread));
            }
        }
        drop(buffers);
        // Drops the buffers of threads that have ended, which only the list still owns, once all
        // their scopes are taken.
        lock(&THREADS)
            .retain(|buffer| Arc::strong_count(buffer) > 1 || !lock(&buffer.ended).is_empty());
        let mut foreign = lock(&FOREIGN);
        let Foreign { names, ended } = mem::take(&mut *foreign);
        drop(foreign);
        for (name, ended) in ended {
            visit(ended.on(names.get(name).map_or("", String::as_str)));
        }
    }

    pub(crate) fn lost(&self) -> u64 {
        LOST.load(Ordering::Relaxed)
    }
}

impl Drop for SpanCollector {
    fn drop(&mut self) {
        ARE_COLLECTED.store(false, Ordering::Relaxed);
        for buffer in lock(&THREADS).iter() {
            *lock(&buffer.ended) = Vec::new();
        }
        lock(&FOREIGN).ended = Vec::new();
    }
}

impl Buffer {
    fn register() -> Arc<Self> {
        let buffer = Arc::new(Self {
            thread: this_name(),
            ended: Mutex::new(Vec::with_capacity(FIRST_CAPACITY)),
        });
        lock(&THREADS).push(Arc::clone(&buffer));
        buffer
    }

    fn push(&self, new: Ended) -> bool {
        let Ok(mut ended) = self.ended.try_lock() else {
            return false;
        };
        let has_room = ended.len() < ended.capacity();
        if has_room {
            ended.push(new);
        }
        has_room
    }
}

impl Foreign {
    fn push(&mut self, thread: &str, ended: Ended) -> bool {
        let known = self.names.iter().position(|name| name == thread);
        let has_room =
            self.ended.len() < CAPACITY && (known.is_some() || self.names.len() < MAX_NAMES);
        if has_room {
            let name = known.unwrap_or_else(|| {
                self.names.push(thread.to_owned());
                self.names.len() - 1
            });
            self.ended.push((name, ended));
        }
        has_room
    }
}

impl Ended {
    fn on(self, thread: &str) -> Span<'_> {
        Span {
            id: SeriesId::new(self.slot),
            thread,
            depth: self.depth,
            begin: self.begin,
            end: self.end,
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
