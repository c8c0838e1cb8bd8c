//! The requests of a pane to other parts of the overlay.

use crate::hitches::found::RowId;

/// A click in a pane that changes more than the panes. It is performed after the pass was painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PaneRequest {
    /// Pause and move this frame into view.
    LookAt(u64),
    /// Add the series of a hitch to the active pane, pause and move its frame into view.
    ShowHitch(RowId),
    /// Set the frame budget to the offered one.
    AcceptBudget,
    /// Withdraw the offered budget.
    DismissBudget,
    /// Open the settings.
    OpenSettings,
    /// Copy the values of the active pane as tab-separated text.
    CopyTsv,
    /// Save the values of the active pane as a CSV file.
    SaveCsv,
}
