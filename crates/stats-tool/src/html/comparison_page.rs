//! The page of runs before and after a change.

use stats_analysis::format::{NO_VALUE, value_text};
use stats_capture::Ended;

use super::axis::Axis;
use super::difference::{changes, waterfall};
use super::distribution;
use super::history_page::{MetricHistory, graphs};
use super::hitches;
use super::markup::{Markup, element};
use super::page::Page;
use super::recording::Recording;
use super::strip::{Side, seconds, strip, top_ms, zoomable};
use super::table::{Cell, blocks, sortable};
use super::verdict::Verdict;
use crate::comparison::{Comparison, Finding, change, p_text, sections};
use crate::document::{Block, Section, Table};
use crate::explain::lasting;
use crate::failure::Failure;
use crate::metrics::RunMetrics;
use crate::runs::RunFigures;

/// The maximum number of metrics to list.
const MAX_METRICS: usize = 1500;

/// The content of a comparison page.
pub(crate) struct ComparisonReport<'a> {
    pub(crate) verdict: Verdict,
    pub(crate) comparison: &'a Comparison,
    pub(crate) before: &'a [RunFigures],
    pub(crate) after: &'a [RunFigures],
    /// A run of each side, whose frames the page shows.
    pub(crate) drawn: [RunMetrics; 2],
    /// How often series of the later runs were over budget.
    pub(crate) budgets: Section,
    /// The metrics that may fail, over stored runs.
    pub(crate) history: &'a [MetricHistory<'a>],
    /// All findings, as JSON.
    pub(crate) json: String,
}

/// Returns the page of a comparison.
pub(crate) fn comparison_page(report: &ComparisonReport<'_>) -> Result<String, Failure> {
    let [before, after] = &report.drawn;
    let drawn = [Recording::open(before)?, Recording::open(after)?];
    let scenario = report.after.first().map_or("unnamed", RunFigures::scenario);
    let title = format!("{scenario}: before and after");
    let mut page = Page::new(&title, report.verdict.band(Some(&after.run)));
    page.part("Identity", identity(report));
    page.part("Data quality", quality(report));
    let mut sections = sections(report.comparison).into_iter();
    page.part(
        "Judged metrics",
        sections
            .next()
            .map(|section| blocks(&section))
            .unwrap_or_default(),
    );
    page.part("Budgets", blocks(&report.budgets));
    page.part("Frames", strips(&drawn));
    let [first_ms, second_ms] = [0, 1].map(|side: usize| drawn[side].judged_ms());
    page.part("Distribution", distribution::two(&first_ms, &second_ms));
    let mut both = Markup::default();
    for run in &drawn {
        both.push(element("h3", &[], run.name()));
        both.push(hitches::table(run));
    }
    page.part("Hitches", both);
    page.part("Leaks and stalls", lasting_of(&drawn));
    page.part("Difference by self time", difference(report));
    page.part("All other metrics", others(report.comparison));
    page.part("Memory", memory(report));
    page.part("History", graphs(report.history));
    let mut notes = sections.next_back().unwrap_or_default();
    // The warnings are shown with the identity of the runs.
    notes
        .blocks
        .retain(|block| !matches!(block, Block::Warning(_)));
    page.part("Notes", blocks(&notes));
    let definitions = concat!(
        include_str!("comparison_definitions.html"),
        include_str!("definitions.html")
    );
    page.part("Definitions", Markup::fixed(definitions));
    Ok(page.finish(&report.json))
}

