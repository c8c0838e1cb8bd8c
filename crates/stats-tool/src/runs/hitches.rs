//! The text about hitches and periodic stalls that several verbs show.

use std::borrow::Cow;

use stats_analysis::format::{NO_VALUE, count_text, percent_text, value_text};
use stats_analysis::insight::{Finding, Hitch, MIN_STALLS, Periodic, Role, WARM_UP_FRAMES};
use stats_core::Unit;

use super::growth::growth_table;
use super::slowdowns::{slowdown_table, slowdowns};
use crate::document::{Section, SectionId, Table};
use crate::metrics::{Longest, NoHitch, RunMetrics};
use crate::output::name_of;

/// Returns the share of the excess of one finding. One that is an estimate, and not a part of the time,
/// is not shown.
pub(crate) fn share_text(finding: &Finding) -> String {
    if finding.is_part {
        percent_text(finding.share)
    } else {
        NO_VALUE.to_owned()
    }
}

/// Returns words for a culprit. A wait that nothing explains is called one.
pub(crate) fn culprit_name(culprit: &Finding) -> Cow<'_, str> {
    match culprit.role {
        Role::Wait => format!("waiting in {}", culprit.path).into(),
        _ => culprit.name(),
    }
}

/// Returns the names of all culprits of a frame: `audio/mix, dialogue/parse`.
pub(crate) fn culprits_text(hitch: &Hitch) -> String {
    let names: Vec<Cow<'_, str>> = hitch.culprits().map(culprit_name).collect();
    match names.is_empty() {
        true => "no single culprit".to_owned(),
        false => names.join(", "),
    }
}

/// Returns the shares of all culprits of a frame, in the same order: `54 %, 44 %`.
pub(crate) fn shares_text(hitch: &Hitch) -> String {
    let shares: Vec<String> = hitch.culprits().map(share_text).collect();
    match shares.is_empty() {
        true => NO_VALUE.to_owned(),
        false => shares.join(", "),
    }
}

/// Returns the part of the excess of a frame that one of its culprits has, in milliseconds; if its share is
/// an estimate, what the parts of the others leave.
pub(crate) fn own_ms(hitch: &Hitch, culprit: &Finding) -> f64 {
    let parts = hitch.culprits().filter(|other| other.is_part);
    let share = match culprit.is_part {
        true => culprit.share,
        false => (1.0 - parts.map(|other| other.share).sum::<f64>()).max(0.0),
    };
    hitch.excess_ms * share
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

/// Returns a sentence about the longest frame of a run whose hitches are shorter: which it is, and why it is
/// no hitch.
pub(crate) fn longest_text(longest: &Longest) -> String {
    let ms = |ms| value_text(ms, Unit::Milliseconds);
    let why = match longest.reason {
        NoHitch::WarmUp => {
            format!("it is one of the first {WARM_UP_FRAMES}, which show what is usual")
        }
        NoHitch::PartOf(frame) => format!("it belongs to the hitch of frame {frame}"),
        NoHitch::AfterWork(frame) => {
            format!(
                "it belongs to frame {frame} before it, which did more work, but took no longer"
            )
        }
        NoHitch::Slowdown => "it belongs to a slowdown".to_owned(),
        NoHitch::Usual(usual_ms) => {
            format!("frames around it took {}", ms(usual_ms))
        }
        NoHitch::Unsteady(usual_ms) => format!(
            "frames around it usually took {}, but vary almost as much",
            ms(usual_ms)
        ),
    };
    let others = match longest.longer {
        ..=1 => String::new(),
        longer => format!(" {longer} frames are longer than the longest hitch."),
    };
    format!(
        "The longest frame, {} with {}, is no hitch: {why}.{others}",
        longest.frame,
        ms(longest.ms)
    )
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
    let leaks = growth_table(runs);
    let mut stalls = Table::of_numbers(&[
        "periodic stall",
        "interval",
        "times",
        "first frame",
        "last frame",
    ]);
    for run in runs {
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
        _ => "No stall is periodic: equal intervals between the hitches may be chance.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use stats_analysis::insight::{Finding, Hitch, Role};

    use super::*;
    use crate::testing::{culprit, hitch};

    #[test]
    fn a_hitch_with_two_culprits_names_both_with_their_own_parts() {
        let second = Finding {
            share: 0.3,
            ..culprit("dialogue/parse")
        };
        let first = Finding {
            share: 0.6,
            ..culprit("audio/mix")
        };
        let moved = Finding {
            role: Role::MovedWith,
            ..culprit("agents/alive")
        };
        let both = Hitch {
            findings: vec![first, second, moved],
            single_culprit: true,
            ..hitch(None)
        };
        assert_eq!(culprits_text(&both), "audio/mix, dialogue/parse");
        assert_eq!(shares_text(&both), "60 %, 30 %");
        let parts: Vec<f64> = both.culprits().map(|one| own_ms(&both, one)).collect();
        assert_eq!(parts, [6.0, 3.0]);
        let estimate = Finding {
            is_part: false,
            ..culprit("loads")
        };
        let mut three = both.clone();
        three.findings.push(estimate.clone());
        assert!((own_ms(&three, &estimate) - 1.0).abs() < 1e-9);
        assert_eq!(own_ms(&hitch(Some(estimate.clone())), &estimate), 10.0);
        assert_eq!(culprits_text(&hitch(None)), "no single culprit");
        assert_eq!(shares_text(&hitch(None)), "–");
        let wait = Finding {
            role: Role::Wait,
            ..culprit("jobs/wait")
        };
        assert_eq!(culprits_text(&hitch(Some(wait))), "waiting in jobs/wait");
    }

    #[test]
    fn a_longest_frame_that_is_no_hitch_says_why() {
        let text = |longer, reason| {
            longest_text(&Longest {
                frame: 450,
                ms: 17.2,
                longer,
                reason,
            })
        };
        assert_eq!(
            text(1, NoHitch::PartOf(449)),
            "The longest frame, 450 with 17.20 ms, is no hitch: it belongs to the hitch of frame 449."
        );
        assert_eq!(
            text(3, NoHitch::Usual(16.0)),
            "The longest frame, 450 with 17.20 ms, is no hitch: frames around it took 16.00 ms. 3 frames are \
             longer than the longest hitch."
        );
    }

    #[test]
    fn a_run_with_few_hitches_says_that_it_cannot_tell() {
        let texts = [0, 1, 3, 4].map(without_stalls);
        assert_eq!(
            texts.each_ref().map(String::as_str),
            [
                "There is no hitch, so no stall is periodic.",
                "1 hitch is too few to tell whether a stall is periodic: that takes 4.",
                "3 hitches are too few to tell whether a stall is periodic: that takes 4.",
                "No stall is periodic: equal intervals between the hitches may be chance.",
            ]
        );
    }
}
