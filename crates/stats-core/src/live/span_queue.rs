//! A queue of records with one writer and one reader, in chunks.
//!
//! ```text
//! reader ─▶ ┌───────┐ next ┌───────┐ next ┌───────┐ ◀─ writer
//!           │ read  │─────▶│ full  │─────▶│ …     │
//!           └───────┘      └───────┘      └───────┘
//!               └──▶ pool ─ ─ ─ ─ ─ ─ ─ ─ ─ ─▶ the writer's next chunk
//! ```
//!
//! Neither end ever waits: a thread that is interrupted anywhere, even with the lock of the pool, only
//! makes others allocate or free a chunk instead of reusing one. If the reader keeps up, two
//! chunks alternate, so that the queue remains in the cache and nothing is allocated.

use super::sync::{Arc, AtomicU32, AtomicU64, Link, Mutex, Ordering, linked};

/// The words of a record.
pub(crate) const WORDS: usize = 3;

/// The number of records in a chunk: 16 KB. Few in a model.
pub(crate) const CHUNK: usize = if cfg!(loom) { 2 } else { 680 };

/// The maximum number of chunks that wait to be reused.
const MAX_SPARE: usize = 64;

/// A record.
pub(crate) type Record = [u64; WORDS];

/// A part of a queue.
#[derive(Debug)]
pub(crate) struct Chunk {
    words: Box<[AtomicU64]>,
    /// The number of words that are complete.
    written: AtomicU32,
    next: Link<Arc<Chunk>>,
}

impl Chunk {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            words: (0..CHUNK * WORDS).map(|_| AtomicU64::new(0)).collect(),
            written: AtomicU32::new(0),
            next: Link::new(),
        })
    }
}

/// The chunks that all queues share.
#[derive(Debug)]
pub(crate) struct Pool {
    spare: Mutex<Vec<Arc<Chunk>>>,
    /// The number of chunks that exist.
    made: AtomicU32,
    max: u32,
}

impl Pool {
    /// Returns a pool that makes at most `max` chunks.
    #[cfg(not(loom))]
    pub(crate) const fn new(max: u32) -> Self {
        Self {
            spare: Mutex::new(Vec::new()),
            made: AtomicU32::new(0),
            max,
        }
    }

    /// Loom's primitives have no constant constructor.
    #[cfg(loom)]
    pub(crate) fn new(max: u32) -> Self {
        Self {
            spare: Mutex::new(Vec::new()),
            made: AtomicU32::new(0),
            max,
        }
    }

    /// Returns an empty chunk: a spare one, or a new one. `None` if there are too many. Never waits.
    pub(crate) fn take(&self) -> Option<Arc<Chunk>> {
        let spare = self.spare.try_lock().ok().and_then(|mut all| all.pop());
        if spare.is_some() {
            return spare;
        }
        // Relaxed, here and below: the number only bounds the memory.
        if self.made.fetch_add(1, Ordering::Relaxed) >= self.max {
            self.forget();
            return None;
        }
        Some(Chunk::new())
    }

    /// Takes back a chunk that is read and left by its writer. Never waits.
    pub(crate) fn give_back(&self, mut chunk: Arc<Chunk>) {
        // The writer links the next chunk before it drops this one, so it may still have it.
        if let Some(whole) = Arc::get_mut(&mut chunk) {
            whole.written = AtomicU32::new(0);
            whole.next = Link::new();
            if let Ok(mut spare) = self.spare.try_lock()
                && spare.len() < MAX_SPARE
            {
                spare.push(chunk);
                return;
            }
        }
        self.forget();
    }

    /// Frees the spare chunks, unless a thread takes one at this moment. Never waits.
    pub(crate) fn trim(&self) {
        let spare = self
            .spare
            .try_lock()
            .map(|mut spare| std::mem::take(&mut *spare));
        spare.unwrap_or_default().iter().for_each(|_| self.forget());
    }

    /// Does what a thread does before it is interrupted.
    #[cfg(test)]
    pub(crate) fn lock_as_a_reader(&self) -> impl Drop {
        self.spare.lock().unwrap()
    }

    /// Notes that a chunk is freed.
    fn forget(&self) {
        self.made.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The writing end of a queue.
#[derive(Debug)]
pub(crate) struct Writer {
    chunk: Arc<Chunk>,
    /// The next word.
    at: usize,
}

/// The reading end of a queue.
#[derive(Debug)]
pub(crate) struct Reader {
    chunk: Arc<Chunk>,
    at: usize,
}

/// Returns both ends of an empty queue.
pub(crate) fn queue(chunk: Arc<Chunk>) -> (Writer, Reader) {
    let reader = Reader {
        chunk: Arc::clone(&chunk),
        at: 0,
    };
    (Writer { chunk, at: 0 }, reader)
}

impl Writer {
    /// Appends a record. If the chunk is full, `take` returns another one. Returns `false` if there
    /// is none: the record is lost.
    #[inline]
    pub(crate) fn push(
        &mut self,
        record: Record,
        take: impl FnOnce() -> Option<Arc<Chunk>>,
    ) -> bool {
        if self.at == CHUNK * WORDS && !self.advance(take) {
            return false;
        }
        let end = self.at + WORDS;
        let words = self.chunk.words.get(self.at..end).unwrap_or_default();
        for (word, new) in words.iter().zip(record) {
            // Relaxed: published by the store below.
            word.store(new, Ordering::Relaxed);
        }
        // Release, paired with the Acquire in `read`: a reader that sees the number sees the words.
        self.chunk.written.store(end as u32, Ordering::Release);
        self.at = end;
        true
    }

    #[cold]
    fn advance(&mut self, take: impl FnOnce() -> Option<Arc<Chunk>>) -> bool {
        let Some(next) = take() else {
            return false;
        };
        // Never set before: only this writer does so, once for each chunk.
        let _ = self.chunk.next.set(Arc::clone(&next));
        self.chunk = next;
        self.at = 0;
        true
    }
}

impl Reader {
    /// Calls `visit` with the records that are complete, in the order in which they were written.
    pub(crate) fn read(&mut self, pool: &Pool, mut visit: impl FnMut(Record)) {
        loop {
            // First: after it is linked, the chunk does not change.
            let next = linked(&self.chunk.next);
            // Acquire: see `push`.
            let written = self.chunk.written.load(Ordering::Acquire) as usize;
            let records = self.chunk.words.get(self.at..written).unwrap_or_default();
            for words in records.chunks_exact(WORDS) {
                let mut record = [0; WORDS];
                for (word, at) in record.iter_mut().zip(words) {
                    *word = at.load(Ordering::Relaxed);
                }
                visit(record);
            }
            self.at = written;
            let Some(next) = next else {
                return;
            };
            self.at = 0;
            pool.give_back(std::mem::replace(&mut self.chunk, next));
        }
    }

    /// Gives back the memory of a queue whose writer is gone.
    pub(crate) fn end(self, pool: &Pool) {
        pool.give_back(self.chunk);
    }
}
