//! The state of the graph of one pane: what the user chose, and the range of values of each series
//! that follows from it.

use std::collections::HashMap;

use egui::Pos2;
use stats_core::Unit;

use crate::data::mark_lanes::MarkLanes;
use crate::data::selection::SelectedSeries;
use crate::data::view::Data;
use crate::graph::legend::Legend;
use crate::graph::picture_cache::PictureCache;
use stats_analysis::axis::Mapping;
use stats_analysis::axis::{budget_is_near, decades, round_range, value_at};
use stats_analysis::extremes::extremes;
use stats_analysis::stack::Stack;
use stats_analysis::summary::Summary;
use stats_analysis::track::summarize_tracked;

/// Series whose ranges differ by more than this do not share one unless asked to.
const SHARED_UP_TO: f64 = 50.0;

/// Whether all series share one range of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ranges {
    /// All have one.
    Shared,
    /// Each has its own, over the whole height.
    Own,
}

/// Everything about the graph of one pane that outlives a frame.
#[derive(Debug, Default)]
pub(crate) struct GraphView {
    /// What the user chose; `None` while that is left to the data.
    pub(crate) chosen: Option<Ranges>,
    /// Whether values stand at the height of their logarithm.
    pub(crate) log: bool,
    /// Whether series are stacked as areas.
    pub(crate) stacked: bool,
    /// The path of the one series that is shown; `None` for all.
    pub(crate) solo: Option<String>,
    /// What the pointer is doing in it.
    pub(crate) drag: Option<Drag>,
    /// The ranges of values that were zoomed to.
    zoomed: Option<Zoomed>,
    /// The numbers of its legend.
    pub(crate) legend: Legend,
    /// Where the marks of frames are.
    pub(crate) mark_lanes: MarkLanes,
    /// Stacked series; kept for its memory.
    pub(crate) stack: Stack,
    /// What it was painted with last.
    pub(crate) pictures: PictureCache,
}

/// What the pointer is doing in a graph since a button went down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Drag {
    /// Moving the visible frames.
    Pan,
    /// Selecting frames from this one on.
    Select(u64),
    /// Drawing a box to zoom to, from this corner on.
    Box(Pos2),
}

/// Ranges that stay until they are zoomed out of.
#[derive(Clone, Debug)]
struct Zoomed {
    /// While all share one.
    shared: (f64, f64),
    /// While each has its own, by path.
    own: HashMap<String, (f64, f64)>,
}

/// What a graph shows of one series.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    /// What its visible values come to; `None` where there are none.
    pub(crate) summary: Option<Summary>,
    /// The values at the lower and the upper edge.
    pub(crate) range: (f64, f64),
    /// Whether the line of its budget is in the picture.
    pub(crate) budget_near: bool,
    /// Whether another series is shown alone.
    pub(crate) hidden: bool,
    /// The visible frames: the first, and the one after the last.
    pub(crate) frames: (u64, u64),
}

impl GraphView {
    /// From automatic ranges to a shared one, to each series' own, and back.
    pub(crate) fn choose_next(&mut self) {
        self.chosen = match self.chosen {
            None => Some(Ranges::Shared),
            Some(Ranges::Shared) => Some(Ranges::Own),
            Some(Ranges::Own) => None,
        };
    }

    /// Logarithmic values, or not; they are not stacked then.
    pub(crate) fn toggle_log(&mut self) {
        self.log = !self.log;
        self.stacked = false;
        self.zoomed = None;
    }

    /// Stacked areas, or not; they are not logarithmic then.
    pub(crate) fn toggle_stacked(&mut self) {
        self.stacked = !self.stacked;
        self.log = false;
        self.zoomed = None;
    }

    /// How values are put at heights.
    pub(crate) fn mapping(&self) -> Mapping {
        if self.log {
            Mapping::Log
        } else {
            Mapping::Linear
        }
    }

