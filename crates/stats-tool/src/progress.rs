//! A progress bar on standard error, if that is a terminal.

use std::io::{IsTerminal, Write};

/// The width of the bar, in characters.
const WIDTH: usize = 30;

/// Goes to the begin of the line and clears it.
const CLEAR: &str = "\r\x1b[K";

/// A progress bar, shown if standard error is a terminal. Dropping it removes the bar.
pub(crate) struct Progress {
    what: &'static str,
    done: usize,
    all: usize,
    is_shown: bool,
}

impl Progress {
    /// Shows the progress of work with `all` steps.
    pub(crate) fn new(what: &'static str, all: usize) -> Self {
        let progress = Self {
            what,
            done: 0,
            all,
            is_shown: std::io::stderr().is_terminal(),
        };
        progress.paint();
        progress
    }

    /// Notes that a step is done.
    pub(crate) fn step(&mut self) {
        self.done += 1;
        self.paint();
    }

    /// Prints a line to standard error, above the bar.
    pub(crate) fn say(&self, line: &str) {
        let clear = if self.is_shown { CLEAR } else { "" };
        let _ = writeln!(std::io::stderr(), "{clear}{line}");
        self.paint();
    }

    fn paint(&self) {
        if !self.is_shown {
            return;
        }
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
        if self.is_shown {
            let _ = write!(std::io::stderr(), "{CLEAR}");
        }
    }
}
