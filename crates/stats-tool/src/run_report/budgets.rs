//! The series with a budget in a report.

use stats_analysis::format::{NO_VALUE, count_text, value_text, whole_text};
use stats_analysis::pace::PLUS_SLACK;
use stats_capture::RecordedKind;
use stats_core::Unit;

use crate::document::{Bar, Block, Section, SectionId, Table, Tone};
use crate::metrics::{Clock, RunMetrics, SeriesFigures};
use crate::runs::{BudgetFinding, NEVER_OVER, named};

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
    let (mut sparse, mut sums) = (Vec::new(), Vec::new());
    for run in runs {
        let scenario = run.run.scenario.as_deref().unwrap_or("unnamed");
        let finding = |path: &str| judged.iter().find(|one| one.is_about(path, scenario));
        rows.extend(frame_budget(runs, run, finding("frame")));
        let hitches = |path: &str| {
            let blamed = run.explained.seen().filter(|hitch| {
                let mut culprits = hitch.culprits();
                culprits.any(|culprit| !culprit.is_ready && culprit.path == path)
            });
            blamed.count()
        };
        for series in &run.series {
            let name = named(runs, run, &series.frame_name());
            let row = series_budget(&name, series, finding(&series.record.path));
            let row = row.map(|row| row.blamed_for(hitches(&series.record.path)));
            if row.as_ref().is_some_and(|row| row.share > 0.0) {
                sparse.extend(sparse_text(&name, series, run));
                sums.extend(is_sum(series, run).then_some(name));
            }
            rows.extend(row);
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
    if !sums.is_empty() {
        section.text(format!(
            "Sums of the times of several threads, which may be longer than their frame: {}.",
            sums.join(", ")
        ));
    }
    if !sparse.is_empty() {
        section.text(format!(
            "Shares of {} are of the frames in which the value is known.",
            sparse.join(", ")
        ));
    }
    section
}

fn frame_budget(
    runs: &[RunMetrics],
    run: &RunMetrics,
    finding: Option<&BudgetFinding>,
) -> Option<BudgetRow> {
    let clock = run.clock("frame")?;
    let cells = frame_row(clock)?;
    let name = named(runs, run, "frame time");
    let statistics = &clock.statistics;
    let values = (statistics.slowest.ms, statistics.rules.budget_ms);
    Some(BudgetRow {
        is_frame: true,
        ..BudgetRow::of((name, cells), over_share(clock), values, finding)
    })
}

/// Returns the row of a series; `None` if it has no values, or no budget.
fn series_budget(
    name: &str,
    series: &SeriesFigures,
    finding: Option<&BudgetFinding>,
) -> Option<BudgetRow> {
    let numbers = series.numbers.as_ref()?;
    let over = numbers.over?;
    let text = |value| value_text(value, series.unit);
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
    let values = (numbers.max, Some(over.limit));
    let row = BudgetRow::of((name.to_owned(), cells), share, values, finding);
    Some(row)
}

/// Returns in how many of all frames a series has values; `None` if it has them in most.
fn sparse_text(name: &str, series: &SeriesFigures, run: &RunMetrics) -> Option<String> {
    let known = series.numbers.as_ref()?.frames;
    let clock = run.clock("frame");
    let all = clock.map_or(0, |clock| clock.statistics.frames);
    let text = count_text(all as u64, "frame", "frames");
    is_sparse(known, all).then(|| format!("{name} ({} of {text})", whole_text(known as f64)))
}

/// Returns whether the capture tells that the scopes of a timer ran on several threads, so that its time is
/// their sum. A pass of the GPU, or a time that the program measured itself, has no thread either.
fn is_sum(series: &SeriesFigures, run: &RunMetrics) -> bool {
    let record = &series.record;
    let timers = || {
        let all = run.series.iter().map(|one| &one.record);
        all.filter(|one| one.kind == RecordedKind::Timer)
    };
    let is_parent = || timers().any(|one| one.parent.as_ref() == Some(&record.path));
    record.kind == RecordedKind::Timer
        && record.thread.is_none()
        && !record.path.starts_with("gpu/")
        && (record.parent.is_some() || is_parent())
        && timers().any(|one| one.thread.is_some())
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
            Some(one) if share == 0.0 && !one.allows_all() => "fine",
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

    /// Adds the number of hitches of which the series is a culprit, within its budget or not.
    fn blamed_for(mut self, hitches: usize) -> Self {
        if hitches > 0 {
            let of = count_text(hitches as u64, "hitch", "hitches");
            self.cells[1] += &format!(", {of}");
        }
        self
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_that_is_blamed_for_hitches_says_for_how_many() {
        let cells = || ("paths/a-star".to_owned(), [const { String::new() }; 7]);
        let verdict = |hitches| {
            let row = BudgetRow::of(cells(), 0.0, (1.0, Some(2.0)), None);
            row.blamed_for(hitches).cells[1].clone()
        };
        assert_eq!([0, 1, 4].map(verdict), ["–", "–, 1 hitch", "–, 4 hitches"]);
    }
}
