//! The state of the list of a pane, and its keys.

use std::ops::Range;

use egui::{Rect, Vec2};
use stats_analysis::log::lines_beside;
use stats_analysis::moments::frames_before;
use stats_core::LogLine;
use stats_ui::list::List;
use stats_ui::retained::Retained;
use stats_ui::theme::Theme;
use stats_ui::tree::RowAction;

use crate::data::view::Data;
use crate::hitches::row_ui::ROW;
use crate::hitches::rows::Rows;
use crate::hitches::ui::HitchesUi;
use crate::input::action::Action;
use crate::insight::findings::{Findings, RowId};
use crate::insight::row_texts::{Detail, details};
use crate::paint::canvas::Canvas;
use crate::view::{Icon, PaneContext, PaneRequest, Performed, View};

/// The list of a pane between frames.
#[derive(Debug, Default)]
pub(crate) struct HitchesView {
    /// The row that keys act on. Its details are shown.
    pub(crate) selected: Option<RowId>,
    pub(super) rows: Rows,
    /// The rows on screen.
    pub(super) list: List,
    /// The lines below the selected row, with the row and the revision that they belong to.
    details: (Option<(RowId, u64)>, Vec<Detail>),
    /// The shapes of the rows on screen.
    pub(super) painted: Vec<Retained<RowKey>>,
}

/// The cache key of a row's shapes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RowKey {
    pub(super) row: RowId,
    /// The revisions of the findings and of the selection.
    pub(super) revisions: (u64, u64),
    pub(super) size: Vec2,
    pub(super) theme: Theme,
    pub(super) is_selected: bool,
    pub(super) is_gone: bool,
    /// The frames of its graph.
    pub(super) frames: Range<u64>,
}

impl View for HitchesView {
    fn icon(&self) -> Icon {
        &[&[
            (0.0, 0.85),
            (0.38, 0.85),
            (0.5, 0.05),
            (0.62, 0.85),
            (1.0, 0.85),
        ]]
    }

    fn draw(
        &mut self,
        canvas: &mut Canvas<'_>,
        rect: Rect,
        pane: PaneContext<'_>,
    ) -> Option<PaneRequest> {
        HitchesUi { pane, view: self }.hitches_ui(canvas, rect)
    }

    /// Moves the selection, or shows the selected row if it is activated and still listed.
    fn perform(&mut self, action: Action, pane: &PaneContext<'_>) -> Performed {
        let Action::Rows(action) = action else {
            return Performed::No;
        };
        if self.rows.len() == 0 {
            // The view was not drawn yet.
            let frames = pane.data.frames();
            (self.rows).update(pane.found, (frames, pane.search), self.selected, None);
        }
        self.list.cursor = self.selected.and_then(|row| self.rows.position(row));
        let current = self.list.cursor.and_then(|at| self.rows.get(at));
        if let (RowAction::Activate, Some(current)) = (action, current) {
            return Performed::With(current.request(pane.found));
        }
        let target = self.list.target(action, self.rows.len(), ROW);
        if let Some(listed) = target.and_then(|at| self.rows.get(at)) {
            self.select(listed.row);
        }
        Performed::Yes
    }
}

/// Returns the request to show the series and the frames of a row.
pub(super) fn show(found: &Findings, row: RowId) -> PaneRequest {
    PaneRequest::Show {
        paths: found.paths(row).into_iter().map(str::to_owned).collect(),
        frames: found.frames_of(row),
    }
}

/// Returns the newest lines of the log in the two seconds before some frames, and in them.
fn log_beside(data: &dyn Data, frames: Range<u64>) -> Vec<(u64, LogLine<'_>)> {
    let duration_ms = |frame| Some(data.frame(frame)?.duration_ms);
    let before = frames_before(frames.start, data.frames().start, duration_ms);
    lines_beside(data.marks(), before.start..frames.end)
}

impl HitchesView {
    /// Selects a row, and scrolls to it.
    pub(crate) fn select(&mut self, row: RowId) {
        self.selected = Some(row);
        self.list.has_moved = true;
    }

    /// Returns the lines below the selected row. A row that is no longer found keeps its lines.
    pub(super) fn details(&mut self, found: &Findings, data: &dyn Data) -> &[Detail] {
        let made_of = self.selected.map(|row| (row, found.revision()));
        let is_of_selected = self.details.0.map(|(row, _)| row) == self.selected;
        let is_known = self
            .selected
            .is_some_and(|row| found.hitch_of(row).is_some());
        if self.details.0 != made_of && (is_known || !is_of_selected) {
            let lines = self.selected.map(|row| {
                let log = log_beside(data, found.frames_of(row));
                details(found, row, log)
            });
            self.details = (made_of, lines.unwrap_or_default());
        }
        self.known_details()
    }

    /// Returns the lines that [`details`](Self::details) last returned.
    pub(super) fn known_details(&self) -> &[Detail] {
        &self.details.1
    }
}
