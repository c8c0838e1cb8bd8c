//! What the pictures share: their size, and their axes.

use std::fmt::Write;

use stats_analysis::format::NumberStyle;
use stats_core::Unit;

use super::escape::escape;

/// The size of a picture in its own units. It is as wide as the page.
pub(super) const SIZE: [f64; 2] = [1000.0, 260.0];

/// The room for labels: left, top, right, bottom.
const MARGIN: [f64; 4] = [64.0, 20.0, 8.0, 24.0];

/// A picture with a horizontal and a vertical axis.
pub(super) struct Chart {
    x: [f64; 2],
    /// The value at the top. The bottom is 0.
    top: f64,
    svg: String,
}

impl Chart {
    /// Returns an empty picture whose axes have these ranges. `title` says what it shows.
    pub(super) fn new(title: &str, x: [f64; 2], top: f64) -> Self {
        let [width, height] = SIZE;
        let title = escape(title);
        let svg = format!(
            "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\"><title>{title}</title>\n"
        );
        Self { x, top, svg }
    }

    /// Returns where a value is, from the left.
    pub(super) fn at_x(&self, value: f64) -> f64 {
        let share = (value - self.x[0]) / (self.x[1] - self.x[0]).max(f64::MIN_POSITIVE);
        MARGIN[0] + share.clamp(0.0, 1.0) * (SIZE[0] - MARGIN[0] - MARGIN[2])
    }

    /// Returns where a value is, from the top.
    pub(super) fn at_y(&self, value: f64) -> f64 {
        let share = (value / self.top).clamp(0.0, 1.0);
        SIZE[1] - MARGIN[3] - share * (SIZE[1] - MARGIN[1] - MARGIN[3])
    }

    /// Adds a vertical line over the whole height, with a label at its top or, so that two labels do
    /// not cover each other, in a `row` below.
    pub(super) fn line_at_x(&mut self, value: f64, class: &str, label: &str, row: u8) {
        let (x, top, bottom) = (self.at_x(value), MARGIN[1], SIZE[1] - MARGIN[3]);
        let anchor = if x > SIZE[0] * 0.8 { "end" } else { "start" };
        let _ = writeln!(
            self.svg,
            "<line class=\"{class}\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{top}\" y2=\"{bottom}\"/>"
        );
        self.text(
            x + if anchor == "end" { -3.0 } else { 3.0 },
            top - 6.0 + 14.0 * f64::from(row),
            anchor,
            label,
        );
    }

    /// Adds a horizontal line over the whole width, with a label at its left.
    pub(super) fn line_at_y(&mut self, value: f64, class: &str, label: &str) {
        let (y, left, right) = (self.at_y(value), MARGIN[0], SIZE[0] - MARGIN[2]);
        let _ = writeln!(
            self.svg,
            "<line class=\"{class}\" x1=\"{left}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>"
        );
        self.text(left - 4.0, y + 4.0, "end", label);
    }

    /// Adds lines at round values of the vertical axis.
    pub(super) fn grid(&mut self, unit: Unit) {
        for (value, label) in round_values(self.top, unit) {
            self.line_at_y(value, "grid", &label);
        }
    }

    /// Adds round values below the horizontal axis, which begins at 0.
    pub(super) fn labels_x(&mut self, unit: Unit) {
        for (value, label) in round_values(self.x[1], unit) {
            self.label_x(value, &label);
        }
    }

    /// Adds a label below the horizontal axis.
    pub(super) fn label_x(&mut self, value: f64, label: &str) {
        let x = self.at_x(value);
        let anchor = match x {
            x if x < SIZE[0] * 0.1 => "start",
            x if x > SIZE[0] * 0.9 => "end",
            _ => "middle",
        };
        self.text(x, SIZE[1] - 7.0, anchor, label);
    }

    /// Adds an area that is filled over a part of the horizontal axis.
    pub(super) fn rectangle(&mut self, x: [f64; 2], value: f64, class: &str, title: &str) {
        let (left, right) = (self.at_x(x[0]), self.at_x(x[1]));
        let (top, bottom) = (self.at_y(value), SIZE[1] - MARGIN[3]);
        let _ = writeln!(
            self.svg,
            "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\"><title>{}</title></rect>",
            (right - left).max(0.5),
            bottom - top,
            escape(title)
        );
    }

    /// Adds a path through points of the picture.
    pub(super) fn path(&mut self, class: &str, points: &str) {
        let _ = writeln!(self.svg, "<path class=\"{class}\" d=\"{points}\"/>");
    }

    fn text(&mut self, x: f64, y: f64, anchor: &str, text: &str) {
        let _ = writeln!(
            self.svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
            escape(text)
        );
    }

    /// Returns the picture.
    pub(super) fn finish(mut self) -> String {
        self.svg += "</svg>\n";
        self.svg
    }
}

/// Returns the multiples of a round step from 0 to `top`, about four, with their labels.
fn round_values(top: f64, unit: Unit) -> Vec<(f64, String)> {
    let magnitude = 10_f64.powf((top / 4.0).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * magnitude);
    let step = steps
        .into_iter()
        .find(|step| top / step <= 5.0)
        .unwrap_or(top);
    let style = NumberStyle::new(unit, top, false).for_step(step);
    (0..=5)
        .map(|count| f64::from(count) * step)
        .filter(|value| *value <= top)
        .map(|value| (value, style.text(value)))
        .collect()
}
