//! The open scopes of a thread.
//!
//! A scope is pushed when it begins. When it ends, its time is added to the sum that the scope
//! around it keeps of the scopes inside it. A scope's self time is its time minus its sum, so the
//! self times of all scopes of a thread add up to the time in which any of them was open.
//!
//! One rule makes this hold for every order of ends: a scope has self time only if it ends on the
//! thread on which it began, and before the scope around it. Otherwise its time stays with the
//! scope around it.
//!
//! - A scope that ends while scopes inside it are open removes them from the stack.
//! - A scope that ends on another thread remains on the stack of its own thread. It is removed when
//!   a scope around it ends, or when its own thread begins the next scope and finds it in [`Moved`].
//! - Beyond [`DEPTH`] open scopes, further ones are not pushed. But a scope that is forgotten, or
//!   that ends on another thread unseen, would keep its entry forever. So while at least
//!   [`MANY_STALE`] entries are *stale*, one of them is given up for each further scope, and is
//!   reported. An entry is stale if its thread has ended a frame since the scope began. A recursion
//!   begins and ends within a frame, so its entries are never stale. On a thread that ends no frame
//!   nothing tells a long recursion from forgotten scopes, so no entry is given up.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::origin::Origin;
use super::threads::{ThreadNumber, this_thread};
use crate::live::counter::Spot;
use crate::live::refusals::report_open_scope;

/// The number of entries in a thread's stack: one for each open scope, and one for the thread
/// itself. A power of two, so that indexing needs no bounds check.
const DEPTH: usize = 64;

/// The number of stale entries from which one is given up. More than any program has scopes around
/// the loop of its frames, and few enough to leave entries for the scopes of a frame.
const MANY_STALE: usize = DEPTH / 2;

/// The maximum number of scopes that ended on another thread and are still on the stack of their
/// own.
const MAX_MOVED: usize = 256;

/// Identifies a scope and its entry on the stack, uniquely in the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token(u64);

impl Token {
    /// The token of a scope without an entry.
    const UNTRACKED: Self = Self(u64::MAX);

    const SERIAL_BITS: u32 = 44;

    /// Returns the number of the stack that issued the token.
    pub(crate) fn stack(self) -> u64 {
        self.0 >> Self::SERIAL_BITS
    }

    /// Returns a number that differs among the open scopes of a stack.
    pub(crate) fn serial(self) -> u32 {
        self.0 as u32
    }

    /// Returns whether the scope has an entry on a stack.
    pub(crate) fn is_tracked(self) -> bool {
        self != Self::UNTRACKED
    }
}

/// Aligned, so that its address is computed with a shift.
#[repr(align(32))]
struct Entry {
    token: Cell<u64>,
    /// The milliseconds of the scopes inside this one that have ended.
    inside_ms: Cell<f64>,
    slot: Cell<u32>,
}

/// Has no destructor, so access needs no check and works until the very end of the thread.
struct Stack {
    /// The number of open scopes, which is also the entry of the innermost one.
    depth: Cell<usize>,
    next_token: Cell<u64>,
    /// [`Moved::changes`] at the last call of [`Self::look`]; 0 before the first scope.
    seen: Cell<u32>,
    /// The token of the first scope after the thread's last frame end; 0 before the first. Earlier
    /// ones are stale.
    frame: Cell<u64>,
    origin: Cell<Origin>,
    entries: [Entry; DEPTH],
}

thread_local! {
    static STACK: Stack = const {
        Stack {
            depth: Cell::new(0),
            next_token: Cell::new(0),
            seen: Cell::new(0),
            frame: Cell::new(0),
            origin: Cell::new(Origin::of(ThreadNumber::UNKNOWN)),
            entries: [const {
                Entry {
                    token: Cell::new(0),
                    inside_ms: Cell::new(0.0),
                    slot: Cell::new(0),
                }
            }; DEPTH],
        }
    };
}

/// A scope that ended: its own milliseconds, and where it ran.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closed {
    pub(crate) self_ms: f64,
    pub(crate) origin: Origin,
}

/// Pushes a scope of the timer at `spot`.
#[inline(always)]
pub(crate) fn open(spot: Spot) -> Token {
    STACK.with(|stack| {
        // Relaxed: the number only says that there is something to read under a lock.
        if stack.seen.get() != MOVED.changes.load(Ordering::Relaxed) {
            stack.look();
        }
        stack.push(spot)
    })
}

