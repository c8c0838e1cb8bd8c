//! The text of a comparison.

use stats_analysis::format::{NO_VALUE, count_text, value_text};

use stats_capture::Ended;
use stats_core::Unit;

use super::comparison::{Comparison, Sides};
use super::finding::{Finding, MIN_STORED, Verdict};
use crate::document::{Section, SectionId, Table, capitalized};
use crate::failure::Outcome;
use crate::output::name_of;
use crate::runs::{LeftOutFrames, RunFigures, identity_table};
use crate::statistics::BLOCK;

/// A number of runs on each side that shows that the machine is the problem.
const MANY_RUNS: usize = 20;

/// The metric with the number of hitches.
const HITCHES: &str = "run/hitches";

/// The figures that a reader asks for first, and their words.
const FIRST: [(&str, &str); 4] = [
    (HITCHES, "hitches"),
    ("frame/high-water", "slowest frame"),
    ("frame/p99-by-frame", "99 % of the frames no slower than"),
    ("frame/median", "median frame"),
];

/// What the columns of a table of metrics mean.
const COLUMNS: &str = "Interval: where the change is with a probability of 95 %, or as given. p: how probable such a \
    difference is if nothing changed; – if there are too few runs, or if all runs of a side are \
    identical, whose difference counts as certain. Cliff's delta: +1 if each run after has more than each before, −1 if each has less. Would find: the \
    smallest change that these runs show in four of five cases.";

/// The maximum number of metrics that plain text lists.
const MAX_METRICS: usize = 40;

/// The maximum number of runs that plain text lists.
const MAX_RUNS: usize = 6;

/// The maximum number of metrics to list that only one side has.
const MAX_UNPAIRED: usize = 10;

/// Returns the verdict, one sentence for each reason.
pub(crate) fn verdict_sentence(comparison: &Comparison) -> Vec<String> {
    let of = |is: fn(&Verdict) -> bool| {
        let all = comparison.may_fail.iter();
        all.filter(move |one| is(&one.verdict))
    };
    let worse = of(|verdict| *verdict == Verdict::Worse).map(|one| {
        let by = if one.is_from_zero {
            String::new()
        } else {
            format!(" by {}", change(one))
        };
        let [before, after] =
            [one.typical.0, one.typical.1].map(|value| value_text(value, one.unit));
        format!("{} is worse{by}, from {before} to {after}.", one.name)
    });
    let mut sentences: Vec<String> = worse.collect();
    for one in &comparison.may_fail {
        if let Some(wall) = &one.in_place_of {
            sentences.push(format!(
                "{wall} varies too much, so {} was judged in its place: the time on a processor, without \
                 the time that other programs took.",
                one.name
            ));
        }
    }
    for one in of(|verdict| matches!(verdict, Verdict::Unknown(_))) {
        sentences.push(unknown(one, comparison.runs));
    }
    sentences.extend(comparison.missing.iter().map(|what| capitalized(what)));
    if comparison.outcome() == Outcome::Fine {
        sentences.push(match comparison.may_fail.len() {
            0 => "No metric may fail: gate.may_fail in stats.toml names none.".to_owned(),
            1 => "The metric that may fail is not worse by more than its limit.".to_owned(),
            count => {
                format!(
                    "None of the {count} metrics that may fail is worse by more than its limit."
                )
            }
        });
    }
    sentences
}

/// Returns what a player notices, before and after, whether it may fail or not: `Before → after: hitches
/// 0 → 5, …`. `None` if the runs have none of these figures.
pub(crate) fn first_figures(comparison: &Comparison) -> Option<String> {
    let all = || comparison.may_fail.iter().chain(&comparison.others);
    let texts = FIRST.iter().filter_map(|(name, words)| {
        let one = all().find(|one| one.name == *name)?;
        let [before, after] = one.medians().map(|value| value_text(value, one.unit));
        Some(format!("{words} {before} → {after}"))
    });
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty())
        .then(|| format!("Before → after, medians of the runs: {}.", texts.join(", ")))
}

