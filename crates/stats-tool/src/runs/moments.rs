//! The text about the moments that a person marked.

use stats_analysis::format::{NO_VALUE, value_text};
use stats_analysis::insight::Hitch;
use stats_core::Unit;

use super::hitches::named;
use crate::document::{Section, SectionId, Table};
use crate::metrics::{ExplainedMoment, RunExplanation, RunMetrics};

/// Returns what was unusual in the two seconds before each moment of some runs; without blocks if
/// nothing was marked.
pub(crate) fn moments(runs: &[RunMetrics]) -> Section {
    let mut all = Vec::new();
    for run in runs {
        for mut cells in rows(&run.explained) {
            cells[0] = named(runs, run, &cells[0]);
            all.push(cells);
        }
    }
    section(all)
}

/// Returns the same for one run.
pub(crate) fn moments_of(run: &RunExplanation) -> Section {
    section(rows(run))
}

/// Returns the hitches in the two seconds before a moment.
pub(crate) fn hitches_before<'a>(
    one: &'a ExplainedMoment,
    hitches: &'a [Hitch],
) -> impl Iterator<Item = &'a Hitch> {
    let is_before = |hitch: &&Hitch| one.frames.contains(&hitch.frame);
    hitches.iter().filter(is_before)
}

fn section(rows: Vec<[String; 5]>) -> Section {
    let mut section = Section::new(SectionId::MOMENTS);
    if rows.is_empty() {
        return section;
    }
    section.text("Somebody marked these moments. Each is shown with the two seconds before it.");
    let titles = [
        "moment",
        "frame",
        "hitches",
        "slowest frame",
        "what moved in it",
    ];
    let mut table = Table::of_verdicts(&titles);
    for row in rows {
        table.row(row);
    }
    section.table(table);
    section
}

fn rows(run: &RunExplanation) -> Vec<[String; 5]> {
    let row = |one: &ExplainedMoment| {
        let hitches = hitches_before(one, &run.hitches).map(|hitch| hitch.frame.to_string());
        let hitches: Vec<String> = hitches.collect();
        let slowest = one.slowest.as_ref();
        let none = || NO_VALUE.to_owned();
        let time = slowest.map(|frame| {
            let time = value_text(frame.frame_ms, Unit::Milliseconds);
            format!("{}: {time}", frame.frame)
        });
        [
            one.moment.name(),
            one.moment.frame.to_string(),
            Some(hitches.join(", "))
                .filter(|text| !text.is_empty())
                .unwrap_or_else(none),
            time.unwrap_or_else(none),
            slowest.map_or_else(none, |frame| frame.verdict.clone()),
        ]
    };
    run.moments.iter().map(row).collect()
}
