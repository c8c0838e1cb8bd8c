//! The explanation of a hitch in one sentence.

use stats_core::Unit;

use super::attribution::SINGLE;
use super::hitch::{Finding, Hitch, MAX_WAITING_MS, Role};
use crate::format::{fixed_text, percent_text, value_text, whole_text};

/// A sentence tells the unexplained rest of a wait if it has at least this share of the excess.
const UNEXPLAINED: f64 = 0.1;

/// What a verdict says of the culprit.
pub(super) struct Further {
    /// Whether many scopes inside the culprit took longer.
    pub(super) is_in_many: bool,
    /// Whether it mostly waited for something that no wait declares.
    pub(super) is_blocked: bool,
    /// The usual and the current number of its calls.
    pub(super) calls: Option<(f64, f64)>,
    /// The words for the timer in which the frame waited for it.
    pub(super) waited_in: Option<String>,
    /// The path of the longest scope that ended in the frame but began before it.
    pub(super) began: Option<String>,
    /// The words for the times without a processor, by the number of the series.
    pub(super) ready: Vec<(u32, String)>,
    /// The words for page faults that took a part of the excess.
    pub(super) faults: Option<String>,
}

impl Further {
    /// Returns the words for a finding that is a time without a processor.
    fn ready(&self, finding: &Finding) -> Option<&String> {
        let mut ready = self.ready.iter();
        let found = ready.find(|(series, _)| finding.series == Some(*series));
        found.map(|(_, words)| words)
    }

    /// Returns a share of the excess, and the words for what had it.
    fn part(&self, finding: &Finding) -> String {
        let words = self.ready(finding).unwrap_or(&finding.path);
        format!("{} {words}", percent_text(finding.share))
    }

    /// Returns the end of a verdict: the series that moved with the culprit, and page faults, if
    /// any.
    fn with_it(&self, with: Option<&Finding>) -> String {
        let with = with.map(moved).into_iter().chain(self.faults.clone());
        let with: Vec<String> = with.collect();
        if with.is_empty() {
            String::new()
        } else {
            format!("; with it {}", with.join(", "))
        }
    }
}

/// Returns the verdict: `+11.8 ms: 92 % ai/pathfinding, 1 call → 37; with it ai/path-requests 3 →
/// 212`. It ends with [`Hitch::work_text`], if there is any.
///
/// `longer` is the part of the frame that took longer than usual, and the factor.
pub(super) fn sentence(hitch: &Hitch, further: Further, longer: (&str, f64)) -> String {
    let work = hitch.work_text();
    let work = work.map_or_else(String::new, |work| format!("; {work}"));
    explanation(hitch, further, longer) + &work
}

fn explanation(hitch: &Hitch, further: Further, longer: (&str, f64)) -> String {
    let mut text = format!("+{} ms: ", fixed_text(hitch.excess_ms.max(0.0), 1));
    let unaccounted = in_no_scope(hitch);
    let leads = |first: &&Finding| {
        has_answer(hitch) || first.role == Role::Unaccounted && unaccounted.is_some()
    };
    let Some(first) = hitch.findings.first().filter(leads) else {
        return text + &without_culprit(hitch, unaccounted, &further, longer);
    };
    text += &match first.role {
        Role::Unaccounted => in_no_scope_text(first, &further),
        Role::Wait => format!("{} waiting in {}", percent_text(first.share), first.path),
        _ if first.unit == Unit::Milliseconds => further.part(first),
        _ => moved(first),
    };
    if further.is_blocked && further.ready(first).is_none() {
        text += ", blocked";
    }
    if further.is_in_many {
        text += ", in many scopes";
    }
    text += further.waited_in.as_deref().unwrap_or_default();
    if let Some((usual, now)) = further.calls {
        let usual = usual.round();
        let calls = if usual == 1.0 { "call" } else { "calls" };
        text += &format!(", {} {calls} → {}", whole_text(usual), whole_text(now));
    }
    let is_second = |other: &&Finding| other.role == Role::Culprit;
    for second in hitch.findings[1..].iter().filter(is_second).take(2) {
        text += ", ";
        text += &further.part(second);
    }
    let is_rest = |other: &&Finding| other.role == Role::Wait && other.share >= UNEXPLAINED;
    if let Some(rest) = hitch.findings[1..].iter().find(is_rest) {
        let share = percent_text(rest.share);
        text += &format!(", {share} waiting in {}, unexplained", rest.path);
    }
    text + &further.with_it(hitch.findings[1..].iter().find(|with| with.is_named()))
}

