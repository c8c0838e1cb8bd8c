//! The explanation of a hitch in one sentence.

use stats_core::Unit;

use super::attribution::SINGLE;
use super::hitch::{Finding, Hitch, Role};
use crate::format::value_text;

/// Returns the verdict: `+11.8 ms: 92 % ai/pathfinding, 1 call → 37; with it ai/path-requests 3 →
/// 212 (record 9)`.
///
/// `is_in_many` says that many scopes inside the culprit took longer. `calls` are the usual and the
/// current number of calls of the culprit, and `waited_in` says in which timer the frame waited for
/// it. `longer` is the part of the frame that took longer than usual, and the factor.
pub(super) fn sentence(
    hitch: &Hitch,
    (is_in_many, calls): (bool, Option<(f64, f64)>),
    waited_in: Option<String>,
    longer: (&str, f64),
) -> String {
    let mut text = format!("+{:.1} ms: ", hitch.excess_ms.max(0.0));
    let unaccounted = hitch
        .findings
        .iter()
        .find(|finding| finding.role == Role::Unaccounted && finding.share >= SINGLE);
    let leads = |first: &&Finding| {
        has_answer(hitch) || first.role == Role::Unaccounted && unaccounted.is_some()
    };
    let Some(first) = hitch.findings.first().filter(leads) else {
        return text + &without_culprit(hitch, unaccounted, longer);
    };
    text += &match first.role {
        Role::Unaccounted => format!("{} in no scope", percent(first.share)),
        Role::Wait => format!("{} waiting in {}", percent(first.share), first.path),
        _ if first.unit == Unit::Milliseconds => {
            format!("{} {}", percent(first.share), first.path)
        }
        _ => moved(first),
    };
    if is_in_many {
        text += ", in many scopes";
    }
    text += &waited_in.unwrap_or_default();
    if let Some((usual, now)) = calls {
        let usual = usual.round();
        let calls = if usual == 1.0 { "call" } else { "calls" };
        text += &format!(", {usual:.0} {calls} → {now:.0}");
    }
    let is_second = |other: &&Finding| other.role == Role::Culprit;
    for second in hitch.findings[1..].iter().filter(is_second).take(2) {
        text += &format!(", {} {}", percent(second.share), second.path);
    }
    text + &with_it(hitch.findings[1..].iter().find(is_with))
}

/// Returns the end of the verdict on a hitch without a culprit.
fn without_culprit(
    hitch: &Hitch,
    unaccounted: Option<&Finding>,
    (what, times): (&str, f64),
) -> String {
    if let Some(unaccounted) = unaccounted {
        let with = hitch.findings.first().filter(|first| first.share > 0.25);
        let share = percent(unaccounted.share);
        return format!("{share} in no scope{}", with_it(with));
    }
    if hitch.usual_ms <= 0.0 {
        return "no single culprit, and no earlier frame to compare with".to_owned();
    }
    let with = with_it(hitch.findings.iter().find(is_with));
    format!("no single culprit: {what} {times:.1} × as long{with}")
}

/// Returns whether a verdict names a series that moved with the culprit.
fn is_with(other: &&Finding) -> bool {
    other.role == Role::MovedWith && other.unit != Unit::Milliseconds && other.share > 0.25
}

/// Returns the end of a verdict: the series that moved with the culprit, if any.
fn with_it(with: Option<&Finding>) -> String {
    with.map_or_else(String::new, |with| format!("; with it {}", moved(with)))
}

/// Returns the verdict on frames that are not longer than others.
pub(super) fn not_longer(excess_ms: f64, others: &str) -> String {
    // Adding 0 makes a rounded −0 positive.
    let excess_ms = (excess_ms * 10.0).round() / 10.0 + 0.0;
    format!("{excess_ms:+.1} ms: not longer than {others}")
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
    let [usual, value, record] =
        [finding.usual, finding.value, finding.record].map(|value| number(value, finding.unit));
    format!("{} {usual} → {value} (record {record})", finding.path)
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// Returns a value as text. Usual counts are estimates and not whole, so they are rounded.
fn number(value: f64, unit: Unit) -> String {
    let is_whole = unit == Unit::Count && value.abs() >= 0.5;
    value_text(if is_whole { value.round() } else { value }, unit)
}