    /// Shows one series alone, or all again.
    pub(crate) fn toggle_solo(&mut self, path: &str) {
        self.solo = (self.solo.as_deref() != Some(path)).then(|| path.to_owned());
    }

    /// Whether ranges were zoomed to.
    pub(crate) fn is_zoomed(&self) -> bool {
        self.zoomed.is_some()
    }

    /// Back to ranges that follow from the data.
    pub(crate) fn unzoom(&mut self) {
        self.zoomed = None;
    }

    /// Shows what lies between two shares of the height, of every series.
    pub(crate) fn zoom_to(
        &mut self,
        selected: &[SelectedSeries],
        shown: &[Shown],
        (bottom, top): (f64, f64),
    ) {
        let mapping = self.mapping();
        let part = |range: (f64, f64)| {
            (
                value_at(mapping, range, bottom),
                value_at(mapping, range, top),
            )
        };
        let own = selected
            .iter()
            .zip(shown)
            .map(|(selected, shown)| (selected.path.clone(), part(shown.range)));
        let shared = shown
            .iter()
            .find(|shown| !shown.hidden)
            .map_or((0.0, 1.0), |shown| part(shown.range));
        self.zoomed = Some(Zoomed {
            shared,
            own: own.collect(),
        });
    }

    /// What there is to show of every selected series within `frames`, and whether they share a
    /// range.
    pub(crate) fn shown(
        &self,
        data: &dyn Data,
        selected: &[SelectedSeries],
        frames: (f64, f64),
    ) -> (Vec<Shown>, Ranges) {
        let within =
            frames.0.max(0.0).ceil() as u64..(frames.1.max(0.0).floor() as u64).saturating_add(1);
        let summaries: Vec<Option<Summary>> = (0..selected.len())
            .map(|at| summarize_tracked(data.track(at), data.values(at).within(within.clone())))
            .collect();
        let solo = self
            .solo
            .as_deref()
            .filter(|&solo| selected.iter().any(|selected| selected.path == solo));
        let hidden: Vec<bool> = selected
            .iter()
            .map(|selected| solo.is_some_and(|solo| solo != selected.path))
            .collect();
        let ranges = match solo {
            Some(_) => Ranges::Shared,
            None => self
                .chosen
                .unwrap_or_else(|| fitting_ranges(selected, &summaries)),
        };
        let own: Vec<(f64, f64, bool)> = summaries
            .iter()
            .zip(selected)
            .map(|(summary, selected)| reach(*summary, selected))
            .collect();
        let seen = own
            .iter()
            .zip(&hidden)
            .filter(|(_, hidden)| !**hidden)
            .map(|(own, _)| own);
        let all = seen.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), own| {
            (lo.min(own.0), hi.max(own.1))
        });
        let shared = self.rounded(all.0, all.1);
        let shown = own.iter().zip(summaries).zip(selected).zip(hidden).map(
            |(((&(lo, hi, near), summary), selected), hidden)| {
                let range = if ranges == Ranges::Shared {
                    shared
                } else {
                    self.rounded(lo, hi)
                };
                let range = self.zoomed_range(ranges, &selected.path).unwrap_or(range);
                within_range(
                    Shown {
                        summary,
                        range,
                        budget_near: near || ranges == Ranges::Shared,
                        hidden,
                        frames: (within.start, within.end),
                    },
                    selected,
                )
            },
        );
        (shown.collect(), ranges)
    }

    fn rounded(&self, lo: f64, hi: f64) -> (f64, f64) {
        if self.log {
            decades(lo, hi)
        } else {
            round_range(lo, hi)
        }
    }

    /// The range of a whole stack.
    pub(crate) fn stacked_range(&self, highest: f64) -> (f64, f64) {
        self.zoomed
            .as_ref()
            .map_or_else(|| round_range(0.0, highest), |zoomed| zoomed.shared)
    }

    fn zoomed_range(&self, ranges: Ranges, path: &str) -> Option<(f64, f64)> {
        let zoomed = self.zoomed.as_ref()?;
        if ranges == Ranges::Shared {
            Some(zoomed.shared)
        } else {
            zoomed.own.get(path).copied()
        }
    }
}

