//! The frame times of a run over time.

use std::ops::Range;

use stats_analysis::axis::round_step;
use stats_analysis::format::{count_text, value_text};
use stats_analysis::insight::WARM_UP_FRAMES;
use stats_core::{FrameStatistics, Unit};

use super::axis::Axis;
use super::columns::Columns;
use super::marks::lanes;
use super::markup::{Markup, element, joined};
use super::recording::Recording;

/// The number of columns of a strip.
const COLUMNS: usize = 1100;

/// The number of columns into which zooming divides each column.
const ZOOMED: usize = 4;

/// The height of a strip, in its units.
const HEIGHT: f64 = 400.0;

/// The width of a character of a label, as a share of a strip that is 900 pixels wide, and of one on a
/// phone.
pub(super) const CHARACTER: [f64; 2] = [0.0085, 0.033];

/// The side of a run, which determines its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Before,
    After,
}

impl Side {
    fn class(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
        }
    }
}

/// Returns the largest time that strips show, chosen so that a few long frames do not flatten the
/// others.
pub(crate) fn top_ms(runs: &[&Recording<'_>]) -> f64 {
    let of = |run: &&Recording<'_>| {
        let FrameStatistics {
            median_ms,
            p99_9_by_frame_ms,
            ..
        } = run.metrics.clock("frame")?.statistics;
        let budget_ms = run.budget_ms().unwrap_or(0.0);
        let wanted = (2.0 * median_ms)
            .max(1.2 * p99_9_by_frame_ms)
            .max(1.25 * budget_ms);
        Some(wanted)
    };
    let top_ms = runs.iter().filter_map(of).fold(0.0, f64::max);
    if top_ms > 0.0 {
        rounded_up(top_ms)
    } else {
        1.0
    }
}

/// Rounds up to a number with at most two significant digits.
fn rounded_up(value: f64) -> f64 {
    let power = value.log10().floor() as i32 - 1;
    // Dividing by a whole power of ten rounds only once. Its reciprocal is already rounded.
    let digits = (value / 10.0_f64.powi(power) - 1e-9).ceil();
    if power < 0 {
        digits / 10.0_f64.powi(-power)
    } else {
        digits * 10.0_f64.powi(power)
    }
}

/// Returns the frame times of a run, with its marks and hitches. `side` is its side on an axis of
/// two runs.
pub(crate) fn strip(run: &Recording<'_>, side: Side, axis: &Axis, top_ms: f64) -> Markup {
    let at = side as usize;
    let frames = run.frames_ms();
    let mut columns = [1, ZOOMED].map(|times| Columns::new(times * COLUMNS));
    let mut longer = 0;
    for (ms, frame) in frames.iter().zip(frames.first_frame()..) {
        let begin = run.begin_secs(frame);
        let end = axis.place(at, begin + ms / 1e3 - 1e-9);
        for columns in &mut columns {
            columns.add(axis.place(at, begin)..end, ms);
        }
        longer += usize::from(ms > top_ms);
    }
    let y = |ms: f64| (HEIGHT * (1.0 - ms.max(0.0) / top_ms)).max(0.0) as i32;
    let mut drawing = grounds(run, at, axis);
    for (columns, class, scale) in [
        (&columns[0], "whole", 1.0),
        (&columns[1], "part", 1.0 / ZOOMED as f64),
    ] {
        let transform = format!("scale({scale} 1)");
        let group = [("class", class), ("transform", transform.as_str())];
        drawing.push(element(
            "g",
            &group,
            joined([columns.band(y), columns.middle(y)]),
        ));
    }
    for place in axis.common() {
        drawing.push(vertical("rule", place, HEIGHT as i32));
    }
    if let Some(budget_ms) = run.budget_ms() {
        let y = y(budget_ms);
        let path = format!("M0 {y}H{COLUMNS}");
        drawing.push(element("path", &[("class", "budget"), ("d", &path)], ""));
    }
    for hitch in run.metrics.explained.seen() {
        let place = axis.place(at, run.begin_secs(hitch.frame));
        drawing.push(vertical("hitch", place, HEIGHT as i32));
    }
    let view = format!("0 0 {COLUMNS} {HEIGHT}");
    let summary = format!(
        "Frame times of {}: {} in {}",
        run.name(),
        count_text(frames.len() as u64, "frame", "frames"),
        value_text(run.seconds(), Unit::Seconds)
    );
    let svg = [
        ("viewBox", view.as_str()),
        ("preserveAspectRatio", "none"),
        ("role", "img"),
        ("aria-label", summary.as_str()),
    ];
    let mut frame = element("svg", &svg, drawing);
    frame.push(levels(top_ms));
    // The axis directly follows the graph.
    let mut plot = hitch_labels(run, at, axis);
    plot.push(element("div", &[("class", "frame")], frame));
    plot.push(seconds(axis));
    for (character, width) in CHARACTER.into_iter().zip(["desktop", "phone"]) {
        let lanes = lanes(run, at, axis, character);
        if !lanes.is_empty() {
            plot.push(element("div", &[("class", width)], lanes));
        }
    }
    let mut figure = element("div", &[("class", "plot labels")], plot);
    if longer > 0 {
        let (one, many) = ("frame is", "frames are");
        let text = format!(
            "{} longer than {top_ms} ms, and cut off at the top.",
            count_text(longer as u64, one, many)
        );
        figure.push(element("figcaption", &[], text));
    }
    element("figure", &[("class", side.class())], figure)
}

