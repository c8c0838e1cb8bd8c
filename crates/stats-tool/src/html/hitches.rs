//! The hitches of a run, each with the frames around it.

use std::collections::BTreeMap;

use stats_analysis::format::{NO_VALUE, count_text, value_text};
use stats_analysis::insight::Hitch;
use stats_core::Unit;

use super::markup::{Markup, element};
use super::pictures;
use super::recording::{MAX_HITCHES, Recording};
use super::table::{Cell, sortable};
use crate::runs::{culprit_text, share_text};

/// The number of frames to show on each side of a hitch.
const AROUND: u64 = 30;

/// The height of a small graph, in its units.
const HEIGHT: f64 = 40.0;

/// The title of the column with the lines of the log.
const LOG: &str = "log before it";

/// The title of the column with the screen.
const SCREEN: &str = "screen";

/// The maximum number of frames that a row lists.
const MAX_NAMED: usize = 8;

/// Returns a table of the hitches of a run, with the series that moved. Without hitches, it lists
/// the slowest frames.
pub(crate) fn table(run: &Recording<'_>) -> Markup {
    if run.listed.is_empty() {
        return element("p", &[], "There are no frames to judge.");
    }
    let mut text = match run.metrics.explained.hitches.len() {
        0 => "No frame is a hitch. These are the slowest frames.".to_owned(),
        count if count <= MAX_HITCHES => count_text(count as u64, "hitch.", "hitches."),
        count => format!("{count} hitches. These are the {MAX_HITCHES} longest."),
    };
    text +=
        " A hitch is a frame that took longer, or worked longer, than is usual for the program.";
    let mut content = element("p", &[], text);
    // The slowest frames of a run without a hitch have no culprits that matter.
    if !run.metrics.explained.hitches.is_empty() {
        content.push(repeats(run));
    }
    // Only a run that keeps its log has the one column, and only one with pictures the other.
    let has_log = !run.metrics.explained.log.is_empty();
    let mut screens = pictures::of_rows(run);
    let has_screens = !screens.is_empty();
    let titles: Vec<&str> = [
        "frame",
        "at",
        "took",
        "more work",
        "culprit",
        "share",
        "what moved",
        "during",
        LOG,
        SCREEN,
        "30 frames on each side",
    ]
    .into_iter()
    .filter(|title| (has_log || *title != LOG) && (has_screens || *title != SCREEN))
    .collect();
    let rows = run.listed.iter();
    let mut screen = |frame| has_screens.then(|| screens.remove(&frame).unwrap_or_default());
    let rows = rows.map(|explained| row(run, explained, screen(explained.frame)));
    let rows = rows.collect();
    content.push(sortable("Hitches", &titles, rows));
    content
}

fn row(run: &Recording<'_>, explained: &Hitch, screen: Option<Markup>) -> Vec<Cell> {
    let frame = explained.frame;
    let around = Around::of(run, frame);
    let secs = run.begin_secs(frame);
    let ms = |ms| value_text(ms, Unit::Milliseconds);
    let marks = run.metrics.marks_without_log();
    let during: Vec<&str> = marks
        .filter(|mark| mark.begin <= frame && mark.end.is_none_or(|end| frame < end))
        .map(|mark| mark.name.as_str())
        .collect();
    let log = run.metrics.explained.log.get(&frame).into_iter().flatten();
    let log: Vec<&str> = log.map(|line| line.line.as_str()).collect();
    let culprit = explained.culprit();
    let share = culprit.map_or(NO_VALUE.to_owned(), share_text);
    let of_time = culprit.filter(|culprit| culprit.is_part);
    let share_number = of_time.map_or(f64::NAN, |culprit| culprit.share);
    let mut cells = vec![
        Cell::number(frame as f64, frame.to_string()),
        Cell::number(secs, value_text(secs, Unit::Seconds)),
        Cell::number(around.ms, ms(around.ms)),
        Cell::number(explained.excess_ms, ms(explained.excess_ms)),
        Cell::text(culprit_text(explained)),
        Cell::number(share_number, share),
        Cell::text(explained.verdict.as_str()),
        Cell::text(during.join(", ")),
    ];
    if !run.metrics.explained.log.is_empty() {
        cells.push(Cell::text(log.join("; ")));
    }
    cells.extend(screen.map(Cell::text));
    cells.push(Cell::text(around.graph(explained.usual_ms)));
    cells
}

/// Returns a table of the culprits of several frames, the one with the most time first.
fn repeats(run: &Recording<'_>) -> Markup {
    let mut groups: BTreeMap<&str, Vec<&Hitch>> = BTreeMap::new();
    for hitch in &run.listed {
        if hitch.culprit().is_some() {
            groups.entry(culprit_text(hitch)).or_default().push(hitch);
        }
    }
    let mut groups: Vec<(f64, &str, Vec<&Hitch>)> = (groups.into_iter())
        .filter(|(_, hitches)| hitches.len() > 1)
        .map(|(name, hitches)| {
            let excess_ms = hitches.iter().map(|hitch| hitch.excess_ms).sum();
            (excess_ms, name, hitches)
        })
        .collect();
    if groups.is_empty() {
        return Markup::default();
    }
    groups.sort_by(|a, b| b.0.total_cmp(&a.0));
    let rows = groups.into_iter().map(|(excess_ms, name, hitches)| {
        let count = hitches.len();
        let named: Vec<String> = (hitches.iter().take(MAX_NAMED))
            .map(|hitch| hitch.frame.to_string())
            .collect();
        let more = if count > MAX_NAMED { ", …" } else { "" };
        let culprit = hitches[0].culprit().map(|culprit| &culprit.path);
        let mut stalls = run.metrics.explained.periodic.iter();
        let stall = stalls.find(|stall| Some(&stall.path) == culprit);
        vec![
            Cell::text(name),
            Cell::number(count as f64, count.to_string()),
            Cell::number(excess_ms, value_text(excess_ms, Unit::Milliseconds)),
            Cell::text(named.join(", ") + more),
            Cell::text(stall.map_or(NO_VALUE.to_owned(), |stall| {
                format!("every {}", stall.interval_text())
            })),
        ]
    });
    let titles = [
        "repeated culprit",
        "times",
        "more work, together",
        "frames",
        "recurs",
    ];
    sortable("Repeated culprits", &titles, rows.collect())
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
