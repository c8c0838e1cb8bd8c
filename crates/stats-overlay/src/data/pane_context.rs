//! The input of every view of a pane.
//!
//! Graph, table, distribution and statistics show the same thing in different ways: the selected
//! series of one pane, over the frames that all panes share. [`PaneContext`] is that input. A view
//! adds its own state and paints.

use stats_ui::theme::Theme;

use crate::data::selection::SelectedSeries;
use crate::data::timeline::Timeline;
use crate::data::view::Data;

/// The series of one pane, and the state that all panes share, for one pass.
pub(crate) struct PaneContext<'a> {
    pub(crate) theme: &'a Theme,
    /// The visible frames, the cursor and the selected range, which all panes share.
    pub(crate) timeline: &'a mut Timeline,
    /// The values to show: live, or the copy taken at the pause.
    pub(crate) data: &'a dyn Data,
    /// The selected series, in the order in which `data` numbers them.
    pub(crate) selected: &'a [SelectedSeries],
    /// Returns the text to show instead of the numbers of a series without values.
    pub(crate) absent: &'a dyn Fn(&SelectedSeries) -> &str,
    /// Whether to read numbers again in this pass.
    pub(crate) refresh: bool,
    /// A number that changes with the selection and with the known facts about its series.
    pub(crate) revision: u64,
}
