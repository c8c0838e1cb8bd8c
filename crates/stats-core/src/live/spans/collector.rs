//! One reader of all scopes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::COLLECTORS;
use super::hub::{Ended, HUB, Hub, Open, Run, Scopes};
use super::other;
use crate::live::clock::instant;
use crate::timeline::{LaneKind, NewScope};
use crate::{SeriesId, Span};

/// A reader of all scopes. Each has its own list of those that it has not taken.
#[derive(Debug)]
pub(crate) struct SpanCollector {
    number: u64,
    /// Tells the hub that it has ended.
    has_ended: Arc<AtomicBool>,
    /// The scopes taken. Kept to reuse the memory.
    taken: Scopes,
    open: Vec<OpenSpan>,
}

/// Scopes of one lane that ended.
pub(in crate::live) struct LaneSpans<'a> {
    run: &'a Run,
    ended: &'a [Ended],
}

/// A scope that has not ended.
#[derive(Debug)]
pub(in crate::live) struct OpenSpan {
    lane: u64,
    name: Arc<str>,
    open: Open,
}

impl SpanCollector {
    pub(crate) fn begin() -> Option<Self> {
        Some(Self::of(&mut HUB.lock()))
    }

    /// Returns `None` if another thread uses the hub at this moment.
    pub(in crate::live) fn try_begin() -> Option<Self> {
        Some(Self::of(&mut *HUB.try_lock()?))
    }

    fn of(hub: &mut Hub) -> Self {
        let has_ended = Arc::default();
        let number = hub.begin(Arc::clone(&has_ended));
        COLLECTORS.fetch_add(1, Ordering::Relaxed);
        Self {
            number,
            has_ended,
            taken: Scopes::default(),
            open: Vec::new(),
        }
    }

    pub(crate) fn take(&mut self, mut visit: impl FnMut(Span<'_>)) {
        self.taken.clear();
        let mut hub = HUB.lock();
        hub.wait_for_new();
        hub.read();
        hub.read_others(&other::take());
        hub.take(self.number, &mut self.taken);
        drop(hub);
        for lane in self.lanes() {
            for ended in lane.ended {
                visit(Span {
                    id: SeriesId::new(ended.slot),
                    thread: &lane.run.name,
                    lane: lane.run.lane,
                    kind: lane.run.kind,
                    depth: ended.depth,
                    begin: instant(ended.begin_ns),
                    end: instant(ended.end_ns),
                });
            }
        }
    }

    /// Takes the scopes that have ended, and those that are open, without ever waiting: if another
    /// thread uses the hub, none are taken.
    pub(in crate::live) fn try_take(&mut self) {
        self.taken.clear();
        self.open.clear();
        let Some(mut hub) = HUB.try_lock() else {
            return;
        };
        hub.read();
        hub.read_others(&other::try_take());
        hub.take(self.number, &mut self.taken);
        hub.for_each_open(|(lane, name), open| {
            let name = Arc::clone(name);
            self.open.push(OpenSpan { lane, name, open });
        });
    }

    /// Returns the scopes that [`try_take`](Self::try_take) took.
    pub(in crate::live) fn lanes(&self) -> impl Iterator<Item = LaneSpans<'_>> {
        let mut rest = self.taken.ended.as_slice();
        self.taken.runs.iter().map(move |run| {
            let (ended, others) = rest.split_at(run.len);
            rest = others;
            LaneSpans { run, ended }
        })
    }

    /// Returns the open scopes that [`try_take`](Self::try_take) found.
    pub(in crate::live) fn open(&self) -> &[OpenSpan] {
        &self.open
    }

    pub(crate) fn lost(&self) -> u64 {
        HUB.lock().lost(self.number)
    }

    /// Returns the number of lost scopes; `None` if another thread uses the hub.
    pub(in crate::live) fn try_lost(&self) -> Option<u64> {
        Some(HUB.try_lock()?.lost(self.number))
    }
}

impl Drop for SpanCollector {
    /// Never waits.
    fn drop(&mut self) {
        COLLECTORS.fetch_sub(1, Ordering::Relaxed);
        // Relaxed: asking makes it visible.
        self.has_ended.store(true, Ordering::Relaxed);
        HUB.ask_for_upkeep();
    }
}

impl Scopes {
    fn clear(&mut self) {
        self.runs.clear();
        self.ended.clear();
    }
}

impl LaneSpans<'_> {
    /// Returns the scopes as a timeline takes them.
    pub(in crate::live) fn iter(&self) -> impl Iterator<Item = NewScope<'_>> {
        self.ended.iter().map(|ended| NewScope {
            lane: self.run.lane,
            lane_name: &self.run.name,
            lane_kind: self.run.kind,
            series: SeriesId::new(ended.slot),
            depth: ended.depth,
            begin_ns: ended.begin_ns,
            end_ns: Some(ended.end_ns),
            is_wait: false,
        })
    }
}

impl OpenSpan {
    /// Returns the scope as a timeline takes it.
    pub(in crate::live) fn new_scope(&self) -> NewScope<'_> {
        NewScope {
            lane: self.lane,
            lane_name: &self.name,
            lane_kind: LaneKind::Thread,
            series: SeriesId::new(self.open.slot),
            depth: self.open.depth,
            begin_ns: self.open.begin_ns,
            end_ns: None,
            is_wait: false,
        }
    }
}
