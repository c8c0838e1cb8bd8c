//! Every series of a run.

use stats_analysis::format::{count_text, value_text};

use super::columns::Columns;
use super::markup::{Markup, element};
use super::recording::Recording;
use super::table::{Cell, sortable};
use crate::failure::Failure;
use crate::metrics::{Group, Interest, SeriesFigures};

/// The number of columns of a small graph.
const COLUMNS: usize = 130;

/// The height of a small graph, in its units.
const HEIGHT: f64 = 30.0;

/// The maximum number of series with a graph, so that the page stays small.
const MAX_GRAPHS: usize = 300;

/// Returns a table of all series of a run, the most interesting first. Those with one value are
/// folded.
pub(crate) fn table(run: &Recording<'_>) -> Result<Markup, Failure> {
    let interest = Interest::of(run.metrics);
    let mut listed: Vec<&SeriesFigures> = run.metrics.series.iter().collect();
    listed.sort_by(|a, b| interest.compare(a, b));
    let is_folded = |series: &&SeriesFigures| interest.group(series) >= Group::Constant;
    let shown = listed
        .iter()
        .take_while(|series| !is_folded(series))
        .count();
    let (shown, folded) = listed.split_at(shown);
    let mut content = Markup::default();
    if !shown.is_empty() {
        content.push(varying(run, shown)?);
    }
    if !folded.is_empty() {
        let (one, many) = (
            "series has only one value",
            "series have only one value each",
        );
        let text = count_text(folded.len() as u64, one, many);
        let mut details = element("summary", &[], text);
        details.push(constant(folded));
        content.push(element("details", &[], details));
    }
    Ok(content)
}

/// Returns a table of series whose values are all the same, or that have none.
fn constant(listed: &[&SeriesFigures]) -> Markup {
    let rows = listed.iter().map(|series| {
        let value = match &series.numbers {
            Some(numbers) => Cell::number(numbers.mean, value_text(numbers.mean, series.unit)),
            None => Cell::number(f64::NAN, "no value"),
        };
        vec![Cell::text(name(series)), value]
    });
    sortable("Constant series", &["series", "value"], rows.collect())
}

/// Returns the name of a series, with its description.
fn name(series: &SeriesFigures) -> Markup {
    let name = series.frame_name().into_owned();
    match &series.record.description {
        Some(description) => element("span", &[("title", description.as_str())], name),
        None => element("span", &[], name),
    }
}

fn varying(run: &Recording<'_>, listed: &[&SeriesFigures]) -> Result<Markup, Failure> {
    let mut rows = Vec::new();
    for (at, series) in listed.iter().enumerate() {
        let Some(numbers) = &series.numbers else {
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
            Cell::text(name(series)),
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
