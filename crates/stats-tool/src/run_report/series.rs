//! The series and the histograms.

use std::collections::{HashMap, HashSet};

use super::summary::{Summary, cell_of};
use crate::document::{Section, SectionId, Table};
use crate::metrics::{Interest, Numbers, RunMetrics, SeriesFigures};

/// The number of series that plain text lists.
const SHORT_LIST: usize = 15;

/// Returns one of the numbers of a series.
type Figure = fn(&Numbers) -> f64;

/// Returns all series, the most interesting first.
///
/// The figures are those of the series, because [`RunMetrics::list`] leaves some series out.
pub(super) fn series(runs: &[RunMetrics]) -> Section {
    let mut section = Section::new(SectionId::SERIES);
    let mut by_path: HashMap<&str, Vec<(&SeriesFigures, &Numbers)>> = HashMap::new();
    for series in runs.iter().flat_map(|run| &run.series) {
        if let Some(numbers) = &series.numbers {
            let of_path = by_path.entry(&series.record.path).or_default();
            of_path.push((series, numbers));
        }
    }
    let mut listed: Vec<_> = by_path.into_values().collect();
    if let Some(first) = runs.first() {
        let interest = Interest::of(first);
        listed.sort_by(|a, b| interest.compare(a[0].0, b[0].0));
    }
    let columns: [(&str, Figure); 5] = [
        ("mean", |numbers| numbers.mean),
        ("deviation", |numbers| numbers.deviation),
        ("minimum", |numbers| numbers.min),
        ("99th percentile", |numbers| numbers.p99),
        ("maximum", |numbers| numbers.max),
    ];
    let titles = columns.map(|(title, _)| title);
    let titles: Vec<&str> = std::iter::once("series").chain(titles).collect();
    let mut table = Table::of_numbers(&titles);
    for runs in &listed {
        let series = runs[0].0;
        let cells = columns.map(|(_, of)| {
            let values = runs.iter().map(|(_, numbers)| of(numbers));
            cell_of(values, series.unit)
        });
        // The samples are in a table of their own.
        table.row(std::iter::once(series.frame_name().into_owned()).chain(cells));
    }
    let more = "in the report with --format markdown or json.";
    section.table(table.short(SHORT_LIST, ["series is", "series are"], more));
    section
}

pub(super) fn histograms(runs: &[RunMetrics], summary: &Summary) -> Section {
    let mut section = Section::new(SectionId::HISTOGRAMS);
    let mut table = Table::of_numbers(&[
        "samples of the whole run",
        "samples",
        "mean",
        "deviation",
        "minimum",
        "median",
        "p99",
        "most",
    ]);
    let mut seen = HashSet::new();
    for samples in runs.iter().flat_map(|run| &run.histograms) {
        if seen.insert(&samples.path) {
            let figures = [
                "samples",
                "mean",
                "deviation",
                "min",
                "median",
                "p99",
                "max",
            ];
            let cells = figures
                .map(|figure| summary.cell(&format!("histograms/{}/{figure}", samples.path)));
            table.row(std::iter::once(samples.path.clone()).chain(cells));
        }
    }
    section.table(table);
    section
}
