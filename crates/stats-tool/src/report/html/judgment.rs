//! A judgment of several runs as one HTML file.

use std::fmt::Write;
use std::path::Path;

use stats_core::Unit;

use super::super::document::Document;
use super::chart::Chart;
use super::escape::{escape, escape_json};
use super::page::{head, section_html};
use crate::failure::Failure;

/// One metric over many runs.
pub(crate) struct MetricHistory<'a> {
    /// The name of the metric.
    pub(crate) name: &'a str,
    pub(crate) unit: Unit,
    /// The indices of the runs that have it, and its values, in order.
    pub(crate) values: Vec<(usize, f64)>,
    /// The number of all runs.
    pub(crate) runs: usize,
    /// The indices of the runs from which on it is different, with the label of each.
    pub(crate) changes: Vec<(usize, String)>,
}

/// Writes a judgment into a file: its sections after the first picture of each history, and the
/// JSON of it as data.
pub(crate) fn write_judgment(
    file: &Path,
    document: &Document,
    histories: &[MetricHistory<'_>],
    data: &str,
) -> Result<(), Failure> {
    std::fs::write(file, page(document, histories, data)).map_err(|source| Failure::Output {
        name: file.display().to_string(),
        source,
    })
}

fn page(document: &Document, histories: &[MetricHistory<'_>], data: &str) -> String {
    let mut page = head(&document.title);
    let (first, rest) = document.sections.split_at(document.sections.len().min(1));
    for section in first {
        page += &section_html(section);
    }
    let pictures: Vec<String> = histories.iter().filter_map(picture).collect();
    if !pictures.is_empty() {
        page += "<section>\n<h2>History</h2>\n";
        for picture in pictures {
            page += &picture;
        }
        page += "<p>One value for each run, oldest first. A dashed line is a run from which on the values are \
                 others.</p>\n</section>\n";
    }
    for section in rest {
        page += &section_html(section);
    }
    page += "</main>\n<script type=\"application/json\" id=\"data\">\n";
    page += &escape_json(data);
    page += "</script>\n</body>\n</html>\n";
    page
}

fn picture(history: &MetricHistory<'_>) -> Option<String> {
    let most = history
        .values
        .iter()
        .map(|(_, value)| *value)
        .reduce(f64::max)?;
    if most <= 0.0 || history.runs < 2 {
        return None;
    }
    let title = format!("{} over {} runs", history.name, history.runs);
    let mut chart = Chart::new(&title, [0.0, history.runs as f64 - 1.0], most * 1.1);
    chart.grid(history.unit);
    for (at, (run, label)) in history.changes.iter().enumerate() {
        chart.line_at_x(*run as f64, "mark", label, (at % 2) as u8);
    }
    let mut points = String::new();
    for (at, (run, value)) in history.values.iter().enumerate() {
        let step = if at == 0 { "M" } else { "L" };
        let (x, y) = (chart.at_x(*run as f64), chart.at_y(*value));
        let _ = write!(points, "{step}{x:.1} {y:.1}");
    }
    chart.path("line", &points);
    Some(format!(
        "<p>{}</p>\n<div class=\"scroll\" tabindex=\"0\">\n{}</div>\n",
        escape(history.name),
        chart.finish()
    ))
}
