//! The text of a report.

mod frames;
mod parts;
mod runs;
mod series;

use super::summary::Summary;
use crate::document::Document;
use crate::html::{MetricHistory, RunReport, Verdict};
use crate::metrics::RunMetrics;

/// The number of series in a short report.
const SHORT_LIST: usize = 15;

/// Returns a report for a terminal, with the series that took the most time.
pub(super) fn short(runs: &[RunMetrics], summary: &Summary) -> Document {
    report(runs, summary, SHORT_LIST)
}

/// Returns a report with every series.
pub(super) fn full(runs: &[RunMetrics], summary: &Summary) -> Document {
    report(runs, summary, usize::MAX)
}

/// Returns the content of a page. `json` is its data.
pub(super) fn page<'a>(
    (title, verdict): (&'a str, Verdict),
    (runs, summary): (&'a [RunMetrics], &Summary),
    history: &'a [MetricHistory<'a>],
    json: String,
) -> RunReport<'a> {
    RunReport {
        title,
        verdict,
        runs,
        identity: runs::identity(runs),
        quality: runs::quality(runs),
        budgets: frames::budgets(runs, false),
        all_budgets: frames::budgets(runs, true),
        frames: frames::frames(runs, summary),
        breakdown: parts::breakdown(runs, summary),
        spans: frames::spans(runs, summary),
        memory: parts::memory(runs, summary),
        histograms: series::histograms(runs, summary),
        history,
        json,
    }
}

fn report(runs: &[RunMetrics], summary: &Summary, max_series: usize) -> Document {
    let sections = [
        runs::identity(runs),
        runs::quality(runs),
        frames::frames(runs, summary),
        frames::budgets(runs, max_series == usize::MAX),
        frames::spans(runs, summary),
        parts::breakdown(runs, summary),
        parts::memory(runs, summary),
        series::series(runs, summary, max_series),
        series::histograms(runs, summary),
    ];
    Document {
        title: title(runs),
        sections: sections
            .into_iter()
            .filter(|section| !section.blocks.is_empty())
            .collect(),
    }
}

pub(super) fn title(runs: &[RunMetrics]) -> String {
    let scenario = runs.first().and_then(|run| run.run.scenario.as_deref());
    let what = match runs {
        [run] => run.file.display().to_string(),
        runs => format!("{} runs", runs.len()),
    };
    match scenario {
        Some(scenario) => format!("{scenario}: {what}"),
        None => what,
    }
}
