//! Hitches for the tests.

use stats_analysis::insight::{Finding, Hitch, Role};
use stats_core::Unit;

/// Returns a culprit that took nine of ten milliseconds, and usually takes none.
pub(crate) fn culprit(path: &str) -> Finding {
    Finding {
        path: path.to_owned(),
        series: Some(1),
        role: Role::Culprit,
        share: 0.9,
        is_part: true,
        is_ready: false,
        value: 9.0,
        usual: 0.0,
        record: 0.0,
        unit: Unit::Milliseconds,
    }
}

/// Returns a hitch of frame 100, which took 20 ms instead of 10.
pub(crate) fn hitch(finding: Option<Finding>) -> Hitch {
    Hitch {
        frame: 100,
        frame_ms: 20.0,
        usual_ms: 10.0,
        excess_ms: 10.0,
        work_ms: 10.0,
        verdict: String::new(),
        single_culprit: finding.is_some(),
        findings: finding.into_iter().collect(),
        repeats: None,
        thread_times: None,
    }
}
