//! The state of the table: its order, its scroll position, and the selected frames.

use std::ops::Range;

use egui::{Rect, Ui};

use crate::data::frame_axis::FrameAxis;
use crate::data::mark_lanes::MarkLanes;
use crate::data::selection::{FRAME_TIME, SelectedSeries};
use crate::input::action::Action;
use crate::input::key_hint::hint_with_keys;
use crate::paint::canvas::Canvas;
use crate::table::choices::TableChoices;
use crate::table::order::Order;
use crate::table::row_ui::CellsKey;
use crate::table::spike_track::SpikeTrack;
use crate::table::ui::TableUi;
use crate::view::{Icon, PaneContext, PaneRequest, View};
use stats_analysis::format::NumberStyle;
use stats_core::Unit;
use stats_ui::list::List;
use stats_ui::retained::Retained;
use stats_ui::theme::Theme;

/// The state of the table of one pane.
#[derive(Debug, Default)]
pub(crate) struct TableView {
    /// The choice of the user.
    pub(crate) choices: TableChoices,
    /// A frame to scroll to in the next pass.
    pub(super) reveal: Option<u64>,
    /// The end of the frames to show, if the rows are unsorted.
    pub(crate) end: u64,
    /// The end of the frames in the previous pass.
    pub(super) newest: u64,
    /// The rows on screen.
    pub(super) list: List,
    /// Whether to scroll to the top in the next pass.
    pub(super) to_top: bool,
    pub(super) columns: Vec<TableColumn>,
    /// The revision of the selection that the columns belong to, whether there are seconds, and the
    /// room for the columns.
    pub(super) columns_of: Option<(u64, bool, f32)>,
    /// Changes with the places and the styles of the columns.
    pub(super) layout: u64,
    /// The shapes of the rows on screen, at the index of their frame modulo the length.
    pub(super) painted: Vec<Retained<CellsKey>>,
    pub(super) spikes: SpikeTrack,
    /// The rows of spikes from top to bottom, if the rows are sorted.
    pub(super) spike_rows: Vec<usize>,
    pub(super) order: Order,
    /// The lanes of the marks of frames.
    pub(super) mark_lanes: MarkLanes,
    /// The oldest frame of the history when the rows were last sorted.
    pub(super) sorted_from: u64,
    /// Whether the rows are in `order`.
    pub(super) sorted: bool,
    /// The frame on which the button was pressed.
    pub(super) pressed: Option<u64>,
    /// The frame from which a selection is extended.
    anchor: Option<u64>,
    /// Selected frames that are not consecutive, oldest first. While there are any, nothing is
    /// selected in the other panes.
    picked: Vec<u64>,
}

/// A column after the column of frame numbers.
#[derive(Clone, Debug)]
pub(super) struct TableColumn {
    /// The index among the selected series; `None` for the frame time while it is not selected.
    pub(crate) selected: Option<usize>,
    pub(super) style: Option<NumberStyle>,
    pub(crate) left: f32,
    pub(crate) width: f32,
    /// The widths that the whole name and the values need.
    pub(super) of_name: f32,
    pub(super) of_values: f32,
}

impl TableColumn {
    pub(crate) fn path<'a>(&self, selected: &'a [SelectedSeries]) -> &'a str {
        self.series(selected)
            .map_or(FRAME_TIME, |series| series.path.as_str())
    }

    pub(super) fn unit(&self, selected: &[SelectedSeries]) -> Unit {
        let series = self.series(selected);
        series.map_or(Unit::Milliseconds, SelectedSeries::unit)
    }

    pub(super) fn series<'a>(&self, selected: &'a [SelectedSeries]) -> Option<&'a SelectedSeries> {
        selected.get(self.selected?)
    }
}

impl View for TableView {
    fn icon(&self) -> Icon {
        &[
            &[
                (0.0, 0.05),
                (1.0, 0.05),
                (1.0, 0.95),
                (0.0, 0.95),
                (0.0, 0.05),
            ],
            &[(0.0, 0.35), (1.0, 0.35)],
            &[(0.0, 0.65), (1.0, 0.65)],
            &[(0.4, 0.05), (0.4, 0.95)],
        ]
    }

    fn draw(
        &mut self,
        canvas: &mut Canvas<'_>,
        rect: Rect,
        pane: PaneContext<'_>,
    ) -> Option<PaneRequest> {
        TableUi { pane, view: self }.table_ui(canvas, rect);
        None
    }

    /// Draws the buttons that export the values.
    fn choices_ui(
        &mut self,
        ui: &mut Ui,
        _theme: &Theme,
        _selected: &[SelectedSeries],
    ) -> Option<PaneRequest> {
        let mut button = |name, help, action| {
            let response = ui.button(name);
            hint_with_keys(&response, help);
            response.clicked().then_some(PaneRequest::Perform(action))
        };
        let help = "Copy the selected frames, or all, for a spreadsheet (Ctrl+C)";
        let copy = button("Copy as TSV", help, Action::CopyTsv);
        let help = "Save the selected frames, or all, as a file (Ctrl+S)";
        let save = button("Save as CSV", help, Action::SaveCsv);
        copy.or(save)
    }

