//! The state of the costs between frames, and their keys.

use std::ops::Range;

use egui::{Rect, Ui, Vec2};
use stats_ui::list::List;
use stats_ui::retained::Retained;
use stats_ui::theme::Theme;
use stats_ui::tree::RowAction;

use crate::costs::choices::{CostColumn, CostsChoices};
use crate::costs::sums::{Cost, Costs, RowKey};
use crate::costs::ui::{CostsUi, ROW};
use crate::data::frame_axis::FrameAxis;
use crate::data::selection::SelectedSeries;
use crate::data::view::Data;
use crate::data::wanted_frames::WantedFrames;
use crate::input::action::Action;
use crate::paint::canvas::Canvas;
use crate::paint::choice_ui::{Icon, toggle};
use crate::view::{PaneContext, PaneRequest, Performed, View};

/// The time of the newest frames that are summed up, in milliseconds.
const NEWEST_MS: f64 = 1000.0;
/// The maximum number of frames that are summed up.
const MAX_FRAMES: u64 = 4096;

/// The costs of a pane between frames.
#[derive(Debug, Default)]
pub(crate) struct CostsView {
    pub(crate) choices: CostsChoices,
    pub(super) costs: Costs,
    /// The frames that the costs are of.
    pub(super) range: Range<u64>,
    /// Whether these frames are the newest, and not chosen by the user.
    pub(super) is_newest: bool,
    /// What the costs were computed from.
    of: Option<(Range<u64>, CostsChoices, u64)>,
    /// The terms of the search, and the revision of the baseline, when they were computed.
    of_others: (u64, u64),
    /// The row that keys act on.
    pub(super) selected: Option<RowKey>,
    pub(super) list: List,
    /// The line above the heads, and what it was made of.
    pub(super) title: (Option<(u64, bool)>, String),
    pub(super) heads: Retained<HeadsKey>,
    pub(super) rows: Retained<RowsKey>,
    /// The frames to read: those of the newest second in the previous pass.
    newest: Range<u64>,
}

/// The cache key of the shapes of the heads.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HeadsKey {
    pub(super) sort: CostColumn,
    pub(super) is_compared: bool,
    pub(super) size: Vec2,
    pub(super) theme: Theme,
}

/// The cache key of the shapes of the rows on screen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RowsKey {
    pub(super) revision: u64,
    pub(super) rows: Range<usize>,
    pub(super) width: f32,
    pub(super) theme: Theme,
    /// Changes with the series of the pane, whose colors the rows have.
    pub(super) of_pane: u64,
}

impl View for CostsView {
    /// Bars, the longest first.
    fn icon(&self) -> Icon {
        &[
            &[(0.0, 0.0), (0.0, 1.0)],
            &[(0.0, 0.2), (1.0, 0.2)],
            &[(0.0, 0.5), (0.6, 0.5)],
            &[(0.0, 0.8), (0.3, 0.8)],
        ]
    }

    fn draw(
        &mut self,
        canvas: &mut Canvas<'_>,
        rect: Rect,
        pane: PaneContext<'_>,
    ) -> Option<PaneRequest> {
        self.update(&pane);
        CostsUi { pane, view: self }.costs_ui(canvas, rect)
    }

    fn choices_ui(
        &mut self,
        ui: &mut Ui,
        theme: &Theme,
        _selected: &[SelectedSeries],
    ) -> Option<PaneRequest> {
        let help = "Calls on different threads have rows of their own";
        toggle(ui, theme, ("By thread", help), &mut self.choices.by_thread);
        let help = "Below each timer those that it calls: a row for each call path";
        toggle(ui, theme, ("Call tree", help), &mut self.choices.tree);
        None
    }

    fn wanted_scopes(&self, frame_axis: &FrameAxis, held: &Range<u64>) -> Option<WantedFrames> {
        let chosen = chosen(frame_axis, held);
        // The frames of the previous pass, too: the list changes more seldom than the frames.
        let newest = self.newest.start.min(self.range.start)..held.end;
        let range = chosen.unwrap_or(if self.newest.is_empty() {
            held.end.saturating_sub(60)..held.end
        } else {
            newest
        });
        let start = range.start.max(range.end.saturating_sub(MAX_FRAMES));
        Some((start..range.end).into())
    }

    /// Moves the selection, or shows the selected timer.
    fn perform(&mut self, action: Action, _pane: &PaneContext<'_>) -> Performed {
        let Action::Rows(action) = action else {
            return Performed::No;
        };
        let rows = &self.costs.rows;
        let selected = |row: &Cost| Some(row.key()) == self.selected;
        self.list.cursor = rows.iter().position(selected);
        if let (RowAction::Activate, Some(at)) = (action, self.list.cursor) {
            return Performed::With(PaneRequest::show(&rows[at].path, 0..0));
        }
        if let Some(to) = self.list.target(action, rows.len(), ROW) {
            self.selected = rows.get(to).map(Cost::key);
            self.list.put_cursor(to);
        }
        Performed::Yes
    }

    fn follow(&mut self) {
        self.of = None;
    }

    fn deselect(&mut self) -> bool {
        self.selected.take().is_some()
    }

    fn forget_frames(&mut self) {
        *self = Self {
            choices: self.choices.clone(),
            ..Self::default()
        };
    }

    fn free_pictures(&mut self) {
        (self.heads, self.rows) = (Retained::default(), Retained::default());
    }
}

impl CostsView {
    /// Sums up the calls again: at once if the user chose other frames or columns, and when numbers
    /// are read again.
    fn update(&mut self, pane: &PaneContext<'_>) {
        let held = pane.data.frames();
        self.newest = newest_second(pane.data);
        let chosen = chosen(pane.frame_axis, &held);
        self.is_newest = chosen.is_none();
        let range = chosen.unwrap_or_else(|| self.newest.clone());
        let (is_chosen, before) = (!self.is_newest, self.of.as_ref());
        let others = (pane.search.terms_key(), pane.baseline.revision());
        let are_others = std::mem::replace(&mut self.of_others, others) != others;
        let is_due = are_others
            || match before {
                None => true,
                Some((of, choices, revision)) => {
                    let has_changed = *of != range || *revision != pane.scopes.revision();
                    *choices != self.choices || (has_changed && (is_chosen || pane.refresh))
                }
            };
        if is_due {
            self.costs.update(
                pane.scopes,
                &range,
                &self.choices,
                (pane.search, pane.baseline),
            );
            self.of = Some((range.clone(), self.choices.clone(), pane.scopes.revision()));
            self.range = range;
        }
    }
}

/// Returns the frames that the user chose: the selected ones, or those on screen while the views do
/// not follow the newest.
fn chosen(frame_axis: &FrameAxis, held: &Range<u64>) -> Option<Range<u64>> {
    let chosen = frame_axis.chosen(held);
    if frame_axis.selected_range.is_some() {
        return Some(chosen);
    }
    let range = chosen.start.max(held.start)..chosen.end.min(held.end);
    (!frame_axis.follows() && !range.is_empty()).then_some(range)
}

/// Returns the frames of the newest second, at least one.
fn newest_second(data: &dyn Data) -> Range<u64> {
    let held = data.frames();
    let times = data.frame_times();
    let (mut start, mut total_ms) = (held.end, 0.0);
    while start > held.start && total_ms < NEWEST_MS && held.end - start < MAX_FRAMES {
        start -= 1;
        total_ms += times.at(start).unwrap_or(0.0);
    }
    start..held.end
}