/// Returns the end of the verdict on a hitch without a culprit.
fn without_culprit(
    hitch: &Hitch,
    unaccounted: Option<&Finding>,
    further: &Further,
    (what, times): (&str, f64),
) -> String {
    if let Some(unaccounted) = unaccounted {
        let mut text = in_no_scope_text(unaccounted, further);
        if further.is_blocked {
            text += ", blocked";
        }
        let first = hitch.findings.first().filter(|first| first.share > 0.25);
        return match first {
            Some(first) if further.ready(first).is_some() => {
                text + ", " + &further.part(first) + &further.with_it(None)
            }
            with => text + &further.with_it(with),
        };
    }
    let with = hitch.findings.iter().find(|with| with.is_named());
    let with = further.with_it(with);
    format!("no single culprit: {what} {times:.1} × as long{with}")
}

/// Returns the time in no scope, if it explains the hitch.
pub(super) fn in_no_scope(hitch: &Hitch) -> Option<&Finding> {
    let mut all = hitch.findings.iter();
    all.find(|finding| finding.role == Role::Unaccounted && finding.share >= SINGLE)
}

/// Returns the share of the time in no scope, and the scope that may have part of it.
fn in_no_scope_text(unaccounted: &Finding, further: &Further) -> String {
    let share = percent_text(unaccounted.share);
    match &further.began {
        None => format!("{share} in no scope"),
        Some(path) => format!("{share} in no scope, or in {path}, which began before this frame"),
    }
}

/// Returns the verdict on a frame without an earlier one.
pub(super) fn without_usual(hitch: &Hitch) -> String {
    let ms = fixed_text(hitch.frame_ms, 1);
    format!("+{ms} ms: no earlier frame to compare with")
}

/// Returns the verdict on frames whose work takes no longer than the work of others. If the frames
/// themselves differ by another time than their work, the verdict tells how much less or longer they waited.
pub(super) fn not_longer(hitch: &Hitch, others: &str) -> String {
    let rounded = |ms: f64| (ms * 10.0).round() / 10.0;
    let waited_ms = hitch.frame_ms - hitch.usual_ms - hitch.excess_ms;
    // Adding 0 makes a rounded −0 positive.
    let excess_ms = rounded(hitch.excess_ms) + 0.0;
    if waited_ms.abs() <= MAX_WAITING_MS {
        return format!("{excess_ms:+.1} ms: not longer than {others}");
    }
    let than = if waited_ms < 0.0 { "less" } else { "longer" };
    let waited_ms = fixed_text(waited_ms.abs(), 1);
    format!("{excess_ms:+.1} ms: not more work than {others}, and {waited_ms} ms {than} waiting")
}

/// Returns whether one series explains the hitch, or a few together do.
pub(super) fn has_answer(hitch: &Hitch) -> bool {
    let culprits = hitch
        .findings
        .iter()
        .filter(|finding| finding.role == Role::Culprit)
        .map(|finding| finding.share)
        .take(3);
    hitch.single_culprit || culprits.sum::<f64>() >= 0.6
}

fn moved(finding: &Finding) -> String {
    let [usual, value] =
        [finding.usual, finding.value].map(|value| value_text(value, finding.unit));
    format!("{} {usual} → {value}", finding.path)
}
