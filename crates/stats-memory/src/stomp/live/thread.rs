//! Identifies the current thread.

use std::cell::Cell;

use super::system::{self, FaultStack};
use super::thread_identity::ThreadIdentity;
use crate::live::thread_names;

/// Marks the point after which the standard library must not be used to get the current thread.
/// Owns the stack on which faults are reported.
struct Guard(Cell<Option<FaultStack>>);

// The first two have no destructor, so they work until the very end of the thread, and in a signal
// handler.
thread_local! {
    static WHO: Cell<ThreadIdentity> = const { Cell::new(ThreadIdentity { name: 0, id: 0 }) };
    static IS_GONE: Cell<bool> = const { Cell::new(false) };
    static GUARD: Guard = const { Guard(Cell::new(None)) };
}

impl Drop for Guard {
    fn drop(&mut self) {
        IS_GONE.set(true);
        self.0.take().into_iter().for_each(FaultStack::remove);
    }
}

/// Returns the identity of this thread.
pub(super) fn this() -> ThreadIdentity {
    let who = WHO.get();
    // A thread may get its name after its first allocation.
    if who.name != 0 { who } else { find() }
}

/// Returns the identity of this thread in a signal handler: without its name if the thread has
/// allocated nothing yet. Queries the number again, because it differs in a forked child.
pub(super) fn this_in_handler() -> ThreadIdentity {
    ThreadIdentity {
        id: system::thread_id(),
        ..WHO.get()
    }
}

#[cold]
fn find() -> ThreadIdentity {
    let mut who = WHO.get();
    let is_first = who.id == 0;
    if is_first {
        who.id = system::thread_id();
        WHO.set(who);
    }
    // After the thread's destructors, the standard library cannot return the current thread.
    if IS_GONE.get() {
        return who;
    }
    let is_there = GUARD.try_with(|guard| {
        if is_first {
            guard.0.set(FaultStack::install());
        }
    });
    if is_there.is_ok() {
        who.name = thread_names::number_of_this() as u16;
        WHO.set(who);
    }
    who
}
