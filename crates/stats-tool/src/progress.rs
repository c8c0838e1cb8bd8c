//! A progress bar on standard error, if that is a terminal.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// The width of the bar, in characters.
const WIDTH: usize = 30;

/// Moves to the beginning of the line and clears the line.
const CLEAR: &str = "\r\x1b[K";

/// The minimum interval between two paintings of a bar.
const INTERVAL: Duration = Duration::from_millis(50);

/// A progress bar, shown if standard error is a terminal. Dropping it removes the bar.
pub(crate) struct Progress {
    what: &'static str,
    done: usize,
    all: usize,
    is_shown: bool,
    /// When the bar was painted last; `None` if it is not visible.
    painted: Option<Instant>,
}

impl Progress {
    /// Shows the progress of work with `all` steps; nothing if that is 0.
    pub(crate) fn new(what: &'static str, all: usize) -> Self {
        let mut progress = Self {
            what,
            done: 0,
            all,
            is_shown: all > 0 && std::io::stderr().is_terminal(),
            painted: None,
        };
        progress.paint();
        progress
    }

    /// Counts a step as done.
    pub(crate) fn step(&mut self) {
        self.done += 1;
        let is_due = |painted: Instant| painted.elapsed() >= INTERVAL;
        if self.is_shown && self.painted.is_none_or(is_due) {
            self.paint();
        }
    }

    /// Removes the bar until the next step, so that other output begins on a line of its own.
    pub(crate) fn clear(&mut self) {
        if self.is_shown {
            let _ = write!(std::io::stderr(), "{CLEAR}");
            // The next step paints the bar at once.
            self.painted = None;
        }
    }

    /// Prints a line to standard error, above the bar.
    pub(crate) fn say(&mut self, line: &str) {
        let clear = if self.is_shown { CLEAR } else { "" };
        let _ = writeln!(std::io::stderr(), "{clear}{line}");
        self.paint();
    }

    fn paint(&mut self) {
        if !self.is_shown {
            return;
        }
        self.painted = Some(Instant::now());
        let filled = (WIDTH * self.done).checked_div(self.all).unwrap_or(WIDTH);
        let bar = "#".repeat(filled) + &".".repeat(WIDTH - filled);
        let mut stderr = std::io::stderr();
        let _ = write!(
            stderr,
            "\r{} [{bar}] {} of {}",
            self.what, self.done, self.all
        );
        let _ = stderr.flush();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
