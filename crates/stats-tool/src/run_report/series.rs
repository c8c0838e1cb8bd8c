//! The series and the histograms.

use std::collections::HashSet;

use stats_capture::RecordedKind;

use super::summary::Summary;
use crate::document::{Section, SectionId, Table};
use crate::metrics::{RunMetrics, frame_name};

/// The number of series that plain text lists.
const SHORT_LIST: usize = 15;

/// Returns all series: those that took the most time first, then the others by name.
pub(super) fn series(runs: &[RunMetrics], summary: &Summary) -> Section {
    let mut section = Section::new(SectionId::SERIES);
    let mut seen = HashSet::new();
    let mut listed: Vec<(f64, &str, RecordedKind)> = Vec::new();
    for series in runs.iter().flat_map(|run| &run.series) {
        let (path, kind) = (series.record.path.as_str(), series.record.kind);
        let Some(numbers) = series.numbers.as_ref() else {
            continue;
        };
        if seen.insert(path) {
            let is_time = kind == RecordedKind::Timer;
            listed.push((if is_time { numbers.mean } else { -1.0 }, path, kind));
        }
    }
    listed.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    let mut table = Table::of_numbers(&[
        "series",
        "mean",
        "deviation",
        "minimum",
        "99th percentile",
        "maximum",
    ]);
    for (_, path, kind) in &listed {
        let figures = ["mean", "deviation", "min", "p99-by-frame", "max"];
        let cells = figures.map(|figure| summary.cell(&format!("series/{path}/{figure}")));
        // The samples are in a table of their own.
        let name = frame_name(*kind, path).into_owned();
        table.row(std::iter::once(name).chain(cells));
    }
    let more = "in the report with --format markdown or json.";
    section.table(table.short(SHORT_LIST, ["series is", "series are"], more));
    section
}

/// Returns the histograms.
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
