//! Reads the queues of all threads, and gives the scopes to every collector.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering, fence};
use std::sync::{Arc, Weak};

use super::other::{self, Others};
use super::record::{self, Event};
use super::{LOST, Own, POOL};
use crate::live::clock::Anchor;
use crate::live::exclusive::Exclusive;
use crate::live::scopes::{this_name, this_stack};
use crate::live::span_queue::{Reader, queue};
use crate::timeline::LaneKind;

/// The maximum number of scopes that wait for a collector: 6 MiB.
const MAX_WAITING: usize = 1 << 18;

/// The maximum number of scopes that ended on another thread and are not found.
const MAX_MOVED: usize = 256;

/// The threads that began since the hub was last used. A lock of its own, which is never held for
/// longer than it takes to move the list or to find a lane, because threads of the program wait for it
/// once.
pub(super) static NEW: Exclusive<New> = Exclusive::new(
    New {
        threads: Vec::new(),
        lanes: Vec::new(),
    },
    |_| {},
);

/// The maximum number of lanes of threads that have ended.
const MAX_ENDED_LANES: usize = 1 << 10;

pub(super) static HUB: Exclusive<Hub> = Exclusive::new(
    Hub {
        threads: Vec::new(),
        waiting: Vec::new(),
        moved: Vec::new(),
        begun: 0,
    },
    Hub::forget_ended,
);

/// What all collectors share.
pub(super) struct Hub {
    threads: Vec<Thread>,
    /// Of each collector, by its number.
    waiting: Vec<Waiting>,
    /// The scopes that ended on another thread, and are not found among the open ones of theirs.
    moved: Vec<Moved>,
    /// The number of collectors that ever began.
    begun: u64,
}

/// A scope that ended on another thread.
#[derive(Clone, Copy, Debug)]
struct Moved {
    stack: u64,
    serial: u32,
}

/// The threads that the hub does not know, and the lanes of all threads.
pub(super) struct New {
    threads: Vec<Thread>,
    lanes: Vec<Lane>,
}

/// The lane of a thread. When the thread has ended, the next of its name has the same lane.
struct Lane {
    number: u64,
    name: Arc<str>,
    alive: Weak<()>,
}

/// A thread that has a queue.
struct Thread {
    lane: u64,
    name: Arc<str>,
    stack: u64,
    alive: Weak<()>,
    reader: Reader,
    open: Vec<Open>,
}

/// A scope that has not ended, on its thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) slot: u32,
    pub(super) depth: u32,
    serial: u32,
    pub(super) begin_ns: i64,
}

/// A scope that ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ended {
    pub(super) slot: u32,
    pub(super) depth: u32,
    pub(super) begin_ns: i64,
    pub(super) end_ns: i64,
}

/// Scopes of one lane, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) lane: u64,
    pub(super) name: Arc<str>,
    pub(super) kind: LaneKind,
    pub(super) len: usize,
}

/// The scopes that a collector has not taken.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    pub(super) runs: Vec<Run>,
    pub(super) ended: Vec<Ended>,
}

struct Waiting {
    collector: u64,
    has_ended: Arc<AtomicBool>,
    scopes: Scopes,
    /// The number of scopes that found no room here.
    lost: u64,
    /// [`LOST`] when the collector began.
    lost_before: u64,
}

/// Returns a queue for this thread. Allocates.
pub(super) fn register() -> Option<Own> {
    let (writer, reader) = queue(POOL.take()?);
    let alive = Arc::new(());
    let mut new = NEW.lock();
    let (lane, name) = new.lane(&this_name(), &alive);
    new.threads.push(Thread {
        lane,
        name,
        stack: this_stack(),
        alive: Arc::downgrade(&alive),
        reader,
        open: Vec::new(),
    });
    Some(Own {
        writer,
        _alive: alive,
    })
}

impl New {
    /// Returns a lane for a thread.
    fn lane(&mut self, name: &str, alive: &Arc<()>) -> (u64, Arc<str>) {
        static LANES: AtomicU64 = AtomicU64::new(0);
        let has_ended = |lane: &Lane| lane.alive.strong_count() == 0;
        let is_free = |lane: &&mut Lane| *lane.name == *name && has_ended(lane);
        if let Some(lane) = self.lanes.iter_mut().find(is_free) {
            lane.alive = Arc::downgrade(alive);
            return (lane.number, Arc::clone(&lane.name));
        }
        if self.lanes.len() >= MAX_ENDED_LANES {
            self.lanes.retain(|lane| !has_ended(lane));
        }
        let name: Arc<str> = name.into();
        // Relaxed: numbers only have to differ.
        let number = LANES.fetch_add(1, Ordering::Relaxed);
        self.lanes.push(Lane {
            number,
            name: Arc::clone(&name),
            alive: Arc::downgrade(alive),
        });
        (number, name)
    }
}

impl Hub {
    /// Begins a collector, and returns its number.
    pub(super) fn begin(&mut self, has_ended: Arc<AtomicBool>) -> u64 {
        self.forget_ended();
        if self.waiting.is_empty() {
            // What was written when the last collector ended.
            self.read();
            self.forget_open();
            drop(other::try_take());
        }
        self.begun += 1;
        self.waiting.push(Waiting {
            collector: self.begun,
            has_ended,
            scopes: Scopes::default(),
            lost: 0,
            lost_before: LOST.load(Ordering::Relaxed),
        });
        self.begun
    }

    /// Forgets the collectors that have ended, and what was written for the last one.
    fn forget_ended(&mut self) {
        let before = self.waiting.len();
        // Relaxed: whoever asks for it made the end visible.
        self.waiting
            .retain(|waiting| !waiting.has_ended.load(Ordering::Relaxed));
        if before > 0 && self.waiting.is_empty() {
            self.read();
            self.forget_open();
            drop(other::try_take());
            POOL.trim();
        }
    }

