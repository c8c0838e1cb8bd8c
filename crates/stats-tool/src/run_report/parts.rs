//! The time of a frame by subsystem and team, and memory: of the process, the system, and by group.

use stats_analysis::format::{NO_VALUE, percent_text, value_text};
use stats_core::Unit;

use super::each_once;
use super::summary::Summary;
use crate::document::{Bar, Section, SectionId, Table, Tone};
use crate::metrics::{FramePart, RunMetrics, fragmentation, memory_use, video_memory_by_label};
use crate::runs::named;

/// A smaller share is a rounding error: it is shown as 0 %.
const NEGLIGIBLE: f64 = 0.005;

/// Returns the time of a frame by subsystem, which adds up to the frame, and by team, which need not.
pub(super) fn self_time(runs: &[RunMetrics], summary: &Summary) -> Section {
    let mut section = Section::new(SectionId::SELF_TIME);
    let breakdowns = || runs.iter().filter_map(|run| run.breakdown.as_ref());
    let subsystems = breakdowns().flat_map(|of| &of.subsystems);
    let mut subsystems = parts(subsystems, "subsystems", summary);
    if subsystems.is_empty() {
        section.text("The runs have no self times, so the time cannot be attributed to scopes.");
        return section;
    }
    let rest = "subsystems/unaccounted".to_owned();
    subsystems.push(SelfTime::of("in no scope", rest, summary));
    // Several runs have a median each, which do not add up to that of the frame.
    let whole_ms: f64 = subsystems.iter().map(|part| part.ms).sum();
    let table = shares("subsystem", &subsystems, whole_ms);
    if table.bars.iter().any(|bar| bar.tone == Tone::Bad) {
        section.text(
            "The time in no scope is negative, because scopes of several threads are counted as those of \
             one: the scopes add up to more than the frame.",
        );
    }
    section.table(table);
    let teams = parts(breakdowns().flat_map(|of| &of.teams), "teams", summary);
    if !teams.is_empty() {
        section.text(
            "By team, the shares need not add up to 100 %: a scope counts in each of its teams, and a \
             scope without a team in none.",
        );
        section.table(shares("team", &teams, whole_ms));
    }
    section
}

/// The self time of a part of a frame: its mean in one run, or the median of several runs.
struct SelfTime {
    name: String,
    ms: f64,
    cell: String,
}

impl SelfTime {
    fn of(name: &str, metric: String, summary: &Summary) -> Self {
        let figure = summary.get(&metric);
        Self {
            name: name.to_owned(),
            ms: figure.map_or(0.0, |figure| figure.metric.value),
            cell: summary.cell(&metric),
        }
    }
}

/// Returns the parts of runs, whose metrics are in a folder.
fn parts<'a>(
    all: impl Iterator<Item = &'a FramePart>,
    folder: &str,
    summary: &Summary,
) -> Vec<SelfTime> {
    let names = each_once(all.map(|part| &part.name)).into_iter();
    let part = |name: &str| SelfTime::of(name, format!("{folder}/{name}/self"), summary);
    names.map(part).collect()
}

/// Returns a table of the shares of a whole, with bars.
fn shares(title: &str, parts: &[SelfTime], whole_ms: f64) -> Table {
    let mut table = Table::of_numbers(&[title, "self time of a frame", "share"]);
    let shares = || parts.iter().map(|part| part.ms / whole_ms);
    let (low, high) = (shares().fold(0.0, f64::min), shares().fold(0.0, f64::max));
    let place = |share: f64| (share - low) / (high - low).max(f64::MIN_POSITIVE);
    for (part, share) in parts.iter().zip(shares()) {
        table.bars.push(Bar {
            from: place(0.0),
            to: place(share),
            line: (low < -NEGLIGIBLE).then(|| place(0.0)),
            tone: match share < -NEGLIGIBLE {
                true => Tone::Bad,
                false => Tone::Good,
            },
        });
        table.row([part.name.clone(), part.cell.clone(), percent_text(share)]);
    }
    table
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