/// Returns the legend of what the strips of some runs show. The frame times of each side have a color.
pub(crate) fn legend(runs: &[&Recording<'_>], sides: &[Side]) -> Markup {
    let has_hitch = (runs.iter()).any(|run| run.metrics.explained.seen().next().is_some());
    let has_budget = runs.iter().any(|run| run.budget_ms().is_some());
    let has_left_out = runs.iter().any(|run| run.metrics.left_out.frames() > 0);
    let has_first = (runs.iter()).any(|run| run.metrics.explained.is_examined());
    let name = match sides {
        [_] => "frame time, from the fastest to the slowest frame of a column",
        _ => "after: frame time, from the fastest to the slowest frame of a column",
    };
    let times = sides.iter().enumerate().map(|(at, side)| {
        let name = if at + 1 == sides.len() {
            name
        } else {
            "before"
        };
        (side.class(), name)
    });
    let first =
        format!("the first {WARM_UP_FRAMES} frames: they show what is usual, so none is a hitch");
    let others = [
        (has_hitch, "hitch-key", "hitch"),
        (has_budget, "budget-key", "budget"),
        (has_left_out, "left-out-key", "left out"),
        (has_first, "first-frames-key", first.as_str()),
    ];
    let others = others.into_iter().filter(|(is_shown, ..)| *is_shown);
    let mut content = Markup::default();
    for (class, name) in times.chain(others.map(|(_, class, name)| (class, name))) {
        let class = format!("key {class}");
        content.push(element("span", &[("class", &class)], ""));
        content.push(name.into());
    }
    element("p", &[("class", "muted")], content)
}

/// Returns strips on one axis, into which a script zooms.
pub(crate) fn zoomable(content: Markup, axis: &Axis) -> Markup {
    let seconds = axis.seconds.to_string();
    element(
        "div",
        &[("class", "zoom"), ("data-seconds", &seconds)],
        content,
    )
}

/// Returns the labels of an axis below a strip, in seconds.
fn seconds(axis: &Axis) -> Markup {
    let step = round_step((axis.seconds / 6.0).max(1e-9), 10);
    let count = (axis.seconds / step) as usize;
    let ticks = (0..=count).map(|at| {
        let secs = at as f64 * step;
        let place = secs / axis.seconds;
        // Rounds away the error of a product such as 3 × 0.1.
        let text = format!("{} s", (secs * 1e6).round() / 1e6);
        tick(place, &text)
    });
    element("div", &[("class", "ticks")], joined(ticks))
}

/// Returns a label at a position on an axis, from 0 to 1.
pub(crate) fn tick(place: f64, text: &str) -> Markup {
    label(place, text, side_of(place))
}

/// Returns how a label at a position is aligned, as a class.
fn side_of(place: f64) -> &'static str {
    match place {
        _ if place < 0.03 => "first",
        _ if place > 0.94 => "last",
        _ => "",
    }
}

fn label(place: f64, text: &str, class: &str) -> Markup {
    let style = format!("left:{:.2}%", 100.0 * place);
    element("span", &[("class", class), ("style", &style)], text)
}

/// Returns a vertical line at a position, downward from the top.
fn vertical(class: &str, place: f64, length: i32) -> Markup {
    let path = format!("M{:.1} 0V{length}", place * COLUMNS as f64);
    element("path", &[("class", class), ("d", &path)], "")
}

