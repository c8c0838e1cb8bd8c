//! The interface of a view of a pane.
//!
//! A view shows the selected series of a pane over the frames that all panes share. It draws on a
//! [`Canvas`], which is part of the panel, or over a running game and then without input. It changes
//! its own state and the [`FrameAxis`], which belongs to all panes. It cannot change anything else:
//! the rest of its [`PaneContext`] is read-only, and it returns other effects of a click as a
//! [`PaneRequest`].
//!
//! The macro [`views`](crate::views) lists all views. To add one, write a folder like `hitches`,
//! whose file `view.rs` has a type that implements [`View`], and add an entry to the list.

use std::ops::Range;

use egui::{Rect, Ui, Vec2};
use stats_ui::theme::Theme;

use crate::baseline::marked::MarkedBaseline;
use crate::data::frame_axis::FrameAxis;
use crate::data::selection::SelectedSeries;
use crate::data::shown_scopes::ShownScopes;
use crate::data::view::Data;
use crate::data::wanted_frames::WantedFrames;
use crate::input::action::Action;
use crate::input::settings::Settings;
use crate::insight::findings::Findings;
use crate::insight::frame_limit::LimitOf;
use crate::paint::canvas::Canvas;
pub(crate) use crate::paint::choice_ui::Icon;
use crate::search::query::Query;

/// A view of a pane: what it does besides its name and key, which are in the list of views.
///
/// It keeps its state while another view is shown.
pub(crate) trait View {
    /// Draws the view into `rect`, without input if the canvas is over a running game. Returns a
    /// click that affects more than the view.
    fn draw(
        &mut self,
        canvas: &mut Canvas<'_>,
        rect: Rect,
        pane: PaneContext<'_>,
    ) -> Option<PaneRequest>;

    /// Returns the icon of the view on the bar above the pane.
    fn icon(&self) -> Icon;

    /// Draws the user's choices in the menu of the pane.
    fn choices_ui(
        &mut self,
        _ui: &mut Ui,
        _theme: &Theme,
        _selected: &[SelectedSeries],
    ) -> Option<PaneRequest> {
        None
    }

    /// Performs an action on the view. The view that is shown comes first, then the graph.
    fn perform(&mut self, _action: Action, _pane: &PaneContext<'_>) -> Performed {
        Performed::No
    }

    /// Returns the frames whose scopes the view shows; `None` if it shows none, which is the default.
    /// `held` are the frames of the history.
    fn wanted_scopes(&self, _frame_axis: &FrameAxis, _held: &Range<u64>) -> Option<WantedFrames> {
        None
    }

    /// Scrolls to a frame that the user looks at.
    fn reveal(&mut self, _frame: u64) {}

    /// Scrolls to the newest frames.
    fn follow(&mut self) {}

    /// Returns to automatic ranges of values.
    fn unzoom(&mut self) {}

    /// Deselects what only this view has selected. Returns whether there was anything.
    fn deselect(&mut self) -> bool {
        false
    }

    /// Forgets all frames, before another source is drawn.
    fn forget_frames(&mut self) {}

    /// Frees what only saves time, while the view is not on screen.
    fn free_pictures(&mut self) {}

    /// Returns what a graph of these series needs in a place of this size.
    fn needs(&self, _selected: &[SelectedSeries], _size: Vec2) -> Aligned {
        Aligned::default()
    }
}

/// What all graphs have if one of them needs it, so that their frames line up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Aligned {
    pub(crate) right_axis: bool,
    /// The legend beside the graph, and not below it.
    pub(crate) legend_beside: bool,
}

impl Aligned {
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            right_axis: self.right_axis || other.right_axis,
            legend_beside: self.legend_beside || other.legend_beside,
        }
    }
}

/// The series of one pane, and the state that all panes share, for one pass.
pub(crate) struct PaneContext<'a> {
    pub(crate) theme: &'a Theme,
    /// The visible frames, the cursor and the selected range, which all panes share.
    pub(crate) frame_axis: &'a mut FrameAxis,
    /// The values to show: live, or the copy taken at the pause.
    pub(crate) data: &'a dyn Data,
    /// The scopes of the frames that the views want.
    pub(crate) scopes: &'a ShownScopes,
    /// The selected series, in the order in which `data` numbers them.
    pub(crate) selected: &'a [SelectedSeries],
    /// Returns the text to show instead of the numbers of a series without values.
    pub(crate) absent: &'a dyn Fn(&SelectedSeries) -> &str,
    /// Whether to read numbers again in this pass.
    pub(crate) refresh: bool,
    /// A number that changes with the selection and with the known facts about its series.
    pub(crate) revision: u64,
    pub(crate) settings: &'a Settings,
    /// The hitches, leaks and periodic stalls.
    pub(crate) found: &'a Findings,
    /// What limits the frame rate in the frames of a view.
    pub(crate) limit: LimitOf<'a>,
    /// The baseline with which series are compared.
    pub(crate) baseline: &'a MarkedBaseline,
    /// What the user searches for.
    pub(crate) search: &'a Query,
    pub(crate) aligned: Aligned,
}

impl PaneContext<'_> {
    /// Returns whether a selected series has a spike in a frame.
    pub(crate) fn is_spike(&self, at: usize, frame: u64) -> bool {
        let track = self.data.track(at);
        track.is_some_and(|track| track.spikes.is_spike(frame))
    }
}

/// What became of an action that a view was asked to perform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Performed {
    /// The view does not have the action.
    No,
    Yes,
    /// It needs more than the view.
    With(PaneRequest),
}

/// A click in a pane that changes more than the pane's view. It is performed after the pass is
/// painted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PaneRequest {
    /// Perform an action on the active pane, as its key does.
    Perform(Action),
    /// Pause and move this frame into view.
    LookAt(u64),
    /// Deselect a series of the pane.
    Deselect(String),
    /// Edit the budget of a series.
    EditBudget(String),
    /// Add series to the active pane. If there are frames, pause and move the first into view.
    Show {
        paths: Vec<String>,
        frames: Range<u64>,
    },
    /// Leave the frames with a mark out of statistics, or not.
    LeaveOut { mark: String, is_left_out: bool },
    /// Withdraw the offered budget.
    DismissBudget,
    /// Open the settings.
    OpenSettings,
}

impl PaneRequest {
    /// Shows a series in the graph of its pane, at frames, unless the range is empty.
    pub(crate) fn show(path: &str, frames: Range<u64>) -> Self {
        let paths = vec![path.to_owned()];
        Self::Show { paths, frames }
    }
}
