//! The names of threads that time scopes or end frames, by number.

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::live::reentrancy::guarded;

/// The number of a thread's name. Threads of the same name share it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ThreadNumber(u8);

/// The maximum number of unnamed threads that have a [`ThreadNumber`].
const MAX_UNNAMED: u64 = 100;

/// The maximum number of names. Threads with further ones are unknown.
const MAX_NAMES: usize = u8::MAX as usize - 1;

/// The names, by number minus one, without a gap.
static NAMES: [OnceLock<&'static str>; MAX_NAMES] = [const { OnceLock::new() }; MAX_NAMES];

thread_local! {
    static NUMBER: Cell<Option<ThreadNumber>> = const { Cell::new(None) };
    /// The number of an unnamed thread, from 1; 0 before its name is needed.
    static UNNAMED: Cell<u64> = const { Cell::new(0) };
}

/// Returns the number of the calling thread; `None` inside the core's own allocations, where no
/// name can be kept. Allocates on the first call of a thread with a new name.
#[inline]
pub(crate) fn this_thread() -> Option<ThreadNumber> {
    NUMBER.with(|number| number.get().or_else(|| number_this_thread(number)))
}

#[cold]
fn number_this_thread(number: &Cell<Option<ThreadNumber>>) -> Option<ThreadNumber> {
    number.set(guarded(|| ThreadNumber::of(&this_name())));
    number.get()
}

/// Returns the name of the calling thread; `thread 1`, `thread 2` and so on if it has none.
/// Allocates.
pub(crate) fn this_name() -> String {
    match std::thread::current().name() {
        Some(name) => name.to_owned(),
        None => format!("thread {}", unnamed()),
    }
}

/// Returns the number of the calling thread among the unnamed ones.
fn unnamed() -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    UNNAMED.with(|own| {
        if own.get() == 0 {
            // Relaxed: numbers only have to differ.
            own.set(COUNT.fetch_add(1, Ordering::Relaxed) + 1);
        }
        own.get()
    })
}

impl ThreadNumber {
    /// Several threads, or none.
    pub(crate) const UNKNOWN: Self = Self(0);

    pub(super) const fn new(number: u8) -> Self {
        Self(number)
    }

    pub(super) const fn number(self) -> u8 {
        self.0
    }

    /// Returns the number of the calling thread, whose name is given.
    fn of(name: &str) -> Self {
        // They would take the numbers of named ones.
        if UNNAMED.get() > MAX_UNNAMED {
            return Self::UNKNOWN;
        }
        let is_own =
            |other: &OnceLock<&'static str>| *other.get_or_init(|| Box::leak(name.into())) == name;
        let number = (1..=u8::MAX).zip(&NAMES).find(|(_, other)| is_own(other));
        number.map_or(Self::UNKNOWN, |(number, _)| Self(number))
    }

    /// Returns the name of the thread; `None` if it is unknown. Takes no lock.
    pub(crate) fn name(self) -> Option<&'static str> {
        let at = usize::from(self.0).checked_sub(1)?;
        NAMES.get(at)?.get().copied()
    }
}
