//! The page of one run, or of several of the same scenario.

use std::path::PathBuf;

use serde_json::Value;
use stats_config::Config;

use super::definitions;
use crate::document::{SectionId, Verdict};
use crate::failure::Failure;
use crate::history::History;
use crate::html::{
    Axis, Markup, Page, Recording, Side, blocks, distribution, element, graphs, hitches, joined,
    legend, pictures, series, strip, timelines, top_ms, zoomable,
};
use crate::metrics::RunMetrics;
use crate::run_report::RunReport;
use crate::runs::{RunFigures, read_metrics, read_runs, rules_of};

/// The maximum number of runs whose frames, hitches and series the page shows.
const MAX_RUNS: usize = 5;

/// The maximum number of pictures on a page, so that it stays small.
const MAX_PICTURES: usize = 8;

/// Returns the page of some runs. `judged` is a verdict from elsewhere, with its data as JSON; the
/// default is that of a report. `stored` are earlier runs.
pub(crate) fn page_of_files(
    files: &[PathBuf],
    judged: Option<(Verdict, Value)>,
    stored: &[RunFigures],
    config: &Config,
) -> Result<String, Failure> {
    let runs = read_metrics(files, |capture| Ok(rules_of(capture, config)))?;
    run_page(&RunReport::of(&runs, config, None), judged, stored, config)
}

/// Returns the page of a report. `judged` and `stored` are as for [`page_of_files`].
pub(crate) fn run_page(
    report: &RunReport<'_>,
    judged: Option<(Verdict, Value)>,
    stored: &[RunFigures],
    config: &Config,
) -> Result<String, Failure> {
    let history = history(report.runs, stored, config)?;
    let (verdict, json) = match judged {
        None => (report.verdict(), report.page_json()),
        Some((mut verdict, json)) => {
            verdict.sentences.splice(0..0, report.problems());
            (verdict, json)
        }
    };
    let drawn = report.runs.iter().take(MAX_RUNS).map(Recording::open);
    let drawn: Vec<Recording<'_>> = drawn.collect::<Result<_, _>>()?;
    let document = report.document();
    let mut page = Page::new(&document.title, verdict.band());
    for section in &document.sections {
        let graphs = match section.id {
            SectionId::FRAMES => {
                let rate = element("div", &[("class", "rate")], blocks(section));
                page.part(section, joined([rate, strips(&drawn, report.runs.len())]));
                continue;
            }
            SectionId::DISTRIBUTION => {
                let frames_ms: Vec<f64> = drawn.iter().flat_map(Recording::judged_ms).collect();
                distribution::one(&frames_ms)
            }
            SectionId::PICTURES => slowest(&drawn),
            SectionId::HISTORY => graphs(&history.graphs()),
            SectionId::DEFINITIONS => definitions(include_str!("definitions.html")),
            // Their tables have more columns, some of them with graphs.
            SectionId::HITCHES => {
                let of_run = |run: &Recording<'_>| {
                    Ok(joined([hitches::table(run), timelines::figures(run)?]))
                };
                page.part(section, for_each(&drawn, of_run)?);
                continue;
            }
            SectionId::SERIES => {
                page.part(section, for_each(&drawn, series::table)?);
                continue;
            }
            _ => Markup::default(),
        };
        page.section(section, graphs);
    }
    Ok(page.finish(report.runs.first().map(|run| &run.run), &json))
}

/// Returns the history of the stored runs that are like the newest reported one, with the reported
/// ones; empty without stored runs.
fn history(
    runs: &[RunMetrics],
    stored: &[RunFigures],
    config: &Config,
) -> Result<History, Failure> {
    let mut all = stored.to_vec();
    if !all.is_empty() {
        let is_new = |run: &&RunMetrics| stored.iter().all(|known| known.file != run.file);
        let files = runs.iter().filter(is_new).map(|run| run.file.clone());
        all.extend(read_runs(&files.collect::<Vec<_>>(), None, config)?);
        let reported = |run: &&RunFigures| runs.iter().any(|one| one.file == run.file);
        if let Some(newest) = all.iter().filter(reported).max_by_key(|run| run.began()) {
            let newest = newest.clone();
            all.retain(|run| run.is_like(&newest));
        }
    }
    Ok(History::of(all, None, config))
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
    let mut content = legend(&drawn.iter().collect::<Vec<_>>(), &[Side::Before]);
    for run in drawn {
        let axis = Axis::of(run);
        if drawn.len() > 1 {
            content.push(element("h3", &[], run.name()));
        }
        let strip = strip(run, Side::Before, &axis, top_ms);
        content.push(zoomable(strip, &axis));
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

#[cfg(test)]
mod tests {
    use stats_analysis::pace::BY_SLACK;

    #[test]
    fn the_definition_of_over_budget_names_the_tolerance() {
        let text = include_str!("definitions.html");
        assert!(text.contains(&format!("exceeds the budget {BY_SLACK} or more")));
    }
}