/// Pops a scope that took `ms`. `None` if it is not the innermost one: [`close_cold`] then ends it.
#[inline(always)]
pub(crate) fn close(token: Token, ms: f64) -> Option<Closed> {
    STACK.with(|stack| {
        let depth = stack.depth.get();
        (stack.entry(depth).token.get() == token.0).then(|| {
            let inside_ms = stack.entry(depth).inside_ms.get();
            stack.pop_to(depth, ms, inside_ms)
        })
    })
}

/// Ends a scope that is not the innermost one. `None` if it has no self time, by the rule of this
/// module.
#[cold]
#[inline(never)]
pub(crate) fn close_cold(token: Token, ms: f64) -> Option<Closed> {
    STACK.with(|stack| {
        let depth = stack.depth.get();
        let is_it = |at: &usize| stack.entry(*at).token.get() == token.0;
        let Some(at) = (1..=depth).rev().find(is_it) else {
            if token != Token::UNTRACKED && token.stack() != stack.number() {
                MOVED.add(token);
            }
            return None;
        };
        let inside_ms = (at..=depth).map(|at| stack.entry(at).inside_ms.get()).sum();
        Some(stack.pop_to(at, ms, inside_ms))
    })
}

/// Returns the number of scopes around an open scope; those of this thread if it has no entry.
pub(crate) fn depth_of(token: Token) -> u32 {
    STACK.with(|stack| {
        let depth = stack.depth.get();
        let is_it = |at: &usize| stack.entry(*at).token.get() == token.0;
        let at = (1..=depth).rev().find(is_it);
        at.map_or(depth, |at| at - 1) as u32
    })
}

/// Returns the number of this thread's stack.
pub(crate) fn this_stack() -> u64 {
    STACK.with(|stack| {
        stack.make_number();
        stack.number()
    })
}

/// Notes that the calling thread ends a frame.
#[inline]
pub(crate) fn end_frame() {
    STACK.with(|stack| stack.frame.set(stack.next_token.get()));
}

/// Returns whether the calling thread has ended a frame since it began a scope. `false` if the
/// scope has no entry, or began on another thread.
pub(crate) fn is_stale(token: Token) -> bool {
    STACK.with(|stack| token.stack() == stack.number() && token.0 < stack.frame.get())
}

impl Stack {
    #[inline(always)]
    fn entry(&self, at: usize) -> &Entry {
        &self.entries[at % DEPTH]
    }

    /// Returns the number of this stack, which is part of its tokens.
    fn number(&self) -> u64 {
        Token(self.next_token.get()).stack()
    }

    #[inline(always)]
    fn push(&self, spot: Spot) -> Token {
        let at = self.depth.get() + 1;
        if at >= DEPTH {
            return self.push_beyond(spot);
        }
        let token = self.next_token.get();
        self.next_token.set(token.wrapping_add(1));
        let entry = self.entry(at);
        entry.token.set(token);
        entry.inside_ms.set(0.0);
        entry.slot.set(spot.slot());
        self.depth.set(at);
        Token(token)
    }

    /// Pushes a scope beyond the depth, by the rule of this module.
    #[cold]
    #[inline(never)]
    fn push_beyond(&self, spot: Spot) -> Token {
        let Some(gone) = self.most_likely_forgotten() else {
            return Token::UNTRACKED;
        };
        let slot = self.entry(gone).slot.get();
        self.remove(gone);
        // Last, because its allocations may be timed.
        report_open_scope(Spot::of(slot));
        self.push(spot)
    }

    /// Returns the entry to give up, by the rule of this module: the innermost stale one of the
    /// timer that has the most. A scope around the loop of frames is one of its timer.
    fn most_likely_forgotten(&self) -> Option<usize> {
        // The tokens of a stack ascend.
        let is_fresh = |at: &usize| self.entry(*at).token.get() >= self.frame.get();
        let end = (1..=self.depth.get()).find(is_fresh);
        let stale = 1..end.unwrap_or(self.depth.get() + 1);
        if stale.len() < MANY_STALE {
            return None;
        }
        let slot = |at| self.entry(at).slot.get();
        stale.clone().max_by_key(|at| {
            stale
                .clone()
                .filter(|other| slot(*other) == slot(*at))
                .count()
        })
    }

