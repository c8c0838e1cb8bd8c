//! The steps from the usual frame to a long one: the time that each scope adds.

use stats_analysis::insight::{Finding, Hitch, Role};

use crate::insight::findings::path_of;

/// The minimum time that all other scopes together must add or save to become a step, in
/// milliseconds.
const MIN_MS: f64 = 0.005;
/// A series that moved with the culprit is a step if its value grew by its share of the excess,
/// within this tolerance. Otherwise its share is an estimate, or it ran on another thread.
const TOLERANCE: f64 = 0.3;

/// A step from the usual frame to the long one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    /// The path of the scope, or words for what is no scope.
    pub(super) name: String,
    /// The path of the scope that adds the time; `None` for what is no scope.
    pub(super) path: Option<String>,
    pub(super) from_ms: f64,
    pub(super) to_ms: f64,
}

/// Returns the usual frame, the time that each scope adds, and the long frame. The step of a scope
/// begins where the previous step ends.
pub(super) fn waterfall(hitch: &Hitch) -> Vec<Step> {
    let mut at_ms = hitch.usual_ms;
    let mut steps = vec![step("usual frame", 0.0, at_ms)];
    for finding in hitch
        .findings
        .iter()
        .filter(|finding| is_scope(finding, hitch))
    {
        let from_ms = at_ms;
        at_ms += finding.share * hitch.excess_ms;
        steps.push(Step {
            path: path_of(finding).map(str::to_owned),
            ..step(&finding.name(), from_ms, at_ms)
        });
    }
    if (hitch.frame_ms - at_ms).abs() >= MIN_MS {
        steps.push(step("other scopes and waits", at_ms, hitch.frame_ms));
    }
    steps.push(step("this frame", 0.0, hitch.frame_ms));
    steps
}

fn step(name: &str, from_ms: f64, to_ms: f64) -> Step {
    let name = name.to_owned();
    Step {
        name,
        path: None,
        from_ms,
        to_ms,
    }
}

/// Returns whether the share of a finding is time that a scope added to the frame.
fn is_scope(finding: &Finding, hitch: &Hitch) -> bool {
    let is_time = finding.is_part && finding.share > 0.0;
    let moved_ms = finding.value - finding.usual;
    let added_ms = finding.share * hitch.excess_ms;
    let is_near = (moved_ms - added_ms).abs() <= TOLERANCE * moved_ms.abs().max(added_ms);
    match finding.role {
        Role::Unaccounted => true,
        Role::Via => false,
        Role::Culprit | Role::Wait => is_time,
        Role::MovedWith => is_time && is_near,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use stats_core::Unit;

    use super::*;

    /// Returns a finding in milliseconds.
    pub(in crate::insight) fn finding(
        path: &str,
        role: Role,
        share: f64,
        value: f64,
        usual: f64,
    ) -> Finding {
        Finding {
            path: path.to_owned(),
            series: (role != Role::Unaccounted).then_some(1),
            role,
            share,
            is_part: true,
            is_ready: false,
            value,
            usual,
            record: usual,
            unit: Unit::Milliseconds,
        }
    }

    pub(in crate::insight) fn hitch(findings: Vec<Finding>) -> Hitch {
        Hitch {
            frame: 1250,
            frame_ms: 26.5,
            usual_ms: 16.5,
            excess_ms: 10.0,
            work_ms: 10.0,
            verdict: "+10.0 ms: 80 % ai/paths, 1 call → 37".to_owned(),
            single_culprit: true,
            findings,
            repeats: None,
            thread_times: None,
        }
    }

    #[test]
    fn the_steps_lead_from_the_usual_frame_to_this_one() {
        let hitch = hitch(vec![
            finding("ai/paths", Role::Culprit, 0.8, 9.0, 1.0),
            finding("unaccounted", Role::Unaccounted, 0.1, 1.0, 0.0),
            finding("ai", Role::Via, 0.8, 11.0, 3.0),
            // This is not a scope, and its share is an estimate.
            finding("net/delay", Role::MovedWith, 0.4, 300.0, 20.0),
        ]);
        let steps = waterfall(&hitch);
        let names: Vec<&str> = steps.iter().map(|step| step.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "usual frame",
                "ai/paths",
                "in no scope",
                "other scopes and waits",
                "this frame"
            ]
        );
        let paths: Vec<Option<&str>> = steps.iter().map(|step| step.path.as_deref()).collect();
        assert_eq!(paths, [None, Some("ai/paths"), None, None, None]);
        for pair in steps[..steps.len() - 1].windows(2) {
            assert_eq!(pair[0].to_ms, pair[1].from_ms);
        }
        assert_eq!(steps[steps.len() - 2].to_ms, hitch.frame_ms);
    }

    #[test]
    fn a_fully_explained_frame_has_no_other_step() {
        let hitch = hitch(vec![finding("ai/paths", Role::Culprit, 1.0, 11.0, 1.0)]);
        assert_eq!(waterfall(&hitch).len(), 3);
    }
}