/// Returns the verdict in a few words: how many metrics are worse, and how many nobody can tell; then what a
/// reader must not miss, although it does not judge: the series that are newly over their budget, and more
/// hitches.
pub(crate) fn headline(comparison: &Comparison, newly_over: usize) -> String {
    let count = |is: fn(&Verdict) -> bool| {
        let all = comparison.may_fail.iter();
        all.filter(|one| is(&one.verdict)).count()
    };
    let worse = count(|verdict| *verdict == Verdict::Worse);
    let unknown = count(|verdict| matches!(verdict, Verdict::Unknown(_)));
    let mut text = match comparison.outcome() {
        Outcome::Fine => "Not worse".to_owned(),
        Outcome::Worse => count_text(worse as u64, "metric is worse", "metrics are worse"),
        _ => "Cannot tell".to_owned(),
    };
    if comparison.outcome() == Outcome::Worse && unknown > 0 {
        text += &format!(", {unknown} cannot be judged");
    }
    if newly_over > 0 {
        let (one, many) = (
            "series is newly over its budget",
            "series are newly over their budgets",
        );
        text += &format!(", {}", count_text(newly_over as u64, one, many));
    }
    let mut all = comparison.may_fail.iter().chain(&comparison.others);
    if let Some([before, after]) = all.find(|one| one.name == HITCHES).map(Finding::medians)
        && after > before
    {
        let text_of = |hitches| value_text(hitches, Unit::Count);
        text += &format!(", hitches {} → {}", text_of(before), text_of(after));
    }
    text
}

/// Returns why a metric cannot be judged, and what would help.
fn unknown(one: &Finding, (before, after, _): (usize, usize, usize)) -> String {
    let name = &one.name;
    let some_lack_it = one.before.len() < before || one.after.len() < after;
    let that = if some_lack_it { " that have it" } else { "" };
    let more = |runs: usize| {
        let missing = |side: &[f64]| runs.saturating_sub(side.len());
        match (missing(&one.before), missing(&one.after)) {
            (0, later) => count_text(later as u64, "more later run", "more later runs") + that,
            (earlier, 0) => {
                count_text(earlier as u64, "more earlier run", "more earlier runs") + that
            }
            (earlier, later) => {
                let later = count_text(later as u64, "more later run", "more later runs");
                format!("{earlier} more earlier and {later}{that}")
            }
        }
    };
    match (one.verdict, one.findable_percent) {
        (Verdict::Unknown(Some(runs)), None) if one.is_noise_known() => format!(
            "{name} cannot be judged from so few runs: {} would be enough.",
            more(runs)
        ),
        (Verdict::Unknown(Some(runs)), None) => format!(
            "{name} cannot be judged from so few runs: at least {} are needed to see how much runs vary.",
            more(runs)
        ),
        (Verdict::Unknown(Some(runs)), Some(found)) if runs > MANY_RUNS => format!(
            "{name} cannot be judged, because it varies so much that only a change of {} would be found. More \
             runs are no cure, because it takes {runs} on each side: record on a machine that does nothing else.",
            number(found),
        ),
        (Verdict::Unknown(Some(runs)), Some(found)) => format!(
            "{name} cannot be judged, because it varies so much that only a change of {} would be found: \
             {} would be enough.",
            number(found),
            more(runs)
        ),
        (_, found) => format!(
            "{name} varies too much to be judged from any number of runs{}: something else may keep the machine \
             busy, so record on one that does nothing else. If it varies there, too, remove it from \
             gate.may_fail, or raise gate.find_percent or its limit in stats.toml.",
            found.map_or(String::new(), |found| format!(
                " (these find a change of {})",
                number(found)
            ))
        ),
    }
}

/// Returns the sections of a comparison, in the order in which every format shows them. `budgets`
/// is the section about the budgets of the later runs.
pub(crate) fn sections(
    sides: Sides<'_>,
    comparison: &Comparison,
    budgets: Section,
) -> Vec<Section> {
    vec![
        identity(sides, comparison),
        quality(sides, comparison),
        judged(comparison),
        budgets,
        Section::new(SectionId::FRAMES),
        Section::new(SectionId::DISTRIBUTION),
        Section::new(SectionId::HITCHES),
        Section::new(SectionId::LASTING),
        Section::new(SectionId::DIFFERENCE),
        others(comparison),
        Section::new(SectionId::MEMORY),
        Section::new(SectionId::HISTORY),
        notes(comparison),
        Section::new(SectionId::DEFINITIONS),
    ]
}

fn judged(comparison: &Comparison) -> Section {
    let mut may_fail = Section::new(SectionId::JUDGED);
    may_fail.table(table(comparison.may_fail.iter(), "WORSE"));
    if !comparison.may_fail.is_empty() {
        may_fail.text(COLUMNS);
    }
    let is_indicated = |one: &Finding| one.indication.is_some();
    if comparison.may_fail.iter().any(is_indicated) {
        may_fail.text(
            "One run against one is an indication: an interval from frames does not show how much runs vary.",
        );
        may_fail.table(indications(&comparison.may_fail));
    } else if matches!(comparison.runs, (1, 1, _)) && !comparison.may_fail.is_empty() {
        may_fail.text(format!(
            "One run against one is only an indication, and needs means or percentiles of {} frames or more on each side.",
            2 * BLOCK
        ));
    }
    may_fail
}