    #[cfg(test)]
    pub(super) fn collectors(&self) -> usize {
        self.waiting.len()
    }

    /// Waits for a thread that begins at this moment.
    pub(super) fn wait_for_new(&mut self) {
        self.threads.append(&mut NEW.lock().threads);
    }

    /// Gives the scopes that have ended since the last call to all collectors. Never waits: if a thread
    /// begins at this moment, the next call reads those that are new.
    pub(super) fn read(&mut self) {
        if let Some(mut new) = NEW.try_lock() {
            self.threads.append(&mut new.threads);
        }
        let anchor = Anchor::now();
        let mut at = 0;
        while let Some(thread) = self.threads.get_mut(at) {
            let has_ended = thread.alive.strong_count() == 0;
            // Acquire, paired with the Release in the `Arc` of the thread: what it wrote before it
            // ended is visible.
            fence(Ordering::Acquire);
            thread.read(&anchor, &mut self.waiting, &mut self.moved);
            if has_ended {
                self.threads.remove(at).reader.end(&POOL);
            } else {
                at += 1;
            }
        }
        self.close_moved();
    }

    /// Gives the scopes of other profilers to all collectors.
    pub(super) fn read_others(&mut self, others: &Others) {
        for (lane, ended) in others.iter() {
            for waiting in &mut self.waiting {
                waiting.add(lane, ended);
            }
        }
    }

    /// Moves the scopes of a collector into `scopes`, which are empty.
    pub(super) fn take(&mut self, collector: u64, scopes: &mut Scopes) {
        if let Some(waiting) = self.waiting_of(collector) {
            std::mem::swap(&mut waiting.scopes, scopes);
        }
    }

    /// Calls `visit` with the open scopes of each thread, outer ones first.
    pub(super) fn for_each_open(&self, mut visit: impl FnMut((u64, &Arc<str>), Open)) {
        for thread in &self.threads {
            for open in &thread.open {
                visit((thread.lane, &thread.name), *open);
            }
        }
    }

    /// Returns the number of scopes that a collector missed.
    pub(super) fn lost(&mut self, collector: u64) -> u64 {
        let lost = LOST.load(Ordering::Relaxed);
        self.waiting_of(collector)
            .map_or(0, |waiting| waiting.lost + lost - waiting.lost_before)
    }

    fn waiting_of(&mut self, collector: u64) -> Option<&mut Waiting> {
        let mut all = self.waiting.iter_mut();
        all.find(|waiting| waiting.collector == collector)
    }

    fn forget_open(&mut self) {
        for thread in &mut self.threads {
            thread.open = Vec::new();
        }
        self.moved = Vec::new();
    }

    /// Closes the scopes that ended on another thread. The begin of one may be read later than its
    /// end.
    fn close_moved(&mut self) {
        let threads = &mut self.threads;
        self.moved.retain(|moved| {
            let thread = threads
                .iter_mut()
                .find(|thread| thread.stack == moved.stack);
            thread.is_some_and(|thread| !thread.close(moved.serial))
        });
        let too_many = self.moved.len().saturating_sub(MAX_MOVED);
        self.moved.drain(..too_many);
    }
}

impl Thread {
    /// Closes an open scope that ended on another thread; `false` if it is not open.
    fn close(&mut self, serial: u32) -> bool {
        let Some(at) = self.open.iter().rposition(|open| open.serial == serial) else {
            return false;
        };
        self.open.remove(at);
        for inside in &mut self.open[at..] {
            inside.depth = inside.depth.saturating_sub(1);
        }
        true
    }

    /// Reads its queue. Appends the scopes that began on another thread to `moved`.
    fn read(&mut self, anchor: &Anchor, waiting: &mut [Waiting], moved: &mut Vec<Moved>) {
        let lane = (self.lane, &self.name, LaneKind::Thread);
        let open = &mut self.open;
        self.reader
            .read(&POOL, |record| match record::read(record) {
                Event::Begin(scope, begin) => {
                    while open.pop_if(|inner| inner.depth >= scope.depth).is_some() {}
                    open.push(Open {
                        slot: scope.slot,
                        depth: scope.depth,
                        serial: scope.serial,
                        begin_ns: anchor.ns(begin),
                    });
                }
                Event::End(scope, begin, end) => {
                    let is_it =
                        |open: &Open| open.serial == scope.serial && open.slot == scope.slot;
                    let known = open.iter().rposition(is_it);
                    let begin_ns = known.map_or_else(|| anchor.ns(begin), |at| open[at].begin_ns);
                    if let Some(at) = known {
                        open.truncate(at);
                    }
                    let ended = Ended {
                        slot: scope.slot,
                        depth: scope.depth,
                        begin_ns,
                        end_ns: anchor.ns(end).max(begin_ns),
                    };
                    for waiting in &mut *waiting {
                        waiting.add(lane, ended);
                    }
                }
                Event::Moved { stack, serial } => moved.push(Moved { stack, serial }),
            });
    }
}

impl Waiting {
    fn add(&mut self, (lane, name, kind): (u64, &Arc<str>, LaneKind), ended: Ended) {
        let Scopes { runs, ended: all } = &mut self.scopes;
        if all.len() >= MAX_WAITING {
            self.lost += 1;
            return;
        }
        all.push(ended);
        match runs.last_mut().filter(|run| run.lane == lane) {
            Some(run) => {
                run.kind = kind;
                run.len += 1;
            }
            None => runs.push(Run {
                lane,
                name: Arc::clone(name),
                kind,
                len: 1,
            }),
        }
    }
}
