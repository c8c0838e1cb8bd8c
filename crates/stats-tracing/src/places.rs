//! The names and call paths of the process, and their timers.
//!
//! Names and paths are numbered from 1. Each thread caches the numbers that it has looked up, so it
//! takes the lock only for names and paths that are new to it.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use stats_core::segment::bounded;
use stats_core::{Timer, TimerHandle, report_over_limit, timer};

/// The maximum number of names, threads and call paths that are distinguished. Each name and call
/// path is a timer, which takes four of the core's [series](stats_core::limits::MAX_SERIES).
pub const MAX_PLACES: usize = 16_384;

/// The timer of all spans beyond the limits.
pub(crate) static OVER_LIMIT: Timer =
    Timer::new(OVER_LIMIT_PATH).describe("spans of tracing without a series of their own");

const OVER_LIMIT_PATH: &str = "tracing/over-limit";

/// The segments that a thread cannot have, because the layer uses them next to the threads.
const NOT_THREADS: [&str; 3] = ["spans", "events", "over-limit"];

/// The segments that a span cannot have, since readers show them below a timer.
const NOT_SPANS: [&str; 2] = ["self", "calls"];

/// A name of spans, over all threads and call paths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    /// 0 beyond the limit.
    pub(crate) number: u32,
    pub(crate) timer: Option<TimerHandle>,
}

impl Name {
    pub(crate) const OVER_LIMIT: Self = Self {
        number: 0,
        timer: None,
    };

    /// Returns the name with this text.
    pub(crate) fn of(text: &str) -> Self {
        places().name(&bounded(text, &NOT_SPANS))
    }
}

/// Returns the number of the calling thread's path; 0 beyond the limit.
pub(crate) fn this_thread() -> u32 {
    let thread = std::thread::current();
    places().thread(&bounded(thread.name().unwrap_or_default(), &NOT_THREADS))
}

/// Returns the path of a span that is entered at the path with this number: its number, and its
/// timer. The number is 0 beyond the limit.
pub(crate) fn below(path: u32, name: Name) -> (u32, TimerHandle) {
    let child = if path == 0 || name.number == 0 {
        None
    } else {
        places().child(path, name.number)
    };
    child.unwrap_or_else(|| (0, timer(OVER_LIMIT_PATH)))
}

#[derive(Debug, Default)]
struct Places {
    names: HashMap<Box<str>, Name>,
    threads: HashMap<Box<str>, u32>,
    /// By the numbers of the path around and of the name.
    children: HashMap<(u32, u32), (u32, TimerHandle)>,
    /// The segments of the names, by number minus one.
    segments: Vec<Box<str>>,
    /// The paths, by number minus one.
    paths: Vec<Box<str>>,
}

/// Locks the places. Ignores poison: nothing panics while the lock is held, except if memory runs
/// out.
fn places() -> MutexGuard<'static, Places> {
    static PLACES: LazyLock<Mutex<Places>> = LazyLock::new(Mutex::default);
    PLACES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Places {
    fn name(&mut self, segment: &str) -> Name {
        if let Some(name) = self.names.get(segment) {
            return *name;
        }
        if self.is_full() {
            return Name::OVER_LIMIT;
        }
        self.segments.push(segment.into());
        let name = Name {
            number: self.segments.len() as u32,
            timer: Some(timer(&format!("tracing/spans/{segment}"))),
        };
        self.names.insert(segment.into(), name);
        name
    }

    fn thread(&mut self, segment: &str) -> u32 {
        if let Some(number) = self.threads.get(segment) {
            return *number;
        }
        if self.is_full() {
            return 0;
        }
        let number = self.push_path(format!("tracing/{segment}"));
        self.threads.insert(segment.into(), number);
        number
    }

    fn child(&mut self, around: u32, name: u32) -> Option<(u32, TimerHandle)> {
        if let Some(child) = self.children.get(&(around, name)) {
            return Some(*child);
        }
        if self.is_full() {
            return None;
        }
        let above = &self.paths[around as usize - 1];
        let path = format!("{above}/{}", self.segments[name as usize - 1]);
        let timer = timer(&path);
        let child = (self.push_path(path), timer);
        self.children.insert((around, name), child);
        Some(child)
    }

    fn push_path(&mut self, path: String) -> u32 {
        self.paths.push(path.into());
        self.paths.len() as u32
    }

    /// Returns whether all places are taken, and reports it.
    fn is_full(&self) -> bool {
        let is_full = self.segments.len() + self.paths.len() >= MAX_PLACES;
        if is_full {
            report_over_limit(OVER_LIMIT_PATH, MAX_PLACES);
        }
        is_full
    }
}
