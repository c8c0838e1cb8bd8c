//! The figures of other programs beside ours.

use stats_analysis::format::{NO_VALUE, value_text};
use stats_core::Unit;

use crate::document::{Section, Table};
use crate::metrics::{Metric, PeerFigure, RunMetrics};
use crate::runs::named;

/// Returns a section with the figures of each run, so that it is clear why figures of other programs
/// differ.
pub(super) fn peers(runs: &[RunMetrics], peers: &[Vec<PeerFigure>]) -> Section {
    let mut section = Section::titled("Definitions of other programs");
    let mut table = Table::of_texts(&["figure", "there", "here", "how it is computed"]);
    for (run, figures) in runs.iter().zip(peers) {
        let metrics = run.list();
        for figure in figures {
            table.row([
                named(runs, run, figure.name),
                text(figure.value, figure.unit),
                here(&metrics, figure)
                    .map_or(NO_VALUE.to_owned(), |value| text(value, figure.unit)),
                figure.definition.to_owned(),
            ]);
        }
    }
    section.table(table);
    section
}

/// Returns the metric of ours that is nearest to a figure, in the figure's unit; `None` if the run
/// has none.
pub(super) fn here(metrics: &[Metric], figure: &PeerFigure) -> Option<f64> {
    let metric = metrics.iter().find(|metric| metric.name == figure.ours)?;
    Some(in_unit(metric.value, metric.unit, figure.unit))
}

/// Returns a time as a rate, if the other figure is one.
fn in_unit(value: f64, unit: Unit, wanted: Unit) -> f64 {
    match (unit, wanted) {
        (Unit::Milliseconds, Unit::Hertz) => 1e3 / value,
        _ => value,
    }
}

fn text(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Hertz => format!("{value:.2} fps"),
        unit => value_text(value, unit),
    }
}
