//! The numbers of a graph's legend. They are written again at each refresh, and when the selected
//! series or frames change.

use std::collections::HashMap;
use std::ops::Range;

use stats_core::{FrameSlice, Unit};

use crate::baseline::marked::MarkedBaseline;
use crate::baseline::saved::BaselineSeries;
use crate::data::selection::SelectedSeries;
use crate::data::view::Data;
use crate::graph::shown::Shown;
use stats_analysis::format::{NO_VALUE, NumberStyle, whole_text};
use stats_analysis::range_statistics::{RangeStats, standard_deviation};

/// The numbers of a legend, by series.
#[derive(Debug, Default)]
pub(super) struct Legend {
    /// The number styles of each series, by path.
    styles: HashMap<String, RowStyles>,
    /// The texts on screen until the next refresh.
    texts: Vec<LegendTexts>,
    /// The series and frames that the texts belong to; `None` at first.
    of: Option<LegendOf>,
    /// Changes when the texts are written.
    pub(super) revision: u64,
    /// Reused memory.
    scratch: Vec<f64>,
}

/// The series and frames that the texts of a legend belong to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LegendOf {
    /// Changes when other series are selected.
    pub(crate) revision: u64,
    /// The selected frames; `None` for the visible ones.
    pub(crate) selected_range: Option<Range<u64>>,
    /// The number of selected frames searched for spikes so far, summed over all series.
    pub(super) searched: u64,
    /// Changes with the baseline.
    pub(super) baseline: u64,
}

/// The maximum number of visible values, over all series, at which standard deviations are shown.
/// The other numbers come from the history's pyramid. Standard deviations read every value, ten
/// times a second, which takes about half a millisecond at the maximum. The statistics of selected
/// frames have no such limit.
const MAX_FOR_DEVIATIONS: u64 = 1 << 17;

/// The number of spikes of frames that are not searched yet.
const SEARCHING: &str = "…";

/// The maximum width of a number, in characters: `999,999,999`. Larger numbers have a prefix.
pub(super) const CHARS: usize = 11;

/// The number styles of a row. A style is kept while it fits, so that no digit moves.
#[derive(Clone, Copy, Debug)]
struct RowStyles {
    /// The style of single values.
    values: NumberStyle,
    /// The style of means, which have decimals even if all values are whole.
    means: NumberStyle,
}

impl RowStyles {
    /// Returns the styles for values within `range`.
    fn steady(previous: Option<Self>, unit: Unit, range: (f64, f64), whole: bool) -> Self {
        let style = |previous, whole| NumberStyle::steady_row(previous, unit, range, whole, CHARS);
        let values = style(previous.map(|styles| styles.values), whole);
        let means = style(previous.map(|styles| styles.means), false);
        // The row shows one unit.
        let same_unit = means.has_unit_of(&values);
        Self {
            values,
            means: if same_unit { means } else { values },
        }
    }
}

/// The number of columns of a legend.
const CELLS: usize = Cell::Sum as usize + 1;

/// The numbers of one row of the legend.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LegendTexts {
    /// The texts by [`Cell`]; empty if a cell does not apply.
    pub(super) cells: [String; CELLS],
    /// The symbol of the unit, with its prefix.
    pub(crate) unit: String,
    /// The style of a single value of the series; `None` if it has no values.
    pub(super) style: Option<NumberStyle>,
}

impl LegendTexts {
    /// Returns whether there are no numbers.
    pub(super) fn is_empty(&self) -> bool {
        self.style.is_none()
    }

    /// Removes all numbers, and keeps their memory.
    fn clear(&mut self) {
        self.cells.iter_mut().for_each(String::clear);
        self.style = None;
        self.unit.clear();
    }

    fn set_style(&mut self, style: NumberStyle) {
        style.write_symbol(&mut self.unit);
        self.style = Some(style);
    }

    fn write(&mut self, cell: Cell, style: NumberStyle, value: f64) {
        style.write_number(value, &mut self.cells[cell as usize]);
    }
}

/// A column of the legend, from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// The newest visible value, or the value of the frame under the cursor.
    Now,
    /// The number of frames that are spikes. Not beside the unit, which is that of the others.
    Spikes,
    Min,
    Mean,
    /// The change of the mean from the baseline's mean, in percent of it.
    Difference,
    Median,
    P95,
    Max,
    /// The population standard deviation.
    Deviation,
    Sum,
}

