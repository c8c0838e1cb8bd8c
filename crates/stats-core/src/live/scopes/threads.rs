//! The names of threads that time scopes or end frames, by number.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

use crate::live::reentrancy::guarded;

/// The number of a thread's name. Threads of the same name share it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ThreadNumber(u8);

/// The maximum number of unnamed threads that get a name.
const MAX_UNNAMED: usize = 100;

/// The maximum number of names.
const MAX_NAMES: usize = u8::MAX as usize;

/// The names, by number minus one.
static NAMES: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());

thread_local! {
    static NUMBER: Cell<Option<ThreadNumber>> = const { Cell::new(None) };
}

/// Returns the number of the calling thread; `None` inside the core's own allocations, where no
/// name can be kept. Takes a lock on the thread's first call.
#[inline]
pub(crate) fn this_thread() -> Option<ThreadNumber> {
    NUMBER.with(|number| number.get().or_else(|| number_this_thread(number)))
}

#[cold]
fn number_this_thread(number: &Cell<Option<ThreadNumber>>) -> Option<ThreadNumber> {
    number.set(guarded(|| {
        ThreadNumber::of_name(std::thread::current().name())
    }));
    number.get()
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

    fn of_name(name: Option<&str>) -> Self {
        let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
        let unnamed = |names: &[&str]| {
            let count = names
                .iter()
                .filter(|name| name.starts_with(UNNAMED))
                .count();
            (count < MAX_UNNAMED).then(|| format!("{UNNAMED}{}", count + 1))
        };
        let Some(name) = name.map(str::to_owned).or_else(|| unnamed(&names)) else {
            return Self::UNKNOWN;
        };
        let known = names.iter().position(|other| *other == name);
        let at = known.unwrap_or_else(|| {
            if names.len() < MAX_NAMES {
                names.push(Box::leak(name.into_boxed_str()));
            }
            names.len() - 1
        });
        // All further names share the last number.
        u8::try_from(at + 1)
            .ok()
            .filter(|number| usize::from(*number) < MAX_NAMES)
            .map_or(Self::UNKNOWN, Self)
    }

    /// Returns the name of the thread; `None` if it is unknown.
    pub(crate) fn name(self) -> Option<&'static str> {
        let at = usize::from(self.0).checked_sub(1)?;
        let names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
        names.get(at).copied()
    }
}

/// The prefix of the names given to unnamed threads.
const UNNAMED: &str = "thread ";
