//! The numbers of a graph's legend. They are rewritten when they are refreshed, or when the
//! selected series or frames change.

use std::collections::HashMap;
use std::ops::Range;

use stats_core::{FrameSlice, Unit};

use crate::data::selection::SelectedSeries;
use crate::data::view::Data;
use crate::graph::view::Shown;
use stats_analysis::format::{NumberStyle, whole_text};
use stats_analysis::range_statistics::{RangeStats, standard_deviation};

/// The numbers of a legend, by series.
#[derive(Debug, Default)]
pub(super) struct Legend {
    /// How the values of each series are written, by path.
    styles: HashMap<String, NumberStyle>,
    /// The texts on screen until the next refresh, and how often they were rewritten.
    texts: Vec<LegendTexts>,
    rewritten: u64,
    /// The series and frames that the texts belong to; `None` at first.
    of: Option<LegendOf>,
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
    /// How far spikes were searched for in the selected frames, summed over all series.
    pub(super) searched: u64,
}

/// The most visible frames whose standard deviation is shown. The other numbers come from the
/// history's pyramid, but this one needs every value, ten times per second. The statistics of
/// selected frames have no such limit.
const MOST_FOR_DEVIATION: usize = 1 << 17;

/// The number of columns of a legend.
const CELLS: usize = Cell::Spikes as usize + 1;

/// The numbers of one row of the legend.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LegendTexts {
    /// By [`Cell`]; empty if it does not apply.
    pub(super) cells: [String; CELLS],
    /// The symbol of the unit, with its prefix.
    pub(crate) unit: String,
    /// How a single value of the series is written; `None` if it has no values.
    pub(super) style: Option<NumberStyle>,
}

impl LegendTexts {
    /// Whether there are no numbers.
    pub(crate) fn is_empty(&self) -> bool {
        self.style.is_none()
    }
}

/// A column of the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// The newest visible value, or the value of the frame under the cursor.
    Now,
    Min,
    Mean,
    Median,
    P95,
    Max,
    /// The population standard deviation.
    Deviation,
    Sum,
    /// The number of frames that are spikes.
    Spikes,
}

impl Legend {
    /// Updates the numbers if `refresh` says so, or if they belong to other series or frames.
    pub(crate) fn update(
        &mut self,
        data: &dyn Data,
        selected: &[SelectedSeries],
        shown: &[Shown],
        refresh: bool,
        of: LegendOf,
    ) {
        let before = self.of.as_ref();
        let fits = before.is_some_and(|before| {
            before.revision == of.revision && before.selected_range == of.selected_range
        });
        // The numbers of selected frames change only while spikes are searched for in them.
        if !fits || (refresh && (of.selected_range.is_none() || before != Some(&of))) {
            self.texts.clear();
            self.rewritten += 1;
            let mut styles = HashMap::with_capacity(selected.len());
            for (at, (selected, shown)) in selected.iter().zip(shown).enumerate() {
                let mut style = self.styles.get(&selected.path).copied();
                let texts = match &of.selected_range {
                    Some(frames) => selected_texts(
                        data,
                        at,
                        selected,
                        frames.clone(),
                        &mut style,
                        &mut self.scratch,
                    ),
                    None => visible_texts(data.values(at), selected, shown, &mut style),
                };
                self.texts.push(texts);
                styles.extend(style.map(|style| (selected.path.clone(), style)));
            }
            self.styles = styles;
            self.of = Some(of);
        }
    }

    /// Returns a number that changes with the texts.
    pub(super) fn revision(&self) -> u64 {
        self.rewritten
    }

    /// Returns the rows of the legend as last written.
    pub(super) fn texts(&self) -> &[LegendTexts] {
        &self.texts
    }
}

impl Cell {
    /// Returns the name of the column.
    pub(crate) const fn name(self) -> &'static str {
        [
            "now", "min", "mean", "median", "p95", "max", "std dev", "sum", "spikes",
        ][self as usize]
    }
}

