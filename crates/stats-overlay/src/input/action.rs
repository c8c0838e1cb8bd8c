//! Everything the overlay can be told to do, whether by a key, a button, or a game pad that the
//! host reads.

use stats_ui::tree::TreeAction;

/// One thing to do, for [`StatsOverlay::act`](crate::StatsOverlay::act).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Action {
    /// Hidden → HUD → full → hidden.
    CycleMode,
    /// Hide the overlay.
    Hide,
    /// Make the views stand still, or live again.
    TogglePause,
    /// One frame on; pauses.
    StepForward,
    /// One frame back; pauses.
    StepBackward,
    /// To the next spike of the active pane; pauses there.
    NextSpike,
    /// To the spike before; pauses there.
    PreviousSpike,
    /// Fewer frames.
    ZoomIn,
    /// More frames.
    ZoomOut,
    /// Earlier frames.
    PanLeft,
    /// Later frames.
    PanRight,
    /// Back to following the newest frames, nothing selected or zoomed.
    ResetView,
    /// Forget all frames recorded so far, those of a loading screen say: no view shows them any
    /// more. What is paused goes on.
    ClearHistory,
    /// The active pane as graph or as table.
    ToggleTable,
    /// The active pane as the distribution of its values or as graph.
    ToggleDistribution,
    /// The active pane as statistics of the frame times, or as graph.
    ToggleStatistics,
    /// The next range of values: automatic, shared, each series' own.
    NextRange,
    /// Values on a logarithmic axis, or not; of a distribution, the next of automatic, linear and
    /// logarithmic.
    ToggleLog,
    /// Series stacked as areas, or not.
    ToggleStacked,
    /// Add an empty pane below the others and make it the active one; up to
    /// [`MAX_PANES`](crate::MAX_PANES).
    AddPane,
    /// Remove the active pane; the only one is emptied instead.
    RemovePane,
    /// Make the next pane the active one; after the last comes the first.
    NextPane,
    /// Make the pane before the active one.
    PreviousPane,
    /// Move the active pane one place up; the first one stays.
    MovePaneUp,
    /// Move the active pane one place down; the last one stays.
    MovePaneDown,
    /// To the search box.
    Search,
    /// Moves the tree's cursor or acts on its row.
    Tree(TreeAction),
    /// Pin the row's counter to the HUD, or unpin it.
    TogglePin,
    /// Make the row's counter a favourite, or not.
    ToggleFavorite,
    /// Copy the selected frames of the active pane, or all, as tab-separated text.
    CopyTsv,
    /// Save the selected frames of the active pane, or all, as a CSV file.
    SaveCsv,
    /// Copy the panes as one line of text.
    CopyView,
    /// Undo one thing: leave the tree, close help or settings, leave the memory view, select no
    /// frames, and at last hide the overlay.
    Back,
    /// Show who holds the memory, or go back to the panes.
    ToggleMemory,
    /// Take a snapshot of the memory and show it, opening the memory view where it is closed.
    /// Nothing while one is being taken.
    TakeMemorySnapshot,
    /// The same, and show what changed since the snapshot that was shown until then: the largest
    /// growth first. The first one of all is shown alone.
    CompareMemory,
    /// Save the memory dump as `memory-NUMBER.csv` in the [export
    /// folder](crate::StatsOverlay::export_folder), over no other file.
    SaveMemoryDump,
    /// Show or hide the help.
    ToggleHelp,
    /// Show or hide the settings.
    ToggleSettings,
}

/// The part of the overlay on which an action has an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The overlay as a whole, whatever is on screen.
    Overlay,
    /// The panes and the tree of counters. Nothing while the memory view covers them.
    Panes,
    /// The rows on screen: those of the tree, or those of the memory view.
    Rows(RowsAction),
}

/// An action on rows, of the tree or of the memory view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowsAction {
    /// Moves the keyboard to the search box above the rows.
    Search,
    /// Moves the cursor, or acts on its row.
    Tree(TreeAction),
}

impl Action {
    /// Returns what the action has an effect on.
    pub(crate) fn reach(self) -> Reach {
        match self {
            Self::CycleMode
            | Self::Hide
            | Self::Back
            | Self::ToggleMemory
            | Self::TakeMemorySnapshot
            | Self::CompareMemory
            | Self::SaveMemoryDump
            | Self::ToggleHelp
            | Self::ToggleSettings => Reach::Overlay,
            Self::Search => Reach::Rows(RowsAction::Search),
            Self::Tree(action) => Reach::Rows(RowsAction::Tree(action)),
            Self::TogglePause
            | Self::StepForward
            | Self::StepBackward
            | Self::NextSpike
            | Self::PreviousSpike
            | Self::ZoomIn
            | Self::ZoomOut
            | Self::PanLeft
            | Self::PanRight
            | Self::ResetView
            | Self::ClearHistory
            | Self::ToggleTable
            | Self::ToggleDistribution
            | Self::ToggleStatistics
            | Self::NextRange
            | Self::ToggleLog
            | Self::ToggleStacked
            | Self::AddPane
            | Self::RemovePane
            | Self::NextPane
            | Self::PreviousPane
            | Self::MovePaneUp
            | Self::MovePaneDown
            | Self::TogglePin
            | Self::ToggleFavorite
            | Self::CopyTsv
            | Self::SaveCsv
            | Self::CopyView => Reach::Panes,
        }
    }

