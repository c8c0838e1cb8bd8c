//! A comparison as JSON.

use serde_json::{Value, json};

use super::comparison::Comparison;
use super::finding::{Finding, Verdict};
use crate::runs::LeftOutFrames;

/// Returns the fields of a comparison.
pub(crate) fn value(comparison: &Comparison) -> Value {
    let findings = |all: &[Finding]| all.iter().map(finding).collect::<Vec<_>>();
    let (before, after, stored) = comparison.runs;
    json!({
        "runs": { "before": before, "after": after, "stored": stored },
        "may_fail": findings(&comparison.may_fail),
        "others": findings(&comparison.others),
        "runs_needed": comparison.runs_needed(),
        "only_before": comparison.unpaired.0,
        "only_after": comparison.unpaired.1,
        "missing": comparison.missing,
        "left_out": comparison.left_out.iter().map(LeftOutFrames::json).collect::<Vec<_>>(),
        "warnings": comparison.warnings,
    })
}

fn finding(finding: &Finding) -> Value {
    let test = finding.test.as_ref();
    json!({
        "name": finding.name,
        "in_place_of": finding.in_place_of,
        "unit": finding.unit.symbol(),
        "better": finding.better,
        "before": finding.before,
        "after": finding.after,
        "stored": finding.stored,
        "is_from_zero": finding.is_from_zero,
        "percent": finding.shown_percent(),
        "interval_percent": finding.shown_interval(),
        "coverage": finding.coverage,
        "t": test.map(|test| test.t),
        "degrees": test.map(|test| test.degrees),
        "p": finding.p(),
        "cliffs_delta": finding.delta,
        "limit_percent": finding.limit_percent,
        "findable_percent": finding.findable_percent,
        "two_clusters": finding.clusters,
        "indication": finding.indication.map(|indication| json!({
            "difference": indication.difference,
            "interval": indication.interval,
        })),
        "verdict": finding.verdict.name(),
        "runs_needed": match finding.verdict {
            Verdict::Unknown(runs) => runs,
            _ => None,
        },
    })
}