/// Returns the numbers of the selected frames `frames` of the series at `at`.
fn selected_texts(
    data: &dyn Data,
    at: usize,
    selected: &SelectedSeries,
    frames: Range<u64>,
    style: &mut Option<NumberStyle>,
    scratch: &mut Vec<f64>,
) -> LegendTexts {
    let window = data.values(at).within(frames.clone());
    let Some(stats) = RangeStats::of(window, scratch) else {
        return LegendTexts::default();
    };
    let whole = [stats.min, stats.max, stats.median]
        .iter()
        .all(|value| value.fract() == 0.0);
    let steady = NumberStyle::steady(*style, selected.unit(), (stats.min, stats.max), whole);
    *style = Some(steady);
    let mut texts = LegendTexts {
        unit: steady.symbol(),
        style: Some(steady),
        ..LegendTexts::default()
    };
    let numbers = [
        (Cell::Min, stats.min),
        (Cell::Mean, stats.mean),
        (Cell::Median, stats.median),
        (Cell::P95, stats.p95),
        (Cell::Max, stats.max),
        (Cell::Deviation, stats.deviation),
        (Cell::Sum, stats.sum),
    ];
    for (cell, value) in numbers {
        let style = if whole {
            finer(steady, selected.unit(), value, (stats.min, stats.max))
        } else {
            steady
        };
        texts.cells[cell as usize] = style.number(value);
    }
    let spikes = data
        .track(at)
        .map_or(0, |track| track.spikes.within(window.frames()).len());
    texts.cells[Cell::Spikes as usize] = whole_text(spikes as f64);
    texts
}

/// Returns the style for a number that need not be whole even if all values are, such as their
/// mean.
fn finer(steady: NumberStyle, unit: Unit, value: f64, range: (f64, f64)) -> NumberStyle {
    if value.fract() == 0.0 {
        return steady;
    }
    let fine = NumberStyle::steady(None, unit, range, false);
    if fine.symbol() == steady.symbol() {
        fine
    } else {
        steady
    }
}

/// Returns the numbers of the visible frames.
fn visible_texts(
    values: FrameSlice<'_>,
    selected: &SelectedSeries,
    shown: &Shown,
    style: &mut Option<NumberStyle>,
) -> LegendTexts {
    let Some(summary) = shown.summary else {
        return LegendTexts::default();
    };
    let whole = [summary.now, summary.min, summary.max]
        .iter()
        .all(|value| value.fract() == 0.0);
    let steady = NumberStyle::steady(*style, selected.unit(), (summary.min, summary.max), whole);
    *style = Some(steady);
    let window = values.within(shown.frames.0..shown.frames.1);
    let deviation =
        (window.len() <= MOST_FOR_DEVIATION).then(|| standard_deviation(window, summary.mean));
    let fine = |value: f64| {
        let range = (summary.min, summary.max);
        if whole {
            finer(steady, selected.unit(), value, range)
        } else {
            steady
        }
        .number(value)
    };
    let mut texts = LegendTexts {
        unit: steady.symbol(),
        style: Some(steady),
        ..LegendTexts::default()
    };
    texts.cells[Cell::Now as usize] = steady.number(summary.now);
    texts.cells[Cell::Min as usize] = steady.number(summary.min);
    texts.cells[Cell::Mean as usize] = fine(summary.mean);
    texts.cells[Cell::Max as usize] = steady.number(summary.max);
    texts.cells[Cell::Deviation as usize] = deviation.map_or_else(String::new, fine);
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::selection::{FRAME_TIME, Selection};
    use stats_analysis::summary::Summary;

    /// Returns what is shown of a series that goes up to `max`.
    fn up_to(max: f64) -> Shown {
        let summary = Some(Summary {
            now: max,
            min: 0.0,
            mean: max,
            max,
        });
        Shown {
            summary,
            range: (0.0, max),
            budget_near: false,
            hidden: false,
            frames: (0, 0),
        }
    }

    /// Data without any frames.
    struct Nothing;

    impl Data for Nothing {
        fn frames(&self) -> Range<u64> {
            0..0
        }

        fn frame(&self, _index: u64) -> Option<stats_core::Frame> {
            None
        }

        fn values(&self, _selected: usize) -> stats_core::FrameSlice<'_> {
            stats_core::FrameSlice::default()
        }

        fn frame_times(&self) -> stats_core::FrameSlice<'_> {
            stats_core::FrameSlice::default()
        }
    }

    fn of(revision: u64) -> LegendOf {
        LegendOf {
            revision,
            selected_range: None,
            searched: 0,
        }
    }

    #[test]
    fn the_style_of_a_series_does_not_depend_on_other_series() {
        let (mut legend, mut selection) = (Legend::default(), Selection::new());
        selection.set("large", true);
        selection.set("small", true);
        selection.set(FRAME_TIME, false);
        let (large, small) = (up_to(1.2e15), up_to(9e14));
        legend.update(&Nothing, selection.selected(), &[large, small], true, of(1));
        let before = legend.texts().to_vec();
        let now = |at: usize| before[at].cells[Cell::Now as usize].as_str();
        assert_eq!((now(0), now(1)), ("1.20", "900,000,000,000,000"));
        selection.set("large", false);
        legend.update(&Nothing, selection.selected(), &[small], true, of(2));
        assert_eq!(legend.texts(), &before[1..]);
    }
}
