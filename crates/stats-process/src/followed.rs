//! The series of other threads that asked for them.

use std::cell::RefCell;
use std::sync::{PoisonError, RwLock, RwLockWriteGuard, TryLockError};
use std::thread;
use std::time::Duration;

use crate::clock::at_once;
use crate::figures::{Numbers, TIMES, add_series, put};
use crate::system::{self, OtherThread};

/// The most names. A program that gives each thread a name of its own would add series forever.
const MAX_NAMES: usize = 256;

/// The threads, and the totals of those that ended.
#[derive(Debug)]
struct Followed {
    names: Vec<Name>,
    threads: Vec<Thread>,
}

/// The threads of one name.
#[derive(Debug)]
struct Name {
    /// As in the paths of the series.
    segment: String,
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

/// Any number of threads end frames and read it at once.
static FOLLOWED: RwLock<Followed> = RwLock::new(Followed::new());

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
    let mut followed = change()?;
    let name = followed.add_name(current.name().unwrap_or_default(), began)?;
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

impl Followed {
    const fn new() -> Self {
        Self {
            names: Vec::new(),
            threads: Vec::new(),
        }
    }

    /// Returns the index of a name. Adds its series if it is new; `None` if there is no room.
    fn add_name(&mut self, name: &str, known: [f64; TIMES]) -> Option<usize> {
        let segment = match name {
            "" => "unnamed".to_owned(),
            name => name.replace('/', "-"),
        };
        if let Some(at) = (self.names.iter()).position(|known| known.segment == segment) {
            return Some(at);
        }
        (self.names.len() < MAX_NAMES).then(|| {
            self.names.push(Name {
                numbers: add_series(&format!("threads/{segment}"), known),
                segment,
                ended: [0.0; TIMES],
            });
            self.names.len() - 1
        })
    }

    /// Adds the totals of a thread that ends to those of its name.
    fn remove(&mut self, id: thread::ThreadId) {
        let Some(at) = self.threads.iter().position(|thread| thread.id == id) else {
            return;
        };
        let thread = self.threads.swap_remove(at);
        let ended = &mut self.names[thread.name].ended;
        for (ended, passed) in ended.iter_mut().zip(thread.passed()) {
            // An unknown time of one thread must not make the total unknown for good.
            if !passed.is_nan() {
                *ended += passed;
            }
        }
    }
}

/// Reads the totals of all threads. They stay unknown while a thread begins or ends.
pub(crate) fn read(totals: &mut [f64]) {
    let followed = match FOLLOWED.try_read() {
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
        // Nothing of the parent is left to the child of a fork.
        if self.is_elsewhere() {
            return;
        }
        if let Some(mut followed) = change() {
            followed.remove(thread::current().id());
        }
    }
}

/// Locks the list, even after a panic, which leaves it consistent. `None` in a child of `fork` in
/// which a thread that only its parent has holds the lock forever.
fn change() -> Option<RwLockWriteGuard<'static, Followed>> {
    const TRIES: u32 = 100;
    if system::forks() == 0 {
        return Some(FOLLOWED.write().unwrap_or_else(PoisonError::into_inner));
    }
    (0..TRIES).find_map(|_| match FOLLOWED.try_write() {
        Ok(followed) => Some(followed),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => {
            thread::sleep(Duration::from_millis(1));
            None
        }
    })
}

#[cfg(all(test, any(target_os = "linux", target_os = "android")))]
mod tests {
    use super::*;

    #[test]
    fn names_with_the_same_path_are_the_same() {
        let mut followed = Followed::new();
        let mut add = |name| followed.add_name(name, [0.0; TIMES]);
        assert_eq!(add("a/b"), Some(0));
        assert_eq!(add("a-b"), Some(0));
        assert_eq!(add(""), Some(1));
        assert_eq!(add("unnamed"), Some(1));
    }

    #[test]
    fn the_number_of_names_is_limited() {
        let mut followed = Followed::new();
        let mut add = |name: usize| followed.add_name(&format!("limited-{name}"), [0.0; TIMES]);
        assert!((0..MAX_NAMES).all(|name| add(name) == Some(name)));
        assert_eq!(add(MAX_NAMES), None);
        assert_eq!(add(0), Some(0), "a known name has room");
    }

    #[test]
    fn what_is_not_known_of_a_thread_leaves_the_totals_of_the_ended_ones() {
        let mut followed = Followed::new();
        let name = followed.add_name("ended", [f64::NAN; TIMES]);
        followed.names[0].ended = [1.0, 2.0, 3.0];
        followed.threads.push(Thread {
            name: name.expect("there is room"),
            id: thread::current().id(),
            system: OtherThread::of_this_thread().expect("Linux tells its times"),
            began: [0.0, f64::NAN, f64::NAN],
            forks: 0,
        });
        followed.remove(thread::current().id());
        let [running, ready, blocked] = followed.names[0].ended;
        assert!(running > 1.0 && (ready, blocked) == (2.0, 3.0));
        assert!(followed.threads.is_empty());
    }

    #[test]
    #[cfg(feature = "enabled")]
    fn a_child_of_a_fork_does_not_wait_for_a_thread_of_its_parent() {
        // The child knows the series, and does not need the lock of the core.
        let follows = || {
            let named = thread::Builder::new().name("forks".to_owned());
            let named = named.spawn(follow_this_thread).expect("it starts");
            named.join().expect("it does not panic")
        };
        assert!(follows());
        let held = change();
        assert!(held.is_some());
        assert!(stats_testing::in_child(|| !follow_this_thread()));
        drop(held);
        assert!(stats_testing::in_child(follows));
    }
}
