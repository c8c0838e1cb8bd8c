//! The frame under way: its slot, what is timed in it, and which scopes are open on which thread.

use std::thread::{self, ThreadId};

use stats_core::{DeferredSource, FrameStamp};

use crate::log::Log;
use crate::names::Names;
use crate::ring::Ring;
use crate::status::GpuStatus;
use crate::unended::Unended;

/// What recording a frame changes, all behind one lock.
#[derive(Debug)]
pub(crate) struct Recording {
    pub(crate) ring: Ring<FrameStamp>,
    pub(crate) names: Names,
    /// By slot.
    pub(crate) logs: Vec<Log>,
    /// How many passes and scopes of the frame found no queries left.
    pub(crate) untimed: u32,
    pub(crate) unended: Unended,
    /// The trouble that is told beside the frame's series.
    pub(crate) told: Option<GpuStatus>,
    open: Vec<Open>,
    most_queries: u32,
}

/// A scope that is open.
#[derive(Debug)]
struct Open {
    thread: ThreadId,
    entry: u32,
}

/// A scope that was opened: its entry in the frame's log, and its queries, as slot and number of
/// the first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entered {
    entry: u32,
    pub(crate) query: Option<(usize, u32)>,
}

impl Recording {
    pub(crate) fn new(names: Names, slots: usize, patience: u64, most_queries: u32) -> Self {
        let logs = vec![Log::default(); slots];
        let ring = Ring::new(slots, patience);
        Self {
            ring,
            names,
            logs,
            untimed: 0,
            unended: Unended::default(),
            told: None,
            open: Vec::new(),
            most_queries,
        }
    }

    /// Takes the queries of a pass, as slot and number of the first; `None` where it is not timed.
    pub(crate) fn pass(&mut self, late: &DeferredSource, name: &str) -> Option<(usize, u32)> {
        self.enter(late, name, true)?.query
    }

    /// Opens a scope, with queries of its own where it is `timed`; `None` in a frame that is
    /// skipped, and where no queries are left.
    pub(crate) fn open(
        &mut self,
        late: &DeferredSource,
        name: &str,
        timed: bool,
    ) -> Option<Entered> {
        let entered = self.enter(late, name, timed)?;
        self.open.push(Open {
            thread: thread::current().id(),
            entry: entered.entry,
        });
        Some(entered)
    }

    /// Closes a scope, whatever was opened after it.
    pub(crate) fn close(&mut self, entered: Entered) {
        self.open.retain(|open| open.entry != entered.entry);
    }

    fn enter(&mut self, late: &DeferredSource, name: &str, timed: bool) -> Option<Entered> {
        let mut begins = false;
        let slot = self.ring.slot(|| {
            begins = true;
            late.issue()
        })?;
        let log = &mut self.logs[slot];
        if begins {
            log.clear();
            // A scope that was leaked, rather than dropped, ends with its frame.
            self.open.clear();
        }
        let parent = self.innermost();
        let log = &mut self.logs[slot];
        let name = self
            .names
            .child(parent.map_or(Names::ROOT, |parent| log.name(parent)), name);
        self.unended.begin(name);
        let Some((entry, query)) = log.add(name, parent, timed, self.most_queries) else {
            self.untimed += 1;
            return None;
        };
        Some(Entered {
            entry,
            query: query.map(|query| (slot, query)),
        })
    }

    /// The entry of the innermost scope of this thread. Most often there is none, and then the
    /// thread need not be known.
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
