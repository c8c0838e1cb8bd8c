//! The time of a frame by subsystem and team, and memory: of the process, the system, and by group.

use stats_analysis::format::{NO_VALUE, percent_text, value_text};
use stats_core::Unit;

use super::each_once;
use super::summary::Summary;
use crate::document::{Bar, Section, SectionId, Table, Tone};
use crate::metrics::{RunMetrics, fragmentation, memory_use, video_memory_by_label};
use crate::runs::named;

/// A smaller share is a rounding error: it is shown as 0 %.
const NEGLIGIBLE: f64 = 0.005;

/// Returns the time of a frame by subsystem and by team.
pub(super) fn self_time(runs: &[RunMetrics], summary: &Summary) -> Section {
    let mut section = Section::new(SectionId::SELF_TIME);
    let mut table = Table::of_numbers(&["self time of a frame", "mean", "share"]);
    let mut parts: Vec<(String, String)> = Vec::new();
    for folder in ["subsystems", "teams"] {
        let breakdowns = runs.iter().filter_map(|run| run.breakdown.as_ref());
        let all = breakdowns.flat_map(|of| match folder {
            "teams" => &of.teams,
            _ => &of.subsystems,
        });
        for name in each_once(all.map(|part| &part.name)) {
            let title = if folder == "teams" {
                format!("team {name}")
            } else {
                name.to_owned()
            };
            parts.push((title, format!("{folder}/{name}/self")));
        }
        if folder == "subsystems" && !parts.is_empty() {
            parts.push((
                "in no scope".to_owned(),
                "subsystems/unaccounted".to_owned(),
            ));
        }
    }
    if parts.is_empty() {
        section.text("The runs have no self times, so the time cannot be attributed to scopes.");
        return section;
    }
    let value = |metric: &str| {
        summary
            .get(metric)
            .map_or(0.0, |figure| figure.metric.value)
    };
    // Several runs have a median each, which do not add up to that of the frame.
    let of_subsystems = parts
        .iter()
        .filter(|(_, metric)| metric.starts_with("subsystems/"));
    let whole_ms: f64 = of_subsystems.map(|(_, metric)| value(metric)).sum();
    let shares: Vec<f64> = parts
        .iter()
        .map(|(_, metric)| value(metric) / whole_ms)
        .collect();
    let ends = || shares.iter().copied();
    let (low, high) = (ends().fold(0.0, f64::min), ends().fold(0.0, f64::max));
    for ((title, metric), share) in parts.into_iter().zip(&shares) {
        let place = |share: f64| (share - low) / (high - low).max(f64::MIN_POSITIVE);
        table.bars.push(Bar {
            from: place(0.0),
            to: place(*share),
            line: (low < -NEGLIGIBLE).then(|| place(0.0)),
            tone: match *share < -NEGLIGIBLE {
                true => Tone::Bad,
                false => Tone::Good,
            },
        });
        table.row([title, summary.cell(&metric), percent_text(*share)]);
    }
    if low < -NEGLIGIBLE {
        section.text(
            "The time in no scope is negative, because scopes of several threads are counted as those of \
             one: the scopes add up to more than the frame.",
        );
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
    let bytes = |value| value_text(value, Unit::Bytes);
    let mut uses = Table::of_numbers(&["memory", "at the end", "peak", "total"]);
    for run in runs {
        for one in memory_use(run) {
            let total = one.total.map_or(NO_VALUE.to_owned(), bytes);
            uses.row([
                named(runs, run, one.name),
                bytes(one.used),
                bytes(one.peak),
                total,
            ]);
        }
    }
    section.table(uses);
    let mut pages = Table::of_numbers(&["fragmentation", "last snapshot", "most"]);
    for run in runs {
        for one in fragmentation(run) {
            let name = named(runs, run, one.name);
            pages.row([name, bytes(one.last), bytes(one.most)]);
        }
    }
    section.table(pages);
    let mut groups = Table::of_numbers(&["memory group", "at the end", "peak", "budget"]);
    for run in runs {
        for group in &run.groups {
            let name = named(runs, run, &group.name);
            let budget = group.budget_bytes.map_or(NO_VALUE.to_owned(), bytes);
            groups.row([name, bytes(group.bytes), bytes(group.peak_bytes), budget]);
        }
    }
    section.table(groups);
    let mut labels = Table::of_numbers(&["video memory by label", "at the end", "peak"]);
    for run in runs {
        for one in video_memory_by_label(run) {
            let name = named(runs, run, one.label);
            labels.row([name, bytes(one.used), bytes(one.peak)]);
        }
    }
    section.table(labels);
    section
}
