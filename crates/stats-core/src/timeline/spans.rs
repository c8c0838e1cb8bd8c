//! The start and end of every scope, while there is a collector.

use crate::SeriesId;
use crate::backend::{self, Instant};
use crate::timeline::LaneKind;

/// A scope of a timer: when it began and ended, and on which thread.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Span<'a> {
    /// The timer.
    pub id: SeriesId,
    /// The name of the thread. Threads without a name are called `thread 1`, `thread 2` and so on.
    pub thread: &'a str,
    /// Identifies the thread, because several may have the same name. [`record_span`] ignores it:
    /// the threads of other profilers are known by their names.
    pub lane: u64,
    /// What runs in the lane of that name.
    pub kind: LaneKind,
    /// The number of scopes around it on its thread.
    pub depth: u32,
    /// When it began.
    pub begin: Instant,
    /// When it ended.
    pub end: Instant,
}

impl<'a> Span<'a> {
    /// Returns the scope of a timer that another profiler timed on a thread, with `depth` scopes
    /// around it. Its kind is [`LaneKind::OtherProfiler`].
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
            lane: 0,
            kind: LaneKind::OtherProfiler,
            depth,
            begin,
            end,
        }
    }

    /// Sets the kind of its lane.
    #[must_use]
    pub const fn with_kind(self, kind: LaneKind) -> Self {
        Self { kind, ..self }
    }
}

/// Collects the start and end of every scope of every timer, from its creation until it is dropped.
/// Each collector sees every scope, however many there are.
///
/// # Cost
///
/// While there is no collector, a scope reads one flag when it begins and one when it ends. While
/// there is one, a scope takes up to twice as long.
///
/// Events that no collector has read take at most 16 MiB, for all threads together: 700,000 events.
/// A scope is two events. If another collector reads them, the scopes that this one has not
/// [taken](Self::take) take at most 6 MiB: 262,144 scopes. Further scopes are [lost](Self::lost).
/// Threads never wait. [`take`](Self::take) waits for another collector that takes its scopes;
/// dropping a collector does not.
///
/// ```
/// use stats_core::{SpanCollector, timer};
///
/// # if stats_core::ENABLED {
/// let mut collector = SpanCollector::begin().expect("counters are enabled");
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
    /// Begins collecting. Returns `None` without the feature `enabled`.
    #[must_use]
    pub fn begin() -> Option<Self> {
        backend::SpanCollector::begin().map(|live| Self { live })
    }

    /// Visits the scopes that have ended since the last call. Those of one thread are in the order in
    /// which they ended.
    pub fn take(&mut self, visit: impl FnMut(Span<'_>)) {
        self.live.take(visit);
    }

    /// Returns the number of scopes that were lost because there was no room for them. A scope whose
    /// begin and end both found no room counts twice.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.live.lost()
    }
}

/// Adds a scope that another profiler timed, if scopes are [collected](are_spans_collected). Takes a
/// lock that is held for a moment. If a thread that has it is interrupted, the scope is
/// [lost](SpanCollector::lost), and the caller does not wait.
pub fn record_span(span: Span<'_>) {
    if are_spans_collected() {
        backend::record_span(span);
    }
}

/// Returns whether scopes are collected: there is a [`SpanCollector`], or somebody reads the
/// [timeline](crate::timeline) of a recorder. One load.
#[must_use]
pub fn are_spans_collected() -> bool {
    backend::are_spans_collected()
}
