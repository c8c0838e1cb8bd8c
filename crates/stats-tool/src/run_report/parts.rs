//! The time of a frame by subsystem and team, and memory by group.

use stats_analysis::format::{NO_VALUE, value_text};
use stats_core::Unit;

use super::summary::Summary;
use crate::document::{Section, SectionId, Table};
use crate::metrics::RunMetrics;
use crate::runs::named;

/// Returns the time of a frame by subsystem and by team.
pub(super) fn self_time(runs: &[RunMetrics], summary: &Summary) -> Section {
    let mut section = Section::new(SectionId::SELF_TIME);
    let mut table = Table::of_numbers(&["self time of a frame", "mean"]);
    for folder in ["subsystems", "teams"] {
        let mut names: Vec<&str> = Vec::new();
        for part in runs.iter().filter_map(|run| run.breakdown.as_ref()) {
            let parts = if folder == "teams" {
                &part.teams
            } else {
                &part.subsystems
            };
            for part in parts {
                if !names.contains(&part.name.as_str()) {
                    names.push(&part.name);
                }
            }
        }
        for name in names {
            let title = if folder == "teams" {
                format!("team {name}")
            } else {
                name.to_owned()
            };
            table.row([title, summary.cell(&format!("{folder}/{name}/self"))]);
        }
    }
    if table.rows.is_empty() {
        section.text("The runs have no self times, so the time cannot be attributed to scopes.");
    } else {
        table.row([
            "in no scope".to_owned(),
            summary.cell("subsystems/unaccounted"),
        ]);
    }
    section.table(table);
    section
}

/// Returns memory and allocations.
pub(super) fn memory(runs: &[RunMetrics], summary: &Summary) -> Section {
    let mut section = Section::new(SectionId::MEMORY);
    let mut table = Table::of_numbers(&["", ""]);
    for (name, meaning) in [
        ("memory/high-water", "peak of allocated memory"),
        ("memory/process-high-water", "peak memory of the process"),
        ("memory/video-high-water", "peak of video memory"),
        ("allocations-per-frame/mean", "allocations in a frame, mean"),
        (
            "allocations-per-frame/p99-by-frame",
            "  99 % of the frames no more than",
        ),
        ("allocations-per-frame/most", "  most"),
    ] {
        if summary.get(name).is_some() {
            table.row([meaning.to_owned(), summary.cell(name)]);
        }
    }
    section.table(table);
    let mut groups = Table::of_numbers(&["memory group", "at the end", "peak", "budget"]);
    let bytes = |value| value_text(value, Unit::Bytes);
    for run in runs {
        for group in &run.groups {
            let name = named(runs, run, &group.name);
            let budget = group.budget_bytes.map_or(NO_VALUE.to_owned(), bytes);
            groups.row([name, bytes(group.bytes), bytes(group.peak_bytes), budget]);
        }
    }
    section.table(groups);
    section
}