/// A field that identifies a run: its name and its value.
type Field = (&'static str, fn(&RunFigures) -> Option<String>);

const FIELDS: [Field; 10] = [
    ("scenario", |run| run.run.scenario.clone()),
    ("seed", |run| Some(run.run.seed?.to_string())),
    ("build", |run| run.run.build.clone()),
    ("commit", |run| run.run.commit.clone()),
    ("branch", |run| run.run.branch.clone()),
    ("machine", |run| Some(run.machine.clone())),
    ("power", |run| run.run.machine.power.clone()),
    ("refresh rate", |run| {
        Some(format!("{} Hz", run.run.refresh_hz?))
    }),
    ("command", |run| Some(run.run.command.join(" "))),
    ("runs", |run| Some(run.file.display().to_string())),
];

fn identity(report: &ComparisonReport<'_>) -> Markup {
    let mut section = Section::new("Identity");
    for warning in &report.comparison.warnings {
        section.warning(format!("{warning}."));
    }
    let mut table = Table::of_texts(&["", "before", "after"]);
    for (name, of) in FIELDS {
        let values = [report.before, report.after].map(|runs| {
            let mut values: Vec<String> = Vec::new();
            for value in runs.iter().filter_map(of).filter(|value| !value.is_empty()) {
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            values.join(" · ")
        });
        if values.iter().any(|value| !value.is_empty()) {
            let [before, after] = values;
            table.row([name.to_owned(), before, after]);
        }
    }
    section.table(table);
    blocks(&section)
}

fn quality(report: &ComparisonReport<'_>) -> Markup {
    let mut section = Section::new("Data");
    let mut table = Table::of_numbers(&["run", "frames", "lost", "cost of the capture", "ended"]);
    for (side, runs) in [("before", report.before), ("after", report.after)] {
        for run in runs {
            let frames = run
                .metrics
                .iter()
                .find(|metric| metric.name == "run/frames");
            let ended = if run.run.ended == Ended::Clean {
                "cleanly"
            } else {
                "recovered"
            };
            table.row([
                format!("{side}: {}", run.file.display()),
                frames.map_or(NO_VALUE.to_owned(), |frames| frames.value.to_string()),
                run.run.cost.dropped_frames.to_string(),
                format!("{:.1} µs per frame", run.run.cost.us_per_frame),
                ended.to_owned(),
            ]);
        }
    }
    section.table(table);
    if let Some(runs) = report.comparison.runs_needed() {
        section.warning(format!(
            "There are too few runs: judging every metric that may fail takes {runs} on each side."
        ));
    }
    blocks(&section)
}

fn strips(drawn: &[Recording<'_>; 2]) -> Markup {
    let [before, after] = drawn;
    let axis = Axis::aligned(before, after);
    let top_ms = top_ms(&[before, after]);
    let common = axis.common().count();
    let text = match common {
        0 => "The runs have no mark in common, so both begin at the left edge.".to_owned(),
        _ => format!(
            "The runs are aligned at {common} marks that both have, the dotted lines. A second has the same \
             length in both, and a gap is where one run was faster."
        ),
    };
    let mut content = element("p", &[("class", "muted")], text);
    let mut strips = Markup::default();
    for (run, side, name) in [
        (before, Side::Before, "before"),
        (after, Side::After, "after"),
    ] {
        strips.push(element("h3", &[], format!("{name}: {}", run.name())));
        strips.push(strip(run, side, &axis, top_ms));
    }
    strips.push(seconds(&axis));
    content.push(zoomable(strips, &axis));
    content
}

fn lasting_of(drawn: &[Recording<'_>; 2]) -> Markup {
    let mut content = Markup::default();
    for run in drawn {
        content.push(element("h3", &[], run.name()));
        content.push(blocks(&lasting(&run.metrics.explained)));
    }
    content
}

fn difference(report: &ComparisonReport<'_>) -> Markup {
    let scopes = changes(report.before, report.after, |run| {
        Some(run.breakdown.as_ref()?.all_scopes())
    });
    let Some(scopes) = scopes else {
        let text = "Some of the runs have no self times, so the difference cannot be attributed to scopes.";
        return element("p", &[], text);
    };
    let mut content = element(
        "p",
        &[],
        "Mean times per frame over the runs of each side. The differences add up to that of the whole frame.",
    );
    content.push(waterfall("Difference by scope", scopes));
    let teams = changes(report.before, report.after, |run| {
        Some(run.breakdown.as_ref()?.all_teams())
    });
    if let Some(teams) = teams.filter(|teams| teams.len() > 1) {
        content.push(element("h3", &[], "By team"));
        content.push(waterfall("Difference by team", teams));
    }
    content
}

fn others(comparison: &Comparison) -> Markup {
    let mut findings: Vec<&Finding> = comparison.others.iter().collect();
    let effect = |finding: &Finding| finding.shown_percent().abs();
    // Metrics that changed come first; within each group, the largest change.
    findings.sort_by(|a, b| {
        (b.verdict.is_change().cmp(&a.verdict.is_change()))
            .then_with(|| effect(b).total_cmp(&effect(a)))
    });
    let count = findings.len();
    findings.truncate(MAX_METRICS);
    let rows = findings.into_iter().map(row).collect();
    let titles = [
        "metric", "verdict", "before", "after", "change", "p", "delta",
    ];
    let mut content = sortable("Metrics", &titles, rows);
    if count > MAX_METRICS {
        let text =
            format!("The first {MAX_METRICS} of {count} metrics are listed; the data lists all.");
        content.push(element("p", &[], text));
    }
    content
}

fn row(finding: &Finding) -> Vec<Cell> {
    let value = |value: f64| Cell::number(value, value_text(value, finding.unit));
    let p = finding.p();
    let verdict = finding.verdict.name();
    vec![
        Cell::text(finding.name.as_str()),
        Cell::text(element("span", &[("class", verdict)], verdict)),
        value(finding.typical.0),
        value(finding.typical.1),
        Cell::number(finding.shown_percent(), change(finding)),
        Cell::number(p.unwrap_or(f64::NAN), p.map_or(NO_VALUE.to_owned(), p_text)),
        Cell::number(finding.delta, format!("{:+.2}", finding.delta)),
    ]
}

fn memory(report: &ComparisonReport<'_>) -> Markup {
    let [before, after] = &report.drawn;
    let mut rows = Vec::new();
    for group in &after.groups {
        let earlier = before.groups.iter().find(|other| other.name == group.name);
        let bytes = |bytes: f64| Cell::number(bytes, value_text(bytes, stats_core::Unit::Bytes));
        let Some(earlier) = earlier else { continue };
        rows.push(vec![
            Cell::text(group.name.as_str()),
            bytes(earlier.peak_bytes),
            bytes(group.peak_bytes),
            bytes(group.peak_bytes - earlier.peak_bytes),
            bytes(earlier.bytes),
            bytes(group.bytes),
        ]);
    }
    if rows.is_empty() {
        return Markup::default();
    }
    let titles = [
        "memory group",
        "peak before",
        "peak after",
        "difference",
        "at the end before",
        "at the end after",
    ];
    sortable("Groups of memory", &titles, rows)
}
