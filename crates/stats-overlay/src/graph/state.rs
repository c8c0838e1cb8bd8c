//! The state of the graph of one pane: the choices of the user, the current drag, what is kept from
//! pass to pass, and the resulting range of each series.

use std::collections::HashMap;

use egui::{Pos2, Rect};
use stats_core::Unit;

use crate::data::mark_lanes::MarkLanes;
use crate::data::selection::SelectedSeries;
use crate::data::view::Data;
use crate::graph::budget_texts::BudgetTags;
use crate::graph::choices::{GraphChoices, ValueRange};
use crate::graph::cuts::Cuts;
use crate::graph::grid::{Grid, ValueAxis};
use crate::graph::legend::Legend;
use crate::graph::legend_ui::{CompactLegend, LegendShapes};
use crate::graph::picture::Picture;
use crate::graph::ranges::{
    Group, Reach, Side, needs_right_axis, only_unit, shared_reaches, sides,
};
use crate::graph::shown::Shown;
use crate::graph::spike_marks::SpikeMarks;
use crate::graph::usual::{UsualOf, UsualValues};
use crate::paint::reused_mesh::ReusedMesh;
use stats_analysis::axis::{
    Mapping, budget_is_near, close_range, close_without_outliers, decades, round_binary_range,
    round_range, value_at, without_outliers,
};
use stats_analysis::stack::Stack;
use stats_analysis::summary::Summary;
use stats_analysis::track::summarize_tracked;
use stats_ui::retained::Retained;
use stats_ui::theme::Theme;

/// The state of the graph of one pane.
#[derive(Default)]
pub(crate) struct GraphView {
    /// The choices of the user.
    pub(crate) choices: GraphChoices,
    /// The current drag in the graph.
    pub(super) drag: Option<Drag>,
    /// The ranges of values that the user zoomed to.
    zoomed: Option<Zoomed>,
    /// The unit of the right axis if there are more than two units; `None` for the second one.
    pub(super) pointed_unit: Option<Unit>,
    /// The row of the legend that is under the pointer or has the focus.
    pub(super) pointed: Option<usize>,
    /// The grid and the numbers of the left axis.
    pub(super) grid: Grid,
    pub(super) right_numbers: Retained<(Rect, ValueAxis, Theme)>,
    /// The number of passes that drew the graph in the panel, up to 255. The first ones draw one
    /// part after another, because egui rasterizes many glyphs in them.
    pub(super) passes: u8,
    /// The numbers of the legend.
    pub(super) legend: Legend,
    pub(super) legend_shapes: LegendShapes,
    /// The values of the legend over a game.
    pub(super) compact_legend: CompactLegend,
    /// The lanes of the marks of frames.
    pub(super) mark_lanes: MarkLanes,
    pub(super) spike_marks: SpikeMarks,
    /// The lane of spans over budget; kept to reuse the memory.
    pub(super) over_budget: ReusedMesh,
    pub(super) budget_tags: BudgetTags,
    /// The notches of values beyond the axis.
    pub(super) cuts: Cuts,
    /// Stacked series; kept to reuse the memory.
    pub(super) stack: Stack,
    /// The usual values of each series.
    usual: UsualValues,
    /// Reused buffers for the values that the series reach, alone and together.
    reaches: (Vec<Reach>, Vec<Group>),
    /// The series as pixels.
    pub(super) picture: Picture,
    /// The shapes below the lines; kept to reuse the memory.
    pub(super) below: ReusedMesh,
}

/// A drag in a graph, since a button was pressed.
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
    /// The ranges of the visible series by unit.
    units: Vec<(Unit, (f64, f64))>,
    /// The ranges if each series has its own, by path.
    own: HashMap<String, (f64, f64)>,
}

impl GraphView {
    /// Returns to automatic ranges of values.
    pub(super) fn end_zoom(&mut self) {
        self.zoomed = None;
    }

    /// Frees what only saves time, while the graph is not on screen.
    pub(super) fn free_kept(&mut self) {
        self.picture = Picture::default();
        (self.over_budget, self.below, self.cuts) = Default::default();
        self.stack = Stack::default();
        self.spike_marks = SpikeMarks::default();
        self.mark_lanes = MarkLanes::default();
        self.compact_legend = CompactLegend::default();
        self.right_numbers = Retained::default();
    }

