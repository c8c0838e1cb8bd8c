//! The parts of the file.

use std::fmt::Write;

use stats_capture::CaptureFile;
use stats_core::Source;

use super::super::document::{Block, Document, Section, Table};
use super::super::json::json;
use super::super::summary::Summary;
use super::escape::{escape, escape_json};
use super::frame_distribution::frame_distribution;
use super::frame_strip::frame_strip;
use crate::failure::Failure;
use crate::metrics::RunMetrics;

/// The look of the page.
const STYLE: &str = include_str!("style.css");

/// Allows nothing but the styles in the file itself.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// The most runs that have pictures of their own.
const MOST_PICTURES: usize = 6;

/// The most rows of a table that is open at first.
const OPEN_ROWS: usize = 40;

/// What the figures mean.
const DEFINITIONS: [(&str, &str); 7] = [
    (
        "percentile by time",
        "The frames no slower than this fill that share of the time. One long frame counts as much as the frames that would have fit into it.",
    ),
    (
        "percentile by frame",
        "That share of the frames is no slower. One long frame counts once.",
    ),
    (
        "1 % low",
        "A frame rate with three definitions: the integral is the 99th percentile by time, P1 the 99th percentile by frame, the average is the mean of the slowest 1 % of the frames.",
    ),
    (
        "hitch",
        "A frame over 60 ms that takes at least 1.5 times as long as the frame before it, at most one in 200 ms, as in Unreal Engine.",
    ),
    (
        "stutter",
        "A frame that takes more than 2.5 times the mean of the 40 frames before it, as in CapFrameX.",
    ),
    (
        "missed refreshes",
        "Estimated: for each frame, its time in periods of the display, rounded, less one.",
    ),
    (
        "self time",
        "The time in a scope less the time in the scopes inside it. Self times of a thread add up.",
    ),
];

/// Returns the report of runs as one HTML file.
pub(in crate::report) fn html(
    runs: &[RunMetrics],
    summary: &Summary,
    document: &Document,
) -> Result<String, Failure> {
    let mut page = head(&document.title);
    page += &verdict(runs);
    for section in &document.sections {
        page += &section_html(section);
        // The pictures follow the data that they are drawn from.
        if section.title == "Budgets" {
            page += &pictures(runs)?;
        }
    }
    if !document
        .sections
        .iter()
        .any(|section| section.title == "Budgets")
    {
        page += &pictures(runs)?;
    }
    page += "<section>\n<h2>Definitions</h2>\n<dl>\n";
    for (name, meaning) in DEFINITIONS {
        let _ = writeln!(page, "<dt><strong>{name}</strong></dt><dd>{meaning}</dd>");
    }
    page += "</dl>\n</section>\n</main>\n<script type=\"application/json\" id=\"data\">\n";
    page += &escape_json(&json(runs, summary));
    page += "</script>\n</body>\n</html>\n";
    Ok(page)
}

/// Returns the beginning of a page, up to its heading.
pub(super) fn head(title: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{0}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n",
        escape(title)
    )
}

