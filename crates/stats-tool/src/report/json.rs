//! A report as JSON.

use serde_json::{Value, json};

use super::summary::Summary;
use crate::metrics::{Reason, RunMetrics};

/// Returns a report as one JSON object.
pub(super) fn json(runs: &[RunMetrics], summary: &Summary) -> Value {
    json!({
        "format": 1,
        "runs": runs.iter().map(run).collect::<Vec<_>>(),
        "metrics": summary.figures(),
    })
}

fn run(run: &RunMetrics) -> Value {
    let left_out = run.left_out.ranges.iter().map(|(reason, frames)| {
        let reason = match reason {
            Reason::WarmUp => "warm-up",
            Reason::Span(name) => name,
        };
        json!({ "reason": reason, "begin": frames.start, "end": frames.end })
    });
    json!({
        "file": run.file.display().to_string(),
        "run": run.run,
        "machine": run.machine(),
        "frames": run.recorded_frames(),
        "left_out": left_out.collect::<Vec<_>>(),
        "marks": run.marks,
        "metrics": run.list(),
    })
}
