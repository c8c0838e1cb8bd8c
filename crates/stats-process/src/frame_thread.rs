//! The series of the thread that ends a frame, and of those that ask for it.

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::clock::at_once;
use crate::figures::{FIGURES, Numbers, add_series, put};
use crate::{followed, system};

static NUMBERS: OnceLock<Numbers<{ FIGURES.len() }>> = OnceLock::new();

/// Adds the series below `frame/`, unless an earlier call did. Returns whether the system tells any
/// of them.
///
/// The first call takes about 20 µs on Linux, and a millisecond on Windows, where it measures the
/// rate of a clock. It starts no thread. Every other call is an atomic load, so it may be called
/// every frame. [`start`](crate::start) calls it, and so does a capture of
/// stats-capture. Without the feature `enabled`, all calls return `false`.
pub fn follow_frames() -> bool {
    // A browser tells nothing, and the standard library has no clock there.
    if !stats_core::ENABLED || cfg!(target_family = "wasm") {
        return false;
    }
    let numbers = NUMBERS.get_or_init(|| {
        let _memory = stats_core::own_memory("stats-process");
        let (known, wall_ms) = at_once(system::own_totals);
        let known = known.figures(wall_ms);
        let numbers = add_series("frame", known);
        stats_core::set_thread_totals(read);
        numbers
    });
    numbers.iter().any(Option::is_some)
}

/// Adds series of the calling thread below `threads/NAME/`: `running`, `ready` and `blocked`, as
/// [for the thread of the frame](crate#the-thread-of-the-frame). Call it once, at the beginning of a
/// worker, for example in the `start_handler` of a thread pool.
///
/// The end of each recorder's frame reads the thread's clocks, which takes it 0.6 to 0.9 µs for each
/// thread that is followed. A thread is followed until it ends. How often it is preempted, and its
/// page faults, the system tells to the thread alone.
///
/// Each `/` of the name becomes `-`, and a thread without a name is called `unnamed`. Threads of the
/// same name add up. A program has at most 256 names. Values are unknown if another followed thread
/// begins or ends at the moment at which a frame ends.
///
/// The three times of a worker do not add up to each frame: the system tells how long a thread
/// waited for a processor when it gets one. Until then, the wait is in `blocked`. Then all of it is
/// in `ready`, in one frame, whose `blocked` is smaller, but never below 0.
///
/// Returns whether the thread is followed. It is not if the system does not tell the times of
/// another thread (only Linux does), if its name is one too many, and without the feature `enabled`.
/// Further calls of a thread that is followed change nothing.
///
/// In a child of `fork`, a thread is not followed if another thread of the parent read the followed
/// threads, or began or ended to be one, at the moment of the fork. The call takes 0.1 s then. A
/// name that is new in the child needs the lock of the series, like every new series.
pub fn follow_thread() -> bool {
    follow_frames() && followed::follow_this_thread()
}

/// Reads all totals. Returns the number of the calling thread.
fn read(totals: &mut [f64]) -> u64 {
    let (own, wall_ms) = at_once(system::own_totals);
    if let Some(numbers) = NUMBERS.get() {
        put(totals, numbers, own.figures(wall_ms));
    }
    followed::read(totals);
    this_thread()
}

/// Returns a number that no other thread has, and that the thread does not keep in a child of
/// `fork`, where the totals begin at 0.
fn this_thread() -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    thread_local! {
        /// 0 before the number is needed. Has no destructor, so that it works until the very end.
        static NUMBER: Cell<u64> = const { Cell::new(0) };
    }
    if NUMBER.get() == 0 {
        // Relaxed: numbers only have to differ.
        NUMBER.set(COUNT.fetch_add(1, Ordering::Relaxed) + 1);
    }
    NUMBER.get() | (u64::from(system::forks()) << 40)
}
