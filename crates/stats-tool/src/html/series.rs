//! Every series of a run.

use stats_analysis::format::value_text;

use super::columns::Columns;
use super::markup::{Markup, element};
use super::recording::Recording;
use super::table::{Cell, sortable};
use crate::failure::Failure;

/// The number of columns of a small graph.
const COLUMNS: usize = 130;

/// The height of a small graph, in its units.
const HEIGHT: f64 = 30.0;

/// The maximum number of series with a graph, so that the page stays small.
const MAX_GRAPHS: usize = 300;

/// Returns a table of all series of a run.
pub(crate) fn table(run: &Recording<'_>) -> Result<Markup, Failure> {
    let mut rows = Vec::new();
    for (at, series) in run.metrics.series.iter().enumerate() {
        let mut name = element("span", &[], series.frame_name().into_owned());
        if let Some(description) = &series.record.description {
            let title = [("title", description.as_str())];
            name = element("span", &title, series.frame_name().into_owned());
        }
        let Some(numbers) = &series.numbers else {
            let mut row = vec![Cell::text(name)];
            row.extend((0..7).map(|_| Cell::number(f64::NAN, "–")));
            row.push(Cell::text("no value"));
            rows.push(row);
            continue;
        };
        let number = |value| Cell::number(value, value_text(value, series.unit));
        let graph = if at < MAX_GRAPHS {
            let column = run.capture.read(&series.record.path)?;
            let values = column.slice().iter();
            graph(&Columns::side_by_side(values, COLUMNS))
        } else {
            Markup::default()
        };
        rows.push(vec![
            Cell::text(name),
            number(numbers.mean),
            number(numbers.deviation),
            number(numbers.min),
            number(numbers.median),
            number(numbers.p99),
            number(numbers.max),
            Cell::number(numbers.max_frame as f64, numbers.max_frame.to_string()),
            Cell::text(graph),
        ]);
    }
    let titles = [
        "series",
        "mean",
        "deviation",
        "minimum",
        "median",
        "99th percentile",
        "most",
        "in frame",
        "whole run",
    ];
    Ok(sortable("Series", &titles, rows))
}

/// Returns the small graph of a series, from its smallest value or 0 to its largest.
fn graph(columns: &Columns) -> Markup {
    let Some((min, max)) = columns.range() else {
        return Markup::default();
    };
    let low = min.min(0.0);
    let span = if max > low { max - low } else { 1.0 };
    let y = |value: f64| (HEIGHT * (1.0 - (value - low) / span)) as i32;
    let view = format!("0 0 {} {HEIGHT}", columns.len());
    let svg = [
        ("class", "mini"),
        ("viewBox", view.as_str()),
        ("preserveAspectRatio", "none"),
        ("aria-hidden", "true"),
    ];
    element("svg", &svg, columns.band(y))
}
