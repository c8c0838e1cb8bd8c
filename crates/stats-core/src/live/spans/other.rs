//! Scopes that other profilers timed.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use super::hub::Ended;
use super::lose;
use crate::Span;
use crate::live::clock::nanoseconds;
use crate::timeline::LaneKind;

/// The maximum number of scopes between two calls of [`take`].
const MAX_SCOPES: usize = 1 << 15;

/// The maximum number of lanes between two calls of [`take`].
const MAX_LANES: usize = 1 << 10;

/// How often a thread tries to add a scope while another one adds one or takes all.
const TRIES: u32 = 32;

/// A lock of its own, so that the thread of another profiler does not keep a collector waiting.
static OTHERS: Mutex<Others> = Mutex::new(Others {
    lanes: Vec::new(),
    ended: Vec::new(),
});

/// The scopes of other profilers, each with the position of its lane.
#[derive(Default)]
pub(super) struct Others {
    lanes: Vec<Lane>,
    ended: Vec<(usize, Ended)>,
}

struct Lane {
    name: Arc<str>,
    kind: LaneKind,
}

/// Takes the scopes. Waits for a thread that adds one.
pub(super) fn take() -> Others {
    let mut others = OTHERS.lock().unwrap_or_else(PoisonError::into_inner);
    std::mem::take(&mut *others)
}

/// Takes the scopes. Never waits: takes none if a thread adds one at this moment.
pub(super) fn try_take() -> Others {
    try_lock().map_or_else(Others::default, |mut others| std::mem::take(&mut *others))
}

/// Returns `None` if another thread has the lock.
pub(super) fn try_lock() -> Option<MutexGuard<'static, Others>> {
    match OTHERS.try_lock() {
        Ok(others) => Some(others),
        Err(TryLockError::Poisoned(others)) => Some(others.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Adds a scope, or loses it if another thread is interrupted while it adds one.
pub(crate) fn record_span(span: Span<'_>) {
    let mut tries = (0..TRIES).map(|before| {
        if before > 0 {
            std::hint::spin_loop();
        }
        try_lock()
    });
    let Some(mut others) = tries.find_map(|others| others) else {
        return lose(1);
    };
    let begin_ns = nanoseconds(span.begin);
    let ended = Ended {
        slot: span.id.number(),
        depth: span.depth,
        begin_ns,
        end_ns: nanoseconds(span.end).max(begin_ns),
    };
    if !others.push((span.thread, span.kind), ended) {
        drop(others);
        lose(1);
    }
}

impl Others {
    /// Iterates over the scopes, each with its lane.
    pub(super) fn iter(&self) -> impl Iterator<Item = ((u64, &Arc<str>, LaneKind), Ended)> {
        self.ended.iter().filter_map(|(lane, ended)| {
            let lane = self.lanes.get(*lane)?;
            Some(((lane.number(), &lane.name, lane.kind), *ended))
        })
    }

    fn push(&mut self, (name, kind): (&str, LaneKind), ended: Ended) -> bool {
        let is_it = |lane: &Lane| *lane.name == *name && lane.kind == kind;
        // Usually that of the scope before.
        let recent = self.ended.last().map_or(0, |(lane, _)| *lane);
        let known = Some(recent).filter(|at| self.lanes.get(*at).is_some_and(is_it));
        let known = known.or_else(|| self.lanes.iter().position(is_it));
        let has_room =
            self.ended.len() < MAX_SCOPES && (known.is_some() || self.lanes.len() < MAX_LANES);
        if has_room {
            let lane = known.unwrap_or_else(|| {
                self.lanes.push(Lane {
                    name: name.into(),
                    kind,
                });
                self.lanes.len() - 1
            });
            self.ended.push((lane, ended));
        }
        has_room
    }
}

impl Lane {
    /// Returns a number that identifies the lane and is not that of a thread. There may be any
    /// number of names, so nothing keeps them.
    fn number(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&*self.name, std::mem::discriminant(&self.kind)).hash(&mut hasher);
        hasher.finish() | 1 << 63
    }
}
