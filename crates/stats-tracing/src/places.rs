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

/// The path above those of threads without a path by their name.
const FURTHER_THREADS: &str = "tracing/further-threads";

/// The maximum number of names of threads that have ended, and of their places. A series is never
/// removed, so if there are more, further names of threads do not get paths.
const MAX_ENDED: Ended = Ended {
    threads: 256,
    places: MAX_PLACES / 4 * 3,
};

/// The segments that a thread cannot have, because the layer uses them next to the threads.
const NOT_THREADS: [&str; 4] = ["spans", "events", "over-limit", "further-threads"];

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

/// Returns the number of the calling thread's path; 0 beyond the limit. The thread calls
/// [`end_thread`] when it ends.
pub(crate) fn this_thread() -> u32 {
    let thread = std::thread::current();
    places().thread(&bounded(thread.name().unwrap_or_default(), &NOT_THREADS))
}

/// Ends a thread whose path has a number.
pub(crate) fn end_thread(path: u32) {
    if let Some(at) = path.checked_sub(1) {
        let mut places = places();
        let thread = places.thread_of[at as usize];
        places.end(thread);
    }
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
    /// By the segment of their names.
    named_threads: HashMap<Box<str>, usize>,
    /// The threads below [`FURTHER_THREADS`].
    further_threads: Vec<usize>,
    threads: Vec<Thread>,
    ended: Ended,
    /// By the numbers of the path around and of the name.
    children: HashMap<(u32, u32), (u32, TimerHandle)>,
    /// The segments of the names, by number minus one.
    segments: Vec<Box<str>>,
    /// The paths, by number minus one.
    paths: Vec<Box<str>>,
    /// The thread of each path.
    thread_of: Vec<usize>,
}

/// The named threads that have ended.
#[derive(Debug, Default)]
struct Ended {
    threads: usize,
    places: usize,
}

/// A path of threads. All threads of a name have the same one.
#[derive(Debug)]
struct Thread {
    path: u32,
    /// The number of threads that have the path and have not ended.
    running: usize,
    /// The number of paths: its own, and those below.
    places: usize,
    is_further: bool,
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
        let thread = match self.named_threads.get(segment) {
            Some(thread) => *thread,
            None => match self.new_thread(segment) {
                Some(thread) => thread,
                None => return 0,
            },
        };
        let Thread {
            path,
            running,
            places,
            is_further,
        } = &mut self.threads[thread];
        if *running == 0 && !*is_further {
            self.ended.threads -= 1;
            self.ended.places -= *places;
        }
        *running += 1;
        *path
    }

    /// Returns a thread for a name that has none; `None` beyond the limit. It is not running.
    fn new_thread(&mut self, segment: &str) -> Option<usize> {
        let is_further =
            self.ended.threads >= MAX_ENDED.threads || self.ended.places >= MAX_ENDED.places;
        let is_free = |thread: &&usize| self.threads[**thread].running == 0;
        if is_further && let Some(free) = self.further_threads.iter().find(is_free) {
            return Some(*free);
        }
        if self.is_full() {
            return None;
        }
        let thread = self.threads.len();
        let path = if is_further {
            if self.further_threads.is_empty() {
                report_over_limit(FURTHER_THREADS, self.named_threads.len());
            }
            self.further_threads.push(thread);
            format!("{FURTHER_THREADS}/{}", self.further_threads.len())
        } else {
            self.named_threads.insert(segment.into(), thread);
            // Until it runs.
            self.ended.threads += 1;
            format!("tracing/{segment}")
        };
        self.threads.push(Thread {
            path: self.paths.len() as u32 + 1,
            running: 0,
            places: 0,
            is_further,
        });
        self.push_path(path, thread);
        Some(thread)
    }

    fn end(&mut self, thread: usize) {
        let thread = &mut self.threads[thread];
        thread.running -= 1;
        if thread.running == 0 && !thread.is_further {
            self.ended.threads += 1;
            self.ended.places += thread.places;
        }
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
        let thread = self.thread_of[around as usize - 1];
        let child = (self.push_path(path, thread), timer);
        self.children.insert((around, name), child);
        Some(child)
    }

    /// Adds a path of a thread, and returns its number.
    fn push_path(&mut self, path: String, thread: usize) -> u32 {
        self.paths.push(path.into());
        self.thread_of.push(thread);
        let thread = &mut self.threads[thread];
        thread.places += 1;
        if thread.running == 0 && !thread.is_further {
            self.ended.places += 1;
        }
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
