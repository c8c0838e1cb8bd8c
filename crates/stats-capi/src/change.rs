//! When a changed file is tried: after it has been the same for a while.

use std::path::Path;
use std::time::{Duration, Instant, SystemTime};
use std::{fs, io};

/// How long a file stays the same before it is tried. Compilers write for longer, but not with
/// pauses of this length.
pub(crate) const STABLE: Duration = Duration::from_millis(250);

/// How long a file stays the same before its error is reported.
pub(crate) const LASTING: Duration = Duration::from_secs(2);

/// What the system says about a file without reading it. `None` if there is no such file, or if it
/// cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp(Option<(u64, SystemTime)>);

impl Stamp {
    /// Looks at a file.
    pub(crate) fn of(path: &Path) -> Self {
        let look = || -> io::Result<_> {
            let file = fs::metadata(path)?;
            Ok((file.len(), file.modified()?))
        };
        Self(look().ok())
    }
}

/// What to do about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Nothing: it did not change, or it was tried already.
    Wait,
    /// Try it. It may still be written, so an error means nothing yet.
    Try,
    /// Try it for the last time. An error is lasting.
    TryLast,
}

/// Watches a file for changes.
#[derive(Debug)]
pub(crate) struct Change {
    /// The file that was loaded, or whose error was reported.
    done: Stamp,
    /// The file seen last, and since when.
    seen: Stamp,
    since: Instant,
    is_tried: bool,
}

impl Change {
    /// Begins with a file that is loaded.
    pub(crate) fn new(loaded: Stamp, now: Instant) -> Self {
        Self {
            done: loaded,
            seen: loaded,
            since: now,
            is_tried: false,
        }
    }

    /// Returns what to do about the file as it is now.
    pub(crate) fn step(&mut self, stamp: Stamp, now: Instant) -> Step {
        if stamp != self.seen {
            (self.seen, self.since, self.is_tried) = (stamp, now, false);
        }
        let age = now.saturating_duration_since(self.since);
        if stamp == self.done {
            Step::Wait
        } else if age >= LASTING {
            self.done = stamp;
            Step::TryLast
        } else if age >= STABLE && !self.is_tried {
            self.is_tried = true;
            Step::Try
        } else {
            Step::Wait
        }
    }

    /// Notes that the file needs no other try.
    pub(crate) fn finish(&mut self) {
        self.done = self.seen;
    }
}

#[cfg(test)]
mod tests {
    use super::{Change, LASTING, STABLE, Stamp, Step};
    use std::time::{Duration, Instant, SystemTime};

    fn stamp(len: u64) -> Stamp {
        Stamp(Some((len, SystemTime::UNIX_EPOCH)))
    }

    /// Passes a sequence of lengths, each at a time in milliseconds. Returns the steps.
    fn steps(seen: &[(u64, u64)]) -> Vec<Step> {
        let begun = Instant::now();
        let mut change = Change::new(stamp(1), begun);
        seen.iter()
            .map(|(ms, len)| change.step(stamp(*len), begun + Duration::from_millis(*ms)))
            .collect()
    }

    #[test]
    fn a_file_is_tried_after_it_was_the_same_and_once_more_when_it_lasts() {
        let (stable, lasting) = (STABLE.as_millis() as u64, LASTING.as_millis() as u64);
        assert_eq!(
            steps(&[
                (0, 1),
                (9000, 1),
                (9000, 2),
                (9000 + stable - 1, 2),
                (9000 + stable, 2),
                (9001 + stable, 2),
                (9000 + lasting - 1, 2),
                (9000 + lasting, 2),
                (9001 + 2 * lasting, 2),
            ]),
            [
                Step::Wait,
                Step::Wait,
                Step::Wait,
                Step::Wait,
                Step::Try,
                Step::Wait,
                Step::Wait,
                Step::TryLast,
                Step::Wait,
            ]
        );
    }

    #[test]
    fn a_file_that_grows_is_never_tried() {
        let grows: Vec<_> = (0..1000).map(|n| (n * 100, 1 + n)).collect();
        assert_eq!(steps(&grows), vec![Step::Wait; 1000]);
    }

    #[test]
    fn a_file_that_is_missing_for_a_moment_is_not_tried() {
        let begun = Instant::now();
        let mut change = Change::new(stamp(1), begun);
        assert_eq!(change.step(Stamp(None), begun), Step::Wait);
        // The old file is back, and needs no try.
        assert_eq!(change.step(stamp(1), begun + 2 * LASTING), Step::Wait);
        assert_eq!(change.step(Stamp(None), begun + 2 * LASTING), Step::Wait);
        assert_eq!(change.step(Stamp(None), begun + 4 * LASTING), Step::TryLast);
    }

    #[test]
    fn a_file_that_was_loaded_needs_no_other_try() {
        let begun = Instant::now();
        let mut change = Change::new(stamp(1), begun);
        assert_eq!(change.step(stamp(2), begun), Step::Wait);
        assert_eq!(change.step(stamp(2), begun + STABLE), Step::Try);
        change.finish();
        assert_eq!(change.step(stamp(2), begun + 2 * LASTING), Step::Wait);
    }
}
