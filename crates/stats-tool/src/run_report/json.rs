//! A report as JSON.

use serde_json::{Value, json};
use stats_analysis::bottleneck::{Bottleneck, Limit};

use super::summary::Summary;
use crate::metrics::RunMetrics;
use crate::output::name_of;
use crate::runs::BudgetFinding;

/// The maximum number of marks of all runs in a page.
const MARKS_OF_PAGE: usize = 2_000;

/// Returns the data of a page: a report of `runs` runs with at most [`MARKS_OF_PAGE`] marks.
pub(super) fn page_json(mut report: Value, runs: usize) -> String {
    let most = MARKS_OF_PAGE / runs.max(1);
    for run in report["runs"].as_array_mut().into_iter().flatten() {
        if let Some(marks) = run["marks"].as_array_mut() {
            let left_out = marks.len().saturating_sub(most);
            marks.truncate(most);
            run["marks_left_out"] = left_out.into();
        }
    }
    report.to_string()
}

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
        "file": name_of(&run.file),
        "run": run.run,
        "machine": run.machine(),
        "frames": run.recorded_frames,
        "left_out": left_out.collect::<Vec<_>>(),
        "clock": {
            "step_ns": run.timestamps.step_ns,
            "gap_seconds": run.timestamps.gap_secs,
        },
        "bottleneck": bottleneck(&run.bottleneck),
        "marks": run.marks,
        "damaged": run.damaged,
        "unreadable": run.unreadable,
        "doubts": run.doubts,
        "damaged_bytes": run.damaged_bytes,
        "metrics": run.list(),
    })
}

/// Returns what limits the frame rate, with a share for each limit; null where it is not measured.
fn bottleneck(found: &Bottleneck) -> Value {
    let shares = Limit::ALL.map(|limit| (limit.name().to_owned(), json!(found.share(limit))));
    json!({
        "limit": found.limit().name(),
        "verdict": found.to_string(),
        "shares": Value::Object(shares.into_iter().collect()),
        "waits": found.waits().map(|(path, share)| {
            json!({ "path": path, "share": share })
        }).collect::<Vec<_>>(),
    })
}
