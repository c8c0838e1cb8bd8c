//! The text about hitches, leaks and periodic stalls that several verbs show.

use stats_analysis::format::{NO_VALUE, value_text};
use stats_analysis::insight::{Finding, Hitch, Leak, Role};
use stats_core::Unit;

use crate::document::{Section, SectionId, Table};
use crate::metrics::RunMetrics;

/// Returns the share of the excess. That of a count or a level is an estimate, not a part of the
/// time, so it is not shown.
pub(crate) fn share_text(finding: &Finding) -> String {
    match finding.unit {
        Unit::Milliseconds => format!("{:.0} %", finding.share * 100.0),
        _ => NO_VALUE.to_owned(),
    }
}

/// Returns the path of what explains most of the excess.
pub(crate) fn culprit_text(hitch: &Hitch) -> &str {
    match hitch.culprit() {
        Some(culprit) if culprit.role == Role::Unaccounted => "in no scope",
        Some(culprit) => &culprit.path,
        None => "no single culprit",
    }
}

/// Returns what follows the slope of a level that grew faster before.
pub(crate) fn slower_text(leak: &Leak) -> &'static str {
    if leak.is_slower { ", slower now" } else { "" }
}

/// Returns a name that belongs to a run, with the file if there are several runs.
pub(crate) fn named(runs: &[RunMetrics], run: &RunMetrics, name: &str) -> String {
    match runs {
        [_] => name.to_owned(),
        _ => format!("{name} in {}", run.file.display()),
    }
}

/// Returns the leaks, which grow until the end of a run, and the periodic stalls.
pub(crate) fn lasting(runs: &[RunMetrics]) -> Section {
    let mut section = Section::new(SectionId::LASTING);
    let mut leaks = Table::of_numbers(&["level that grows", "per second", "until its budget"]);
    let mut stalls = Table::of_numbers(&[
        "periodic stall",
        "interval",
        "times",
        "first frame",
        "last frame",
    ]);
    for run in runs {
        for (leak, unit) in &run.explained.leaks {
            leaks.row([
                named(runs, run, &leak.path),
                value_text(leak.per_second, *unit) + slower_text(leak),
                match leak.seconds_to_budget {
                    None => NO_VALUE.to_owned(),
                    Some(0.0) => "over it".to_owned(),
                    Some(secs) => value_text(secs, Unit::Seconds),
                },
            ]);
        }
        for stall in &run.explained.periodic {
            stalls.row([
                named(runs, run, &stall.path),
                stall.interval_text(),
                stall.count.to_string(),
                stall.first_frame.to_string(),
                stall.newest_frame().to_string(),
            ]);
        }
    }
    if leaks.rows.is_empty() {
        section.text("No level grows steadily until the end of a run.");
    }
    section.table(leaks);
    if stalls.rows.is_empty() {
        section.text("No stall recurs at equal intervals.");
    }
    section.table(stalls);
    section
}
