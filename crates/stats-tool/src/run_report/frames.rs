//! The frame times, hitches and spans in a report.

use stats_analysis::format::{count_text, value_text};
use stats_core::{FIGURES, Unit};

use super::answer::rate;
use super::each_once;
use super::identity::warnings;
use super::summary::Summary;
use crate::document::{Section, SectionId, Table};
use crate::metrics::RunMetrics;
use crate::output::name_of;
use crate::runs::{culprits_text, freezes, longest_text, named, shares_text};

/// The times of a frame: their names in metrics and in reports.
const CLOCKS: [(&str, &str); 3] = [("frame", "frame"), ("cpu", "CPU"), ("gpu", "GPU")];

/// The number of hitches that plain text lists.
const SHORT_LIST: usize = 10;

/// Returns how fast the runs were, and the warnings about the data.
pub(super) fn frames(runs: &[RunMetrics], summary: &Summary) -> Section {
    let mut section = Section::new(SectionId::FRAMES);
    if runs.iter().all(|run| run.clock("frame").is_none()) {
        let are_samples = runs
            .iter()
            .all(|run| run.run.labels.contains_key("sampled"));
        section.warning(match are_samples {
            true => {
                "The log has samples, so nothing is known about its frames. Record every frame."
            }
            false => "No frame is left to judge. Leave out less, or record a longer run.",
        });
        return section;
    }
    section.text(rate(runs, summary));
    for run in runs {
        let of = match runs {
            [_] => String::new(),
            _ => format!(" of {}", name_of(&run.file)),
        };
        section.text(format!(
            "What limits the frame rate{of}: {}.",
            run.bottleneck
        ));
        for text in freezes(&run.explained, &of) {
            section.warning(text);
        }
        if run.lost_scopes > 0 {
            let lost = count_text(run.lost_scopes, "scope", "scopes");
            section.warning(format!(
                "Lost while recording{of}: {lost}. Timelines lack them. Time fewer short calls, or \
                 record with --scopes hitches."
            ));
        }
    }
    for warning in warnings(runs) {
        section.warning(warning);
    }
    section
}

/// Returns the hitches, the longest first.
pub(super) fn hitches(runs: &[RunMetrics], summary: &Summary) -> Section {
    let mut section = Section::new(SectionId::HITCHES);
    if summary.get("run/hitches").is_some() {
        section.text(format!("Hitches: {}.", summary.cell("run/hitches")));
    }
    for run in runs {
        if let Some(longest) = &run.explained.longest {
            let of = match runs {
                [_] => String::new(),
                _ => format!("{}: ", name_of(&run.file)),
            };
            section.text(of + &longest_text(longest));
        }
    }
    let mut table = Table::of_verdicts(&["frame", "culprit", "share", "took", "usually", "excess"]);
    let all = runs
        .iter()
        .flat_map(|run| run.explained.seen().map(move |one| (run, one)));
    let mut all: Vec<_> = all.collect();
    all.sort_by(|a, b| b.1.frame_ms.total_cmp(&a.1.frame_ms));
    for (run, hitch) in all {
        let ms = |ms| value_text(ms, Unit::Milliseconds);
        table.row([
            named(runs, run, &hitch.frame.to_string()),
            culprits_text(hitch),
            shares_text(hitch),
            ms(hitch.frame_ms),
            ms(hitch.usual_ms),
            ms(hitch.excess_ms),
        ]);
    }
    // Each line is beside the first hitch after it, and the lines of the longest hitch come first.
    let mut with_lines = Vec::new();
    for run in runs {
        let mut before = None;
        for hitch in run.explained.seen() {
            let before = before.replace(hitch.frame);
            with_lines.push((run, hitch, run.explained.new_lines(hitch.frame, before)));
        }
    }
    with_lines.sort_by(|a, b| b.1.frame_ms.total_cmp(&a.1.frame_ms));
    let mut log = Table::of_texts(&["hitch", "frame", "log"]);
    for (run, hitch, lines) in with_lines {
        for line in lines {
            log.row([
                named(runs, run, &hitch.frame.to_string()),
                line.frame.to_string(),
                line.line.clone(),
            ]);
        }
    }
    let nouns = ["hitch is", "hitches are"];
    let more = "in the report with --format markdown.";
    section.table(table.short(SHORT_LIST, nouns, more));
    section.table(log.short(SHORT_LIST, ["line is", "lines are"], more));
    section
}

/// Returns the figures of the frame times.
pub(super) fn distribution(runs: &[RunMetrics], summary: &Summary) -> Section {
    let mut section = Section::new(SectionId::DISTRIBUTION);
    if summary.get("frame/mean").is_none() {
        return section;
    }
    let present = |clock: &str| summary.get(&format!("{clock}/mean")).is_some();
    let clocks: Vec<(&str, &str)> = CLOCKS
        .into_iter()
        .filter(|(name, _)| present(name))
        .collect();
    let titles: Vec<&str> = std::iter::once("")
        .chain(clocks.iter().map(|(_, title)| *title))
        .collect();
    let mut table = Table::of_numbers(&titles);
    for figure in FIGURES {
        // Several runs have no common slowest frame.
        if runs.len() > 1 && figure.key.starts_with("high-water-") {
            continue;
        }
        let names: Vec<String> = clocks
            .iter()
            .map(|(clock, _)| format!("{clock}/{}", figure.key))
            .collect();
        if names.iter().any(|name| summary.get(name).is_some()) {
            let cells = names.iter().map(|name| summary.cell(name));
            table.row(std::iter::once(figure.name(true)).chain(cells));
        }
    }
    section.table(table);
    for (name, title) in CLOCKS {
        let clock = runs.iter().find_map(|run| run.clock(name));
        if let Some(path) = clock.and_then(|clock| clock.path.as_deref()) {
            section.text(format!("{title} is the series {path}."));
        }
    }
    if summary.get("frame/over-budget-frames").is_none() {
        section.text("The frame has no budget: --budget sets one.");
    }
    section
}

/// Returns what limits most of the time in the spans of a name, in each run that has them.
fn limits(runs: &[RunMetrics], name: &str) -> String {
    let spans = runs.iter().flat_map(|run| &run.spans);
    let mut words: Vec<&str> = (spans.filter(|span| span.name == name))
        .map(|span| span.bottleneck.limit().word())
        .collect();
    words.dedup();
    words.join(", ")
}

/// Returns the durations of the spans.
pub(super) fn spans(runs: &[RunMetrics], summary: &Summary) -> Section {
    let mut section = Section::new(SectionId::SPANS);
    let titles = [
        "span",
        "times",
        "seconds",
        "longest",
        "average rate",
        "median frame",
        "slowest frame",
        "memory",
        "limit",
    ];
    let mut table = Table::of_numbers(&titles);
    let all = runs.iter().flat_map(|run| &run.spans);
    for name in each_once(all.map(|span| &span.name)) {
        let figures = [
            "times",
            "seconds",
            "longest-seconds",
            "average-fps",
            "frame/median",
            "frame/high-water",
            "memory-high-water",
        ];
        let cells = figures.map(|figure| summary.cell(&format!("spans/{name}/{figure}")));
        let cells = std::iter::once(name.to_owned()).chain(cells);
        table.row(cells.chain([limits(runs, name)]));
    }
    section.table(table);
    section
}
