//! An explanation as JSON.

use serde_json::{Value, json};
use stats_analysis::insight::{Finding, Hitch};

use super::Beside;
use crate::metrics::{Explanation, Growth, RunExplanation};
use crate::runs::hitches_before;

/// Returns an explanation as one JSON object.
pub(super) fn json(explanation: &Explanation, beside: &Beside) -> Value {
    let fields = |hitch: &Hitch| fields(hitch, beside);
    match explanation {
        Explanation::Frame(hitch) => {
            let mut object = json!({ "format": 1 });
            if let (Value::Object(all), Value::Object(fields)) = (&mut object, fields(hitch)) {
                all.extend(fields);
            }
            object
        }
        Explanation::Run(RunExplanation {
            frames,
            left_out,
            ready_share,
            hitches,
            leaks,
            periodic,
            slowdowns,
            moments,
            ..
        }) => json!({
            "format": 1,
            "frames": frames,
            "left_out_frames": left_out,
            "ready_share": ready_share,
            "hitches": hitches.iter().map(fields).collect::<Vec<_>>(),
            "leaks": leaks.iter().map(|Growth { leak, unit, newest, budget }| json!({
                "path": leak.path,
                "unit": unit.symbol(),
                "value": Some(newest).filter(|newest| newest.is_finite()),
                "budget": budget,
                "per_second": leak.per_second,
                "slower": leak.is_slower,
                "seconds_to_budget": leak.seconds_to_budget,
            })).collect::<Vec<_>>(),
            "periodic": periodic.iter().map(|stall| json!({
                "period_frames": stall.period_frames,
                "period_seconds": stall.period_secs,
                "first_frame": stall.first_frame,
                "last_frame": stall.newest_frame(),
                "count": stall.count,
                "path": stall.path,
            })).collect::<Vec<_>>(),
            "slowdowns": slowdowns.iter().map(|slower| json!({
                "first_frame": slower.slowdown.first_frame,
                "last_frame": slower.last_frame,
                "gradual": slower.is_gradual,
                "from_ms": slower.slowdown.from_ms,
                "to_ms": slower.slowdown.to_ms,
                "findings": slower.cause.iter().flat_map(|cause| &cause.findings).map(finding).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
            "moments": moments.iter().map(|one| json!({
                "number": one.moment.number,
                "frame": one.moment.frame,
                "note": one.moment.note,
                "first_frame": one.frames.start,
                "hitches": hitches_before(one, hitches).map(|hitch| hitch.frame).collect::<Vec<_>>(),
                "slowest": one.slowest.as_ref().map(&fields),
            })).collect::<Vec<_>>(),
        }),
    }
}

fn fields(hitch: &Hitch, beside: &Beside) -> Value {
    let log = beside.log.get(&hitch.frame).into_iter().flatten();
    json!({
        "frame": hitch.frame,
        "frame_ms": hitch.frame_ms,
        "usual_ms": hitch.usual_ms,
        "excess_ms": hitch.excess_ms,
        "verdict": hitch.verdict,
        "seen": hitch.is_seen(),
        "repeats": hitch.repeats.map(|repeats| json!({
            "on": repeats.on,
            "of": repeats.of,
            "never_otherwise": repeats.never_otherwise,
        })),
        "single_culprit": hitch.single_culprit,
        "longest_call": beside.calls.get(&hitch.frame).map(|call| json!({
            "call": call.call,
            "of": call.of,
            "ms": call.ms,
        })),
        "findings": hitch.findings.iter().map(finding).collect::<Vec<_>>(),
        "log": log.map(|line| json!({
            "frame": line.frame,
            "level": line.level.name(),
            "target": line.target,
            "text": line.text,
        })).collect::<Vec<_>>(),
    })
}

fn finding(finding: &Finding) -> Value {
    json!({
        "path": finding.path,
        "role": finding.role.name(),
        "share": finding.share,
        "value": finding.value,
        "usual": finding.usual,
        "record": finding.record,
        "unit": finding.unit.symbol(),
    })
}
