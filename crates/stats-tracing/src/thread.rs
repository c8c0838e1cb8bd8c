//! The state of a thread: the stack of entered spans, and a cache of places.
//!
//! Entering and exiting a span touches [`Hot`] alone. It is small, of fixed size, and has no
//! destructor, so access to it takes no check. On a miss the layer looks in [`Cold`], the rest of
//! the thread's cache, and then in [`places`], which are shared and need a lock.

use std::cell::RefCell;
use std::collections::HashMap;
use std::mem::ManuallyDrop;

use foldhash::fast::FixedState;
use stats_core::{CounterHandle, ScopeTime, TimerHandle, TimerScope};
use tracing_core::Metadata;

use crate::events;
use crate::places::{self, MAX_PLACES, Name};

/// The maximum depth of spans that are timed on a thread.
pub const MAX_DEPTH: usize = 64;

/// The maximum number of callsites, and of texts of names, that a thread remembers. Only programs
/// that create them at run time have more.
const MAX_KNOWN: usize = MAX_PLACES;

/// The maximum length of a text that a thread remembers, in bytes.
const MAX_TEXT: usize = 256;

/// The sizes of the tables in [`Hot`]; powers of two.
const RECENT: usize = 64;
const CALLS: usize = 256;
const TARGETS: usize = 64;

/// A span in the process: the number of its layer, and its id there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SpanKey {
    pub(crate) layer: u64,
    pub(crate) id: u64,
}

/// The source of a span's name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Callsite(&'static Metadata<'static>),
    Text(Name),
}

/// The calls of spans of one kind at one call path.
#[derive(Clone, Copy)]
struct Calls {
    /// The number of the path around, and the [key](Kind::key) of the kind.
    key: (u32, usize),
    path: u32,
    timer: TimerHandle,
    name: Name,
}

/// A span that this thread created.
struct Recent {
    span: SpanKey,
    /// The [key](Kind::key) of its kind; 0 if there is no span yet.
    kind: usize,
}

/// A span that is entered.
struct Open {
    span: SpanKey,
    path: u32,
    name: Name,
    /// Not dropped when the thread ends, so that [`Hot`] needs no destructor.
    scope: ManuallyDrop<Option<TimerScope>>,
}

/// The part of a thread's state that every call touches.
pub(crate) struct Hot {
    /// The number of the thread's path; [`UNKNOWN`] before its first span.
    root: u32,
    depth: usize,
    /// The entered spans, without those that were entered inside [`MAX_DEPTH`] others.
    open: [Open; MAX_DEPTH],
    /// The spans that this thread created last, by the last bits of their ids.
    ///
    /// An id contains the number of the thread that created it, so only this thread creates another
    /// span of the same id, which replaces the entry.
    recent: [Recent; RECENT],
    /// The kinds of these spans, by which their calls are found.
    recent_kinds: [Option<Kind>; RECENT],
    calls: [Option<Calls>; CALLS],
    /// The counters of events, by the address of their callsite. The counter is `None` beyond the
    /// limit.
    targets: [Option<(usize, Option<CounterHandle>)>; TARGETS],
}

const UNKNOWN: u32 = u32::MAX;

/// Everything that a thread knows about callsites and places. Bounded by the number of places and
/// by [`MAX_KNOWN`].
#[derive(Default)]
struct Cold {
    /// The number of the thread's path; 0 before its first span.
    root: u32,
    callsites: HashMap<usize, Name, FixedState>,
    texts: HashMap<Box<str>, Name, FixedState>,
    calls: HashMap<(u32, usize), Calls, FixedState>,
    targets: HashMap<usize, Option<CounterHandle>, FixedState>,
}

thread_local! {
    static HOT: RefCell<Hot> = const {
        assert!(!std::mem::needs_drop::<Hot>());
        RefCell::new(Hot {
            root: UNKNOWN,
            depth: 0,
            open: [const { Open::NONE }; MAX_DEPTH],
            recent: [const { Recent::NONE }; RECENT],
            recent_kinds: [None; RECENT],
            calls: [None; CALLS],
            targets: [None; TARGETS],
        })
    };
    static COLD: RefCell<Cold> = RefCell::default();
}

impl Kind {
    /// Returns a number that no other kind has: the address of a callsite, which is even, or an odd
    /// number.
    fn key(self) -> usize {
        match self {
            Self::Callsite(callsite) => address(callsite),
            Self::Text(name) => (name.number as usize) << 1 | 1,
        }
    }
}

