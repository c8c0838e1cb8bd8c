//! The series of other threads that asked for them.

use std::cell::RefCell;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;

use crate::clock::at_once;
use crate::figures::{Numbers, TIMES, add_series, put};
use crate::system::{self, OtherThread};

/// The threads, and the totals of those that ended.
#[derive(Debug)]
struct Followed {
    names: Vec<Name>,
    threads: Vec<Thread>,
}

/// The threads of one name.
#[derive(Debug)]
struct Name {
    name: String,
    numbers: Numbers<TIMES>,
    /// The totals of the threads that ended.
    ended: [f64; TIMES],
}

#[derive(Debug)]
struct Thread {
    /// The index in `names`.
    name: usize,
    id: thread::ThreadId,
    system: OtherThread,
    /// The totals when it was added.
    began: [f64; TIMES],
    forks: u32,
}

static FOLLOWED: Mutex<Followed> = Mutex::new(Followed {
    names: Vec::new(),
    threads: Vec::new(),
});

thread_local! {
    static THIS: RefCell<Option<Leave>> = const { RefCell::new(None) };
}

/// Follows the calling thread until it ends. Returns whether the system tells its times.
pub(crate) fn follow_this_thread() -> bool {
    THIS.try_with(|this| {
        let mut this = this.borrow_mut();
        if this.as_ref().is_none_or(Leave::is_elsewhere) {
            let _memory = stats_core::own_memory("stats-process");
            // Nothing of the parent is left to the child of a fork.
            std::mem::forget(this.take());
            *this = add_this_thread();
        }
        this.is_some()
    })
    // The thread is ending.
    .unwrap_or(false)
}

fn add_this_thread() -> Option<Leave> {
    let system = OtherThread::of_this_thread()?;
    let began = system.totals();
    let current = thread::current();
    let name = current.name().unwrap_or("unnamed");
    let mut followed = lock();
    let known = followed.names.iter().position(|known| known.name == name);
    let name = match known {
        Some(at) => at,
        None => {
            // As one segment.
            let folder = format!("threads/{}", name.replace('/', "-"));
            followed.names.push(Name {
                name: name.to_owned(),
                numbers: add_series(&folder, began),
                ended: [0.0; TIMES],
            });
            followed.names.len() - 1
        }
    };
    let forks = system::forks();
    // Threads of the parent do not exist in the child of a fork.
    followed.threads.retain(|thread| thread.forks == forks);
    followed.threads.push(Thread {
        name,
        id: current.id(),
        system,
        began,
        forks,
    });
    Some(Leave { forks })
}

/// Reads the totals of all threads. They stay unknown while a thread begins or ends.
pub(crate) fn read(totals: &mut [f64]) {
    let followed = match FOLLOWED.try_lock() {
        Ok(followed) => followed,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => return,
    };
    if followed.names.is_empty() {
        return;
    }
    for name in &followed.names {
        put(totals, &name.numbers, name.ended);
    }
    let forks = system::forks();
    for thread in followed.threads.iter().filter(|one| one.forks == forks) {
        let passed = thread.passed();
        let numbers = followed.names[thread.name].numbers;
        for (number, passed) in numbers.iter().zip(passed) {
            if let Some(total) = number.and_then(|number| totals.get_mut(number)) {
                *total += passed;
            }
        }
    }
}

impl OtherThread {
    /// Returns how long the thread ran, was ready, and was blocked, since a time that does not
    /// change. The time in which it is ready now counts when it runs again; until then, it is
    /// blocked.
    fn totals(&self) -> [f64; TIMES] {
        let ([running, ready], wall_ms) = at_once(|| self.times());
        [running, ready, wall_ms - running - ready]
    }
}

impl Thread {
    /// Returns what has passed since the thread was added.
    fn passed(&self) -> [f64; TIMES] {
        let now = self.system.totals();
        std::array::from_fn(|at| now[at] - self.began[at])
    }
}

/// Stops following the thread when it ends.
#[derive(Debug)]
struct Leave {
    forks: u32,
}

impl Leave {
    fn is_elsewhere(&self) -> bool {
        self.forks != system::forks()
    }
}

impl Drop for Leave {
    fn drop(&mut self) {
        // In the child of a fork, a thread that it does not have may hold the lock.
        if self.is_elsewhere() {
            return;
        }
        let id = thread::current().id();
        let mut followed = lock();
        let Followed { names, threads } = &mut *followed;
        let Some(at) = threads.iter().position(|thread| thread.id == id) else {
            return;
        };
        let thread = threads.swap_remove(at);
        let passed = thread.passed();
        let ended = &mut names[thread.name].ended;
        *ended = std::array::from_fn(|at| ended[at] + passed[at]);
    }
}

/// Locks the list, even after a panic, which leaves it consistent.
fn lock() -> MutexGuard<'static, Followed> {
    FOLLOWED.lock().unwrap_or_else(PoisonError::into_inner)
}
