//! The page of one run, or of several of the same scenario.

use super::axis::Axis;
use super::distribution;
use super::history_page::{MetricHistory, graphs};
use super::hitches;
use super::markup::{Markup, element, joined};
use super::page::Page;
use super::pictures;
use super::recording::Recording;
use super::series;
use super::strip::{Side, seconds, strip, top_ms, zoomable};
use super::table::blocks;
use super::verdict::Verdict;
use crate::document::Section;
use crate::explain::lasting;
use crate::failure::Failure;
use crate::metrics::RunMetrics;

/// The maximum number of runs whose frames, hitches and series the page shows.
const MAX_RUNS: usize = 5;

/// The maximum number of pictures on a page, so that it stays small.
const MAX_PICTURES: usize = 8;

/// The content of a page about runs.
pub(crate) struct RunReport<'a> {
    pub(crate) title: &'a str,
    pub(crate) verdict: Verdict,
    pub(crate) runs: &'a [RunMetrics],
    pub(crate) identity: Section,
    pub(crate) quality: Section,
    /// The budgets that were exceeded.
    pub(crate) budgets: Section,
    pub(crate) all_budgets: Section,
    pub(crate) frames: Section,
    pub(crate) breakdown: Section,
    pub(crate) spans: Section,
    pub(crate) memory: Section,
    pub(crate) histograms: Section,
    /// The metrics that may fail, over stored runs.
    pub(crate) history: &'a [MetricHistory<'a>],
    /// All figures, as JSON.
    pub(crate) json: String,
}

/// Returns the page of runs.
pub(crate) fn run_page(report: &RunReport<'_>) -> Result<String, Failure> {
    let drawn = report.runs.iter().take(MAX_RUNS).map(Recording::open);
    let drawn: Vec<Recording<'_>> = drawn.collect::<Result<_, _>>()?;
    let recorded = report.runs.first().map(|run| &run.run);
    let mut page = Page::new(report.title, report.verdict.band(recorded));
    page.part("Identity", blocks(&report.identity));
    page.part("Data quality", blocks(&report.quality));
    page.part("Budgets", budgets(report));
    page.part("Frames", strips(&drawn, report.runs.len()));
    let mut frames_ms = Vec::new();
    for run in &drawn {
        frames_ms.extend(run.judged_ms());
    }
    let mut distribution = distribution::one(&frames_ms);
    distribution.push(blocks(&report.frames));
    page.part("Distribution", distribution);
    page.part("Hitches", for_each(&drawn, |run| Ok(hitches::table(run)))?);
    page.part("Pictures", slowest(&drawn));
    page.part(
        "Leaks and stalls",
        for_each(&drawn, |run| Ok(blocks(&lasting(&run.metrics.explained))))?,
    );
    page.part(
        "Self time",
        or(
            blocks(&report.breakdown),
            "The runs have no self times, so the time cannot be attributed to scopes.",
        ),
    );
    page.part("Spans", blocks(&report.spans));
    page.part("Memory", blocks(&report.memory));
    page.part("Series", for_each(&drawn, series::table)?);
    page.part("Histograms", blocks(&report.histograms));
    page.part("History", graphs(report.history));
    page.part(
        "Definitions",
        Markup::fixed(include_str!("definitions.html")),
    );
    Ok(page.finish(&report.json))
}

fn budgets(report: &RunReport<'_>) -> Markup {
    let mut content = blocks(&report.budgets);
    let all = blocks(&report.all_budgets);
    if all.is_empty() {
        return element("p", &[], "No series has a budget. Set some in stats.toml.");
    }
    let mut details = element("summary", &[], "All budgets");
    details.push(all);
    content.push(element("details", &[], details));
    content
}

/// Returns the pictures of the slowest frames. The runs share the maximum number of pictures.
fn slowest(drawn: &[Recording<'_>]) -> Markup {
    let each = (MAX_PICTURES / drawn.len().max(1)).max(1);
    let of_run = |run: &Recording<'_>| (run.name(), pictures::figures(run, each));
    let with_pictures = drawn.iter().map(of_run);
    let with_pictures = with_pictures.filter(|(_, figures)| !figures.is_empty());
    let named = with_pictures.map(|(name, figures)| match drawn.len() {
        1 => figures,
        _ => joined([element("h3", &[], name), figures]),
    });
    joined(named)
}

fn strips(drawn: &[Recording<'_>], runs: usize) -> Markup {
    let top_ms = top_ms(&drawn.iter().collect::<Vec<_>>());
    let mut content = Markup::fixed(
        "<p class=\"muted\"><span class=\"key before\"></span>frame time, from the fastest to the slowest \
         frame of a column<span class=\"key hitch-key\"></span>hitch\
         <span class=\"key budget-key\"></span>budget</p>",
    );
    for run in drawn {
        let axis = Axis::of(run);
        if drawn.len() > 1 {
            content.push(element("h3", &[], run.name()));
        }
        let strip = strip(run, Side::Before, &axis, top_ms);
        content.push(zoomable(joined([strip, seconds(&axis)]), &axis));
    }
    if drawn.len() < runs {
        let text = format!("The first {} of {runs} runs are drawn.", drawn.len());
        content.push(element("p", &[], text));
    }
    content
}

/// Returns content for each run; if there are several, below their names.
fn for_each(
    drawn: &[Recording<'_>],
    of: impl Fn(&Recording<'_>) -> Result<Markup, Failure>,
) -> Result<Markup, Failure> {
    let mut content = Markup::default();
    for run in drawn {
        if drawn.len() > 1 {
            content.push(element("h3", &[], run.name()));
        }
        content.push(of(run)?);
    }
    Ok(content)
}

/// Returns the content, or a sentence if it is empty.
fn or(content: Markup, otherwise: &'static str) -> Markup {
    if content.is_empty() {
        element("p", &[], otherwise)
    } else {
        content
    }
}

#[cfg(test)]
mod tests {
    use stats_analysis::pace::BY_SLACK;

    #[test]
    fn the_definition_of_over_budget_names_the_tolerance() {
        let text = include_str!("definitions.html");
        assert!(text.contains(&format!("exceeds the budget {BY_SLACK} or more")));
    }
}
