//! The text about frames that did not end for long.

use crate::metrics::RunExplanation;

/// The maximum number of freezes with a sentence.
const MAX_FREEZES: usize = 5;

/// Returns a sentence about each frame of a run that did not end for long, with what was open. `of`
/// names the run, such as ` of run.parquet`.
pub(crate) fn freezes(run: &RunExplanation, of: &str) -> Vec<String> {
    let all = &run.freezes;
    // The last one may be why the run ended.
    let more = all.len().saturating_sub(MAX_FREEZES);
    let first = (more > 0).then(|| format!("Frozen frames{of} before these: {more}."));
    let texts = all[more..].iter().map(|freeze| {
        let what = match freeze.has_ended {
            true => format!("Frame {}{of} was frozen", freeze.frame),
            false => format!(
                "The frame after {}{of} never ended",
                freeze.frame.saturating_sub(1)
            ),
        };
        format!("{what}: {}.", freeze.lines.join("; "))
    });
    first.into_iter().chain(texts).collect()
}
