//! The identity of the runs, whether they are comparable, and the quality of the data.

use stats_analysis::format::{count_text, value_text, whole_text};
use stats_capture::{Ended, Run};
use stats_core::Unit;

use crate::document::{Section, SectionId, Table};
use crate::metrics::{Reason, RunMetrics};

/// A field that identifies a run: its name and its value.
type Field = (&'static str, fn(&RunMetrics) -> Option<String>);

/// The fields that must be equal for runs to be comparable.
const COMPARED: [Field; 7] = [
    ("scenario", |run| run.run.scenario.clone()),
    ("seed", |run| Some(run.run.seed?.to_string())),
    ("build", |run| run.run.build.clone()),
    ("machine", |run| {
        Some(run.machine()).filter(|text| !text.is_empty())
    }),
    ("platform", |run| {
        Some(run.run.platform.clone()).filter(|text| !text.is_empty())
    }),
    ("power", |run| run.run.machine.power.clone()),
    ("refresh rate", |run| {
        Some(format!("{} Hz", run.run.refresh_hz?))
    }),
];

/// The fields that may differ.
const OTHERS: [Field; 5] = [
    ("commit", |run| run.run.commit.clone()),
    ("branch", |run| run.run.branch.clone()),
    ("started", |run| {
        Some(run.run.started_at.clone()).filter(|text| !text.is_empty())
    }),
    ("labels", labels),
    ("command", |run| {
        Some(run.run.command.join(" ")).filter(|text| !text.is_empty())
    }),
];

fn labels(run: &RunMetrics) -> Option<String> {
    let Run { labels, .. } = &run.run;
    let labels: Vec<String> = labels
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    (!labels.is_empty()).then(|| labels.join(", "))
}

/// Returns the identity of the runs.
pub(super) fn identity(runs: &[RunMetrics]) -> Section {
    let mut section = Section::new(SectionId::Identity);
    let differing: Vec<&str> = COMPARED
        .iter()
        .filter(|(_, value)| distinct(runs, *value).len() > 1)
        .map(|(name, _)| *name)
        .collect();
    if !differing.is_empty() {
        section.warning(format!(
            "These runs are not comparable: they differ in {}.",
            differing.join(", ")
        ));
    }
    let mut table = Table::of_texts(&["", ""]);
    for (name, value) in COMPARED.iter().chain(&OTHERS) {
        let values: Vec<String> = distinct(runs, *value).into_iter().flatten().collect();
        if !values.is_empty() {
            table.row([(*name).to_owned(), values.join(" · ")]);
        }
    }
    section.table(table);
    section
}

/// Returns the different values of a field, in the order of the runs.
fn distinct(runs: &[RunMetrics], value: fn(&RunMetrics) -> Option<String>) -> Vec<Option<String>> {
    let mut values = Vec::new();
    for value in runs.iter().map(value) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// Returns the quality of the data.
pub(super) fn quality(runs: &[RunMetrics]) -> Section {
    let mut section = Section::new(SectionId::DataQuality);
    let mut table = Table::of_numbers(&[
        "run",
        "frames",
        "left out",
        "lost",
        "clock steps of",
        "between frames",
        "cost of the capture",
    ]);
    for run in runs {
        let cost = run.run.cost;
        table.row([
            run.file.display().to_string(),
            whole_text(run.recorded_frames as f64),
            whole_text(run.left_out.frames() as f64),
            whole_text(cost.dropped_frames as f64),
            format!("{} ns", whole_text(run.timestamps.step_ns as f64)),
            value_text(run.timestamps.gap_secs, Unit::Seconds),
            format!("{:.1} µs per frame", cost.us_per_frame),
        ]);
    }
    section.table(table);
    for run in runs {
        let name = run.file.display();
        if run.run.ended != Ended::Clean {
            section.warning(format!(
                "{name} was recovered: the program did not end its capture, and its last second may be missing."
            ));
        }
        if let Some(damage) = run.damage() {
            section.warning(damage);
        }
        if run.run.cost.dropped_frames > 0 {
            section.warning(format!(
                "{name} is missing {}, because the disk or the processor was too slow to record them.",
                count_text(run.run.cost.dropped_frames, "frame", "frames")
            ));
        }
        for (reason, frames) in &run.left_out.ranges {
            let reason = match reason {
                Reason::WarmUp => "warm-up".to_owned(),
                Reason::Span(span) => format!("the span {span:?}"),
            };
            section.text(format!(
                "Left out: {reason}, frames {} to {} of {name}.",
                frames.start,
                frames.end - 1
            ));
        }
    }
    section
}
