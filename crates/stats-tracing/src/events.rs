//! The counters of events, by level and target.

use std::collections::HashSet;
use std::sync::{LazyLock, Mutex, PoisonError};

use stats_core::segment::bounded;
use stats_core::{Counter, CounterHandle, counter, report_over_limit};
use tracing_core::{Level, Metadata};

/// The maximum number of pairs of a level and a target that have counters of their own.
pub const MAX_TARGETS: usize = 4_096;

const OVER_LIMIT_PATH: &str = "tracing/events/over-limit";

static OVER_LIMIT: Counter = Counter::new(OVER_LIMIT_PATH)
    .describe("events of tracing whose target has no series of its own");

static ERRORS: Counter = Counter::new("tracing/events/error");
static WARNINGS: Counter = Counter::new("tracing/events/warn");
static INFOS: Counter = Counter::new("tracing/events/info");
static DEBUGS: Counter = Counter::new("tracing/events/debug");
static TRACES: Counter = Counter::new("tracing/events/trace");

/// Counts an event whose target has no counter of its own.
#[cold]
pub(crate) fn count_over_limit() {
    OVER_LIMIT.increment();
}

/// Counts an event in the counter of its level.
#[inline]
pub(crate) fn count_level(level: Level) {
    match level {
        Level::ERROR => ERRORS.increment(),
        Level::WARN => WARNINGS.increment(),
        Level::INFO => INFOS.increment(),
        Level::DEBUG => DEBUGS.increment(),
        Level::TRACE => TRACES.increment(),
    }
}

/// Returns the counter of the level and target of an event; `None` beyond the limit. Takes a lock.
pub(crate) fn counter_of(event: &Metadata<'_>) -> Option<CounterHandle> {
    static PATHS: LazyLock<Mutex<HashSet<Box<str>>>> = LazyLock::new(Mutex::default);
    let level = event.level().as_str().to_ascii_lowercase();
    let path = format!("tracing/events/{level}/{}", bounded(event.target(), &[]));
    let mut paths = PATHS.lock().unwrap_or_else(PoisonError::into_inner);
    if !paths.contains(&*path) {
        if paths.len() >= MAX_TARGETS {
            report_over_limit(OVER_LIMIT_PATH, MAX_TARGETS);
            return None;
        }
        paths.insert(path.as_str().into());
    }
    Some(counter(&path))
}