impl Legend {
    /// Updates the numbers if `refresh` is true, or if they belong to other series or frames.
    pub(super) fn update(
        &mut self,
        data: &dyn Data,
        (selected, baseline): (&[SelectedSeries], &MarkedBaseline),
        shown: &[Shown],
        refresh: bool,
        of: LegendOf,
    ) {
        let before = self.of.as_ref();
        let fits = before.is_some_and(|before| {
            before.revision == of.revision
                && before.selected_range == of.selected_range
                && before.baseline == of.baseline
        });
        // The numbers of selected frames change only while spikes are searched for in them.
        if !fits || (refresh && (of.selected_range.is_none() || before != Some(&of))) {
            self.texts.resize_with(selected.len(), LegendTexts::default);
            let visible = |shown: &Shown| shown.frames.1.saturating_sub(shown.frames.0);
            let visible: u64 = shown.iter().map(visible).sum();
            let has_deviations = visible <= MAX_FOR_DEVIATIONS;
            let mut styles = HashMap::with_capacity(selected.len());
            let rows = selected.iter().zip(shown).zip(&mut self.texts);
            for (at, ((selected, shown), texts)) in rows.enumerate() {
                let (path, mut row) = match self.styles.remove_entry(&selected.path) {
                    Some((path, row)) => (path, Some(row)),
                    None => (selected.path.clone(), None),
                };
                let marked = baseline.of(selected);
                texts.clear();
                match &of.selected_range {
                    Some(frames) => write_selected(
                        texts,
                        (data, at),
                        (selected, marked),
                        frames.clone(),
                        &mut row,
                        &mut self.scratch,
                    ),
                    None => write_visible(
                        texts,
                        data.values(at),
                        (selected, marked),
                        shown,
                        has_deviations,
                        &mut row,
                    ),
                }
                styles.extend(row.map(|row| (path, row)));
            }
            self.styles = styles;
            self.revision += 1;
            self.of = Some(of);
        }
    }

    /// Returns the row of the first series that was added since the rows were written.
    pub(super) fn first_added(&self, series: usize) -> Option<usize> {
        let written = self.texts.len();
        (self.of.is_some() && series > written).then_some(written)
    }

    /// Returns the rows of the legend as they were last written.
    pub(super) fn texts(&self) -> &[LegendTexts] {
        &self.texts
    }
}

impl Cell {
    /// Returns the name of the column.
    pub(crate) const fn name(self) -> &'static str {
        [
            "now", "spikes", "min", "mean", "vs A", "median", "p95", "max", "std dev", "sum",
        ][self as usize]
    }
}

/// Writes the numbers of the series at `at` in the selected `frames`.
fn write_selected(
    texts: &mut LegendTexts,
    (data, at): (&dyn Data, usize),
    (selected, marked): (&SelectedSeries, Option<&BaselineSeries>),
    frames: Range<u64>,
    styles: &mut Option<RowStyles>,
    scratch: &mut Vec<f64>,
) {
    let window = data.values(at).within(frames.clone());
    let Some(stats) = RangeStats::of(window, scratch) else {
        return;
    };
    let whole = [stats.min, stats.max, stats.median]
        .iter()
        .all(|value| value.fract() == 0.0);
    let RowStyles { values, means } =
        RowStyles::steady(*styles, selected.unit(), (stats.min, stats.max), whole);
    *styles = Some(RowStyles { values, means });
    texts.set_style(values);
    let numbers = [
        (Cell::Min, stats.min),
        (Cell::Mean, stats.mean),
        (Cell::Median, stats.median),
        (Cell::P95, stats.p95),
        (Cell::Max, stats.max),
        (Cell::Deviation, stats.deviation),
    ];
    for (cell, value) in numbers {
        let style = if value.fract() == 0.0 { values } else { means };
        texts.write(cell, style, value);
    }
    texts.cells[Cell::Difference as usize] = difference_text(stats.mean, marked, means);
    texts.cells[Cell::Sum as usize] = values.number_within(stats.sum, CHARS);
    let spikes = &mut texts.cells[Cell::Spikes as usize];
    *spikes = match data.track(at) {
        // A long history is searched over several frames. Until then, 0 would be untrue.
        Some(track) if track.spikes.seen_until() < window.frames().end => SEARCHING.to_owned(),
        Some(track) => whole_text(track.spikes.within(window.frames()).len() as f64),
        None => NO_VALUE.to_owned(),
    };
}

/// Returns the change of a mean from the baseline's mean in percent, with its sign; empty without a
/// baseline. From 0, there is no percentage, so the text is the difference itself.
fn difference_text(mean: f64, marked: Option<&BaselineSeries>, means: NumberStyle) -> String {
    let Some(marked) = marked else {
        return String::new();
    };
    let difference = mean - marked.mean;
    let sign = if difference > 0.0 { "+" } else { "" };
    if marked.mean == 0.0 && difference != 0.0 {
        return format!("{sign}{}", means.number_within(difference, CHARS - 1));
    }
    let percent = match difference {
        0.0 => 0.0,
        _ => 100.0 * difference / marked.mean.abs(),
    };
    match percent.abs() {
        10_000.0.. => format!("{}× A", whole_text((mean / marked.mean).round())),
        1_000.0.. => format!("{sign}{} %", whole_text(percent.round())),
        // Adding 0 makes a rounded −0 positive.
        _ => format!("{sign}{:.1} %", (percent * 10.0).round() / 10.0 + 0.0),
    }
}

