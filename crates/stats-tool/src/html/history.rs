//! Graphs of metrics over many runs.

use std::fmt::Write;

use stats_analysis::format::{count_text, value_text};
use stats_core::Unit;

use super::markup::{Markup, element};
use super::strip::tick;

/// The height of a graph, in its units.
const HEIGHT: f64 = 300.0;

/// One metric over many runs.
pub(crate) struct MetricHistory<'a> {
    /// The name of the metric.
    pub(crate) name: &'a str,
    pub(crate) unit: Unit,
    /// The index of each run that has the metric, with its value, in order.
    pub(crate) values: Vec<(usize, f64)>,
    pub(crate) runs: usize,
    /// The index of the first run after each change, with a label.
    pub(crate) changes: Vec<(usize, String)>,
}

/// Returns graphs of metrics over many runs; empty if there are too few runs.
pub(crate) fn graphs(histories: &[MetricHistory<'_>]) -> Markup {
    let graphs: Markup = histories.iter().map(graph).collect();
    if graphs.is_empty() {
        return graphs;
    }
    let text = "One value for each run, oldest first. A dotted line marks a change.";
    let mut content = element("p", &[("class", "muted")], text);
    content.push(graphs);
    content
}

fn graph(history: &MetricHistory<'_>) -> Markup {
    let highest = history
        .values
        .iter()
        .map(|(_, value)| *value)
        .fold(0.0, f64::max);
    if history.values.is_empty() || history.runs < 2 {
        return Markup::default();
    }
    // A metric that is always 0 is a line at the bottom.
    let scale = if highest > 0.0 { highest } else { 1.0 };
    let last = history.runs - 1;
    let y = |value: f64| HEIGHT * (1.0 - value.max(0.0) / scale / 1.1);
    let mut line = String::new();
    for (at, (run, value)) in history.values.iter().enumerate() {
        let step = if at == 0 { 'M' } else { 'L' };
        let _ = write!(line, "{step}{run} {:.1}", y(*value));
    }
    let mut drawing = element("path", &[("class", "middle"), ("d", &line)], "");
    let mut labels = Markup::default();
    for (run, label) in &history.changes {
        let path = format!("M{run} 0V{HEIGHT}");
        drawing.push(element("path", &[("class", "rule"), ("d", &path)], ""));
        labels.push(tick(*run as f64 / last as f64, label));
    }
    let view = format!("0 0 {last} {HEIGHT}");
    let name = format!(
        "{} over {}",
        history.name,
        count_text(history.runs as u64, "run", "runs")
    );
    let svg = [
        ("viewBox", view.as_str()),
        ("preserveAspectRatio", "none"),
        ("role", "img"),
        ("aria-label", name.as_str()),
    ];
    let mut frame = element("svg", &svg, drawing);
    for (class, value) in [("level", highest), ("level bottom", 0.0)] {
        let style = format!("top:{:.1}%", 100.0 * y(value) / HEIGHT);
        let text = value_text(value, history.unit);
        frame.push(element(
            "span",
            &[("class", class), ("style", &style)],
            text,
        ));
    }
    let mut plot = element("div", &[("class", "frame")], frame);
    plot.push(element("div", &[("class", "ticks")], labels));
    let mut figure = element("h3", &[], history.name);
    figure.push(element("div", &[("class", "plot low labels")], plot));
    element("figure", &[], figure)
}
