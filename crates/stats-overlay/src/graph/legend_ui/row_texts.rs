//! The texts of a legend's row.

use std::borrow::Cow;

use egui::Context;

use super::LegendUi;
use super::columns::Columns;
use crate::data::samples::samples_text;
use crate::graph::choices::ValueRange;
use crate::graph::legend::{Cell, LegendTexts};
use crate::graph::ranges::Side;
use crate::input::key_hint::with_keys;
use stats_analysis::axis::Mapping;
use stats_analysis::format::{NO_VALUE, NumberStyle};
use stats_analysis::summary::Summary;
use stats_ui::text::one_line;

/// The maximum width of an end of a range, in characters.
const RANGE_CHARS: usize = 9;
/// A series lower than this share of its axis looks flat.
const FLAT: f64 = 0.02;

impl LegendUi<'_> {
    /// Returns the contents of a row as text.
    pub(super) fn row_text(&self, at: usize, columns: &Columns) -> String {
        let Some(texts) = self.numbers_of(at) else {
            return self.absent_text(at);
        };
        let mut said = String::new();
        for &(cell, _) in &columns.numbers {
            let text = self.cell_text(at, cell, texts);
            said.push_str(&format!("{} {text} ", self.name_of(cell)));
        }
        said.push_str(&texts.unit);
        match self.side_text(at) {
            "" => said,
            "own scale" | "range in the legend" => {
                format!("{}, range {}", said.trim_end(), self.range_text(at))
            }
            side => format!("{}, {side}", said.trim_end()),
        }
    }

    /// Returns the tooltip of a row.
    pub(super) fn tip(&self, ctx: &Context, at: usize) -> String {
        let selected = &self.selected[at];
        let hint = if self.solo == Some(selected.path.as_str()) {
            "Click to show all again"
        } else {
            "Click to show it alone"
        };
        let why = match selected.unavailable() {
            "" => String::new(),
            why => format!("\n{}", one_line(why, 600)),
        };
        let axis = self.axis_hint(ctx, at);
        let samples = self.samples(at);
        let path = one_line(&selected.path, 600);
        format!("{path}{why}{samples}{axis}\n{hint}")
    }

    /// Returns what a row of a histogram shows, and its samples; empty for any other series.
    fn samples(&self, at: usize) -> String {
        let selected = &self.selected[at];
        if !selected.is_histogram() {
            return String::new();
        }
        let samples = self
            .data
            .distribution(at)
            .map_or_else(String::new, |samples| {
                format!("\n{}", samples_text(&samples, selected.unit()))
            });
        format!("\nthe sum of the samples of each frame{samples}")
    }

    /// Returns the number in a column. The first column has the value of the frame under the
    /// cursor.
    pub(super) fn cell_text<'t>(
        &self,
        at: usize,
        cell: Cell,
        texts: &'t LegendTexts,
    ) -> Cow<'t, str> {
        let Some(frame) = self.cursor.filter(|_| cell == Cell::Now) else {
            return texts.cells[cell as usize].as_str().into();
        };
        let value = self.data.values(at).at(frame).zip(texts.style);
        value.map_or(NO_VALUE.into(), |(value, style)| style.number(value).into())
    }

    /// Returns the range of a series: `0 – 500 MiB`, or `0 – 8 MiB +22,888 MiB`.
    pub(super) fn range_text(&self, at: usize) -> String {
        let (lo, hi) = self.shown[at].range;
        let style = NumberStyle::for_axis(self.selected[at].unit(), (lo, hi), RANGE_CHARS);
        let short = |value| {
            let number = style.number(value);
            match number.split_once('.') {
                Some(_) => number
                    .trim_end_matches('0')
                    .trim_end_matches('.')
                    .to_owned(),
                None => number,
            }
        };
        let offset = style.offset_text().unwrap_or_default();
        let range = format!("{} – {} {}", short(lo), short(hi), style.symbol());
        format!("{} {offset}", range.trim_end())
            .trim_end()
            .to_owned()
    }

    /// Returns why a series has no numbers.
    pub(super) fn absent_text(&self, at: usize) -> String {
        one_line((self.absent)(&self.selected[at]), 600).into()
    }

    /// Returns a text that says which axis has the range of a row; empty if all rows share one
    /// axis.
    fn side_text(&self, at: usize) -> &'static str {
        match self.shown[at].side {
            _ if self.ranges == ValueRange::Own && self.has_ranges() => "own scale",
            Side::Left if self.has_signs() => "left axis",
            Side::Right => "right axis",
            Side::Legend if self.has_ranges() => "range in the legend",
            Side::Left | Side::Legend => "",
        }
    }

    /// Returns the axis of the series, and a hint if the series looks flat.
    fn axis_hint(&self, ctx: &Context, at: usize) -> String {
        let shown = &self.shown[at];
        let side = match self.side_text(at) {
            "" => String::new(),
            "own scale" => format!("\nown scale, {}", self.range_text(at)),
            side => format!("\n{side}"),
        };
        let (bottom, top) = shown.range;
        let height = (top - bottom) * FLAT;
        let is_low = |summary: Summary| summary.max.abs().max(summary.min.abs()) < height;
        let is_flat = |summary: Summary| (0.0..height).contains(&(summary.max - summary.min));
        let varies = |summary: &Summary| summary.max > summary.min;
        let linear = self.mapping == Mapping::Linear && self.ranges != ValueRange::Own;
        if linear && shown.summary.is_some_and(is_low) {
            let hint = "Too small to see here: try a logarithmic axis (L) or own ranges (Y)";
            format!("{side}\n{}", with_keys(ctx, hint))
        } else if linear && shown.summary.filter(varies).is_some_and(is_flat) {
            let hint = "Too flat to see here: try own ranges (Y)";
            format!("{side}\n{}", with_keys(ctx, hint))
        } else {
            side
        }
    }
}