fn levels(top_ms: f64) -> Markup {
    let level = |(class, share): (&str, f64)| {
        let class = format!("level {class}");
        let style = format!("top:{}%", 100.0 * (1.0 - share));
        let text = format!("{} ms", top_ms * share);
        element("span", &[("class", &class), ("style", &style)], text)
    };
    joined([("top", 1.0), ("middle", 0.5), ("bottom", 0.0)].map(level))
}

/// Returns the backgrounds of the first frames and of those that are left out.
fn grounds(run: &Recording<'_>, at: usize, axis: &Axis) -> Markup {
    let ground = |class: &str, frames: &Range<u64>| {
        let place = |frame| COLUMNS as f64 * axis.place(at, run.begin_secs(frame));
        let [begin, end] = [frames.start, frames.end].map(place);
        let path = format!("M{begin:.1} 0H{end:.1}V{HEIGHT}H{begin:.1}z");
        element("path", &[("class", class), ("d", &path)], "")
    };
    let first = run.metrics.explained.first_frames.iter();
    let first = first.map(|frames| ground("first-frames", frames));
    let left_out = run.metrics.left_out.ranges.iter();
    joined(first.chain(left_out.map(|(_, frames)| ground("dropped", frames))))
}

/// Returns the frames of the hitches, above their lines.
fn hitch_labels(run: &Recording<'_>, at: usize, axis: &Axis) -> Markup {
    let hitches = run.metrics.explained.seen();
    let wanted = hitches.map(|hitch| {
        let place = axis.place(at, run.begin_secs(hitch.frame));
        (place, format!("frame {}", hitch.frame))
    });
    let labels = fitting(wanted)
        .into_iter()
        .map(|(place, text, fits_phone)| {
            let class = match (side_of(place), fits_phone) {
                (side, true) => side.to_owned(),
                (side, false) => format!("{side} wide"),
            };
            label(place, &text, class.trim_start())
        });
    let labels: Vec<Markup> = labels.collect();
    if labels.is_empty() {
        return Markup::default();
    }
    element("div", &[("class", "ticks hitches")], joined(labels))
}

/// Returns the labels that do not touch an earlier one, and for each whether that is so on a phone, too.
fn fitting(wanted: impl Iterator<Item = (f64, String)>) -> Vec<(f64, String, bool)> {
    let mut free = [f64::NEG_INFINITY; 2];
    let mut labels = Vec::new();
    for (place, text) in wanted {
        let extents = CHARACTER.map(|character| extent(place, &text, character));
        if extents[0].start < free[0] {
            continue;
        }
        free[0] = extents[0].end;
        let fits_phone = extents[1].start >= free[1];
        if fits_phone {
            free[1] = extents[1].end;
        }
        labels.push((place, text, fits_phone));
    }
    labels
}

/// Returns what a label takes of a strip, with a space, if a character has this width.
fn extent(place: f64, text: &str, character: f64) -> Range<f64> {
    let width = (text.chars().count() + 1) as f64 * character;
    let start = match side_of(place) {
        "first" => place,
        "last" => place - width,
        _ => place - width / 2.0,
    };
    start..start + width
}

#[cfg(test)]
mod tests {
    use super::{CHARACTER, extent, fitting, rounded_up};

    #[test]
    fn the_top_is_round_and_not_below_the_value() {
        let tops = [0.0123, 1.0, 16.67, 25.0, 7408.23].map(rounded_up);
        assert_eq!(tops, [0.013, 1.0, 17.0, 25.0, 7500.0]);
    }

    #[test]
    fn labels_of_hitches_touch_no_other_one_on_a_desktop_or_a_phone() {
        // Places at all distances from each other, closer at the ends, where labels are aligned
        // to a side.
        for hitches in [1, 2, 7, 20, 100, 390] {
            for power in [0.5, 1.0, 2.0] {
                let place = |at: u32| (f64::from(at) / f64::from(hitches)).powf(power);
                let wanted = (0..hitches).map(|at| (place(at), format!("frame {}", 1000 * at)));
                let labels = fitting(wanted);
                assert!(labels[0].2, "the first one is shown everywhere");
                for (character, is_phone) in CHARACTER.into_iter().zip([false, true]) {
                    let shown = labels.iter().filter(|label| label.2 || !is_phone);
                    let extents: Vec<_> = shown
                        .map(|(place, text, _)| extent(*place, text, character))
                        .collect();
                    for pair in extents.windows(2) {
                        assert!(pair[0].end <= pair[1].start, "{hitches}: {pair:?}");
                    }
                }
            }
        }
    }
}
