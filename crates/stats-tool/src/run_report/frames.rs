//! The frame times, budgets and spans in a report.

use stats_analysis::format::{NO_VALUE, count_text, value_text, whole_text};
use stats_analysis::pace::PLUS_SLACK;
use stats_core::{FIGURES, Unit};

use super::answer::rate;
use super::each_once;
use super::identity::warnings;
use super::summary::Summary;
use crate::document::{Bar, Block, Section, SectionId, Table, Tone};
use crate::metrics::{Clock, RunMetrics};
use crate::output::name_of;
use crate::runs::{BudgetFinding, NEVER_OVER, culprit_text, freezes, named, share_text};

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
    let mut table = Table::of_verdicts(&["frame", "culprit", "share", "took", "more work"]);
    let all = runs
        .iter()
        .flat_map(|run| run.explained.seen().map(move |one| (run, one)));
    let mut all: Vec<_> = all.collect();
    all.sort_by(|a, b| b.1.frame_ms.total_cmp(&a.1.frame_ms));
    for (run, hitch) in all {
        let ms = |ms| value_text(ms, Unit::Milliseconds);
        table.row([
            named(runs, run, &hitch.frame.to_string()),
            culprit_text(hitch).into_owned(),
            hitch.culprit().map_or(NO_VALUE.to_owned(), share_text),
            ms(hitch.frame_ms),
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

/// Returns the series with a budget: those that are over it, and then the largest share of frames over
/// it first. Plain text lists the frame time, and the series that were ever over budget.
pub(super) fn budgets(runs: &[RunMetrics], judged: &[BudgetFinding]) -> Section {
    let mut section = Section::new(SectionId::BUDGETS);
    let titles = [
        "budget",
        "verdict",
        "limit",
        "worst",
        "in frame",
        "frames over",
        "share",
        "of the time",
        "longest run",
    ];
    let mut table = Table::of_verdicts(&titles);
    let mut rows: Vec<BudgetRow> = Vec::new();
    let mut sparse = Vec::new();
    for run in runs {
        let scenario = run.run.scenario.as_deref().unwrap_or("unnamed");
        let finding = |path: &str| judged.iter().find(|one| one.is_about(path, scenario));
        if let Some(clock) = run.clock("frame")
            && let Some(cells) = frame_row(clock)
        {
            let name = named(runs, run, "frame time");
            let statistics = &clock.statistics;
            let values = (statistics.slowest.ms, statistics.rules.budget_ms);
            let mut row = BudgetRow::of((name, cells), over_share(clock), values, finding("frame"));
            row.is_frame = true;
            rows.push(row);
        }
        for series in &run.series {
            let Some(numbers) = &series.numbers else {
                continue;
            };
            let Some(over) = numbers.over else { continue };
            let text = |value| value_text(value, series.unit);
            let name = named(runs, run, &series.frame_name());
            let cells = [
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
                sparse.push(format!("{name} ({known} of {all})"));
            }
            let values = (numbers.max, Some(over.limit));
            let finding = finding(&series.record.path);
            rows.push(BudgetRow::of((name, cells), share, values, finding));
        }
    }
    rows.sort_by(|a, b| {
        (b.is_over.cmp(&a.is_over))
            .then(b.share.total_cmp(&a.share))
            .then(b.is_frame.cmp(&a.is_frame))
    });
    let shown = rows
        .iter()
        .take_while(|row| row.share > 0.0 || row.is_frame);
    let shown = shown.count();
    (table.rows, table.bars) = rows.into_iter().map(|row| (row.cells, row.bar)).unzip();
    match table.rows.is_empty() {
        true => section
            .text("Nothing has a budget: add some to [budgets] in stats.toml, or in the code."),
        false => section.blocks.extend(rule(judged).map(Block::Text)),
    }
    let nouns = match runs {
        [_] => ["series is", "series are"],
        _ => ["row is", "rows are"],
    };
    section.table(table.short(shown, nouns, NEVER_OVER));
    if !sparse.is_empty() {
        section.text(format!(
            "Shares of {} are of the frames in which the value is known.",
            sparse.join(", ")
        ));
    }
    section
}

/// Returns when a series is over its budget, and how many are; `None` if none is judged, or if no
/// frame is over any.
fn rule(judged: &[BudgetFinding]) -> Option<String> {
    let over = judged.iter().filter(|one| one.is_over).count();
    let exceeded = judged.iter().filter(|one| one.is_exceeded()).count();
    // The same share is allowed for each.
    let first = judged.iter().find(|one| !one.allows_all())?;
    if exceeded == 0 {
        return None;
    }
    let allowed_percent = first.allowed_percent;
    let all = judged.len();
    let others = match exceeded - over {
        0 => String::new(),
        fewer => format!(
            ", and {} in fewer frames",
            count_text(fewer as u64, "other is", "others are")
        ),
    };
    Some(format!(
        "A series is over its budget if more than {allowed_percent} % of its frames are: {over} of {all} are{others}."
    ))
}

/// A series with a budget in a run.
struct BudgetRow {
    /// The share of the frames over the budget, from 0 to 1.
    share: f64,
    is_frame: bool,
    is_over: bool,
    cells: Vec<String>,
    bar: Bar,
}

impl BudgetRow {
    /// `finding` is about the series in all runs; the period of the display has none.
    fn of(
        (name, cells): (String, [String; 7]),
        share: f64,
        values: (f64, Option<f64>),
        finding: Option<&BudgetFinding>,
    ) -> Self {
        // Of several runs, one without a frame over the budget is none of those that are over it.
        let is_over = share > 0.0 && finding.is_some_and(|one| one.is_over);
        let word = match finding {
            None => NO_VALUE,
            Some(one) if one.is_over && !is_over => "fine",
            Some(one) => one.word(),
        };
        let tone = match (is_over, share > 0.0) {
            (true, _) => Tone::Bad,
            (false, true) => Tone::Unsure,
            (false, false) => Tone::Good,
        };
        Self {
            share,
            is_frame: false,
            is_over,
            cells: [name, word.to_owned()].into_iter().chain(cells).collect(),
            bar: budget_bar(values, tone),
        }
    }
}

/// Returns whether a value is unknown in more than a tenth of the frames, so that its share of the
/// known ones differs from that of all.
fn is_sparse(known: usize, all: usize) -> bool {
    10 * known < 9 * all
}

/// Returns the bar of a worst value, with a line at its budget. Its space ends at twice the budget.
fn budget_bar((worst, budget): (f64, Option<f64>), tone: Tone) -> Bar {
    let part = worst / budget.unwrap_or(f64::INFINITY).abs().max(f64::MIN_POSITIVE) / 2.0;
    Bar {
        from: 0.0,
        to: if part.is_nan() { 0.0 } else { part },
        line: Some(0.5),
        tone,
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