/// A budget's line is drawn where it falls into the picture.
fn within_range(shown: Shown, selected: &SelectedSeries) -> Shown {
    let (bottom, top) = shown.range;
    let inside = selected
        .budget()
        .is_some_and(|budget| budget >= bottom && budget <= top);
    Shown {
        budget_near: shown.budget_near && inside,
        ..shown
    }
}

/// The values a series reaches, its budget among them when that is near.
fn reach(summary: Option<Summary>, selected: &SelectedSeries) -> (f64, f64, bool) {
    let Some(summary) = summary else {
        return (f64::INFINITY, f64::NEG_INFINITY, false);
    };
    let budget = selected
        .budget()
        .filter(|&budget| budget_is_near(budget, summary.max));
    (
        summary.min,
        summary.max.max(budget.unwrap_or(summary.max)),
        budget.is_some(),
    )
}

/// One range for all while they have one unit and comparable values, otherwise each its own.
fn fitting_ranges(selected: &[SelectedSeries], summaries: &[Option<Summary>]) -> Ranges {
    let mut units: Vec<Unit> = Vec::new();
    let mut reaches = Vec::new();
    for (selected, summary) in selected.iter().zip(summaries) {
        if let Some(summary) = summary {
            units.push(selected.unit());
            reaches.push(summary.max.abs().max(summary.min.abs()));
        }
    }
    reaches.retain(|&reach| reach > 0.0);
    let (least, most) = extremes(&reaches);
    let comparable = reaches.is_empty() || most / least <= SHARED_UP_TO;
    if units.windows(2).all(|pair| pair[0] == pair[1]) && comparable {
        Ranges::Shared
    } else {
        Ranges::Own
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::selection::Selection;

    /// What is shown of a series that goes up to `max`.
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

    #[test]
    fn a_stack_begins_at_zero_unless_it_was_zoomed() {
        let (mut view, mut selection) = (GraphView::default(), Selection::new());
        selection.set("a", true);
        assert_eq!(view.stacked_range(95.0), (0.0, 100.0));
        assert_eq!(view.stacked_range(0.0), (0.0, 1.0));
        view.zoom_to(
            selection.selected(),
            &[up_to(100.0), up_to(100.0)],
            (0.5, 0.75),
        );
        assert_eq!(view.stacked_range(95.0), (50.0, 75.0));
        view.toggle_stacked();
        assert_eq!(
            view.stacked_range(95.0),
            (0.0, 100.0),
            "another height, another range"
        );
    }

    #[test]
    fn stacked_and_logarithmic_exclude_each_other() {
        let mut view = GraphView::default();
        view.toggle_stacked();
        view.toggle_log();
        assert!(view.log && !view.stacked && view.mapping() == Mapping::Log);
        view.toggle_stacked();
        assert!(!view.log && view.stacked && view.mapping() == Mapping::Linear);
    }

    #[test]
    fn the_ranges_go_round_in_three_steps() {
        let mut view = GraphView::default();
        let mut seen = Vec::new();
        for _ in 0..3 {
            view.choose_next();
            seen.push(view.chosen);
        }
        assert_eq!(seen, [Some(Ranges::Shared), Some(Ranges::Own), None]);
    }

    #[test]
    fn zooming_shows_a_part_of_every_range() {
        let (mut view, mut selection) = (GraphView::default(), Selection::new());
        selection.set("a", true);
        view.zoom_to(
            selection.selected(),
            &[up_to(10.0), up_to(1000.0)],
            (0.25, 0.5),
        );
        assert_eq!(view.zoomed_range(Ranges::Own, "a"), Some((250.0, 500.0)));
        assert_eq!(view.zoomed_range(Ranges::Shared, "a"), Some((2.5, 5.0)));
        view.unzoom();
        assert_eq!(view.zoomed_range(Ranges::Own, "a"), None);
    }
}