fn others(comparison: &Comparison) -> Section {
    let mut changed: Vec<&Finding> = (comparison.others.iter())
        .filter(|one| !matches!(one.verdict, Verdict::Same | Verdict::Unknown(_)))
        .collect();
    changed.sort_by(|a, b| {
        let size = |one: &Finding| one.shown_percent().abs();
        size(b).total_cmp(&size(a))
    });
    let mut others = Section::new(SectionId::OTHERS);
    let is_any = !changed.is_empty();
    let table = table(changed.into_iter(), "worse");
    let nouns = ["metric that changed is", "metrics that changed are"];
    others.table(table.short(MAX_METRICS, nouns, "in the report with --format json."));
    if !is_any {
        let all = comparison.others.len();
        others.text(format!(
            "{} unchanged, as far as these runs show.",
            count_text(all as u64, "other metric is", "other metrics are")
        ));
    }
    others
}

fn notes(comparison: &Comparison) -> Section {
    let mut notes = Section::new(SectionId::NOTES);
    for (those, names) in [
        ("Only the earlier runs have", &comparison.unpaired.0),
        ("Only the later runs have", &comparison.unpaired.1),
    ] {
        notes_of_unpaired(&mut notes, those, names);
    }
    for sentence in LeftOutFrames::sentences(&comparison.left_out) {
        notes.text(sentence);
    }
    let (before, after, stored) = comparison.runs;
    let noise = match comparison.may_fail.iter().map(|one| one.stored).max() {
        Some(used @ 1..) => {
            let all = comparison.may_fail.iter();
            let without = all
                .filter(|one| one.stored == 0)
                .map(|one| one.name.as_str());
            let without: Vec<&str> = without.collect();
            let but = match &without[..] {
                [] => String::new(),
                names => format!(
                    " That of {} is estimated from the compared runs alone, which vary less.",
                    names.join(", ")
                ),
            };
            format!("The noise is estimated from {used} stored runs and the compared ones.{but}")
        }
        _ if stored >= MIN_STORED => {
            format!(
                "The {stored} stored runs vary so much more that the noise is estimated from the compared runs alone."
            )
        }
        _ if stored > 0 => {
            format!(
                "{stored} stored runs are comparable; estimating the noise from them takes {MIN_STORED}."
            )
        }
        _ => "There are no stored runs, so the noise is estimated from the compared ones.".into(),
    };
    notes.text(format!("Runs: {before} before and {after} after. {noise}"));
    notes
}

fn identity(sides: Sides<'_>, comparison: &Comparison) -> Section {
    let mut section = Section::new(SectionId::IDENTITY);
    for warning in &comparison.warnings {
        section.warning(capitalized(warning));
    }
    let sides =
        [sides.before, sides.after].map(|runs| runs.iter().map(RunFigures::identity).collect());
    section.table(identity_table(&["", "before", "after"], &sides));
    section
}

fn quality(sides: Sides<'_>, comparison: &Comparison) -> Section {
    let mut section = Section::new(SectionId::DATA_QUALITY);
    let mut table = Table::of_numbers(&["run", "frames", "lost", "cost of the capture", "ended"]);
    for (side, runs) in [("before", sides.before), ("after", sides.after)] {
        for run in runs {
            let frames = run.metric("run/frames");
            let ended = match run.run.ended {
                Ended::Clean => "cleanly",
                Ended::Recovered => "recovered",
                _ => NO_VALUE,
            };
            let cost = run
                .run
                .cost
                .map(|cost| format!("{:.1} µs per frame", cost.us_per_frame));
            table.row([
                format!("{side}: {}", name_of(&run.file)),
                frames.map_or(NO_VALUE.to_owned(), |frames| frames.value.to_string()),
                run.lost_frames()
                    .map_or(NO_VALUE.to_owned(), |lost| lost.to_string()),
                cost.unwrap_or_else(|| NO_VALUE.to_owned()),
                ended.to_owned(),
            ]);
        }
    }
    let nouns = ["run is", "runs are"];
    section.table(table.short(MAX_RUNS, nouns, "in the report with --format markdown."));
    if let Some(runs) = comparison.runs_needed() {
        let is_unknown = |one: &&Finding| matches!(one.verdict, Verdict::Unknown(_));
        let unknown = comparison.may_fail.iter().filter(is_unknown).count();
        let all = comparison.may_fail.len();
        let those = count_text(all as u64, "metric that may fail", "metrics that may fail");
        section.warning(match runs {
            ..=MANY_RUNS => format!(
                "There are too few runs to judge {unknown} of {those}: that takes {runs} on each side."
            ),
            _ => format!("Runs vary too much to judge {unknown} of {those}."),
        });
    }
    section
}

