//! Frames that do not end.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::log_line::LineText;
use crate::backend;
use crate::frames::kept_name;
use crate::{LogLevel, LogLine};

/// The number of polls in the limit of a [`FreezeWatch`].
const POLLS: u32 = 20;

/// The maximum number of threads whose open scopes are lines of the log.
const MAX_THREADS: usize = 8;

/// The target of the [lines](LogLine) about a frame that does not end.
pub const FROZEN: &str = "stats::frozen";

/// The target of the [line](LogLine) about a frame in which the whole program stood still.
pub const STOOD_STILL: &str = "stats::stopped";

/// What is called at each freeze.
static TOLD: Mutex<Vec<fn(&Freeze)>> = Mutex::new(Vec::new());

/// Calls a function at each freeze of this process from then on, on the thread that
/// [polls](FreezeWatch::poll), before `poll` returns. It is for what records: a program takes the
/// freeze from `poll`, or from `stats_process::watch_freezes`. Call it once for each function.
pub fn on_freeze(tell: fn(&Freeze)) {
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    told.push(tell);
}

/// Watches the recorders of this process for frames that do not end.
///
/// Another thread [polls](Self::poll) it: `stats_process::watch_freezes` starts one. Time is counted
/// in these polls. So if the whole program stands still, because a debugger has stopped it or a person
/// with SIGSTOP, that is no freeze. The frame that ends afterward gets a mark, a [line](LogLine) of the
/// target [`STOOD_STILL`], and no insight takes it for a hitch. It gets the mark if it took the limit or
/// longer, and had less than half of the polls.
///
/// # Cost
///
/// While there is a watch, scopes are [collected](crate::SpanCollector), and the end of a frame reads
/// the clock. Without one, it reads a flag.
///
/// ```
/// use std::time::Duration;
/// use stats_core::{FreezeWatch, Recorder, timer};
///
/// # if stats_core::ENABLED {
/// let mut watch = FreezeWatch::begin(Duration::from_secs(2)).expect("counters are enabled");
/// let mut recorder = Recorder::new();
/// recorder.end_frame();
/// let _scope = timer("level/load").scope();
/// let polls = (0..40).find_map(|_| watch.poll()); // each after `watch.interval()`
/// let freeze = polls.expect("no frame has ended for two seconds");
/// assert!(freeze.threads.iter().any(|thread| thread.scopes[0].0 == "level/load"));
/// # }
/// ```
#[derive(Debug)]
pub struct FreezeWatch {
    live: backend::FreezeWatch,
    interval: Duration,
}

/// A frame that has not ended within the limit.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Freeze {
    /// The time without the end of a frame, in seconds: the limit, or a little more.
    pub seconds: f64,
    /// The threads with open scopes.
    pub threads: Vec<FrozenThread>,
}

/// A thread with open scopes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FrozenThread {
    /// Its name.
    pub name: String,
    /// The paths of the open scopes, and the seconds since each began, outer ones first. Without
    /// those that began before the watch.
    pub scopes: Vec<(String, f64)>,
}

impl FreezeWatch {
    /// Begins to watch: a thread that has ended a frame of a recorder must end another one, of any
    /// recorder, within `limit`, at least a tenth of a second. Returns `None` without the feature `enabled`.
    ///
    /// One watch at a time is meant: of several, the limit of the newest one counts.
    #[must_use]
    pub fn begin(limit: Duration) -> Option<Self> {
        let interval = limit.max(Duration::from_millis(100)) / POLLS;
        let live = backend::FreezeWatch::begin(interval, POLLS)?;
        Some(Self { live, interval })
    }

    /// Returns the time between two [polls](Self::poll): a twentieth of the limit.
    #[must_use]
    pub fn interval(&self) -> Duration {
        self.interval
    }

    /// Returns a freeze in the poll in which the limit is reached, once for each freeze. Its text is
    /// then also kept as [lines of the log](LogLine), with which recorders and captures mark the frame
    /// as soon as it ends: one for the freeze, and one for each of the first eight threads.
    pub fn poll(&mut self) -> Option<Freeze> {
        let threads = self.live.poll()?;
        let seconds = self.interval.as_secs_f64() * f64::from(POLLS);
        let freeze = Freeze { seconds, threads };
        // Captures are told before the lines are kept. Otherwise, a frame that ends in between would
        // have the marks of a freeze that captures learn of later, and that nothing ends.
        let told = TOLD.lock().unwrap_or_else(PoisonError::into_inner).clone();
        told.iter().for_each(|tell| tell(&freeze));
        for text in freeze.lines() {
            LogLine::keep(LogLevel::Error, FROZEN, format_args!("{text}"));
        }
        Some(freeze)
    }
}

impl Freeze {
    /// Returns the names of the marks that the frame gets as soon as it ends, as [lines](LogLine) of
    /// the target [`FROZEN`].
    #[must_use]
    pub fn mark_names(&self) -> Vec<String> {
        let name = |text: String| {
            let line = LineText::of(LogLevel::Error, FROZEN, format_args!("{text}"));
            kept_name(line.as_str()).to_owned()
        };
        self.lines().map(name).collect()
    }

    fn lines(&self) -> impl Iterator<Item = String> {
        let threads = self.threads.iter().take(MAX_THREADS);
        std::iter::once(self.headline()).chain(threads.map(ToString::to_string))
    }

    fn headline(&self) -> String {
        let unknown = if self.threads.is_empty() {
            "; no scope is known to be open"
        } else {
            ""
        };
        format!("no frame for {:.1} s{unknown}", self.seconds)
    }
}

impl fmt::Display for Freeze {
    /// Writes a line for the freeze and one for each thread.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.headline())?;
        self.threads
            .iter()
            .try_for_each(|thread| write!(f, "\n  {thread}"))
    }
}

impl fmt::Display for FrozenThread {
    /// Writes `main: frame 2.1 s > ai/paths 2.0 s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.name)?;
        for (at, (path, secs)) in self.scopes.iter().enumerate() {
            let gap = if at > 0 { " >" } else { "" };
            write!(f, "{gap} {path} {secs:.1} s")?;
        }
        Ok(())
    }
}
