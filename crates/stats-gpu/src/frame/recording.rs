//! The frame being recorded: its slot, its timed passes and scopes, and the open scopes of each
//! thread.

use std::thread::{self, ThreadId};

use stats_core::{DeferredSource, FrameStamp};

use super::log::Log;
use super::names::Names;
use super::unended::Unended;
use crate::readback::Slots;
use crate::status::GpuStatus;

/// Everything that recording a frame changes, under one lock.
#[derive(Debug)]
pub(crate) struct Recording {
    pub(crate) slots: Slots<FrameStamp>,
    pub(crate) names: Names,
    /// The log of each slot.
    pub(crate) logs: Vec<Log>,
    /// The number of passes and scopes of the frame for which no queries were left.
    pub(crate) untimed: u32,
    pub(crate) unended: Unended,
    /// The status that is listed as the reason why the frame's series has no values.
    pub(crate) published_trouble: Option<GpuStatus>,
    open: Vec<Open>,
    max_queries: u32,
}

/// An open scope.
#[derive(Debug)]
struct Open {
    thread: ThreadId,
    entry: u32,
}

/// An entry of the frame's log, and the slot and number of the first of its two queries. `query` is
/// `None` for a scope without queries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entered {
    entry: u32,
    pub(crate) query: Option<(usize, u32)>,
}

impl Recording {
    pub(crate) fn new(names: Names, slots: usize, patience: u64, max_queries: u32) -> Self {
        let logs = vec![Log::default(); slots];
        let slots = Slots::new(slots, patience);
        Self {
            slots,
            names,
            logs,
            untimed: 0,
            unended: Unended::default(),
            published_trouble: None,
            open: Vec::new(),
            max_queries,
        }
    }

    /// Takes the queries of a pass. Returns the slot and number of the first, or `None` if the pass
    /// is not timed.
    pub(crate) fn pass(&mut self, source: &DeferredSource, name: &str) -> Option<(usize, u32)> {
        self.enter(source, name, true)?.query
    }

    /// Opens a scope, with its own queries if `has_queries` is set. Returns `None` in a frame that
    /// is skipped, and if no queries are left.
    pub(crate) fn open(
        &mut self,
        source: &DeferredSource,
        name: &str,
        has_queries: bool,
    ) -> Option<Entered> {
        let entered = self.enter(source, name, has_queries)?;
        self.open.push(Open {
            thread: thread::current().id(),
            entry: entered.entry,
        });
        Some(entered)
    }

    /// Closes a scope. Scopes that were opened after it stay open.
    pub(crate) fn close(&mut self, entered: Entered) {
        self.open.retain(|open| open.entry != entered.entry);
    }

    fn enter(&mut self, source: &DeferredSource, name: &str, has_queries: bool) -> Option<Entered> {
        let mut begins = false;
        let slot = self.slots.slot(|| {
            begins = true;
            source.issue()
        })?;
        if begins {
            self.logs[slot].clear();
            // A scope that was leaked rather than dropped ends with its frame.
            self.open.clear();
        }
        let parent = self.innermost();
        let log = &mut self.logs[slot];
        let name = self
            .names
            .child(parent.map_or(Names::ROOT, |parent| log.name(parent)), name);
        self.unended.begin(name);
        let Some((entry, query)) = log.add(name, parent, has_queries, self.max_queries) else {
            self.untimed += 1;
            return None;
        };
        Some(Entered {
            entry,
            query: query.map(|query| (slot, query)),
        })
    }

    /// Returns the entry of the innermost scope that is open on this thread. Usually no scope is
    /// open at all, and then the thread's id is not needed.
    fn innermost(&self) -> Option<u32> {
        let last = self.open.last()?;
        let thread = thread::current().id();
        if last.thread == thread {
            return Some(last.entry);
        }
        self.open
            .iter()
            .rfind(|open| open.thread == thread)
            .map(|open| open.entry)
    }
}
