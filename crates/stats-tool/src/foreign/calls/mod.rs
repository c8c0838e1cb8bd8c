//! Scopes that another program has measured, as series of call paths.

mod series;
mod tree;

use stats_analysis::format::count_text;

pub(super) use series::add_calls;
pub(super) use tree::{MAX_DEPTH, Tree};

/// Returns a sentence about what was read of a program.
pub(super) fn said_of_calls(program: &str, frames: usize, paths: usize) -> String {
    let frames = count_text(frames as u64, "frame", "frames");
    let paths = count_text(paths as u64, "call path", "call paths");
    format!("{program}: {frames}, {paths}")
}
