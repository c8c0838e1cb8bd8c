//! The state of the graph: which frames it shows, which range each series has.

use std::collections::HashMap;
use std::ops::Range;

use stats_core::Unit;

use crate::axis::{budget_is_near, round_range};
use crate::data::Data;
use crate::format::NumberStyle;
use crate::selection::Ticked;
use crate::thin::{Summary, extremes, summarize};

/// Frames that are shown at first: ten seconds of 60.
pub(crate) const DEFAULT_SPAN: f64 = 600.0;
/// The fewest frames that can be zoomed to.
const LEAST_SPAN: f64 = 8.0;
/// Series whose ranges differ by more than this do not share one unless asked to.
const SHARED_UP_TO: f64 = 50.0;

/// Whether all series share one range of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ranges {
    Shared,
    Own,
}

/// Everything about the graph that outlives a frame.
#[derive(Debug)]
pub(crate) struct GraphView {
    /// How many frames are shown while the newest is followed.
    pub(crate) span: f64,
    /// Whether the newest frame stays at the right edge.
    pub(crate) follows: bool,
    /// What the user chose; `None` while that is left to the data.
    pub(crate) chosen: Option<Ranges>,
    /// How the values of each series are written, by path.
    styles: HashMap<String, NumberStyle>,
    /// The legend as it is shown until the numbers are refreshed.
    legend: Vec<LegendTexts>,
    legend_of: Option<u64>,
}

/// The numbers of one line of the legend.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LegendTexts {
    pub(crate) now: String,
    pub(crate) min: String,
    pub(crate) mean: String,
    pub(crate) max: String,
    pub(crate) unit: String,
}

impl Default for GraphView {
    fn default() -> Self {
        let (styles, legend) = (HashMap::new(), Vec::new());
        Self { span: DEFAULT_SPAN, follows: true, chosen: None, styles, legend, legend_of: None }
    }
}

/// What a graph shows of one series.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    pub(crate) summary: Option<Summary>,
    pub(crate) range: (f64, f64),
    pub(crate) budget_near: bool,
}

impl GraphView {
    /// Shows so many frames from now on, at least a few and at most what can be held.
    pub(crate) fn zoom(&mut self, factor: f64, held: u64) {
        let most = (held as f64 * 1.1).max(DEFAULT_SPAN);
        self.span = (self.span / factor.max(1e-3)).clamp(LEAST_SPAN, most);
    }

    /// The frames at the edges while the newest is followed.
    pub(crate) fn followed(&self, frames: &Range<u64>) -> (f64, f64) {
        // As many as `span`, and a little air behind them.
        let newest = frames.end as f64 - 1.0;
        (newest - self.span + 1.0, newest + self.span * 0.004)
    }

    /// Back to following the newest frames.
    pub(crate) fn reset(&mut self) {
        self.span = DEFAULT_SPAN;
        self.follows = true;
    }

    /// The legend's numbers; written anew when asked to, or when other series are ticked.
    pub(crate) fn legend(&mut self, ticked: &[Ticked], shown: &[Shown], refresh: bool, revision: u64) -> &[LegendTexts] {
        if refresh || self.legend_of != Some(revision) {
            self.legend_of = Some(revision);
            self.legend.clear();
            let mut styles = HashMap::with_capacity(ticked.len());
            for (ticked, shown) in ticked.iter().zip(shown) {
                let mut style = self.styles.get(&ticked.path).copied();
                self.legend.push(texts(ticked, shown, &mut style));
                styles.extend(style.map(|style| (ticked.path.clone(), style)));
            }
            self.styles = styles;
        }
        &self.legend
    }
}

fn texts(ticked: &Ticked, shown: &Shown, style: &mut Option<NumberStyle>) -> LegendTexts {
    let Some(summary) = shown.summary else { return LegendTexts::default() };
    let whole = [summary.now, summary.min, summary.max].iter().all(|value| value.fract() == 0.0);
    let steady = NumberStyle::steady(*style, ticked.unit(), (summary.min, summary.max), whole);
    *style = Some(steady);
    let mean = if whole && summary.mean.fract() != 0.0 {
        NumberStyle::steady(None, ticked.unit(), (summary.min, summary.max), false)
    } else {
        steady
    };
    LegendTexts {
        now: steady.number(summary.now),
        min: steady.number(summary.min),
        mean: if mean.symbol() == steady.symbol() { mean.number(summary.mean) } else { steady.number(summary.mean) },
        max: steady.number(summary.max),
        unit: steady.symbol(),
    }
}

