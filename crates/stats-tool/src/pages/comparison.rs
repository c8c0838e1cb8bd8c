//! The page of runs before and after a change.

use serde_json::Value;
use stats_analysis::format::{NO_VALUE, value_text};
use stats_config::Config;

use super::definitions;
use crate::comparison::{Comparison, Finding, Sides, change, p_text};
use crate::document::{Section, SectionId, Verdict};
use crate::failure::Failure;
use crate::history::History;
use crate::html::difference::{changes, waterfall};
use crate::html::{
    Axis, Cell, Markup, Page, Recording, Side, distribution, element, graphs, hitches, joined,
    legend, sortable, strip, top_ms, zoomable,
};
use crate::input::open;
use crate::metrics::RunMetrics;
use crate::runs::{RunFigures, lasting, rules_of};

/// The maximum number of metrics to list.
const MAX_METRICS: usize = 1500;

/// Says which frames the distribution shows, because the change of a metric is that of all runs.
const ONE_RUN: &str = "The frames of one run of each side, that whose mean frame time is the median. \
                       The changes of metrics are those of all runs.";

/// Returns the page of a comparison, with a verdict and the sections of its document. `json` is its
/// data.
pub(crate) fn comparison_page(
    sides: Sides<'_>,
    comparison: &Comparison,
    (verdict, sections): (&Verdict, &[Section]),
    json: &Value,
    config: &Config,
) -> Result<String, Failure> {
    let history = history(sides, config);
    let both = [usual(sides.before, config)?, usual(sides.after, config)?];
    let [before, after] = &both;
    let drawn = [Recording::open(before)?, Recording::open(after)?];
    let scenario = sides.after.first().map_or("unnamed", RunFigures::scenario);
    let title = format!("{scenario}: before and after");
    let mut page = Page::new(&title, verdict.band());
    for section in sections {
        let graphs = match section.id {
            SectionId::FRAMES => strips(&drawn),
            SectionId::DISTRIBUTION => {
                let both = distribution::two(&drawn[0].judged_ms(), &drawn[1].judged_ms());
                match both.is_empty() {
                    true => both,
                    false => joined([element("p", &[("class", "muted")], ONE_RUN), both]),
                }
            }
            SectionId::HITCHES => drawn.iter().fold(Markup::default(), |mut all, run| {
                all.push(element("h3", &[], run.name()));
                all.push(hitches::table(run));
                all
            }),
            SectionId::DIFFERENCE => difference(sides),
            SectionId::MEMORY => memory(&both),
            SectionId::HISTORY => graphs(&history.graphs()),
            SectionId::DEFINITIONS => definitions(concat!(
                include_str!("comparison_definitions.html"),
                include_str!("definitions.html")
            )),
            // Shows them all, and not only those that changed.
            SectionId::OTHERS => {
                page.part(section, others(comparison));
                continue;
            }
            SectionId::LASTING => {
                page.section(&lasting(&both), Markup::default());
                continue;
            }
            _ => Markup::default(),
        };
        page.section(section, graphs);
    }
    Ok(page.finish(Some(&after.run), json))
}

/// Returns the history of all runs with the machine and scenario of the later ones; empty without
/// stored runs.
fn history(sides: Sides<'_>, config: &Config) -> History {
    let mut runs: Vec<RunFigures> = Vec::new();
    let is_like = |run: &&RunFigures| sides.after.first().is_none_or(|later| run.is_like(later));
    let all = sides.stored.iter().chain(sides.before).chain(sides.after);
    for run in all.filter(|_| !sides.stored.is_empty()).filter(is_like) {
        if runs.iter().all(|known| known.file != run.file) {
            runs.push(run.clone());
        }
    }
    History::of(runs, None, config)
}

/// Reads the run whose mean frame time is the median of all runs.
fn usual(runs: &[RunFigures], config: &Config) -> Result<RunMetrics, Failure> {
    let mean = |run: &RunFigures| run.metric("frame/mean").map_or(0.0, |mean| mean.value);
    let mut sorted: Vec<&RunFigures> = runs.iter().collect();
    sorted.sort_by(|a, b| mean(a).total_cmp(&mean(b)));
    let run = sorted[(sorted.len() - 1) / 2];
    let capture = open(&run.file)?;
    RunMetrics::of(&capture, &run.file, &rules_of(&capture, config))
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
    content.push(legend(&[before, after], &[Side::Before, Side::After]));
    let mut strips = Markup::default();
    for (run, side, name) in [
        (before, Side::Before, "before"),
        (after, Side::After, "after"),
    ] {
        strips.push(element("h3", &[], format!("{name}: {}", run.name())));
        strips.push(strip(run, side, &axis, top_ms));
    }
    content.push(zoomable(strips, &axis));
    content
}

fn difference(sides: Sides<'_>) -> Markup {
    let scopes = changes(sides.before, sides.after, |run| {
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
    let teams = changes(sides.before, sides.after, |run| {
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
        "metric",
        "verdict",
        "before",
        "after",
        "change",
        "p",
        "runs",
        "Cliff's delta",
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
    let p = finding.shown_p();
    let verdict = finding.verdict.name();
    vec![
        Cell::text(finding.name.as_str()),
        Cell::text(element("span", &[("class", verdict)], verdict)),
        value(finding.typical.0),
        value(finding.typical.1),
        Cell::number(finding.shown_percent(), change(finding)),
        Cell::number(p.unwrap_or(f64::NAN), p.map_or(NO_VALUE.to_owned(), p_text)),
        Cell::text(finding.runs_text()),
        Cell::number(finding.delta, format!("{:+.2}", finding.delta)),
    ]
}

fn memory([before, after]: &[RunMetrics; 2]) -> Markup {
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
