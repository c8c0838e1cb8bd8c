//! The hitches of a run, each with the frames around it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use stats_analysis::format::{NO_VALUE, count_text, value_text};
use stats_analysis::insight::{Finding, Hitch, Periodic};
use stats_core::Unit;

use super::markup::{Markup, element, joined};
use super::pictures;
use super::recording::{MAX_HITCHES, Recording};
use super::table::{Cell, stacked};
use crate::runs::{culprit_name, culprits_text, longest_text, own_ms, recurs_text, shares_text};

/// The number of frames to show on each side of a hitch.
const AROUND: u64 = 30;

/// The height of a small graph, in its units.
const HEIGHT: f64 = 40.0;

/// The maximum number of frames that a row lists.
const MAX_NAMED: usize = 8;

/// Returns a table of the hitches of a run, with the series that moved, and one of the frames that did more
/// work, but took no longer. Without any of them, it lists the slowest frames, which have no culprit.
pub(crate) fn table(run: &Recording<'_>) -> Markup {
    if run.listed.is_empty() {
        return element("p", &[], "There are no frames to judge.");
    }
    let mut content = element("p", &[], listed_text(run));
    if let Some(longest) = &run.metrics.explained.longest {
        content.push(element("p", &[], longest_text(longest)));
    }
    let mut screens = pictures::of_rows(run);
    if !run.has_more_work() {
        let slowest = run.listed.iter().collect();
        content.push(table_of("Slowest frames", slowest, run, &mut screens));
        return content;
    }
    content.push(repeats(run));
    let (hitches, others): (Vec<&Hitch>, Vec<&Hitch>) =
        run.listed.iter().partition(|hitch| hitch.is_seen());
    let others_text = others_text(run, others.len());
    for (name, text, frames) in [
        ("Hitches", None, hitches),
        ("Frames with more work", others_text, others),
    ] {
        content.push(joined(text.map(|text| element("p", &[], text))));
        if !frames.is_empty() {
            content.push(table_of(name, frames, run, &mut screens));
        }
    }
    content
}

fn table_of(
    name: &str,
    frames: Vec<&Hitch>,
    run: &Recording<'_>,
    screens: &mut BTreeMap<u64, Markup>,
) -> Markup {
    let mut before = None;
    let rows: Vec<Row<'_>> = (frames.into_iter())
        .map(|listed| Row {
            listed,
            around: Around::of(run, listed.frame),
            begin_secs: run.begin_secs(listed.frame),
            what_moved: run.what_moved(listed),
            during: during(run, listed.frame),
            log: (run.metrics.explained)
                .new_lines(listed.frame, before.replace(listed.frame))
                .map(|line| line.line.as_str())
                .collect(),
            screen: screens.remove(&listed.frame).unwrap_or_default(),
        })
        .collect();
    let columns = columns(run, &rows);
    let cells = rows
        .iter()
        .map(|row| columns.iter().map(|(_, cell)| cell(row)).collect());
    let titles: Vec<&str> = columns.iter().map(|(title, _)| *title).collect();
    stacked(name, &titles, cells.collect())
}

