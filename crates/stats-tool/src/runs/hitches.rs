//! The text about hitches, leaks and periodic stalls that several verbs show.

use std::borrow::Cow;

use stats_analysis::format::{NO_VALUE, count_text, percent_text, value_text};
use stats_analysis::insight::{Finding, Hitch, Leak, MIN_STALLS, Periodic, WARM_UP_FRAMES};
use stats_core::Unit;

use super::slowdowns::{slowdown_table, slowdowns};
use crate::document::{Section, SectionId, Table};
use crate::metrics::RunMetrics;
use crate::output::name_of;

/// Returns the share of the excess. One that is an estimate, and not a part of the time, is not
/// shown.
pub(crate) fn share_text(finding: &Finding) -> String {
    if finding.is_part {
        percent_text(finding.share)
    } else {
        NO_VALUE.to_owned()
    }
}

/// Returns words for what explains most of the excess.
pub(crate) fn culprit_text(hitch: &Hitch) -> Cow<'_, str> {
    hitch
        .culprit()
        .map_or("no single culprit".into(), Finding::name)
}

/// Returns what follows the slope of a level that grew faster before.
pub(crate) fn slower_text(leak: &Leak) -> &'static str {
    if leak.is_slower { ", slower now" } else { "" }
}

/// The maximum number of series that [`moved_text`] names.
const MAX_MOVED: usize = 3;

/// Returns the values of a frame that are larger than usual: `flock/step 10.34 ms (usually 2.10 ms)`.
pub(crate) fn moved_text(frame: &Hitch) -> String {
    let larger = (frame.findings.iter()).filter(|finding| finding.value > finding.usual);
    let texts = larger.take(MAX_MOVED).map(|finding| {
        let name = finding.name();
        let [value, usual] =
            [finding.value, finding.usual].map(|value| value_text(value, finding.unit));
        format!("{name} {value} (usually {usual})")
    });
    let texts: Vec<String> = texts.collect();
    match texts.is_empty() {
        true => NO_VALUE.to_owned(),
        false => texts.join(", "),
    }
}

/// Returns how often a stall was expected; `None` if it came no less often.
fn expected(stall: &Periodic) -> Option<usize> {
    let frames = stall.newest_frame() - stall.first_frame;
    let expected = (frames as f64 / stall.period_frames).round() as usize + 1;
    (expected > stall.count).then_some(expected)
}

/// Returns how often a stall came: `11`, or `11 of 12` if it was expected more often.
pub(crate) fn times_text(stall: &Periodic) -> String {
    match expected(stall) {
        Some(expected) => format!("{} of {expected}", stall.count),
        None => stall.count.to_string(),
    }
}

/// Returns how a stall recurs: `every 45 frames`, with `(11 of 12 times)` if some did not come.
pub(crate) fn recurs_text(stall: &Periodic) -> String {
    let interval = stall.interval_text();
    match expected(stall) {
        Some(_) => format!("every {interval} ({} times)", times_text(stall)),
        None => format!("every {interval}"),
    }
}

/// Returns a name that belongs to a run, with the file if there are several runs.
pub(crate) fn named(runs: &[RunMetrics], run: &RunMetrics, name: &str) -> String {
    match runs {
        [_] => name.to_owned(),
        _ => format!("{name} in {}", name_of(&run.file)),
    }
}

/// Returns when runs became slower, the leaks, which grow until the end of a run, and the periodic stalls.
pub(crate) fn lasting(runs: &[RunMetrics]) -> Section {
    let mut section = Section::new(SectionId::LASTING);
    section.table(slowdown_table(&slowdowns(runs)));
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
                named(runs, run, &stall.what()),
                stall.interval_text(),
                times_text(stall),
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
        let hitches = runs.iter().map(|run| run.explained.seen().count());
        section.text(match runs.iter().any(|run| run.explained.is_examined()) {
            true => without_stalls(hitches.max().unwrap_or(0)),
            false => too_few_frames(),
        });
    }
    section.table(stalls);
    section
}

/// Returns why no hitch is found in runs whose frames all show what is usual.
pub(crate) fn too_few_frames() -> String {
    format!(
        "Too few frames to find hitches: the first {WARM_UP_FRAMES} of a run show what is usual; record a longer run."
    )
}

/// Returns why a run with this many hitches has no periodic stall.
fn without_stalls(hitches: usize) -> String {
    match hitches {
        0 => "There is no hitch, so no stall is periodic.".to_owned(),
        1..MIN_STALLS => format!(
            "{} too few to tell whether a stall is periodic: that takes {MIN_STALLS}.",
            count_text(hitches as u64, "hitch is", "hitches are")
        ),
        _ => {
            "The hitches come at equal intervals no more often than they may by chance.".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::without_stalls;

    #[test]
    fn a_run_with_few_hitches_says_that_it_cannot_tell() {
        let texts = [0, 1, 3, 4].map(without_stalls);
        assert_eq!(
            texts.each_ref().map(String::as_str),
            [
                "There is no hitch, so no stall is periodic.",
                "1 hitch is too few to tell whether a stall is periodic: that takes 4.",
                "3 hitches are too few to tell whether a stall is periodic: that takes 4.",
                "The hitches come at equal intervals no more often than they may by chance.",
            ]
        );
    }
}