    fn reveal(&mut self, frame: u64) {
        self.reveal = Some(frame);
    }

    fn follow(&mut self) {
        (self.reveal, self.to_top) = (None, true);
    }

    fn deselect(&mut self) -> bool {
        !std::mem::take(&mut self.picked).is_empty()
    }

    fn forget_frames(&mut self) {
        self.picked.clear();
        (self.anchor, self.pressed, self.reveal) = (None, None, None);
        self.order.clear();
    }
}

impl TableView {
    /// Returns the column that sorts the rows. The outer `None` means that the rows are unsorted or
    /// that the column is missing; the inner `None` means the frame's number.
    pub(super) fn sort_column(&self, selected: &[SelectedSeries]) -> Option<Option<usize>> {
        match &self.choices.sort.as_ref()?.path {
            None => Some(None),
            Some(path) => self
                .columns
                .iter()
                .position(|column| column.path(selected) == path)
                .map(Some),
        }
    }

    pub(super) fn rows(&self, held: &Range<u64>) -> u64 {
        if self.sorted {
            self.order.len() as u64
        } else {
            held.end - held.start
        }
    }

    /// Returns the frame in a row, counted from the top.
    pub(super) fn frame_in(&self, row: u64) -> Option<u64> {
        if self.sorted {
            self.order.frame(usize::try_from(row).ok()?)
        } else {
            self.end.checked_sub(row + 1)
        }
    }

    /// Returns the row of a frame; `None` if the table does not have the frame.
    pub(super) fn row_of(&self, frame: u64, held: &Range<u64>) -> Option<u64> {
        if self.sorted {
            return self.order.row_of(frame).map(|row| row as u64);
        }
        held.contains(&frame)
            .then(|| self.end.saturating_sub(frame + 1))
    }

    pub(super) fn is_selected(&self, frame: u64, frame_axis: &FrameAxis) -> bool {
        match &frame_axis.selected_range {
            Some(selected) => selected.contains(&frame),
            None => self.picked.binary_search(&frame).is_ok(),
        }
    }

    /// Returns whether any frame is selected.
    fn has_selected(&self, frame_axis: &FrameAxis) -> bool {
        frame_axis.selected_range.is_some() || !self.picked.is_empty()
    }

    /// Returns the frames to copy: the selected frames, or all frames in `held` if none are
    /// selected. Sorted rows keep their order, followed by frames that have no row yet; otherwise
    /// the oldest frame is first.
    pub(crate) fn frames_to_copy(&self, frame_axis: &FrameAxis, held: Range<u64>) -> Vec<u64> {
        let is_copied = |frame: &u64| {
            held.contains(frame)
                && (!self.has_selected(frame_axis) || self.is_selected(*frame, frame_axis))
        };
        if !self.sorted {
            return held.clone().filter(is_copied).collect();
        }
        let rows = self.order.range();
        let rest = held.clone().filter(|frame| !rows.contains(frame));
        self.order.frames().chain(rest).filter(is_copied).collect()
    }

    /// Selects one frame, from which the selection can be extended. If it is the only selected
    /// frame, deselects it.
    pub(super) fn select(&mut self, frame: u64, frame_axis: &mut FrameAxis) {
        let only = frame_axis.selected_range == Some(frame..frame + 1);
        self.picked.clear();
        self.anchor = (!only).then_some(frame);
        frame_axis.selected_range = (!only).then_some(frame..frame + 1);
    }

    /// Starts a selection that is dragged over the rows.
    pub(super) fn anchor_at(&mut self, frame: u64) {
        self.anchor = Some(frame);
    }

    /// Selects all rows between the first selected frame and this one.
    pub(super) fn extend_to(&mut self, frame: u64, frame_axis: &mut FrameAxis) {
        let anchor = *self.anchor.get_or_insert(match &frame_axis.selected_range {
            Some(selected) if frame < selected.start => selected.end.saturating_sub(1),
            Some(selected) => selected.start,
            None => frame,
        });
        self.picked.clear();
        if !self.sorted {
            frame_axis.selected_range = Some(anchor.min(frame)..anchor.max(frame) + 1);
            return;
        }
        let Some(to) = self.order.row_of(frame) else {
            return;
        };
        let from = self.order.row_of(anchor).unwrap_or(to);
        self.picked
            .extend((from.min(to)..=from.max(to)).filter_map(|row| self.order.frame(row)));
        self.picked.sort_unstable();
        let are_consecutive = self.picked.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        frame_axis.selected_range = match (self.picked.first(), self.picked.last()) {
            (Some(&first), Some(&last)) if are_consecutive => Some(first..last + 1),
            _ => None,
        };
    }

