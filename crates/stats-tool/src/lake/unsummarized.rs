//! The captures that a summary lacks.

use std::collections::HashMap;
use std::path::Path;

use super::layout::{Stamp, captures};
use super::summary::Summary;
use crate::failure::Failure;

/// Returns a message about the captures that a summary lacks; `None` if it has all of them.
pub(crate) fn left_out(lake: &Path, summary: &Summary) -> Result<Option<String>, Failure> {
    let new = unsummarized(lake, captures(lake)?, summary).len();
    Ok((new > 0).then(|| {
        let captures = match new {
            1 => "1 capture is new or has changed, and is left out".to_owned(),
            _ => format!("{new} captures are new or have changed, and are left out"),
        };
        format!("{captures}; call `stats summarize` for {}", lake.display())
    }))
}

/// Returns the captures that are not in a summary, or have changed since they were summarized.
pub(crate) fn unsummarized(lake: &Path, captures: Vec<String>, summary: &Summary) -> Vec<String> {
    let known: HashMap<&str, Stamp> = summary.runs().map(|row| (&*row.run, row.stamp)).collect();
    let is_new = |run: &String| {
        let known = known.get(run.as_str());
        // A file that cannot be examined is reported when it is read.
        !known.is_some_and(|known| Stamp::of(&lake.join(run)).is_ok_and(|now| now == *known))
    };
    captures.into_iter().filter(is_new).collect()
}
