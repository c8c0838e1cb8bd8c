//! The state of the graph of one pane: what the user chose, and the resulting range of values of
//! each series.

use std::collections::HashMap;
use std::sync::Arc;

use egui::Pos2;
use egui::epaint::Mesh;
use stats_core::Unit;

use crate::data::mark_lanes::MarkLanes;
use crate::data::selection::SelectedSeries;
use crate::data::view::Data;
use crate::graph::grid::Grid;
use crate::graph::legend::Legend;
use crate::graph::legend_ui::LegendShapes;
use crate::graph::picture::Picture;
use stats_analysis::axis::Mapping;
use stats_analysis::axis::{budget_is_near, decades, round_range, value_at};
use stats_analysis::extremes::extremes;
use stats_analysis::stack::Stack;
use stats_analysis::summary::Summary;
use stats_analysis::track::summarize_tracked;

/// Series whose ranges differ by more than this factor share one only if the user asks for it.
const SHARED_UP_TO: f64 = 50.0;

/// Whether all series share one range of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ranges {
    /// All series share one range.
    Shared,
    /// Each series has its own range over the whole height.
    Own,
}

/// The state of the graph of one pane.
#[derive(Debug, Default)]
pub(crate) struct GraphView {
    /// The ranges that the user chose; `None` to follow the data.
    pub(crate) chosen: Option<Ranges>,
    /// Whether the axis of values is logarithmic.
    pub(crate) log: bool,
    /// Whether series are stacked as areas.
    pub(crate) stacked: bool,
    /// The path of the only series that is shown; `None` for all.
    pub(crate) solo: Option<String>,
    /// What the pointer is doing in the graph.
    pub(super) drag: Option<Drag>,
    /// The ranges of values that the user zoomed to.
    zoomed: Option<Zoomed>,
    /// The grid and the numbers of its axes.
    pub(super) grid: Grid,
    /// The numbers of the legend, and its shapes.
    pub(super) legend: Legend,
    pub(super) legend_shapes: LegendShapes,
    /// The lanes of the marks of frames.
    pub(super) mark_lanes: MarkLanes,
    /// Stacked series; kept to reuse the memory.
    pub(super) stack: Stack,
    /// The series as pixels.
    pub(super) picture: Picture,
    /// What is painted below and above the series; kept to reuse the memory.
    pub(super) meshes: [Arc<Mesh>; 2],
}

/// What the pointer has been doing in a graph since a button was pressed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Drag {
    /// Moving the visible frames.
    Pan,
    /// Selecting frames, starting at this one.
    Select(u64),
    /// Drawing a box to zoom to, starting at this corner.
    Box(Pos2),
}

/// The ranges that the user zoomed to.
#[derive(Clone, Debug)]
struct Zoomed {
    /// The range if all series share one.
    shared: (f64, f64),
    /// The ranges if each series has its own, by path.
    own: HashMap<String, (f64, f64)>,
}

/// What a graph shows of one series.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    /// The statistics of the visible values; `None` if there are none.
    pub(super) summary: Option<Summary>,
    /// The values at the lower and upper edges.
    pub(super) range: (f64, f64),
    /// Whether the line of the budget is in the picture.
    pub(super) budget_near: bool,
    /// Whether it is hidden because another series is shown alone.
    pub(super) hidden: bool,
    /// The first visible frame, and the frame after the last.
    pub(crate) frames: (u64, u64),
}

impl GraphView {
    /// Switches from automatic ranges to a shared one, to each series' own, and back.
    pub(crate) fn choose_next(&mut self) {
        self.chosen = match self.chosen {
            None => Some(Ranges::Shared),
            Some(Ranges::Shared) => Some(Ranges::Own),
            Some(Ranges::Own) => None,
        };
    }

    /// Switches the logarithmic axis. Turns off stacking.
    pub(crate) fn toggle_log(&mut self) {
        self.log = !self.log;
        self.stacked = false;
        self.zoomed = None;
    }

    /// Switches stacking. Turns off the logarithmic axis.
    pub(crate) fn toggle_stacked(&mut self) {
        self.stacked = !self.stacked;
        self.log = false;
        self.zoomed = None;
    }

    /// Returns how values are mapped to heights.
    pub(super) fn mapping(&self) -> Mapping {
        if self.log {
            Mapping::Log
        } else {
            Mapping::Linear
        }
    }

    /// Shows one series alone, or all series again.
    pub(super) fn toggle_solo(&mut self, path: &str) {
        self.solo = (self.solo.as_deref() != Some(path)).then(|| path.to_owned());
    }

    /// Whether the user zoomed to ranges of values.
    pub(crate) fn is_zoomed(&self) -> bool {
        self.zoomed.is_some()
    }

    /// Returns to ranges that follow from the data.
    pub(crate) fn unzoom(&mut self) {
        self.zoomed = None;
    }

    /// Zooms to the part between two shares of the height, for every series.
    pub(super) fn zoom_to(
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

    /// Returns what to show of every selected series within `frames`, and whether the series share
    /// a range.
    pub(super) fn shown(
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

    /// Returns the range of a whole stack.
    pub(super) fn stacked_range(&self, highest: f64) -> (f64, f64) {
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

/// Shows the line of a budget if it is within the picture.
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

/// Returns the values that a series reaches, including its budget if that is near, and whether it
/// is.
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

/// Returns a shared range if all series have one unit and comparable values, otherwise each its
/// own.
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

    #[test]
    fn a_stack_starts_at_zero_unless_zoomed() {
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
    fn the_ranges_cycle_in_three_steps() {
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