    pub(super) fn select_all(&mut self, held: Range<u64>, frame_axis: &mut FrameAxis) {
        self.picked.clear();
        self.anchor = (!held.is_empty()).then_some(held.start);
        frame_axis.selected_range = (!held.is_empty()).then_some(held);
    }

    /// Drops a selection that another pane has replaced.
    pub(super) fn settle_selection(&mut self, frame_axis: &FrameAxis) {
        if frame_axis.selected_range.is_some() {
            self.picked.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::choices::Sort;
    use stats_testing::Random;

    fn unsorted(end: u64) -> TableView {
        TableView {
            end,
            ..TableView::default()
        }
    }

    /// Returns a table of frames 0 to 99 that is sorted by shuffled values.
    fn sorted() -> TableView {
        let sort = Sort {
            path: None,
            descending: true,
        };
        let mut view = TableView {
            sorted: true,
            ..TableView::default()
        };
        view.order
            .update(&sort, 0..100, |frame| Some((frame * 37 % 100) as f64));
        view.choices.sort = Some(sort);
        view
    }

    #[test]
    fn a_selection_extends_from_its_first_frame() {
        let mut random = Random::new(5);
        let (mut view, mut frame_axis) = (unsorted(100), FrameAxis::default());
        for _ in 0..200 {
            let (from, to, then) = (random.below(100), random.below(100), random.below(100));
            view.select(from, &mut frame_axis);
            if frame_axis.selected_range.is_none() {
                view.select(from, &mut frame_axis);
            }
            for to in [to, then] {
                view.extend_to(to, &mut frame_axis);
                assert_eq!(
                    frame_axis.selected_range,
                    Some(from.min(to)..from.max(to) + 1)
                );
            }
        }
    }

    #[test]
    fn a_selection_of_sorted_rows_has_exactly_the_rows_between() {
        let mut random = Random::new(6);
        let (mut view, mut frame_axis) = (sorted(), FrameAxis::default());
        for _ in 0..200 {
            let (from, to) = (random.below(100), random.below(100));
            frame_axis.selected_range = None;
            view.select(view.frame_in(from).unwrap(), &mut frame_axis);
            view.extend_to(view.frame_in(to).unwrap(), &mut frame_axis);
            let wanted: Vec<u64> = (from.min(to)..=from.max(to))
                .map(|row| view.frame_in(row).unwrap())
                .collect();
            assert_eq!(
                view.frames_to_copy(&frame_axis, 0..100),
                wanted,
                "in the order of the rows"
            );
            assert!(
                (0..100)
                    .all(|frame| view.is_selected(frame, &frame_axis) == wanted.contains(&frame))
            );
        }
    }

    #[test]
    fn selecting_a_frame_twice_deselects_it_and_a_selection_of_another_pane_can_be_extended() {
        let (mut view, mut frame_axis) = (unsorted(50), FrameAxis::default());
        view.select(7, &mut frame_axis);
        assert_eq!(frame_axis.selected_range, Some(7..8));
        view.select(7, &mut frame_axis);
        assert!(!view.has_selected(&frame_axis));
        frame_axis.selected_range = Some(10..20);
        view.extend_to(25, &mut frame_axis);
        assert_eq!(frame_axis.selected_range, Some(10..26));
        let (mut view, mut frame_axis) = (unsorted(50), FrameAxis::default());
        frame_axis.select(10, 19, &(0..50));
        view.extend_to(5, &mut frame_axis);
        assert_eq!(frame_axis.selected_range, Some(5..20));
    }

    #[test]
    fn the_selected_frames_or_else_all_frames_are_copied() {
        let (view, mut frame_axis) = (unsorted(6), FrameAxis::default());
        assert_eq!(view.frames_to_copy(&frame_axis, 2..6), [2, 3, 4, 5]);
        frame_axis.selected_range = Some(0..4);
        assert_eq!(view.frames_to_copy(&frame_axis, 2..6), [2, 3]);
        assert!(view.frames_to_copy(&frame_axis, 0..0).is_empty());
        let mut copied = sorted().frames_to_copy(&FrameAxis::default(), 2..105);
        assert_eq!(
            copied[98..],
            [100, 101, 102, 103, 104],
            "frames without a row come last"
        );
        copied.sort_unstable();
        assert!(copied.into_iter().eq(2..105));
        let mut all = unsorted(0);
        all.select_all(0..0, &mut frame_axis);
        assert_eq!(frame_axis.selected_range, None);
    }

    #[test]
    fn rows_and_frames_match() {
        for (view, held) in [(unsorted(100), 0..100), (sorted(), 0..100)] {
            for row in 0..100 {
                assert_eq!(view.row_of(view.frame_in(row).unwrap(), &held), Some(row));
            }
            assert_eq!((view.frame_in(100), view.row_of(100, &held)), (None, None));
        }
    }
}
