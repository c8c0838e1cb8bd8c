//! Which thread it was.

use std::cell::Cell;

use super::record::Who;
use super::system::{self, FaultStack};
use crate::live::threads;

/// Says when the standard library must not be asked for the thread any more, and has the stack for
/// telling of a fault.
struct Guard(Cell<Option<FaultStack>>);

// The first two have no destructor, and so work until the thread's very end and in a signal
// handler.
thread_local! {
    static WHO: Cell<Who> = const { Cell::new(Who { name: 0, id: 0 }) };
    static IS_GONE: Cell<bool> = const { Cell::new(false) };
    static GUARD: Guard = const { Guard(Cell::new(None)) };
}

impl Drop for Guard {
    fn drop(&mut self) {
        IS_GONE.set(true);
        self.0.take().into_iter().for_each(FaultStack::remove);
    }
}

/// This thread.
pub(crate) fn this() -> Who {
    let who = WHO.get();
    // A thread may get its name after its first allocation.
    if who.name != 0 { who } else { find() }
}

/// The same from a signal handler: without its name, where it has allocated nothing yet. The number
/// is asked for, since a fork has another.
pub(crate) fn this_in_handler() -> Who {
    Who {
        id: system::thread_id(),
        ..WHO.get()
    }
}

#[cold]
fn find() -> Who {
    let mut who = WHO.get();
    let is_first = who.id == 0;
    if is_first {
        who.id = system::thread_id();
        WHO.set(who);
    }
    // After the thread's destructors the standard library has no thread to tell of.
    if IS_GONE.get() {
        return who;
    }
    let is_there = GUARD.try_with(|guard| {
        if is_first {
            guard.0.set(FaultStack::install());
        }
    });
    if is_there.is_ok() {
        who.name = threads::number_of_this() as u16;
        WHO.set(who);
    }
    who
}