    /// Returns whether holding its key down repeats the action.
    pub(crate) fn repeats(self) -> bool {
        match self {
            Self::StepForward
            | Self::StepBackward
            | Self::NextSpike
            | Self::PreviousSpike
            | Self::ZoomIn
            | Self::ZoomOut
            | Self::PanLeft
            | Self::PanRight => true,
            Self::Tree(action) => match action {
                TreeAction::Up | TreeAction::Down | TreeAction::PageUp | TreeAction::PageDown => {
                    true
                }
                TreeAction::Start
                | TreeAction::End
                | TreeAction::Open
                | TreeAction::Close
                | TreeAction::Activate => false,
            },
            Self::CycleMode
            | Self::Hide
            | Self::TogglePause
            | Self::ResetView
            | Self::ClearHistory
            | Self::ToggleTable
            | Self::ToggleDistribution
            | Self::ToggleStatistics
            | Self::NextRange
            | Self::ToggleLog
            | Self::ToggleStacked
            | Self::AddPane
            | Self::RemovePane
            | Self::NextPane
            | Self::PreviousPane
            | Self::MovePaneUp
            | Self::MovePaneDown
            | Self::Search
            | Self::TogglePin
            | Self::ToggleFavorite
            | Self::CopyTsv
            | Self::SaveCsv
            | Self::CopyView
            | Self::Back
            | Self::ToggleMemory
            | Self::TakeMemorySnapshot
            | Self::CompareMemory
            | Self::SaveMemoryDump
            | Self::ToggleHelp
            | Self::ToggleSettings => false,
        }
    }

    /// What it does in a few English words, as in the overlay's help: for a game's own list of
    /// keys.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::CycleMode => "hidden, HUD, full",
            Self::Hide => "hide the overlay",
            Self::TogglePause => "pause, resume",
            Self::StepForward => "one frame on",
            Self::StepBackward => "one frame back",
            Self::NextSpike => "next spike",
            Self::PreviousSpike => "previous spike",
            Self::ZoomIn => "fewer frames",
            Self::ZoomOut => "more frames",
            Self::PanLeft => "earlier frames",
            Self::PanRight => "later frames",
            Self::ResetView => "back to the newest frames",
            Self::ClearHistory => "forget all frames so far",
            Self::ToggleTable => "graph or table",
            Self::ToggleDistribution => "distribution or graph",
            Self::ToggleStatistics => "frame statistics",
            Self::NextRange => "ranges: auto, shared, own",
            Self::ToggleLog => "logarithmic values",
            Self::ToggleStacked => "stacked areas",
            Self::AddPane => "add a pane",
            Self::RemovePane => "remove the pane",
            Self::NextPane => "next pane",
            Self::PreviousPane => "previous pane",
            Self::MovePaneUp => "move the pane up",
            Self::MovePaneDown => "move the pane down",
            Self::Search => "search counters",
            Self::Tree(TreeAction::Up) => "row above",
            Self::Tree(TreeAction::Down) => "row below",
            Self::Tree(TreeAction::PageUp) => "a page of rows up",
            Self::Tree(TreeAction::PageDown) => "a page of rows down",
            Self::Tree(TreeAction::Start) => "first row",
            Self::Tree(TreeAction::End) => "last row",
            Self::Tree(TreeAction::Open) => "open the folder",
            Self::Tree(TreeAction::Close) => "close the folder",
            Self::Tree(TreeAction::Activate) => "tick the row",
            Self::TogglePin => "pin to the HUD",
            Self::ToggleFavorite => "favourite",
            Self::CopyTsv => "copy values as TSV",
            Self::SaveCsv => "save values as CSV",
            Self::CopyView => "copy the view as a line",
            Self::Back => "back, then close",
            Self::ToggleMemory => "memory: who holds it",
            Self::TakeMemorySnapshot => "memory: take a snapshot",
            Self::CompareMemory => "memory: what changed",
            Self::SaveMemoryDump => "save the memory dump",
            Self::ToggleHelp => "this help",
            Self::ToggleSettings => "settings",
        }
    }
}