/// Returns a table of metrics. `worse` is the verdict on a metric that is worse.
fn table<'a>(findings: impl Iterator<Item = &'a Finding>, worse: &str) -> Table {
    let titles = [
        "metric",
        "verdict",
        "before",
        "after",
        "change",
        "interval",
        "p",
        "runs",
        "Cliff's delta",
        "would find",
    ];
    let mut table = Table::of_verdicts(&titles);
    for one in findings {
        let dash = || NO_VALUE.to_owned();
        table.row([
            one.name.clone(),
            verdict(one.verdict, worse).to_owned(),
            value_text(one.typical.0, one.unit),
            value_text(one.typical.1, one.unit),
            change(one),
            one.shown_interval().map_or_else(dash, |(low, high)| {
                if one.is_identical() {
                    let all = if low == 0.0 {
                        "all runs"
                    } else {
                        "all runs of a side"
                    };
                    return format!("identical in {all}");
                }
                let covered = if one.coverage < 0.949 {
                    format!(" ({:.0} %)", 100.0 * one.coverage)
                } else {
                    String::new()
                };
                format!("{} to {}{covered}", signed(low), signed(high))
            }),
            one.shown_p().map_or_else(dash, p_text),
            one.runs_text(),
            format!("{:+.2}", one.delta),
            one.findable_percent.map_or_else(dash, number),
        ]);
    }
    table
}

fn indications(findings: &[Finding]) -> Table {
    let mut table = Table::of_numbers(&["metric", "difference", "interval of its frames"]);
    for one in findings {
        let Some(indication) = one.indication else {
            continue;
        };
        let text = |value| value_text(value, one.unit);
        table.row([
            one.name.clone(),
            text(indication.difference),
            format!(
                "{} to {}",
                text(indication.interval.0),
                text(indication.interval.1)
            ),
        ]);
    }
    table
}

/// Names the series and other metrics that only one side has.
fn notes_of_unpaired(notes: &mut Section, those: &str, metrics: &[String]) {
    let mut names: Vec<&str> = metrics.iter().map(|name| subject(name)).collect();
    names.dedup();
    let shown = names[..names.len().min(MAX_UNPAIRED)].join(", ");
    match names.len() {
        0 => {}
        1..=MAX_UNPAIRED => notes.text(format!("{those} {shown}.")),
        all => notes.text(format!("{those} {shown} and {} more.", all - MAX_UNPAIRED)),
    }
}

/// Returns the series of a metric, or the metric itself if it belongs to no series.
fn subject(metric: &str) -> &str {
    let series = ["series/", "histograms/"].iter();
    let path = series.filter_map(|prefix| metric.strip_prefix(prefix));
    let path = path.filter_map(|path| path.rsplit_once('/'));
    path.map(|(path, _)| path).next().unwrap_or(metric)
}

fn verdict(verdict: Verdict, worse: &str) -> &str {
    match verdict {
        Verdict::Same => "same",
        Verdict::Worse => worse,
        Verdict::Better => "better",
        Verdict::Changed => "changed",
        Verdict::Unknown(_) => "cannot tell",
    }
}

/// Returns the change of a metric as text.
pub(crate) fn change(one: &Finding) -> String {
    signed(one.shown_percent())
}

fn signed(percent: f64) -> String {
    if percent.is_finite() {
        format!("{percent:+.1} %")
    } else {
        "from 0".into()
    }
}

fn number(percent: f64) -> String {
    if percent > 1000.0 {
        "> 1000 %".to_owned()
    } else if percent.is_finite() {
        format!("{percent:.1} %")
    } else {
        NO_VALUE.to_owned()
    }
}

/// Returns a p-value in a few digits.
pub(crate) fn p_text(p: f64) -> String {
    if p < 0.0001 {
        "< 0.0001".into()
    } else {
        format!("{p:.4}")
    }
}
