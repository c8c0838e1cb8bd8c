//! Captures without what should not leave the house, for `stats export` and `stats record`.

use std::path::Path;

use stats_analysis::format::count_text;
use stats_capture::CaptureFile;

use crate::failure::Failure;
use crate::output::say;

/// The number of names of series that are printed.
const MAX_NAMES: usize = 5;

/// Writes a capture without the command line, labels, notes and pictures, and without names of users,
/// machines and files. Says what it removed, and what it kept although it may tell something. The
/// target may be the capture itself.
pub(crate) fn redact(capture: CaptureFile, from: &Path, to: &Path) -> Result<(), Failure> {
    let redacted = stats_capture::redact(capture, from, to).map_err(Failure::Redact)?;
    say(match &redacted.removed[..] {
        [] => "removed: nothing, because there was nothing to remove".to_owned(),
        removed => format!("removed: {}", removed.join(", ")),
    });
    if !redacted.suspicious.is_empty() {
        let count = redacted.suspicious.len();
        let first: Vec<&str> = redacted.suspicious.iter().map(String::as_str).collect();
        say(format_args!(
            "kept: {} that may tell a file, a user or a machine: {}{}",
            count_text(count as u64, "name of a series", "names of series"),
            first[..count.min(MAX_NAMES)].join(", "),
            if count > MAX_NAMES { ", …" } else { "" }
        ));
    }
    for error in &redacted.unreadable {
        say(format_args!("left out, because it cannot be read: {error}"));
    }
    Ok(())
}