/// Returns a number that no other callsite has: callsites are never freed.
fn address(callsite: &'static Metadata<'static>) -> usize {
    std::ptr::from_ref(callsite).addr()
}

impl Recent {
    const NONE: Self = Self {
        span: SpanKey { layer: 0, id: 0 },
        kind: 0,
    };
}

impl Open {
    const NONE: Self = Self {
        span: SpanKey { layer: 0, id: 0 },
        path: 0,
        name: Name::OVER_LIMIT,
        scope: ManuallyDrop::new(None),
    };
}

impl Hot {
    /// Runs `work` with the state of the calling thread. Returns `None` without running it if the
    /// thread is inside such work already: if an allocator of the program logs, say.
    #[inline(always)]
    pub(crate) fn with<R>(work: impl FnOnce(&mut Self) -> R) -> Option<R> {
        HOT.with(|hot| hot.try_borrow_mut().ok().map(|mut hot| work(&mut hot)))
    }

    /// Remembers a span that this thread created.
    #[inline(always)]
    pub(crate) fn remember(&mut self, span: SpanKey, kind: Kind) {
        let at = span.id as usize % RECENT;
        self.recent[at] = Recent {
            span,
            kind: kind.key(),
        };
        self.recent_kinds[at] = Some(kind);
    }

    /// Begins a call of a span. `look_up` finds the kind of a span that this thread did not create
    /// recently.
    #[inline(always)]
    pub(crate) fn enter(&mut self, span: SpanKey, look_up: impl FnOnce() -> Option<Kind>) {
        if self.depth >= MAX_DEPTH && !self.drop_stale() {
            return enter_beyond();
        }
        let depth = self.depth;
        let around = match depth.checked_sub(1) {
            Some(last) => self.open[last].path,
            None => self.root,
        };
        // Read field by field: they were just written field by field.
        let recent = &self.recent[span.id as usize % RECENT];
        let (kind, found) = if recent.span == span {
            (recent.kind, None)
        } else {
            match look_up() {
                Some(kind) => (kind.key(), Some(kind)),
                None => return,
            }
        };
        let key = (around, kind);
        let calls = match &self.calls[index(key)] {
            Some(calls) if calls.key == key => *calls,
            _ => match self.learn_calls(key, span, found) {
                Some(calls) => calls,
                None => return,
            },
        };
        self.depth = depth + 1;
        self.open[depth] = Open {
            span,
            path: calls.path,
            name: calls.name,
            // Last, so that the cost of beginning is not part of the call.
            scope: ManuallyDrop::new(Some(calls.timer.scope())),
        };
    }

    /// Ends the newest call of a span on this thread, if there is one.
    #[inline(always)]
    pub(crate) fn exit(&mut self, span: SpanKey) {
        let Some(last) = self.depth.checked_sub(1) else {
            return;
        };
        if self.open[last % MAX_DEPTH].span != span {
            return self.exit_cold(span);
        }
        self.depth = last;
        self.end(last % MAX_DEPTH);
    }

    #[cold]
    fn exit_cold(&mut self, span: SpanKey) {
        let open = &mut self.open[..self.depth];
        if let Some(at) = open.iter().rposition(|open| open.span == span) {
            open[at..].rotate_left(1);
            self.depth -= 1;
            self.end(self.depth);
        }
    }

    /// Drops one of [`MAX_DEPTH`] entered spans if half of them were entered before the thread
    /// ended a frame: they may never be exited. A recursion begins and ends within a frame. The
    /// call counts as one beyond the limits. Returns whether it did.
    #[cold]
    fn drop_stale(&mut self) -> bool {
        let is_stale = |open: &Open| (*open.scope).as_ref().is_some_and(TimerScope::is_stale);
        let stale = &self.open[..self.open.iter().take_while(|open| is_stale(open)).count()];
        if stale.len() < MAX_DEPTH / 2 {
            return false;
        }
        // Of the name that has the most: a span around the loop of frames is one of its name.
        let count = |open: &Open| {
            let is_same = |other: &&Open| other.name.number == open.name.number;
            stale.iter().filter(is_same).count()
        };
        let Some(at) = (0..stale.len()).max_by_key(|at| count(&stale[*at])) else {
            return false;
        };
        // Its scope is not dropped: nobody knows how long the call takes.
        self.open[at..].rotate_left(1);
        self.depth -= 1;
        enter_beyond();
        true
    }