/// Returns the columns of a table. One without any content is left out.
fn columns(run: &Recording<'_>, rows: &[Row<'_>]) -> Vec<Column> {
    let mut columns: Vec<Column> = vec![
        ("frame", |row| row.frame()),
        ("at", |row| {
            Cell::number(row.begin_secs, value_text(row.begin_secs, Unit::Seconds))
        }),
        ("took", |row| ms(row.around.ms)),
        ("usually", |row| ms(row.listed.usual_ms)),
    ];
    if run.has_more_work() {
        columns.push(("excess", |row| ms(row.listed.excess_ms)));
        columns.push(("culprit", |row| Cell::text(culprits_text(row.listed))));
        columns.push(("share", |row| row.share()));
        columns.push(("what moved", |row| Cell::long(&*row.what_moved)));
    } else {
        columns.push(("longer than usual", |row| Cell::long(&*row.what_moved)));
    }
    let has = |is_there: fn(&Row<'_>) -> bool| rows.iter().any(is_there);
    if has(|row| !row.during.is_empty()) {
        columns.push(("during", |row| Cell::text(&*row.during)));
    }
    if has(|row| !row.log.is_empty()) {
        columns.push(("log before it", |row| row.log()));
    }
    if has(|row| !row.screen.is_empty()) {
        columns.push(("screen", |row| Cell::long(row.screen.clone())));
    }
    columns.push(("30 frames on each side", |row| {
        Cell::long(row.around.graph(row.listed.usual_ms))
    }));
    columns
}

/// Returns how many hitches a run has, and what a hitch is.
fn listed_text(run: &Recording<'_>) -> String {
    let text = match run.metrics.explained.seen().count() {
        0 if run.has_more_work() => "No frame is a hitch.".to_owned(),
        0 => "No frame is a hitch. These are the slowest frames.".to_owned(),
        seen @ 1..=MAX_HITCHES => count_text(seen as u64, "hitch.", "hitches."),
        seen => format!("{seen} hitches. These are the {MAX_HITCHES} longest."),
    };
    let excess = match run.has_more_work() {
        true => {
            " The excess is the time beyond the usual. Longer waits do not count, unless they made the frame long."
        }
        false => "",
    };
    format!("{text} A hitch is a frame that took longer than is usual for the program.{excess}")
}

/// Returns what the second table lists; `None` without a frame that did more work, but took no longer.
fn others_text(run: &Recording<'_>, listed: usize) -> Option<String> {
    let all = run.metrics.explained.hitches.len() - run.metrics.explained.seen().count();
    let those = match listed {
        _ if listed == all => String::new(),
        0 => " None is listed.".to_owned(),
        _ => format!(" These are the {listed} longest."),
    };
    let frames = count_text(all as u64, "frame", "frames");
    (all > 0).then(|| format!("{frames} did more work, but took no longer.{those}"))
}

/// The title of a column, and its cell in a row.
type Column = (&'static str, fn(&Row<'_>) -> Cell);

/// What the table shows of a frame.
struct Row<'a> {
    listed: &'a Hitch,
    around: Around,
    begin_secs: f64,
    what_moved: String,
    during: String,
    /// The lines of the log that no row before this one has.
    log: Vec<&'a str>,
    screen: Markup,
}

impl Row<'_> {
    fn frame(&self) -> Cell {
        let frame = self.listed.frame;
        Cell::number(frame as f64, frame.to_string())
    }

    fn share(&self) -> Cell {
        let culprit = self.listed.culprits().next();
        let part = culprit.filter(|culprit| culprit.is_part);
        let share = part.map_or(f64::NAN, |culprit| culprit.share);
        Cell::number(share, shares_text(self.listed))
    }

    /// Returns one line as it is, and several folded.
    fn log(&self) -> Cell {
        let [first, _, ..] = &self.log[..] else {
            return Cell::long(self.log.concat());
        };
        let count = count_text(self.log.len() as u64, "line", "lines");
        let mut folded = element("summary", &[], format!("{count}: {first}"));
        let others = self.log[1..].iter().map(|line| element("div", &[], *line));
        folded.push(joined(others));
        Cell::long(element("details", &[], folded))
    }
}

fn ms(ms: f64) -> Cell {
    Cell::number(ms, value_text(ms, Unit::Milliseconds))
}

/// Returns the names of the marks around a frame.
fn during(run: &Recording<'_>, frame: u64) -> String {
    let marks = run.metrics.marks_without_log();
    let around = marks.filter(|mark| mark.begin <= frame && mark.end.is_none_or(|end| frame < end));
    let names: Vec<&str> = around.map(|mark| mark.name.as_str()).collect();
    names.join(", ")
}

