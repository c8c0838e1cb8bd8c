//! The frame times, budgets and spans in a report.

use stats_analysis::format::{NO_VALUE, count_text, value_text, whole_text};
use stats_analysis::pace::PLUS_SLACK;
use stats_core::{FIGURES, Unit};

use super::answer::answer;
use super::each_once;
use super::identity::warnings;
use super::summary::Summary;
use crate::document::{Bar, Section, SectionId, Table};
use crate::metrics::{Clock, RunMetrics};
use crate::output::name_of;
use crate::runs::{culprit_text, freezes, named, share_text};

/// The times of a frame: their names in metrics and in reports.
const CLOCKS: [(&str, &str); 3] = [("frame", "frame"), ("cpu", "CPU"), ("gpu", "GPU")];

/// The number of hitches that plain text lists.
const SHORT_LIST: usize = 10;

/// Returns the answer, and the warnings about the data.
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
    section.text(answer(runs, summary));
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
    let mut table = Table::of_verdicts(&["frame", "culprit", "share", "took", "more work"]);
    let all = runs
        .iter()
        .flat_map(|run| run.explained.hitches.iter().map(move |one| (run, one)));
    let mut all: Vec<_> = all.collect();
    all.sort_by(|a, b| b.1.frame_ms.total_cmp(&a.1.frame_ms));
    let mut log = Table::of_texts(&["hitch", "frame", "log"]);
    for (run, hitch) in all {
        for line in run.explained.log.get(&hitch.frame).into_iter().flatten() {
            log.row([
                named(runs, run, &hitch.frame.to_string()),
                line.frame.to_string(),
                line.line.clone(),
            ]);
        }
        let ms = |ms| value_text(ms, Unit::Milliseconds);
        table.row([
            named(runs, run, &hitch.frame.to_string()),
            culprit_text(hitch).to_owned(),
            hitch.culprit().map_or(NO_VALUE.to_owned(), share_text),
            ms(hitch.frame_ms),
            ms(hitch.excess_ms),
        ]);
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

/// Returns the series with a budget, the largest share of frames over it first. Plain text lists
/// the frame time, and the series that were ever over budget.
pub(super) fn budgets(runs: &[RunMetrics]) -> Section {
    let mut section = Section::new(SectionId::BUDGETS);
    let titles = [
        "budget",
        "limit",
        "worst",
        "in frame",
        "frames over",
        "share",
        "of the time",
        "longest run",
    ];
    let mut table = Table::of_numbers(&titles);
    let mut rows: Vec<(f64, bool, Vec<String>, Bar)> = Vec::new();
    let mut sparse = Vec::new();
    for run in runs {
        if let Some(clock) = run.clock("frame")
            && let Some(row) = frame_row(clock)
        {
            let name = named(runs, run, "frame time");
            let row = std::iter::once(name).chain(row).collect();
            let bar = budget_bar(
                clock.statistics.slowest.ms,
                clock.statistics.rules.budget_ms,
            );
            rows.push((over_share(clock), true, row, bar));
        }
        for series in &run.series {
            let Some(numbers) = &series.numbers else {
                continue;
            };
            let Some(over) = numbers.over else { continue };
            let text = |value| value_text(value, series.unit);
            let row = [
                named(runs, run, &series.frame_name()),
                text(over.limit),
                text(numbers.max),
                numbers.max_frame.to_string(),
                whole_text(over.frames as f64),
                share(over.frames, numbers.frames),
                percent(over.time_share),
                whole_text(over.longest_run as f64),
            ];
            let share = over.frames as f64 / numbers.frames as f64;
            let all = run
                .clock("frame")
                .map_or(0, |clock| clock.statistics.frames);
            if share > 0.0 && is_sparse(numbers.frames, all) {
                let known = whole_text(numbers.frames as f64);
                let all = count_text(all as u64, "frame", "frames");
                sparse.push(format!("{} ({known} of {all})", row[0]));
            }
            let bar = budget_bar(numbers.max, Some(over.limit));
            rows.push((share, false, row.into(), bar));
        }
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
    let shown = (rows.iter()).take_while(|(share, is_frame, ..)| *share > 0.0 || *is_frame);
    let shown = shown.count();
    (table.rows, table.bars) = rows.into_iter().map(|(_, _, row, bar)| (row, bar)).unzip();
    if table.rows.is_empty() {
        section.text("Nothing has a budget: add some to [budgets] in stats.toml, or in the code.");
    }
    section.table(table.short(shown, ["series is", "series are"], "within budget."));
    if !sparse.is_empty() {
        section.text(format!(
            "Shares of {} are of the frames in which the value is known.",
            sparse.join(", ")
        ));
    }
    section
}

/// Returns whether a value is unknown in more than a tenth of the frames, so that its share of the
/// known ones differs from that of all.
fn is_sparse(known: usize, all: usize) -> bool {
    10 * known < 9 * all
}

/// Returns the bar of a worst value, with a line at its budget. The bar ends at twice the budget.
fn budget_bar(worst: f64, budget: Option<f64>) -> Bar {
    let part = worst / budget.unwrap_or(f64::INFINITY).abs().max(f64::MIN_POSITIVE) / 2.0;
    Bar {
        from: 0.0,
        to: if part.is_nan() { 0.0 } else { part },
        line: Some(0.5),
        is_bad: part > 0.5,
    }
}

fn over_share(clock: &Clock) -> f64 {
    let over = clock.statistics.over_budget.as_ref();
    over.map_or(0.0, |over| {
        over.frames as f64 / clock.statistics.frames as f64
    })
}

fn frame_row(clock: &Clock) -> Option<[String; 7]> {
    let statistics = &clock.statistics;
    let over = statistics.over_budget.as_ref()?;
    let text = |ms| value_text(ms, Unit::Milliseconds);
    Some([
        (statistics.rules.budget_ms).map_or(NO_VALUE.to_owned(), |ms| {
            format!("{} {PLUS_SLACK}", text(ms))
        }),
        text(statistics.slowest.ms),
        clock.slowest_frame.to_string(),
        whole_text(over.frames as f64),
        share(over.frames, statistics.frames),
        percent(clock.over_budget_time_share?),
        whole_text(over.longest_run.len() as f64),
    ])
}

fn share(part: usize, all: usize) -> String {
    percent(part as f64 / all.max(1) as f64)
}

fn percent(share: f64) -> String {
    value_text(100.0 * share, Unit::Percent)
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
