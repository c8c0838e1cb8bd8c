//! Frames that do not end.
//!
//! While there is a watch, each recorder counts its frames in a *beat*, and the watch counts its
//! polls. A thread is frozen if none of its beats has changed for some polls. One recorder may rest
//! while another one of the same thread goes on. The program stood still if a frame took long and had few
//! polls. Both rules hold for every order in which the threads run.

use std::collections::BTreeMap;
use std::ptr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use super::clock::{Instant, nanoseconds};
use super::reentrancy::OWNER;
use super::registry::for_each_series;
use super::spans::SpanCollector;
use crate::FrozenThread;
use crate::own_memory;

/// The nanoseconds between two polls, and the number of polls in the limit. 0 without a watch.
static INTERVAL_NS: AtomicU64 = AtomicU64::new(0);
static LIMIT: AtomicU64 = AtomicU64::new(0);
/// The number of watches so far, and of polls.
static WATCHES: AtomicU64 = AtomicU64::new(0);
static POLLS: AtomicU64 = AtomicU64::new(0);

/// How often a freeze looks for open scopes.
const TRIES: u32 = 100;

/// The beats of all recorders that have ended a frame while there was a watch.
static BEATS: Mutex<Vec<Watched>> = Mutex::new(Vec::new());

/// The number of frames that a recorder has ended, and the thread that ended the newest one.
#[derive(Debug, Default)]
struct Beat {
    frames: AtomicU64,
    thread: AtomicUsize,
}

#[derive(Debug)]
struct Watched {
    beat: Weak<Beat>,
    /// The number of frames in the last poll that saw another one, and the polls since.
    frames: u64,
    thread: usize,
    polls: u64,
}

/// The beat of a recorder.
#[derive(Debug, Default)]
pub(crate) struct FrameBeat {
    beat: Option<Arc<Beat>>,
    /// When the current frame began.
    begun: Option<Begun>,
}

#[derive(Clone, Copy, Debug)]
struct Begun {
    at: Instant,
    watch: u64,
    polls: u64,
}

impl FrameBeat {
    /// Ends a frame. Returns the seconds for which the whole program stood still in it.
    #[inline]
    pub(crate) fn end_frame(&mut self) -> Option<f64> {
        // Relaxed: a frame that does not see a new watch yet is not watched.
        match INTERVAL_NS.load(Ordering::Relaxed) {
            0 => None,
            interval_ns => self.beat(interval_ns),
        }
    }

    /// Restarts the frame: the time before belongs to none.
    pub(crate) fn restart_frame(&mut self) {
        self.begun = None;
    }

    #[cold]
    fn beat(&mut self, interval_ns: u64) -> Option<f64> {
        let beat = self.beat.get_or_insert_with(|| {
            let _memory = own_memory(OWNER);
            let beat = Arc::new(Beat::default());
            lock().push(Watched {
                beat: Arc::downgrade(&beat),
                frames: 0,
                thread: 0,
                polls: 0,
            });
            beat
        });
        // Relaxed: only this recorder writes it, and the numbers order nothing else.
        beat.thread.store(this_thread(), Ordering::Relaxed);
        let frames = beat.frames.load(Ordering::Relaxed);
        beat.frames.store(frames + 1, Ordering::Relaxed);
        let now = Begun {
            at: Instant::now(),
            watch: WATCHES.load(Ordering::Relaxed),
            polls: POLLS.load(Ordering::Relaxed),
        };
        let begun = self
            .begun
            .replace(now)
            .filter(|begun| begun.watch == now.watch)?;
        let secs = now.at.duration_since(begun.at).as_secs_f64();
        let interval_secs = interval_ns as f64 / 1e9;
        let limit_secs = interval_secs * LIMIT.load(Ordering::Relaxed) as f64;
        let polled_secs = (now.polls - begun.polls) as f64 * interval_secs;
        (secs >= limit_secs && polled_secs < secs / 2.0).then_some(secs - polled_secs)
    }
}