/// Returns a table of the culprits of several frames, the one with the most time first. A frame with two
/// culprits counts for both, each with its own part.
fn repeats(run: &Recording<'_>) -> Markup {
    let mut groups: BTreeMap<Cow<'_, str>, Vec<(&Hitch, &Finding)>> = BTreeMap::new();
    for hitch in run.listed.iter().filter(|hitch| hitch.is_seen()) {
        for culprit in hitch.culprits() {
            let group = groups.entry(culprit_name(culprit)).or_default();
            group.push((hitch, culprit));
        }
    }
    let mut groups: Vec<_> = (groups.into_iter())
        .filter(|(_, parts)| parts.len() > 1)
        .map(|(name, parts)| {
            let together_ms: f64 = (parts.iter())
                .map(|(hitch, culprit)| own_ms(hitch, culprit))
                .sum();
            (together_ms, name, parts)
        })
        .collect();
    if groups.is_empty() {
        return Markup::default();
    }
    groups.sort_by(|a, b| b.0.total_cmp(&a.0));
    let rows = groups.into_iter().map(|(together_ms, name, parts)| {
        let count = parts.len();
        let named: Vec<String> = (parts.iter().take(MAX_NAMED))
            .map(|(hitch, _)| hitch.frame.to_string())
            .collect();
        let more = if count > MAX_NAMED { ", …" } else { "" };
        vec![
            Cell::text(&*name),
            Cell::number(count as f64, count.to_string()),
            Cell::number(together_ms, value_text(together_ms, Unit::Milliseconds)),
            Cell::long(named.join(", ") + more),
            Cell::text(recurs(run, &parts)),
        ]
    });
    let titles = [
        "repeated culprit",
        "times",
        "its excess, together",
        "frames",
        "recurs",
    ];
    stacked("Repeated culprits", &titles, rows.collect())
}

/// Returns how the hitches of a culprit recur: as a stall of that culprit, or as one of another culprit of
/// the same hitches.
fn recurs(run: &Recording<'_>, parts: &[(&Hitch, &Finding)]) -> String {
    let frames_of = |stall: &Periodic| {
        let lasts = stall.first_frame..=stall.newest_frame();
        let frames = parts.iter().map(|(hitch, _)| hitch.frame);
        let on_it = frames.filter(|frame| lasts.contains(frame) && stall.has(*frame));
        on_it.count()
    };
    // The time in no scope has no series, and a stall without a culprit has no role.
    let with_role = || (run.metrics.explained.periodic.iter()).filter(|stall| stall.role.is_some());
    let own = with_role().find(|stall| stall.series == parts[0].1.series);
    match own.or_else(|| with_role().find(|stall| frames_of(stall) >= stall.count)) {
        None => NO_VALUE.to_owned(),
        Some(stall) if stall.count < parts.len() => {
            format!("{} of them {}", stall.count, recurs_text(stall))
        }
        Some(stall) => recurs_text(stall),
    }
}

/// A frame, and the frames around it.
struct Around {
    /// The duration of the frame.
    ms: f64,
    /// The durations of all these frames, and the position of the frame among them.
    all_ms: Vec<f64>,
    at: usize,
}

impl Around {
    fn of(run: &Recording<'_>, frame: u64) -> Self {
        let window = run
            .frames_ms()
            .within(frame.saturating_sub(AROUND)..frame + AROUND + 1);
        let all_ms: Vec<f64> = window.iter().collect();
        let at = (frame - window.first_frame()) as usize;
        let ms = all_ms.get(at).copied().unwrap_or(f64::NAN);
        Self { ms, all_ms, at }
    }

    fn graph(&self, usual_ms: f64) -> Markup {
        let longest = self.all_ms.iter().copied().fold(1e-9, f64::max);
        let bar = |at: usize| {
            let height = self.all_ms[at] / longest * HEIGHT;
            match height.is_nan() {
                true => String::new(),
                false => format!("M{at} {HEIGHT}v{:.1}h1V{HEIGHT}z", -height),
            }
        };
        let count = self.all_ms.len();
        let others: String = (0..count).filter(|at| *at != self.at).map(bar).collect();
        let mut paths = element("path", &[("class", "area"), ("d", &others)], "");
        paths.push(element(
            "path",
            &[("class", "hitch"), ("d", &bar(self.at))],
            "",
        ));
        let view = format!("0 0 {count} {HEIGHT}");
        let text = format!(
            "A usual frame takes {}",
            value_text(usual_ms, Unit::Milliseconds)
        );
        let svg = [
            ("class", "mini"),
            ("viewBox", view.as_str()),
            ("preserveAspectRatio", "none"),
            ("role", "img"),
            ("aria-label", text.as_str()),
        ];
        element("svg", &svg, paths)
    }
}
