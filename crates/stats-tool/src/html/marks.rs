//! The marks of a run below its frame times.

use std::ops::Range;

use stats_analysis::format::{count_text, value_text};
use stats_capture::MarkKind;
use stats_core::Unit;

use super::axis::Axis;
use super::markup::{Markup, element, joined};
use super::recording::Recording;

/// The maximum number of marks to show for a run.
const MAX_MARKS: usize = 200;

/// The maximum number of rows of marks.
const MAX_LANES: usize = 4;

/// Returns the marks in as few rows as possible, each with room for its name if a character has this
/// width.
pub(super) fn lanes(run: &Recording<'_>, at: usize, axis: &Axis, character: f64) -> Markup {
    let mut lanes: Vec<(f64, Markup)> = Vec::new();
    // Lines of the log are shown with the hitches.
    let marks = run.metrics.marks_without_log();
    let mut hidden = marks.clone().count().saturating_sub(MAX_MARKS);
    for mark in marks.take(MAX_MARKS) {
        let begin = axis.place(at, run.begin_secs(mark.begin));
        let end = match mark.kind {
            MarkKind::Point => begin,
            _ => {
                let end = run.begin_secs(mark.end.unwrap_or(u64::MAX));
                axis.place(at, end - 1e-9).max(begin)
            }
        };
        let text = format!(
            "{}, at {}",
            mark.name,
            value_text(run.begin_secs(mark.begin), Unit::Seconds)
        );
        let (width, filled) = mark_width(&mark.name, begin..end, character);
        let style = format!(
            "left:{:.2}%;width:{:.2}%;background-size:{:.2}% 100%",
            100.0 * begin,
            100.0 * width,
            100.0 * filled
        );
        let label = element(
            "span",
            &[("style", &style), ("title", &text)],
            mark.name.as_str(),
        );
        let free = lanes.iter().position(|(used, _)| *used <= begin);
        match free {
            Some(lane) => {
                lanes[lane].0 = begin + width;
                lanes[lane].1.push(label);
            }
            None if lanes.len() < MAX_LANES => lanes.push((begin + width, label)),
            None => hidden += 1,
        }
    }
    let lanes = lanes
        .into_iter()
        .map(|(_, lane)| element("div", &[("class", "lane")], lane));
    let mut lanes = joined(lanes);
    if hidden > 0 {
        let (one, many) = ("more mark does not fit.", "more marks do not fit.");
        let text = count_text(hidden as u64, one, many);
        lanes.push(element("div", &[("class", "muted")], text));
    }
    lanes
}

/// Returns the width of a mark with its name, up to the end of the strip, and the share of it that the
/// time of the mark takes.
fn mark_width(name: &str, time: Range<f64>, character: f64) -> (f64, f64) {
    let length = time.end - time.start;
    let name = (name.chars().count() + 1) as f64 * character;
    let width = length
        .max(name.min(1.0 - time.start))
        .max(f64::MIN_POSITIVE);
    (width, length / width)
}

#[cfg(test)]
mod tests {
    use super::super::strip::CHARACTER;
    use super::mark_width;

    #[test]
    fn a_short_mark_has_room_for_its_name_and_a_long_one_its_time() {
        for character in CHARACTER {
            let (width, filled) = mark_width("loading", 0.0..0.01, character);
            assert!(width >= 7.0 * character);
            assert!((width * filled - 0.01).abs() < 1e-12);
            assert_eq!(mark_width("a", 0.0..0.5, character), (0.5, 1.0));
            // At the end there is no more room.
            let (width, filled) = mark_width("loading", 0.95..0.95, character);
            assert!(width <= 0.05 + 1e-12 && filled == 0.0, "{width} {filled}");
        }
    }
}
