//! The lines of the log beside frames.

use std::collections::BTreeMap;

use stats_analysis::insight::Hitch;
use stats_analysis::log::lines_beside;
use stats_analysis::moments::frames_before;
use stats_capture::CaptureFile;
use stats_core::{LogLevel, Source};

/// The lines beside frames that have any, by frame.
pub(crate) type Log = BTreeMap<u64, Vec<Logged>>;

/// A line of the log.
#[derive(Clone, Debug)]
pub(crate) struct Logged {
    /// The frame in which it was written.
    pub(crate) frame: u64,
    pub(crate) level: LogLevel,
    pub(crate) target: String,
    pub(crate) text: String,
    /// Level, target and text in one line.
    pub(crate) line: String,
}

/// Returns the newest lines of the two seconds before each hitch, and of the hitch itself.
pub(crate) fn log_beside<'a>(
    capture: &CaptureFile,
    hitches: impl IntoIterator<Item = &'a Hitch>,
) -> Log {
    let first = capture.frames().start;
    let of = |hitch: &Hitch| {
        let duration_ms = |frame| Some(capture.frame(frame)?.duration_ms);
        let frames = frames_before(hitch.frame, first, duration_ms);
        let lines = lines_beside(capture.marks(), frames).into_iter();
        let lines: Vec<Logged> = lines
            .map(|(frame, line)| Logged {
                frame,
                level: line.level,
                target: line.target.to_owned(),
                text: line.text.to_owned(),
                line: line.to_string(),
            })
            .collect();
        (hitch.frame, lines)
    };
    let all = hitches.into_iter().map(of);
    all.filter(|(_, lines)| !lines.is_empty()).collect()
}
