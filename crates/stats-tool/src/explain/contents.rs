//! The text of an explanation.

use stats_analysis::format::{NO_VALUE, count_text, fixed_text, percent_text, value_text};
use stats_analysis::insight::{Hitch, Periodic, Role, WARM_UP_FRAMES};

use super::Beside;
use crate::document::{Document, Section, Table, capitalized};
use crate::metrics::{Explanation, RunExplanation};
use crate::runs::{
    Grown, freezes, grown, growth_text, is_busy, longest_text, moments_of, ready_text, share_text,
    slowdown_table, slowdowns_text, times_text, too_few_frames,
};

/// The maximum number of findings shown for a hitch. The JSON lists all.
const MAX_FINDINGS: usize = 8;
/// The maximum number of hitches shown: the longest ones. The JSON lists all.
const MAX_HITCHES: usize = 20;

pub(super) fn document(explanation: &Explanation, beside: &Beside) -> Document {
    match explanation {
        Explanation::Frame(hitch) => Document {
            title: format!("Frame {}", hitch.frame),
            sections: vec![frame(hitch, beside)],
        },
        Explanation::Run(run) => Document {
            title: format!("Hitches of {}", count_text(run.frames, "frame", "frames")),
            sections: sections(run, beside),
        },
    }
}

fn sections(run: &RunExplanation, beside: &Beside) -> Vec<Section> {
    let mut summary = summary(run);
    let slowdowns: Vec<_> = run.slowdowns.iter().map(|slower| (slower, None)).collect();
    if let Some(text) = slowdowns_text(&slowdowns) {
        summary.warning(text);
    }
    let (leading, others): (Vec<_>, Vec<_>) = grown(&run.leaks).into_iter().partition(Grown::leads);
    for one in &leading {
        summary.warning(growth_text(one));
    }
    for stall in &run.periodic {
        summary.warning(stall_text(stall, run.last_frame));
    }
    for one in &others {
        summary.text(growth_text(one) + ".");
    }
    let mut longest: Vec<&Hitch> = run.hitches.iter().collect();
    longest.sort_by(|a, b| b.excess_ms.total_cmp(&a.excess_ms));
    if longest.len() > MAX_HITCHES {
        summary.text(format!(
            "The {MAX_HITCHES} longest hitches follow; --format json lists all."
        ));
        longest.truncate(MAX_HITCHES);
    }
    longest.sort_by_key(|hitch| hitch.frame);
    let mut sections = vec![summary];
    if slowdowns.len() > 1 {
        let mut section = Section::titled("Slowdowns");
        section.table(slowdown_table(&slowdowns));
        sections.push(section);
    }
    let moments = moments_of(run);
    if !moments.blocks.is_empty() {
        sections.push(moments);
    }
    sections.extend(longest.into_iter().map(|hitch| {
        let title = format!("Frame {}", hitch.frame);
        Section {
            title,
            ..frame(hitch, beside)
        }
    }));
    sections
}

/// Returns how much was found in which frames.
fn summary(run: &RunExplanation) -> Section {
    let mut summary = Section::titled("Summary");
    if run.frames == 0 {
        summary.warning("No frame is left to judge. Leave out less, or record a longer run.");
    }
    summary.text(format!(
        "Hitches: {}. Slowdowns: {}. Levels that keep growing: {}. Periodic stalls: {}.",
        run.seen().count(),
        run.slowdowns.len(),
        grown(&run.leaks).len(),
        run.periodic.len()
    ));
    let unseen = run.hitches.len() - run.seen().count();
    if unseen > 0 {
        summary.text(format!(
            "Frames that did more work, but took no longer: {unseen}."
        ));
    }
    if let Some(longest) = &run.longest {
        summary.text(longest_text(longest));
    }
    if run.left_out > 0 {
        let left_out = run.left_out;
        summary.text(format!(
            "Frames left out: {left_out} (the warm-up and the excluded spans)."
        ));
    }
    if run.is_examined() {
        summary.text(format!(
            "The first {WARM_UP_FRAMES} frames show what is usual; none of them is a hitch."
        ));
    } else if run.frames > 0 {
        summary.warning(too_few_frames());
    }
    if let Some(share) = run.ready_share {
        let text = capitalized(&ready_text(share));
        if is_busy(share) {
            summary.warning(text);
        } else {
            summary.text(text);
        }
    }
    for text in freezes(run, "") {
        summary.warning(text);
    }
    summary
}