    /// Returns whether a graph of these series has an axis on the right.
    pub(super) fn has_right_axis(&self, selected: &[SelectedSeries]) -> bool {
        self.choices.range == ValueRange::Auto
            && needs_right_axis(selected, self.choices.solo.as_deref())
    }

    /// Switches the logarithmic axis. Turns off stacking.
    pub(super) fn toggle_log(&mut self) {
        self.choices.log = !self.choices.log;
        self.choices.stacked = false;
        self.zoomed = None;
    }

    /// Returns whether the series are stacked.
    pub(crate) fn is_stacked(&self) -> bool {
        self.choices.stacked && !self.choices.log
    }

    /// Switches stacking. Turns off the logarithmic axis.
    pub(super) fn toggle_stacked(&mut self) {
        self.choices.stacked = !self.is_stacked();
        self.choices.log = false;
        self.zoomed = None;
    }

    /// Returns the mapping of the axis of values.
    pub(super) fn mapping(&self) -> Mapping {
        if self.choices.log {
            Mapping::Log
        } else {
            Mapping::Linear
        }
    }

    /// Shows one series alone, or all series again.
    pub(super) fn toggle_solo(&mut self, path: &str) {
        self.choices.solo = (self.choices.solo.as_deref() != Some(path)).then(|| path.to_owned());
    }

    /// Returns whether the user zoomed to ranges of values.
    pub(super) fn is_zoomed(&self) -> bool {
        self.zoomed.is_some()
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
        let visible = selected
            .iter()
            .zip(shown)
            .filter(|(_, shown)| !shown.hidden);
        let units = visible.map(|(selected, shown)| (selected.unit(), part(shown.range)));
        let shared = shown
            .iter()
            .find(|shown| !shown.hidden)
            .map_or((0.0, 1.0), |shown| part(shown.range));
        self.zoomed = Some(Zoomed {
            shared,
            units: units.collect(),
            own: own.collect(),
        });
    }

    /// Returns the part of every selected series to show within `frames`, and which series share a
    /// range. `of` identifies the picture, and `has_right` says whether there is an axis on the
    /// right.
    pub(super) fn shown(
        &mut self,
        data: &dyn Data,
        selected: &[SelectedSeries],
        frames: (f64, f64),
        of: UsualOf,
        has_right: bool,
    ) -> (Vec<Shown>, ValueRange) {
        let within =
            frames.0.max(0.0).ceil() as u64..(frames.1.max(0.0).floor() as u64).saturating_add(1);
        let solo = self
            .choices
            .solo
            .as_deref()
            .filter(|&solo| selected.iter().any(|selected| selected.path == solo));
        let ranges = solo.map_or(self.choices.range, |_| ValueRange::Shared);
        let (mut series, mut groups) = std::mem::take(&mut self.reaches);
        let mut usual = std::mem::take(&mut self.usual);
        usual.begin(of, selected.len());
        series.clear();
        // A logarithmic axis has room for outliers.
        let cuts = !self.choices.log;
        let summarized = selected.iter().enumerate().map(|(at, selected)| {
            let values = data.values(at).within(within.clone());
            let summary = summarize_tracked(data.track(at), values);
            let usual = summary.map(|summary| match cuts {
                true => usual.of(
                    at,
                    &summary,
                    (values, data.track(at)),
                    ranges == ValueRange::Own,
                ),
                false => (summary.min, summary.max),
            });
            let (values, is_near) = reach(summary.as_ref().zip(usual), selected, ranges);
            let hidden = solo.is_some_and(|solo| solo != selected.path);
            series.push(Reach {
                unit: selected.unit(),
                values,
                hidden,
            });
            Shown {
                summary,
                // The range is known once all series are summarized.
                range: (0.0, 1.0),
                side: Side::Left,
                budget_near: is_near || ranges != ValueRange::Own,
                hidden,
                frames: (within.start, within.end),
            }
        });
        let mut shown: Vec<Shown> = summarized.collect();
        {
            let reaches = shared_reaches(&series, ranges, &mut groups);
            let only_unit = only_unit(&series);
            let sides = sides(&series, ranges, self.pointed_unit, has_right);
            for (at, (shown, selected)) in shown.iter_mut().zip(selected).enumerate() {
                let unit = match ranges {
                    // One range for all series, regardless of their units.
                    ValueRange::Shared => only_unit.unwrap_or(Unit::Count),
                    ValueRange::Auto | ValueRange::Own => selected.unit(),
                };
                let range = self.rounded(reaches(at), unit, ranges);
                shown.range = self.zoomed_range(selected).unwrap_or(range);
                shown.side = sides(at);
                *shown = within_range(*shown, selected);
            }
        }
        self.reaches = (series, groups);
        self.usual = usual;
        (shown, ranges)
    }

