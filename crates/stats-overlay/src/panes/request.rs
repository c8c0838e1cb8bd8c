//! The requests of a pane to other parts of the overlay.

use crate::hitches::findings::RowId;
use crate::input::action::Action;

/// A click in a pane that changes more than the panes. It is performed after the pass is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PaneRequest {
    /// Perform an action on the active pane, as its key does.
    Perform(Action),
    /// Pause and move this frame into view.
    LookAt(u64),
    /// Add the series of a hitch to the active pane, pause and move its frame into view.
    ShowHitch(RowId),
    /// Withdraw the offered budget.
    DismissBudget,
    /// Open the settings.
    OpenSettings,
}
