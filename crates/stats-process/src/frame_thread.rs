//! The series of the thread that ends a frame.

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::figures::{FIGURES, Numbers, add_series, put};
use crate::{followed, system};

static NUMBERS: OnceLock<Numbers<{ FIGURES.len() }>> = OnceLock::new();

/// Adds the series below `frame/`, unless an earlier call did. Returns whether the system tells any
/// of them.
///
/// The first call takes about 20 µs, and starts no thread. Every other call is an atomic load, so
/// it may be called every frame. [`start`](crate::start) calls it, and so does a capture of
/// stats-capture. Without the feature `enabled`, all calls return `false`.
pub fn follow_frames() -> bool {
    if !stats_core::ENABLED {
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

/// Reads all totals. Returns the number of the calling thread.
fn read(totals: &mut [f64]) -> u64 {
    let (own, wall_ms) = at_once(system::own_totals);
    if let Some(numbers) = NUMBERS.get() {
        put(totals, numbers, own.figures(wall_ms));
    }
    followed::read(totals);
    this_thread()
}

/// Reads something, and the time. Reads both again if they took so long that the thread lost its
/// processor in between: it would have waited for one at a time that has not passed yet. After
/// that, it has the processor for a while.
pub(crate) fn at_once<T>(read: impl Fn() -> T) -> (T, f64) {
    const LONGEST_MS: f64 = 0.02;
    const FURTHER_TRIES: u32 = 2;
    let mut before = wall_ms();
    let mut found = read();
    for _ in 0..FURTHER_TRIES {
        let after = wall_ms();
        if after - before <= LONGEST_MS {
            break;
        }
        (found, before) = (read(), after);
    }
    (found, before)
}

/// Returns the time since the first call, in milliseconds.
pub(crate) fn wall_ms() -> f64 {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e3
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