    fn rounded(&self, (lo, hi): (f64, f64), unit: Unit, ranges: ValueRange) -> (f64, f64) {
        let close = (ranges == ValueRange::Own).then(|| close_range(lo, hi, unit == Unit::Bytes));
        match close {
            // Whole decades would leave most of the height empty. A logarithm cannot tell values
            // apart that differ by much less than this share.
            Some(close)
                if self.choices.log && close.0 > 0.0 && close.1 - close.0 > 1e-11 * close.1 =>
            {
                close
            }
            Some(close) if !self.choices.log => close,
            _ if self.choices.log => decades(lo, hi),
            _ => rounded_linear(lo, hi, unit),
        }
    }

    /// Returns the range of a whole stack of series of a unit.
    pub(super) fn stacked_range(&self, highest: f64, unit: Unit) -> (f64, f64) {
        let zoomed = self.zoomed.as_ref().map(|zoomed| zoomed.shared);
        zoomed.unwrap_or_else(|| rounded_linear(0.0, highest, unit))
    }

    /// Returns the part that the user zoomed to. A series shown alone keeps its part.
    fn zoomed_range(&self, selected: &SelectedSeries) -> Option<(f64, f64)> {
        let zoomed = self.zoomed.as_ref()?;
        match self.choices.range {
            ValueRange::Shared => Some(zoomed.shared),
            ValueRange::Own => zoomed.own.get(&selected.path).copied(),
            ValueRange::Auto => {
                let mut units = zoomed.units.iter();
                let found = units.find(|(unit, _)| *unit == selected.unit())?;
                Some(found.1)
            }
        }
    }
}

fn rounded_linear(lo: f64, hi: f64, unit: Unit) -> (f64, f64) {
    match unit {
        Unit::Bytes => round_binary_range(lo, hi),
        _ => round_range(lo, hi),
    }
}

/// Hides the line of a budget that is outside the range.
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

/// Returns the values of a series that its axis shows, given all and the usual ones, and whether its
/// budget is near. They include a budget that is near. In a range of its own, they include it only if
/// they still take half of the range.
fn reach(
    of: Option<(&Summary, (f64, f64))>,
    selected: &SelectedSeries,
    ranges: ValueRange,
) -> ((f64, f64), bool) {
    let Some((summary, usual)) = of else {
        return ((f64::INFINITY, f64::NEG_INFINITY), false);
    };
    let all = (summary.min, summary.max);
    let (min, max) = match ranges {
        ValueRange::Own => close_without_outliers(all, usual),
        ValueRange::Auto | ValueRange::Shared => without_outliers(all, usual),
    };
    let budget = selected
        .budget()
        .filter(|&budget| budget_is_near(budget, (usual.1, max), summary.max > budget));
    let hides = |budget: f64| max > min && budget.max(max) - budget.min(min) > 2.0 * (max - min);
    let budget = budget.filter(|&budget| ranges != ValueRange::Own || !hides(budget));
    ((min, max.max(budget.unwrap_or(max))), budget.is_some())
}

#[cfg(test)]
pub(in crate::graph) mod tests {
    use super::*;
    use crate::data::selection::{FRAME_TIME, Selection};
    use crate::input::saved_field::Named;
    use crate::testing::Values;

    /// Returns the shown part of a series with values up to `max`.
    pub(in crate::graph) fn up_to(max: f64) -> Shown {
        let summary = Some(Summary {
            now: max,
            min: 0.0,
            mean: max,
            max,
        });
        Shown {
            summary,
            range: (0.0, max),
            side: Side::Left,
            budget_near: false,
            hidden: false,
            frames: (0, 0),
        }
    }

    #[test]
    fn a_stack_starts_at_zero_unless_zoomed() {
        let (mut view, mut selection) = (GraphView::default(), Selection::new());
        selection.set("a", true);
        assert_eq!(view.stacked_range(95.0, Unit::Count), (0.0, 100.0));
        assert_eq!(view.stacked_range(0.0, Unit::Count), (0.0, 1.0));
        view.zoom_to(
            selection.selected(),
            &[up_to(100.0), up_to(100.0)],
            (0.5, 0.75),
        );
        assert_eq!(view.stacked_range(95.0, Unit::Count), (50.0, 75.0));
        view.toggle_stacked();
        assert_eq!(
            view.stacked_range(95.0, Unit::Count),
            (0.0, 100.0),
            "stacking ends the zoom"
        );
    }

