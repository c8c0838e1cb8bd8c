//! A history as JSON.

use serde_json::{Value, json};

use crate::history::{Course, History, MetricChange, SinceRelease};
use crate::output::name_of;
use crate::statistics::Standing;

/// Returns a history as one JSON object.
pub(super) fn json(history: &History) -> Value {
    let runs = history.runs.iter().map(|run| {
        json!({
            "file": name_of(&run.file),
            "started_at": run.run.started_at,
            "commit": run.run.commit,
            "branch": run.run.branch,
            "build": run.run.build,
        })
    });
    let events = history.events.iter().map(|event| {
        json!({
            "run": event.run,
            "commit": history.runs[event.run].run.commit,
            "changes": event.changes.iter().map(change).collect::<Vec<_>>(),
        })
    });
    let outliers = history.outliers.iter().map(|one| {
        json!({ "name": one.name, "unit": one.unit.symbol(), "run": one.run, "value": one.value })
    });
    json!({
        "format": 1,
        "verb": "trend",
        "outcome": history.outcome().name(),
        "metrics": history.metrics,
        "runs": runs.collect::<Vec<_>>(),
        "since_release": history.since_release().as_ref().map(since_release),
        "events": events.collect::<Vec<_>>(),
        "unconfirmed": history.unconfirmed.iter().map(change).collect::<Vec<_>>(),
        "outliers": outliers.collect::<Vec<_>>(),
        "runs_needed": history.runs_needed(),
        "warnings": history.warnings,
    })
}

fn since_release(since: &SinceRelease) -> Value {
    let course = |course: &Course| {
        let metrics = course.metrics.iter().map(|one| {
            json!({
                "name": one.name,
                "unit": one.unit.symbol(),
                "before": one.before,
                "after": one.after,
                "percent": one.percent,
                "is_worse": one.is_worse,
            })
        });
        (course.direction.name(), metrics.collect::<Vec<_>>())
    };
    let (direction, metrics) = course(&since.project);
    let teams = since.teams.iter().map(|(name, of_team)| {
        let (direction, metrics) = course(of_team);
        json!({ "name": name, "direction": direction, "metrics": metrics })
    });
    json!({
        "run": since.run,
        "release": since.release,
        "direction": direction,
        "metrics": metrics,
        "teams": teams.collect::<Vec<_>>(),
        "runs_needed": since.runs_needed,
    })
}

fn change(one: &MetricChange) -> Value {
    let (standing, tests, runs_needed) = match one.change.standing {
        Standing::Confirmed => ("confirmed", None, None),
        Standing::TooFewBefore => ("too-few-runs", None, None),
        Standing::TooFewAfter(runs) => ("too-few-runs", None, Some(runs)),
        Standing::Doubtful(tests) => ("doubtful", Some(tests), None),
    };
    json!({
        "name": one.name,
        "unit": one.unit.symbol(),
        "better": one.better,
        "may_fail": one.may_fail,
        "run": one.change.at,
        "before": one.change.before,
        "after": one.change.after,
        "is_from_zero": one.change.before == 0.0,
        "percent": one.change.percent(),
        "p": one.change.p,
        "is_worse": one.is_worse(),
        "standing": standing,
        "confirming_tests": tests,
        "runs_needed": runs_needed,
    })
}