/// Writes the numbers of the visible frames.
fn write_visible(
    texts: &mut LegendTexts,
    values: FrameSlice<'_>,
    (selected, marked): (&SelectedSeries, Option<&BaselineSeries>),
    shown: &Shown,
    has_deviation: bool,
    styles: &mut Option<RowStyles>,
) {
    let Some(summary) = shown.summary else {
        return;
    };
    let whole = [summary.now, summary.min, summary.max]
        .iter()
        .all(|value| value.fract() == 0.0);
    let RowStyles {
        values: style,
        means,
    } = RowStyles::steady(*styles, selected.unit(), (summary.min, summary.max), whole);
    *styles = Some(RowStyles {
        values: style,
        means,
    });
    let window = values.within(shown.frames.0..shown.frames.1);
    texts.set_style(style);
    texts.write(Cell::Now, style, summary.now);
    texts.write(Cell::Min, style, summary.min);
    texts.write(Cell::Mean, means, summary.mean);
    texts.cells[Cell::Difference as usize] = difference_text(summary.mean, marked, means);
    texts.write(Cell::Max, style, summary.max);
    if has_deviation {
        texts.write(
            Cell::Deviation,
            means,
            standard_deviation(window, summary.mean),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::selection::{FRAME_TIME, Selection};
    use crate::graph::state::tests::up_to;
    use crate::testing::Values;

    fn of(revision: u64) -> LegendOf {
        LegendOf {
            revision,
            selected_range: None,
            searched: 0,
            baseline: 0,
        }
    }

    #[test]
    fn the_style_of_a_series_does_not_depend_on_other_series() {
        let (mut legend, mut selection) = (Legend::default(), Selection::new());
        let none = MarkedBaseline::default();
        selection.set("large", true);
        selection.set("small", true);
        selection.set(FRAME_TIME, false);
        let (large, small) = (up_to(1.2e15), up_to(9e14));
        legend.update(
            &Values::default(),
            (selection.selected(), &none),
            &[large, small],
            true,
            of(1),
        );
        let before = legend.texts().to_vec();
        let now = |at: usize| before[at].cells[Cell::Now as usize].as_str();
        assert_eq!((now(0), now(1)), ("1.20", "900.0"));
        assert_eq!((&*before[0].unit, &*before[1].unit), ("P", "T"));
        selection.set("large", false);
        legend.update(
            &Values::default(),
            (selection.selected(), &none),
            &[small],
            true,
            of(2),
        );
        assert_eq!(legend.texts(), &before[1..]);
    }

    #[test]
    fn all_numbers_of_a_row_have_the_unit_of_the_row() {
        // Times of microseconds add up to one that would have milliseconds, and bytes of a frame to
        // one that would have a larger prefix.
        for (path, unit, value, symbol, sum) in [
            ("encode", Unit::Milliseconds, 0.0021, "µs", "252.00"),
            ("sent", Unit::Bytes, 1536.0, "KiB", "180.00"),
            ("all", Unit::Count, 123_456_789.0, "", "1.5e10"),
        ] {
            let mut selection = Selection::of([path]);
            selection.set_unit(path, unit);
            let data = Values {
                series: vec![(0, vec![value; 120])],
                ..Values::default()
            };
            let mut legend = Legend::default();
            let of = LegendOf {
                selected_range: Some(0..120),
                ..of(1)
            };
            let selected = (selection.selected(), &MarkedBaseline::default());
            legend.update(&data, selected, &[up_to(1.0)], true, of);
            let row = &legend.texts()[0];
            let said = (row.unit.as_str(), row.cells[Cell::Sum as usize].as_str());
            assert_eq!(said, (symbol, sum), "{path}");
        }
    }

    #[test]
    fn standard_deviations_are_left_out_if_all_series_together_have_too_many_values() {
        let mut selection = Selection::new();
        selection.set("other", true);
        let shown = [MAX_FOR_DEVIATIONS / 2, MAX_FOR_DEVIATIONS / 2 + 1].map(|frames| Shown {
            frames: (0, frames),
            ..up_to(1.0)
        });
        for (series, is_shown) in [
            (&shown[..1], true),
            (&shown[1..], true),
            (&shown[..], false),
        ] {
            let mut legend = Legend::default();
            let (selected, none) = (selection.selected(), MarkedBaseline::default());
            let selected = &selected[..series.len()];
            legend.update(&Values::default(), (selected, &none), series, true, of(1));
            for texts in legend.texts() {
                let deviation = &texts.cells[Cell::Deviation as usize];
                assert_eq!(!deviation.is_empty(), is_shown, "{deviation}");
            }
        }
    }
}
