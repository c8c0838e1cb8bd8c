//! The start and end of every scope, while there is a collector.

use crate::SeriesId;
use crate::backend::{self, Instant};

/// A scope of a timer: when it began and ended, and on which thread.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Span<'a> {
    /// The timer.
    pub id: SeriesId,
    /// The name of the thread. Threads without a name are called `thread 1`, `thread 2` and so on.
    pub thread: &'a str,
    /// The number of scopes around it on its thread.
    pub depth: u32,
    /// When it began.
    pub begin: Instant,
    /// When it ended.
    pub end: Instant,
}

impl<'a> Span<'a> {
    /// Returns the scope of a timer on a thread, with `depth` scopes around it.
    #[must_use]
    pub const fn new(
        id: SeriesId,
        thread: &'a str,
        depth: u32,
        begin: Instant,
        end: Instant,
    ) -> Self {
        Self {
            id,
            thread,
            depth,
            begin,
            end,
        }
    }
}

/// Collects the start and end of every scope of every timer, from its creation until it is dropped.
/// One exists at a time.
///
/// # Cost
///
/// While there is no collector, a scope reads one flag. While there is one, a scope takes about
/// twice as long, and each thread has a buffer for the 32,768 scopes that end between two calls of
/// [`take`](Self::take), or for 4,096 before the first one. Further ones are [lost](Self::lost).
/// Threads never wait.
///
/// ```
/// use stats_core::{SpanCollector, timer};
///
/// # if stats_core::ENABLED {
/// let mut collector = SpanCollector::begin().expect("there is no other");
/// timer("physics").time(|| timer("physics/broad phase").time(|| {}));
/// let mut depths = Vec::new();
/// collector.take(|span| depths.push(span.depth));
/// assert_eq!(depths, [1, 0]); // in the order in which they ended
/// # }
/// ```
#[derive(Debug)]
pub struct SpanCollector {
    live: backend::SpanCollector,
}

impl SpanCollector {
    /// Begins collecting. Returns `None` if there is a collector already, and without the feature
    /// `enabled`.
    #[must_use]
    pub fn begin() -> Option<Self> {
        backend::SpanCollector::begin().map(|live| Self { live })
    }

    /// Visits the scopes that have ended since the last call, thread by thread, in the order in
    /// which they ended.
    pub fn take(&mut self, visit: impl FnMut(Span<'_>)) {
        self.live.take(visit);
    }

    /// Returns the number of scopes that were lost, because a buffer was full or being taken at
    /// that moment.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.live.lost()
    }
}

/// Adds a scope that another profiler timed, if there is a [`SpanCollector`]. Takes a lock, so do
/// not call it on the game's own threads.
pub fn record_span(span: Span<'_>) {
    if are_spans_collected() {
        backend::record_span(span);
    }
}

/// Returns whether there is a [`SpanCollector`]. One load.
#[must_use]
pub fn are_spans_collected() -> bool {
    backend::are_spans_collected()
}