/// Returns a number that no other running thread has.
fn this_thread() -> usize {
    thread_local!(static HERE: u8 = const { 0 });
    HERE.with(|here| ptr::from_ref(here).addr())
}

fn lock() -> std::sync::MutexGuard<'static, Vec<Watched>> {
    BEATS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Polls the beats, and collects scopes.
#[derive(Debug)]
pub(crate) struct FreezeWatch {
    spans: SpanCollector,
    limit: u64,
    /// The number of polls since the last freeze that was told.
    since: u64,
}

impl FreezeWatch {
    pub(crate) fn begin(interval: Duration, polls: u32) -> Option<Self> {
        let _memory = own_memory(OWNER);
        let spans = SpanCollector::begin()?;
        let limit = u64::from(polls);
        for watched in lock().iter_mut() {
            watched.polls = 0;
        }
        WATCHES.fetch_add(1, Ordering::Relaxed);
        LIMIT.store(limit, Ordering::Relaxed);
        let nanoseconds = u64::try_from(interval.as_nanos()).unwrap_or(u64::MAX);
        INTERVAL_NS.store(nanoseconds.max(1), Ordering::Relaxed);
        Some(Self {
            spans,
            limit,
            since: limit,
        })
    }

    /// Returns the threads with open scopes if a frame has just reached the limit.
    pub(crate) fn poll(&mut self) -> Option<Vec<FrozenThread>> {
        let _memory = own_memory(OWNER);
        POLLS.fetch_add(1, Ordering::Relaxed);
        self.since += 1;
        // In each poll, so that little waits for it.
        self.spans.try_take();
        let mut beats = lock();
        beats.retain_mut(|watched| {
            let Some(beat) = watched.beat.upgrade() else {
                return false;
            };
            watched.thread = beat.thread.load(Ordering::Relaxed);
            let frames = beat.frames.load(Ordering::Relaxed);
            if frames == watched.frames {
                watched.polls += 1;
            } else {
                (watched.frames, watched.polls) = (frames, 0);
            }
            true
        });
        let goes_on = |thread| {
            let mut of_thread = beats.iter().filter(|one| one.thread == thread);
            of_thread.any(|one| one.polls < self.limit)
        };
        let has_frozen = (beats.iter()).any(|one| one.polls == self.limit && !goes_on(one.thread));
        drop(beats);
        // The recorders of one thread freeze together.
        if !has_frozen || self.since < self.limit {
            return None;
        }
        self.since = 0;
        Some(self.threads())
    }

    fn threads(&mut self) -> Vec<FrozenThread> {
        // Another collector may have used the queues. Not forever: it may be what is frozen.
        for _ in 0..TRIES {
            if !self.spans.open().is_empty() {
                break;
            }
            std::thread::yield_now();
            self.spans.try_take();
        }
        let mut paths = BTreeMap::new();
        for scope in self.spans.open() {
            paths.insert(scope.new_scope().series.number(), String::new());
        }
        for_each_series(|info| {
            if let Some(path) = paths.get_mut(&info.id.number()) {
                info.path.clone_into(path);
            }
        });
        let now_ns = nanoseconds(Instant::now());
        let mut threads: Vec<(u64, FrozenThread)> = Vec::new();
        for scope in self.spans.open() {
            let scope = scope.new_scope();
            let path = paths.get(&scope.series.number()).cloned();
            let secs = now_ns.saturating_sub(scope.begin_ns).max(0) as f64 / 1e9;
            let scope_of = (path.unwrap_or_default(), secs);
            match threads.last_mut().filter(|(lane, _)| *lane == scope.lane) {
                Some((_, thread)) => thread.scopes.push(scope_of),
                None => threads.push((
                    scope.lane,
                    FrozenThread {
                        name: scope.lane_name.to_owned(),
                        scopes: vec![scope_of],
                    },
                )),
            }
        }
        threads.into_iter().map(|(_, thread)| thread).collect()
    }
}

impl Drop for FreezeWatch {
    fn drop(&mut self) {
        INTERVAL_NS.store(0, Ordering::Relaxed);
    }
}