    /// Removes the scope at `at`, and those above it, from the stack. It took `ms`, and the scopes
    /// inside it `inside_ms`.
    #[inline(always)]
    fn pop_to(&self, at: usize, ms: f64, inside_ms: f64) -> Closed {
        // At least 1: only entries from 1 on have tokens.
        let around = self.entry(at.wrapping_sub(1));
        self.depth.set(at.wrapping_sub(1));
        around.inside_ms.set(around.inside_ms.get() + ms);
        let self_ms = ms - inside_ms;
        Closed {
            // The clocks of two cores may differ by a tick. Not `max`, which also looks for NaN.
            self_ms: if self_ms > 0.0 { self_ms } else { 0.0 },
            origin: self.origin.get().within(around.slot.get()),
        }
    }

    /// Prepares the stack before its first scope, and removes scopes that ended on other threads.
    #[cold]
    #[inline(never)]
    fn look(&self) {
        self.make_number();
        let changes = MOVED.take(self.number(), |token| {
            let is_it = |at: &usize| self.entry(*at).token.get() == token.0;
            if let Some(at) = (1..=self.depth.get()).find(is_it) {
                self.remove(at);
            }
        });
        if let Some(thread) = this_thread() {
            self.origin.set(Origin::of(thread));
            self.seen.set(changes);
        }
    }

    /// Gives the stack a number, unless it has one.
    fn make_number(&self) {
        static STACKS: AtomicU32 = AtomicU32::new(1);
        if self.next_token.get() == 0 {
            // Relaxed: numbers only have to differ.
            let number = STACKS.fetch_add(1, Ordering::Relaxed);
            self.next_token.set(u64::from(number) << Token::SERIAL_BITS);
        }
    }

    /// Removes the scope at `gone`, which ended on another thread or gives up its entry. Scopes
    /// that ran inside it count toward the scope around it.
    fn remove(&self, gone: usize) {
        let depth = self.depth.get();
        let around = &self.entry(gone - 1).inside_ms;
        around.set(around.get() + self.entry(gone).inside_ms.get());
        for at in gone..depth {
            let (entry, next) = (self.entry(at), self.entry(at + 1));
            entry.token.set(next.token.get());
            entry.inside_ms.set(next.inside_ms.get());
            entry.slot.set(next.slot.get());
        }
        self.depth.set(depth - 1);
    }
}

/// The scopes that ended on a different thread from the one on which they began.
struct Moved {
    /// Changes when one is added; never 0.
    changes: AtomicU32,
    tokens: Mutex<Tokens>,
}

/// Not a `Vec`: growing it under the lock would deadlock with an allocator that times itself.
struct Tokens {
    all: [Token; MAX_MOVED],
    len: usize,
}

static MOVED: Moved = Moved {
    changes: AtomicU32::new(1),
    tokens: Mutex::new(Tokens {
        all: [Token::UNTRACKED; MAX_MOVED],
        len: 0,
    }),
};

impl Moved {
    /// Adds a scope. The oldest is forgotten if there are too many: its thread may have ended.
    fn add(&self, token: Token) {
        let mut tokens = self.lock();
        if tokens.len == MAX_MOVED {
            tokens.all.copy_within(1.., 0);
            tokens.len -= 1;
        }
        let len = tokens.len;
        tokens.all[len] = token;
        tokens.len += 1;
        // Relaxed: a thread that sees the number reads the tokens under the lock. Changed with the
        // lock held, so that `take` never returns a number without having seen its token.
        let next = self.changes.load(Ordering::Relaxed).wrapping_add(1).max(1);
        self.changes.store(next, Ordering::Relaxed);
    }

