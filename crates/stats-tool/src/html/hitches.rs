//! The hitches of a run, each with the frames around it.

use stats_analysis::format::value_text;
use stats_core::Unit;

use super::markup::{Markup, element};
use super::recording::Recording;
use super::table::{Cell, sortable};

/// The number of frames that are shown on each side of a hitch.
const AROUND: u64 = 30;

/// The maximum number of hitches of a run that are listed, the longest ones.
const MAX_HITCHES: usize = 50;

/// The number of frames that are listed if none is a hitch.
const SLOWEST: usize = 5;

/// The height of a small graph, in its units.
const HEIGHT: f64 = 40.0;

/// Returns the hitches of a run; if there are none, its slowest frames.
pub(super) fn table(run: &Recording<'_>) -> Markup {
    let mut frames = run.hitches();
    let rule = run
        .metrics
        .clock("frame")
        .map(|clock| clock.statistics.rules.hitch);
    let mut text = match (frames.len(), rule) {
        (0, _) => {
            frames = slowest(run);
            "No frame is a hitch. These are the slowest ones.".to_owned()
        }
        (count @ ..=MAX_HITCHES, _) => format!("{count} hitches."),
        (count, _) => format!("{count} hitches. These {MAX_HITCHES} took longest."),
    };
    if frames.is_empty() {
        return element("p", &[], "There are no frames to judge.");
    }
    if let Some(rule) = rule {
        text += &format!(
            " A hitch takes more than {}, at least {} times the frame before, and comes {} or more after the last one.",
            value_text(rule.threshold_ms, Unit::Milliseconds),
            rule.ratio,
            value_text(rule.dead_time_ms, Unit::Milliseconds)
        );
    }
    let times = run.frames_ms();
    let ms_of = |frame: u64| times.at(frame).unwrap_or(f64::NAN);
    frames.sort_by(|a, b| ms_of(*b).total_cmp(&ms_of(*a)));
    frames.truncate(MAX_HITCHES);
    frames.sort_unstable();
    let mut content = element("p", &[], text);
    let titles = [
        "frame",
        "at",
        "took",
        "more than usual",
        "during",
        "30 frames on each side",
    ];
    let rows = frames.into_iter().map(|frame| row(run, frame)).collect();
    content.push(sortable("Hitches", &titles, rows));
    content
}

fn row(run: &Recording<'_>, frame: u64) -> Vec<Cell> {
    let around = Around::of(run, frame);
    let excess = around.ms - around.usual_ms;
    let secs = run.begin_secs(frame);
    let ms = |ms| value_text(ms, Unit::Milliseconds);
    let marks = run.metrics.marks.iter();
    let during: Vec<&str> = marks
        .filter(|mark| mark.begin <= frame && mark.end.is_none_or(|end| frame < end))
        .map(|mark| mark.name.as_str())
        .collect();
    vec![
        Cell::number(frame as f64, frame.to_string()),
        Cell::number(secs, value_text(secs, Unit::Seconds)),
        Cell::number(around.ms, ms(around.ms)),
        Cell::number(excess, ms(excess)),
        Cell::text(during.join(", ")),
        Cell::text(around.graph()),
    ]
}

/// A frame and those around it.
struct Around {
    /// Its duration.
    ms: f64,
    /// The median of the other frames; the frame's own time if there are none.
    usual_ms: f64,
    /// The times of all these frames, and the position of the frame among them.
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
        let mut others = all_ms.clone();
        others.swap_remove(at);
        others.retain(|ms| !ms.is_nan());
        others.sort_by(f64::total_cmp);
        Self {
            usual_ms: others.get(others.len() / 2).copied().unwrap_or(ms),
            ms,
            all_ms,
            at,
        }
    }

    fn graph(&self) -> Markup {
        let most = self.all_ms.iter().copied().fold(1e-9, f64::max);
        let bar = |at: usize| {
            let height = self.all_ms[at] / most * HEIGHT;
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
            "The usual frame around it took {}",
            value_text(self.usual_ms, Unit::Milliseconds)
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

fn slowest(run: &Recording<'_>) -> Vec<u64> {
    let times = run.frames_ms();
    let left_out = &run.metrics.left_out.ranges;
    let mut frames: Vec<(f64, u64)> = times
        .iter()
        .zip(times.first_frame()..)
        .filter(|(ms, frame)| {
            !ms.is_nan() && !left_out.iter().any(|(_, range)| range.contains(frame))
        })
        .collect();
    frames.sort_by(|a, b| b.0.total_cmp(&a.0));
    frames.truncate(SLOWEST);
    frames.into_iter().map(|(_, frame)| frame).collect()
}