    #[test]
    fn stacked_and_logarithmic_exclude_each_other() {
        let mut view = GraphView::default();
        view.toggle_stacked();
        view.toggle_log();
        assert!(view.choices.log && !view.choices.stacked && view.mapping() == Mapping::Log);
        view.toggle_stacked();
        assert!(!view.choices.log && view.choices.stacked && view.mapping() == Mapping::Linear);
    }

    #[test]
    fn own_ranges_use_the_whole_height_whatever_the_magnitude_and_the_budget() {
        const MIB: f64 = 1024.0 * 1024.0;
        let selection = Selection::of(["leak", "camera"]);
        // 8 MiB leak from 24 GB, and an angle turns around a far value.
        let leak = (0..=100).map(|frame| 24e9 + f64::from(frame) * 0.08 * MIB);
        let camera = (0..=100).map(|frame| 1.7e15 + f64::from(frame % 21) - 10.0);
        let data = Values {
            times_ms: vec![16.0; 101],
            series: vec![(0, leak.collect()), (0, camera.collect())],
            ..Values::default()
        };
        for (log, ranges) in [
            (false, ValueRange::Own),
            (true, ValueRange::Own),
            (false, ValueRange::Auto),
        ] {
            let mut view = GraphView::default();
            (view.choices.range, view.choices.log) = (ranges, log);
            let of = UsualOf::default();
            let (shown, _) = view.shown(&data, selection.selected(), (0.0, 100.0), of, false);
            for (at, shown) in shown.iter().enumerate() {
                let summary = shown.summary.expect("there are values");
                let (bottom, top) = shown.range;
                let share = (summary.max - summary.min) / (top - bottom);
                // A logarithm cannot tell the angles apart.
                let is_close = ranges == ValueRange::Own && !(log && at == 1);
                assert_eq!(share > 0.5, is_close, "{at} {log} {ranges:?}: {share}");
                assert!(bottom <= summary.min && summary.max <= top);
            }
        }
        let summary = Summary {
            now: 16.0,
            min: 16.0,
            mean: 16.2,
            max: 16.5,
        };
        let mut selection = Selection::of([FRAME_TIME]);
        selection.set_frame_budget(Some(20.0));
        let usual = (16.0, 16.5);
        let reach = |ranges| reach(Some((&summary, usual)), &selection.selected()[0], ranges);
        assert_eq!(reach(ValueRange::Auto), ((16.0, 20.0), true));
        assert_eq!(reach(ValueRange::Own), ((16.0, 16.5), false));
    }

    #[test]
    fn the_ranges_cycle_in_three_steps() {
        let mut view = GraphView::default();
        let mut seen = Vec::new();
        for _ in 0..3 {
            view.choices.range = view.choices.range.next();
            seen.push(view.choices.range);
        }
        assert_eq!(
            seen,
            [ValueRange::Shared, ValueRange::Own, ValueRange::Auto]
        );
    }

    #[test]
    fn zooming_shows_a_part_of_every_range() {
        let mut view = GraphView::default();
        let selection = Selection::of([FRAME_TIME, "a", "b"]);
        let (selected, hidden) = (
            selection.selected(),
            Shown {
                hidden: true,
                ..up_to(7.0)
            },
        );
        view.zoom_to(selected, &[up_to(10.0), up_to(1000.0), hidden], (0.25, 0.5));
        let zoomed = |view: &mut GraphView, ranges, at: usize| {
            view.choices.range = ranges;
            view.zoomed_range(&selected[at])
        };
        assert_eq!(zoomed(&mut view, ValueRange::Own, 1), Some((250.0, 500.0)));
        assert_eq!(zoomed(&mut view, ValueRange::Shared, 1), Some((2.5, 5.0)));
        assert_eq!(zoomed(&mut view, ValueRange::Auto, 0), Some((2.5, 5.0)));
        // The hidden series has the range of the visible one of its unit.
        assert_eq!(zoomed(&mut view, ValueRange::Auto, 2), Some((250.0, 500.0)));
        view.end_zoom();
        for ranges in [ValueRange::Auto, ValueRange::Shared, ValueRange::Own] {
            assert_eq!(zoomed(&mut view, ranges, 1), None);
        }
    }
}