    /// Calls `remove` with the scopes of a stack and forgets them. Returns the current number of
    /// changes.
    fn take(&self, stack: u64, mut remove: impl FnMut(Token)) -> u32 {
        let mut tokens = self.lock();
        let mut kept = 0;
        for at in 0..tokens.len {
            let token = tokens.all[at];
            if token.stack() == stack {
                remove(token);
            } else {
                tokens.all[kept] = token;
                kept += 1;
            }
        }
        tokens.len = kept;
        self.changes.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Tokens> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Opens a scope whose duration the test chooses. A slot is just a number here.
    fn open_slot(slot: u32) -> Token {
        open(Spot::of(slot))
    }

    fn self_ms(token: Token, ms: f64) -> Option<f64> {
        close(token, ms)
            .or_else(|| close_cold(token, ms))
            .map(|closed| closed.self_ms)
    }

    fn depth() -> usize {
        STACK.with(|stack| stack.depth.get())
    }

    #[test]
    fn a_scope_subtracts_its_time_only_from_the_one_around_it() {
        let (outer, middle, inner) = (open_slot(10), open_slot(20), open_slot(30));
        assert_eq!(self_ms(inner, 1.0), Some(1.0));
        let closed = close(middle, 3.0).unwrap();
        assert_eq!((closed.self_ms, closed.origin.around()), (2.0, Some(10)));
        let sibling = open_slot(20);
        assert_eq!(self_ms(sibling, 4.0), Some(4.0));
        let closed = close(outer, 10.0).unwrap();
        assert_eq!((closed.self_ms, closed.origin.around()), (3.0, None));
        assert_eq!(depth(), 0);
    }

    #[test]
    fn a_scope_that_outlives_the_one_around_it_leaves_its_time_there() {
        let (outer, inner) = (open_slot(10), open_slot(20));
        let innermost = open_slot(30);
        assert_eq!(self_ms(innermost, 1.0), Some(1.0));
        assert_eq!(self_ms(outer, 5.0), Some(4.0));
        let next = open_slot(40);
        assert_eq!(self_ms(inner, 7.0), None);
        assert_eq!(self_ms(next, 2.0), Some(2.0));
        assert_eq!(depth(), 0);
    }

    #[test]
    fn a_scope_that_ends_on_another_thread_leaves_its_time_to_the_one_around_it() {
        let outer = open_slot(10);
        let moved = open_slot(20);
        let inside = open_slot(30);
        assert_eq!(self_ms(inside, 2.0), Some(2.0));
        std::thread::spawn(move || assert_eq!(self_ms(moved, 50.0), None))
            .join()
            .unwrap();
        let after = open_slot(40);
        assert_eq!(depth(), 2, "the moved scope is gone");
        let closed = close(after, 1.0).unwrap();
        assert_eq!(closed.origin.around(), Some(10));
        assert_eq!(self_ms(outer, 10.0), Some(7.0));
        assert_eq!(depth(), 0);
    }

    /// Returns the number of 100 frames in which one of two nested scopes lost its self time.
    fn frames_that_lose_self_times() -> usize {
        (0..100)
            .filter(|_| {
                let (outer, inner) = (open_slot(20), open_slot(30));
                let inner = self_ms(inner, 1.0);
                let lost = [inner, self_ms(outer, 3.0)] != [Some(1.0), Some(2.0)];
                end_frame();
                lost
            })
            .count()
    }

    #[test]
    fn a_scope_that_is_never_ended_gives_up_its_entry() {
        for forgotten in [DEPTH - 2, DEPTH - 1, DEPTH, 3 * DEPTH] {
            let around = open_slot(5);
            for _ in 0..forgotten {
                let _ = open_slot(10);
            }
            let lost = frames_that_lose_self_times();
            assert!(lost <= 1, "{lost} of 100 lost their self time");
            assert!(self_ms(around, 1e6).is_some(), "forgotten are the others");
        }
        assert_eq!(depth(), 0);
    }

    /// Opens scopes like a tree, in which all but the last levels have one child.
    fn recurse(levels: u32, branching: u32) {
        let scope = open_slot(30);
        if levels > 1 {
            let children = if levels <= branching { 2 } else { 1 };
            (0..children).for_each(|_| recurse(levels - 1, branching));
        }
        self_ms(scope, 1.0);
    }

    #[test]
    fn no_recursion_takes_an_entry_from_the_scopes_around_it() {
        for levels in [DEPTH as u32 - 4, 75, 200] {
            for branching in [2, 5, 12] {
                let around = [1, 2, 3].map(open_slot);
                end_frame();
                recurse(levels, branching);
                for scope in around.into_iter().rev() {
                    assert!(close(scope, 1e9).is_some(), "{levels}, {branching}");
                }
            }
        }
    }

    #[test]
    fn scopes_beyond_the_depth_leave_their_time_to_the_innermost_one() {
        let all: Vec<Token> = (0..DEPTH as u32 + 10).map(open_slot).collect();
        let selves: Vec<Option<f64>> = all
            .iter()
            .rev()
            .zip(1..)
            .map(|(token, ms)| self_ms(*token, f64::from(ms)))
            .collect();
        assert_eq!(selves[..11], [None; 11]);
        assert_eq!(selves[11], Some(12.0));
        assert!(selves[12..].iter().all(|ms| *ms == Some(1.0)));
        assert_eq!(depth(), 0);
    }
}
