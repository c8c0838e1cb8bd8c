//! The text of a history.

use std::path::PathBuf;

use stats_analysis::format::{count_text, value_text};

use crate::comparison::p_text;
use crate::document::{Document, Section, SectionId, Table, Verdict};
use crate::failure::Outcome;
use crate::history::{Event, History, MetricChange};
use crate::output::name_of;
use crate::runs::RunFigures;
use crate::statistics::Standing;

/// The maximum number of changes to list for an event.
const MAX_CHANGES: usize = 12;

/// The maximum number of metrics that the verdict names.
const MAX_WORSE: usize = 6;

/// The maximum number of outliers to list.
const MAX_OUTLIERS: usize = 20;

/// Returns the changes of a history, the newest event first.
pub(super) fn changes(history: &History) -> Document {
    let mut sections = vec![Section::new(SectionId::HISTORY)];
    for event in history.events.iter().rev() {
        sections.push(event_section(history, event));
    }
    sections.push(unconfirmed(history));
    sections.push(outliers(history));
    let mut notes = Section::new(SectionId::NOTES);
    for warning in &history.warnings {
        notes.warning(format!("{warning}."));
    }
    sections.push(notes);
    sections.push(Section::new(SectionId::RUNS));
    sections.push(Section::new(SectionId::DEFINITIONS));
    let runs = count_text(history.runs.len() as u64, "run", "runs");
    let scenario = history.runs.last().map_or("unnamed", RunFigures::scenario);
    Document {
        title: format!("trend: {scenario}, {runs}"),
        sections,
    }
}

pub(super) fn verdict(history: &History) -> Verdict {
    let outcome = history.outcome();
    let headline = match outcome {
        Outcome::Worse => "Worse since the last change",
        Outcome::Fine => "Not worse",
        _ => "Cannot tell",
    };
    Verdict {
        tone: outcome.into(),
        headline: headline.to_owned(),
        sentences: sentences(history),
    }
}

/// Returns the verdict on a history: a sentence for each metric that may fail and has become worse,
/// then one about all changes.
pub(super) fn sentences(history: &History) -> Vec<String> {
    if history.outcome() == Outcome::Unknown {
        return vec![unknown(history)];
    }
    let worse = history.worse();
    let mut sentences: Vec<String> = (worse.iter().take(MAX_WORSE))
        .map(|one| {
            let text = |value| value_text(value, one.unit);
            format!(
                "{} has been worse by {} since {}, from {} to {}.",
                one.name,
                percent_text(one.change.percent()),
                name(&history.runs[one.change.at]),
                text(one.change.before),
                text(one.change.after),
            )
        })
        .collect();
    if worse.len() > MAX_WORSE {
        sentences.push(format!("… and {} more.", worse.len() - MAX_WORSE));
    }
    let changes = match history.events.len() {
        0 => "No lasting change".to_owned(),
        1 => "One lasting change".to_owned(),
        events => format!("{events} lasting changes"),
    };
    let last = history.events.last().map_or(String::new(), |event| {
        let metrics = match &event.changes[..] {
            [] => String::new(),
            [one] => format!(", of {},", one.name),
            [one, more @ ..] => format!(", of {} and {} more,", one.name, more.len()),
        };
        format!(
            ", the last one{metrics} since {}",
            name(&history.runs[event.run])
        )
    });
    let metrics = count_text(history.metrics as u64, "metric", "metrics");
    sentences.push(format!("{changes} in {metrics}{last}."));
    sentences
}

/// Returns why a history cannot be judged, and what would help.
fn unknown(history: &History) -> String {
    let more = count_text(history.runs_needed() as u64, "more run", "more runs");
    match history.waiting().next() {
        None if history.runs_needed() > 0 => {
            format!("There are too few runs to find a change: {more} would be enough.")
        }
        None => "No metric matches a pattern of the metrics that may fail.".to_owned(),
        Some((one, _)) => format!(
            "{} may have become worse by {}: {more} would show whether it lasts.",
            one.name,
            percent_text(one.change.percent())
        ),
    }
}

fn event_section(history: &History, event: &Event) -> Section {
    let run = &history.runs[event.run];
    let title = format!("Since run {} of {}", event.run + 1, history.runs.len());
    let mut section = Section::titled(title);
    section.text(format!(
        "{}, started at {}; the previous run is {}.",
        name(run),
        run.run.started_at,
        event
            .run
            .checked_sub(1)
            .map_or("unknown".into(), |before| name(&history.runs[before]))
    ));
    let mut table = Table::of_verdicts(&["metric", "verdict", "before", "after", "change", "p"]);
    for one in event.changes.iter().take(MAX_CHANGES) {
        let verdict = match (one.is_worse(), one.may_fail) {
            (true, true) => "WORSE",
            (true, false) => "worse",
            (false, _) if one.better == stats_capture::Better::Neither => "changed",
            (false, _) => "better",
        };
        table.row(change_cells(one, verdict));
    }
    section.table(table);
    let more = event.changes.len().saturating_sub(MAX_CHANGES);
    if more > 0 {
        section.text(format!("… and {more} more; --format json lists all."));
    }
    section
}

fn unconfirmed(history: &History) -> Section {
    let mut section = Section::titled("Not confirmed yet");
    let mut table =
        Table::of_verdicts(&["metric", "why", "before", "after", "change", "p", "since"]);
    for one in &history.unconfirmed {
        let why = match one.change.standing {
            Standing::TooFewBefore => "too few runs before it".to_owned(),
            Standing::TooFewAfter(missing) => {
                count_text(missing as u64, "more run is needed", "more runs are needed")
            }
            Standing::Doubtful(tests) => format!("{tests} of 5 tests find it"),
            Standing::Confirmed => String::new(),
        };
        let since = name(&history.runs[one.change.at]);
        table.row(change_cells(one, &why).into_iter().chain([since]));
    }
    section.table(table);
    section
}

fn outliers(history: &History) -> Section {
    let mut section = Section::titled("Single runs far from the others");
    let mut table = Table::of_numbers(&["metric", "value", "run"]);
    for outlier in history.outliers.iter().rev().take(MAX_OUTLIERS) {
        table.row([
            outlier.name.clone(),
            value_text(outlier.value, outlier.unit),
            name(&history.runs[outlier.run]),
        ]);
    }
    section.table(table);
    section
}

fn change_cells(one: &MetricChange, verdict: &str) -> [String; 6] {
    let percent = one.change.percent();
    [
        one.name.clone(),
        verdict.to_owned(),
        value_text(one.change.before, one.unit),
        value_text(one.change.after, one.unit),
        percent_text(percent),
        p_text(one.change.p),
    ]
}

pub(super) fn percent_text(percent: f64) -> String {
    if percent.is_finite() {
        format!("{percent:+.1} %")
    } else {
        "from 0".into()
    }
}

/// Returns the commit and the file of a run.
pub(super) fn name(run: &RunFigures) -> String {
    let file = PathBuf::from(name_of(&run.file));
    let file = file.file_name().unwrap_or(file.as_os_str());
    let file = file.to_string_lossy();
    match &run.run.commit {
        Some(commit) => format!("{commit} ({file})"),
        None => file.into_owned(),
    }
}
