//! A report as JSON.

use serde_json::{Value, json};
use stats_analysis::bottleneck::{Bottleneck, Limit};
use stats_core::LogLine;

use super::peers::here;
use super::summary::Summary;
use crate::metrics::{PeerFigure, RunMetrics};
use crate::output::name_of;
use crate::runs::BudgetFinding;

/// The maximum number of marks of all runs in a page.
const MARKS_OF_PAGE: usize = 2_000;

/// Returns the data of a page: a report of `runs` runs with at most [`MARKS_OF_PAGE`] marks.
pub(super) fn page_json(mut report: Value, runs: usize) -> Value {
    let most = MARKS_OF_PAGE / runs.max(1);
    for run in report["runs"].as_array_mut().into_iter().flatten() {
        if let Some(marks) = run["marks"].as_array_mut() {
            let left_out = marks.len().saturating_sub(most);
            // Lines of the log leave room for other marks.
            let mut lines = most.saturating_sub(marks.iter().filter(|mark| !is_line(mark)).count());
            marks.retain(|mark| {
                let is_kept = !is_line(mark) || lines > 0;
                lines -= usize::from(is_line(mark) && is_kept);
                is_kept
            });
            marks.truncate(most);
            run["marks_left_out"] = left_out.into();
        }
    }
    report
}

fn is_line(mark: &Value) -> bool {
    (mark["name"].as_str()).is_some_and(|name| LogLine::of_mark(name).is_some())
}

/// Returns a report as one JSON object. The runs have figures of other programs if these are wanted.
pub(super) fn json(
    runs: &[RunMetrics],
    summary: &Summary,
    budgets: &[BudgetFinding],
    peers: &[Vec<PeerFigure>],
) -> Value {
    let mut list: Vec<Value> = runs.iter().map(run).collect();
    for ((object, run), figures) in list.iter_mut().zip(runs).zip(peers) {
        object["peers"] = self::peers(run, figures);
    }
    json!({
        "format": 1,
        "runs": list,
        "metrics": summary.figures(),
        "budgets": budgets.iter().map(BudgetFinding::json).collect::<Vec<_>>(),
    })
}

/// Returns the figures of other programs, each with the metric of ours that is nearest to it, in the
/// same unit.
fn peers(run: &RunMetrics, figures: &[PeerFigure]) -> Value {
    let metrics = run.list();
    let of = |figure: &PeerFigure| {
        json!({
            "name": figure.name,
            "value": figure.value,
            "unit": figure.unit.symbol(),
            "metric": figure.ours,
            "here": here(&metrics, figure),
            "definition": figure.definition,
        })
    };
    figures.iter().map(of).collect()
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
        "metrics": run.shown(),
    })
}

/// Returns what limits the frame rate, with a share for each limit; null where it is not measured.
fn bottleneck(found: &Bottleneck) -> Value {
    // Sums of differences leave rounding errors, such as 2.7e-19.
    let rounded = |share: f64| (share * 1e9).round() / 1e9;
    let share = |limit| json!(found.share(limit).map(rounded));
    let shares = Limit::ALL.map(|limit| (limit.name().to_owned(), share(limit)));
    json!({
        "limit": found.limit().name(),
        "verdict": found.to_string(),
        "shares": Value::Object(shares.into_iter().collect()),
        "waits": found.waits().map(|(path, share)| {
            json!({ "path": path, "share": share })
        }).collect::<Vec<_>>(),
    })
}