/// What there is to show of every ticked series within `frames`, and whether they share a range.
pub(crate) fn shown(data: &dyn Data, ticked: &[Ticked], frames: (f64, f64), chosen: Option<Ranges>) -> (Vec<Shown>, Ranges) {
    let within = frames.0.max(0.0).ceil() as u64..(frames.1.max(0.0).floor() as u64).saturating_add(1);
    let summaries: Vec<Option<Summary>> = (0..ticked.len()).map(|at| summarize(data.values(at).within(within.clone()))).collect();
    let ranges = chosen.unwrap_or_else(|| fitting_ranges(ticked, &summaries));
    let own: Vec<(f64, f64, bool)> = summaries.iter().zip(ticked).map(|(summary, ticked)| reach(*summary, ticked)).collect();
    let all = own.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), own| (lo.min(own.0), hi.max(own.1)));
    let shared = round_range(all.0, all.1);
    let shown = |(&(lo, hi, near), summary)| {
        let range = if ranges == Ranges::Shared { shared } else { round_range(lo, hi) };
        Shown { summary, range, budget_near: near || ranges == Ranges::Shared }
    };
    let shown: Vec<Shown> = own.iter().zip(summaries).map(shown).collect();
    let shown = shown.into_iter().zip(ticked).map(|(shown, ticked)| within_range(shown, ticked)).collect();
    (shown, ranges)
}

/// A budget's line is drawn where it falls into the picture.
fn within_range(shown: Shown, ticked: &Ticked) -> Shown {
    let (bottom, top) = shown.range;
    let inside = ticked.budget().is_some_and(|budget| budget >= bottom && budget <= top);
    Shown { budget_near: shown.budget_near && inside, ..shown }
}

/// The values a series reaches, its budget among them when that is near.
fn reach(summary: Option<Summary>, ticked: &Ticked) -> (f64, f64, bool) {
    let Some(summary) = summary else { return (f64::INFINITY, f64::NEG_INFINITY, false) };
    let budget = ticked.budget().filter(|&budget| budget_is_near(budget, summary.max));
    (summary.min, summary.max.max(budget.unwrap_or(summary.max)), budget.is_some())
}

/// One range for all while they have one unit and comparable values, otherwise each its own.
fn fitting_ranges(ticked: &[Ticked], summaries: &[Option<Summary>]) -> Ranges {
    let mut units: Vec<Unit> = Vec::new();
    let mut reaches = Vec::new();
    for (ticked, summary) in ticked.iter().zip(summaries) {
        if let Some(summary) = summary {
            units.push(ticked.unit());
            reaches.push(summary.max.abs().max(summary.min.abs()));
        }
    }
    reaches.retain(|&reach| reach > 0.0);
    let (least, most) = extremes(&reaches);
    let comparable = reaches.is_empty() || most / least <= SHARED_UP_TO;
    if units.windows(2).all(|pair| pair[0] == pair[1]) && comparable { Ranges::Shared } else { Ranges::Own }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::{FRAME_TIME, Selection};

    /// What is shown of a series that goes up to `max`.
    fn up_to(max: f64) -> Shown {
        let summary = Some(Summary { now: max, min: 0.0, mean: max, max });
        Shown { summary, range: (0.0, max), budget_near: false }
    }

    #[test]
    fn how_a_series_is_written_does_not_depend_on_its_neighbours() {
        let (mut view, mut selection) = (GraphView::default(), Selection::new());
        selection.set("large", true);
        selection.set("small", true);
        selection.set(FRAME_TIME, false);
        let (large, small) = (up_to(1.2e15), up_to(9e14));
        let before = view.legend(selection.ticked(), &[large, small], true, 1).to_vec();
        assert_eq!((before[0].now.as_str(), before[1].now.as_str()), ("1.20", "900,000,000,000,000"));
        selection.set("large", false);
        assert_eq!(view.legend(selection.ticked(), &[small], true, 2), &before[1..]);
    }
}