/// Returns what is over budget, one sentence each, and the command that repeats the run.
fn verdict(runs: &[RunMetrics]) -> String {
    let mut sentences = Vec::new();
    for run in runs {
        let of_run = match runs {
            [_] => String::new(),
            _ => format!(" in {}", run.file.display()),
        };
        let frame = run
            .clock("frame")
            .and_then(|clock| clock.statistics.spikes.as_ref());
        if let Some(spikes) = frame.filter(|spikes| spikes.frames > 0) {
            sentences.push(format!(
                "{} frames are over the frame budget{of_run}.",
                spikes.frames
            ));
        }
        for series in &run.series {
            let over = series.numbers.as_ref().and_then(|numbers| numbers.over);
            if let Some(over) = over.filter(|over| over.frames > 0) {
                let path = &series.record.path;
                sentences.push(format!(
                    "{path} is over its budget in {} frames{of_run}.",
                    over.frames
                ));
            }
        }
    }
    let (class, head) = match sentences.len() {
        0 => ("fine", "Everything that has a budget kept it.".to_owned()),
        1 => ("bad", "One budget was exceeded.".to_owned()),
        count => ("bad", format!("{count} budgets were exceeded.")),
    };
    let mut html = format!("<div class=\"verdict {class}\">\n<p><strong>{head}</strong></p>\n");
    let (first, rest) = sentences.split_at(sentences.len().min(5));
    for sentence in first {
        let _ = writeln!(html, "<p>{}</p>", escape(sentence));
    }
    if !rest.is_empty() {
        html += "<details><summary>All of them</summary>\n";
        for sentence in rest {
            let _ = writeln!(html, "<p>{}</p>", escape(sentence));
        }
        html += "</details>\n";
    }
    html += "</div>\n";
    let command = runs.first().map(|run| run.run.command.join(" "));
    if let Some(command) = command.filter(|command| !command.is_empty()) {
        let _ = writeln!(
            html,
            "<p>To repeat it: <code>{}</code></p>",
            escape(&command)
        );
    }
    html
}

/// Returns the pictures of the first runs.
fn pictures(runs: &[RunMetrics]) -> Result<String, Failure> {
    let mut html = String::from("<section>\n<h2>Frames</h2>\n");
    for run in runs.iter().take(MOST_PICTURES) {
        let capture = CaptureFile::open(&run.file)?;
        let frames_ms = capture.frame_times(usize::MAX);
        if runs.len() > 1 {
            let _ = writeln!(html, "<p>{}</p>", escape(&run.file.display().to_string()));
        }
        for picture in [
            frame_strip(run, frames_ms),
            frame_distribution(run, frames_ms),
        ] {
            let Some(picture) = picture else { continue };
            let _ = write!(
                html,
                "<div class=\"scroll\" tabindex=\"0\">\n{picture}</div>\n"
            );
        }
    }
    html += "<p>Above: the time of each frame; the band goes from the fastest to the slowest frame, the line is \
             the mean, and short strokes at the top are hitches. Below: how many frames took how long.</p>\n";
    if runs.len() > MOST_PICTURES {
        let _ = writeln!(
            html,
            "<p>Only the first {MOST_PICTURES} runs have pictures.</p>"
        );
    }
    html += "</section>\n";
    Ok(html)
}

pub(super) fn section_html(section: &Section) -> String {
    let mut html = format!("<section>\n<h2>{}</h2>\n", escape(&section.title));
    for block in &section.blocks {
        match block {
            Block::Text(text) => {
                let _ = writeln!(html, "<p>{}</p>", escape(text));
            }
            Block::Warning(text) => {
                let _ = writeln!(html, "<p class=\"note\">{}</p>", escape(text));
            }
            Block::Table(table) if table.rows.len() > OPEN_ROWS => {
                let rows = table.rows.len();
                let table = table_html(table);
                let _ = write!(
                    html,
                    "<details><summary>All {rows} rows</summary>\n{table}</details>\n"
                );
            }
            Block::Table(table) => html += &table_html(table),
        }
    }
    html += "</section>\n";
    html
}

fn table_html(table: &Table) -> String {
    let mut html = String::from("<div class=\"scroll\" tabindex=\"0\">\n<table>\n");
    let class = |at: usize| match table.columns.get(at) {
        Some(column) if column.is_number => " class=\"number\"",
        _ => "",
    };
    if table.columns.iter().any(|column| !column.title.is_empty()) {
        html += "<thead><tr>";
        for (at, column) in table.columns.iter().enumerate() {
            let _ = write!(
                html,
                "<th scope=\"col\"{}>{}</th>",
                class(at),
                escape(&column.title)
            );
        }
        html += "</tr></thead>\n";
    }
    html += "<tbody>\n";
    for row in &table.rows {
        html += "<tr>";
        for (at, cell) in row.iter().enumerate() {
            let _ = write!(html, "<td{}>{}</td>", class(at), escape(cell));
        }
        html += "</tr>\n";
    }
    html += "</tbody>\n</table>\n</div>\n";
    html
}