fn stall_text(stall: &Periodic, last_frame: u64) -> String {
    let (what, note) = match stall.role {
        None => ("The frame".into(), "; no scope leads most of them"),
        Some(_) => (stall.what(), ""),
    };
    let stalls = if stall.has_ended(last_frame) {
        "stalled"
    } else {
        "stalls"
    };
    format!(
        "{what} {stalls} every {}: {} times, from frame {} to {}{note}",
        stall.interval_text(),
        times_text(stall),
        stall.first_frame,
        stall.newest_frame()
    )
}

fn frame(hitch: &Hitch, beside: &Beside) -> Section {
    let mut section = Section::titled("What moved");
    section.text(hitch.verdict.clone());
    let repeats = hitch.repeats.filter(|repeats| repeats.on > 1);
    let usually = if hitch.usual_ms > 0.0 {
        format!(", usually {} ms", fixed_text(hitch.usual_ms, 2))
    } else {
        String::new()
    };
    section.text(format!(
        "The frame took {} ms{usually}{}.",
        fixed_text(hitch.frame_ms, 2),
        repeats.map_or_else(String::new, |repeats| format!("; {repeats}"))
    ));
    if let (Some(call), Some(culprit)) = (beside.calls.get(&hitch.frame), hitch.culprit()) {
        section.text(call.text(&culprit.path));
    }
    let mut table = Table::of_numbers(&["series", "share", "value", "usual", "usual frames reach"]);
    for finding in hitch.findings.iter().take(MAX_FINDINGS) {
        let text = |value| value_text(value, finding.unit);
        let (name, record) = match finding.role {
            Role::Unaccounted => (finding.name().into_owned(), NO_VALUE.to_owned()),
            role => (
                format!("{} ({})", finding.name(), role.name()),
                text(finding.record),
            ),
        };
        table.row([
            name,
            share_text(finding),
            text(finding.value),
            text(finding.usual),
            record,
        ]);
    }
    if let Some(rest) = rest_of(hitch) {
        let dash = || NO_VALUE.to_owned();
        table.row([
            "all others".to_owned(),
            percent_text(rest),
            dash(),
            dash(),
            dash(),
        ]);
    }
    section.table(table);
    let mut log = Table::of_texts(&["frame", "log"]);
    for line in beside.log.get(&hitch.frame).into_iter().flatten() {
        log.row([line.frame.to_string(), line.line.clone()]);
    }
    section.table(log);
    section
}

/// Returns the share of the excess that is in none of the findings that are shown.
fn rest_of(hitch: &Hitch) -> Option<f64> {
    let shown = hitch.findings.iter().take(MAX_FINDINGS).cloned().collect();
    Hitch {
        findings: shown,
        ..hitch.clone()
    }
    .rest_share()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use stats_analysis::insight::Finding;

    use super::*;
    use crate::document::Block;
    use crate::testing::{culprit, hitch};

    #[test]
    fn a_thread_without_a_processor_is_named_in_words() {
        let ready = Finding {
            is_ready: true,
            ..culprit("frame/ready")
        };
        let hitch = hitch(Some(ready));
        let beside = Beside {
            calls: BTreeMap::new(),
            log: BTreeMap::new(),
        };
        let section = frame(&hitch, &beside);
        let rows = section.blocks.iter().find_map(|block| match block {
            Block::Table(table) => Some(table.parts().0),
            _ => None,
        });
        let name = rows.map(|rows| rows[0][0].as_str());
        assert_eq!(name, Some("waiting for a processor (culprit)"));
    }
}