    /// Ends the call at `at`, whose place on the stack is free already.
    #[inline(always)]
    fn end(&mut self, at: usize) {
        let open = &mut self.open[at];
        let Some(scope) = open.scope.take() else {
            return;
        };
        let (time, name) = (scope.end(), open.name);
        let Some(timer) = name.timer else {
            return;
        };
        // The time of a span inside another of the same name is already part of the outer one's.
        let is_inside = self.open[..self.depth]
            .iter()
            .any(|open| open.name.number == name.number);
        timer.record_scope(ScopeTime {
            ms: if is_inside { 0.0 } else { time.ms },
            ..time
        });
    }

    #[cold]
    fn learn_calls(
        &mut self,
        key: (u32, usize),
        span: SpanKey,
        found: Option<Kind>,
    ) -> Option<Calls> {
        let _memory = stats_core::own_memory("stats-tracing");
        let kind = found.or(self.recent_kinds[span.id as usize % RECENT])?;
        // `None` in the destructors of a thread that is ending.
        let calls = COLD.try_with(|cold| {
            let mut cold = cold.try_borrow_mut().ok()?;
            if self.root == UNKNOWN {
                self.root = places::this_thread();
                cold.root = self.root;
            }
            let around = if key.0 == UNKNOWN { self.root } else { key.0 };
            Some(cold.calls((around, key.1), kind))
        });
        let calls = calls.ok().flatten()?;
        self.calls[index(calls.key)] = Some(calls);
        Some(calls)
    }

    /// Returns the counter of the target of an event; `None` beyond the limit.
    #[inline(always)]
    pub(crate) fn target(&mut self, event: &'static Metadata<'static>) -> Option<CounterHandle> {
        let address = address(event);
        match self.targets[address / align_of::<Metadata<'_>>() % TARGETS] {
            Some((own, counter)) if own == address => counter,
            _ => self.learn_target(event),
        }
    }

    #[cold]
    fn learn_target(&mut self, event: &'static Metadata<'static>) -> Option<CounterHandle> {
        let _memory = stats_core::own_memory("stats-tracing");
        let address = address(event);
        let counter = COLD.try_with(|cold| {
            let mut cold = cold.try_borrow_mut().ok()?;
            if let Some(counter) = cold.targets.get(&address) {
                return *counter;
            }
            let counter = events::counter_of(event);
            if cold.targets.len() < MAX_KNOWN {
                cold.targets.insert(address, counter);
            }
            counter
        });
        let counter = counter.ok().flatten();
        self.targets[address / align_of::<Metadata<'_>>() % TARGETS] = Some((address, counter));
        counter
    }
}

/// Counts a span that is not timed.
#[cold]
fn enter_beyond() {
    places::OVER_LIMIT.record_ms(0);
}

/// Returns the place of calls in [`Hot::calls`].
#[inline(always)]
fn index((around, kind): (u32, usize)) -> usize {
    // Fibonacci hashing: the upper bits of the product depend on all bits of the factor.
    let mixed = (kind as u64 ^ u64::from(around) << 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> (u64::BITS - CALLS.ilog2())) as usize
}

/// Returns the name with a text; `None` if the thread is ending.
pub(crate) fn name_of_text(text: &str) -> Option<Name> {
    let _memory = stats_core::own_memory("stats-tracing");
    let name = |cold: &RefCell<Cold>| {
        let mut cold = cold.try_borrow_mut().ok()?;
        if let Some(name) = cold.texts.get(text) {
            return Some(*name);
        }
        let name = Name::of(text);
        if text.len() <= MAX_TEXT && cold.texts.len() < MAX_KNOWN {
            cold.texts.insert(text.into(), name);
        }
        Some(name)
    };
    COLD.try_with(name).ok().flatten()
}

impl Drop for Cold {
    fn drop(&mut self) {
        places::end_thread(self.root);
    }
}

impl Cold {
    fn calls(&mut self, key: (u32, usize), kind: Kind) -> Calls {
        if let Some(calls) = self.calls.get(&key) {
            return *calls;
        }
        let name = match kind {
            Kind::Callsite(callsite) => self.name_of(callsite),
            Kind::Text(name) => name,
        };
        let (path, timer) = places::below(key.0, name);
        let calls = Calls {
            key,
            path,
            timer,
            name,
        };
        if self.calls.len() < MAX_KNOWN {
            self.calls.insert(key, calls);
        }
        calls
    }

    fn name_of(&mut self, callsite: &'static Metadata<'static>) -> Name {
        let address = address(callsite);
        if let Some(name) = self.callsites.get(&address) {
            return *name;
        }
        let name = Name::of(callsite.name());
        if self.callsites.len() < MAX_KNOWN {
            self.callsites.insert(address, name);
        }
        name
    }
}
