//! A report as JSON.

use serde_json::{Value, json};

use super::summary::Summary;
use crate::metrics::RunMetrics;
use crate::runs::BudgetFinding;

/// Returns a report as one JSON object.
pub(super) fn json(runs: &[RunMetrics], summary: &Summary, budgets: &[BudgetFinding]) -> Value {
    json!({
        "format": 1,
        "runs": runs.iter().map(run).collect::<Vec<_>>(),
        "metrics": summary.figures(),
        "budgets": budgets.iter().map(BudgetFinding::json).collect::<Vec<_>>(),
    })
}

fn run(run: &RunMetrics) -> Value {
    let left_out = run.left_out.ranges.iter().map(|(reason, frames)| {
        json!({ "reason": reason.name(), "begin": frames.start, "end": frames.end })
    });
    json!({
        "file": run.file.display().to_string(),
        "run": run.run,
        "machine": run.machine(),
        "frames": run.recorded_frames,
        "left_out": left_out.collect::<Vec<_>>(),
        "clock": {
            "step_ns": run.timestamps.step_ns,
            "gap_seconds": run.timestamps.gap_secs,
        },
        "marks": run.marks,
        "metrics": run.list(),
    })
}
