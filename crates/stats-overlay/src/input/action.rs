//! Everything that the overlay can do for the user. A key, a button, or a game pad that the host
//! reads can trigger it.

use stats_ui::tree::RowAction;

use crate::input::mode::Mode;
use crate::input::pane_view::PaneView;

/// Defines the actions. An entry has the documentation of an action, its name in code and in saved
/// settings, the words for it in the help, and the part of the overlay that it affects.
macro_rules! actions {
    ($($(#[$doc:meta])+ $Name:ident $words:literal $Reach:ident $(($rows:expr))?;)*) => {
        /// An operation of the overlay, for [`StatsOverlay::act`](crate::StatsOverlay::act).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Action {
            $($(#[$doc])+ $Name,)*
            /// Shows the active pane in a view, or as a graph if it shows that view already.
            /// `Action::ToggleTable` and its like are this action for each view. While the list of hitches is
            /// shown, the [`Rows`](Self::Rows) actions that move the cursor and activate a row act on its
            /// rows.
            ToggleView(PaneView),
            /// Moves the cursor of the tree, of the list of hitches or of the memory view, or acts on its
            /// row.
            Rows(RowAction),
        }

        /// The actions without parts, with their names.
        pub(super) const WHOLE: &[(&str, Action)] =
            &[$((stringify!($Name), Action::$Name)),*];

        impl Action {
            /// Returns the part of the overlay that the action affects.
            pub(crate) fn reach(self) -> Reach {
                match self {
                    $(Self::$Name => Reach::$Reach $(($rows))?,)*
                    Self::ToggleView(_) => Reach::Panes,
                    Self::Rows(action) => Reach::Rows(RowsAction::Row(action)),
                }
            }

            /// Returns a description of the action in a few English words, as in the overlay's help,
            /// for example for a game's own list of keys.
            #[must_use]
            pub const fn describe(self) -> &'static str {
                match self {
                    $(Self::$Name => $words,)*
                    Self::ToggleView(view) => view.describe(),
                    Self::Rows(RowAction::Up) => "row above",
                    Self::Rows(RowAction::Down) => "row below",
                    Self::Rows(RowAction::PageUp) => "one page up",
                    Self::Rows(RowAction::PageDown) => "one page down",
                    Self::Rows(RowAction::Start) => "first row",
                    Self::Rows(RowAction::End) => "last row",
                    Self::Rows(RowAction::Open) => "open the folder",
                    Self::Rows(RowAction::Close) => "close the folder",
                    Self::Rows(RowAction::Activate) => "select the row",
                }
            }
        }
    };
}

actions! {
    /// Switches to the next mode: hidden → HUD → watch → full → hidden, without those that the
    /// settings skip.
    CycleMode "hidden, HUD, watch, full" Overlay;
    /// Shows the HUD.
    ShowHud "show the HUD" Overlay;
    /// Shows the panes over the game, which keeps its input.
    ShowWatch "watch while playing" Overlay;
    /// Shows the full overlay.
    ShowFull "show the full overlay" Overlay;
    /// Hides the overlay.
    Hide "hide the overlay" Overlay;
    /// Pauses the views, or resumes them and follows the newest frames. Recording continues either
    /// way.
    TogglePause "pause or resume" Overlay;
    /// Moves to the next frame, and pauses.
    StepForward "next frame" Panes;
    /// Moves to the previous frame, and pauses.
    StepBackward "previous frame" Panes;
    /// Moves to the next spike of the active pane, and pauses.
    NextSpike "next spike" Panes;
    /// Moves to the previous spike of the active pane, and pauses.
    PreviousSpike "previous spike" Panes;
    /// Moves to the beginning of the next span over budget of the active pane, and pauses.
    NextOverBudget "next over budget" Panes;
    /// Moves to the beginning of the previous span over budget of the active pane, and pauses.
    PreviousOverBudget "previous over budget" Panes;
    /// Shows fewer frames.
    ZoomIn "fewer frames" Panes;
    /// Shows more frames.
    ZoomOut "more frames" Panes;
    /// Shows earlier frames.
    PanLeft "earlier frames" Panes;
    /// Shows later frames.
    PanRight "later frames" Panes;
    /// Ends a pause and follows the newest frames again, with nothing selected or zoomed.
    ResetView "back to the newest frames" Overlay;
    /// Hides all frames recorded so far, for example those of a loading screen, from every view.
    /// Paused views resume.
    ClearHistory "clear all frames" Panes;
    /// Explains which series moved in the selected frames, compared with the frames around them. If
    /// none are selected, explains the frame under the cursor, or else the newest frame. Shows the
    /// answer in the list of hitches of the active pane.
    Explain "explain the frame" Panes;
    /// Goes to the newest finding, which the card of the HUD shows: shows the full overlay, adds the
    /// series that moved to the active pane, as a graph, and pauses at the frame. A growing level has
    /// no frame, so the views follow the newest ones. Bind it to a key or a button of the game.
    GoToHitch "go to the newest hitch" Overlay;
    /// Marks the current frame as a moment in which something felt bad: `moment 1`, `moment 2` and so
    /// on. The mark is in the views, and in the program's
    /// [recordings](crate::StatsOverlay::set_recording). Bind it to a key or a button of the game. See
    /// [`StatsOverlay::mark_moment`](crate::StatsOverlay::mark_moment).
    MarkMoment "mark this moment" Overlay;
    /// Lists in the tree which series moved together with the one under the cursor of the tree, or else
    /// with the last selected one, over the visible or the selected frames.
    FindTogether "what moved with it" Panes;
    /// Marks the selected frames, or the last 10 seconds if none are selected, as baseline A. The
    /// baseline contains the statistics of the frame time and of up to 8,192 series; series in panes
    /// and pinned series come first. Replaces an earlier baseline. If there are no values to
    /// mark, the baseline is unchanged.
    MarkBaseline "mark baseline A" Panes;
    /// Removes baseline A.
    ClearBaseline "clear baseline A" Panes;
    /// Chooses the next of three ranges of values: automatic, shared, or one for each series.
    NextRange "ranges: auto, shared, own" Panes;
    /// Shows values on a logarithmic or a linear axis. In a distribution, chooses the next of
    /// automatic, linear and logarithmic.
    ToggleLog "logarithmic values" Panes;
    /// Stacks the series as areas, or shows them as lines.
    ToggleStacked "stacked areas" Panes;
    /// Shows the time of frames in seconds beside their numbers, or only the numbers.
    ToggleSeconds "seconds beside frames" Panes;
    /// Sets the frame budget to the budget that the overlay offers to a program that is over its
    /// budget most of the time. Shows a notice if no budget is offered.
    AcceptBudget "accept the offered budget" Panes;
    /// Shows or hides the sheet of budgets, where the budget of a series is set by hand. This is the
    /// series under the cursor of the tree, or else the last selected series of the active pane.
    /// While the sheet is shown, [`Rows`](Self::Rows) with up and down change the number in it, and
    /// `Rows` with the action that activates a row sets it.
    EditBudget "set a budget" Panes;
    /// Adds an empty pane at the bottom and activates it, up to [`MAX_PANES`](crate::MAX_PANES).
    AddPane "add a pane" Panes;
    /// Removes the active pane. The only pane is emptied instead of removed.
    RemovePane "remove the pane" Panes;
    /// Activates the next pane, wrapping around after the last.
    NextPane "next pane" Panes;
    /// Activates the previous pane, wrapping around before the first.
    PreviousPane "previous pane" Panes;
    /// Moves the active pane one place up. The first pane stays.
    MovePaneUp "move the pane up" Panes;
    /// Moves the active pane one place down. The last pane stays.
    MovePaneDown "move the pane down" Panes;
    /// Moves the keyboard to the search box.
    Search "search counters" Rows(RowsAction::Search);
    /// Pins the counter under the cursor to the HUD, or unpins it.
    TogglePin "pin to the HUD" Panes;
    /// Adds the counter under the cursor to the favorites, or removes it.
    ToggleFavorite "add to favorites" Panes;
    /// Copies the selected frames of the active pane, or all frames, as tab-separated text.
    CopyTsv "copy values as TSV" Panes;
    /// Saves the selected frames of the active pane, or all frames, as a CSV file.
    SaveCsv "save values as CSV" Panes;
    /// Copies the panes as one line of text.
    CopyView "copy the view as a line" Panes;
    /// Undoes one step, the first of these that applies: closes the open menu; leaves the text
    /// field; clears the search; closes help, settings or problems; closes the memory view;
    /// deselects all frames. It never leaves the overlay.
    Back "one step back" Overlay;
    /// Opens the memory view, or closes it.
    ToggleMemory "memory owners" Overlay;
    /// Opens the memory view with the memory of the graphics device, or closes it.
    ToggleVideoMemory "video memory owners" Overlay;
    /// Takes a snapshot of the memory and shows it, opening the memory view. Does nothing while a
    /// snapshot is being taken.
    TakeMemorySnapshot "take a memory snapshot" Overlay;
    /// Takes a snapshot like [`TakeMemorySnapshot`](Self::TakeMemorySnapshot), and shows what
    /// changed since the previously shown snapshot, the largest growth first. The first snapshot is
    /// shown alone.
    CompareMemory "compare memory" Overlay;
    /// Saves a memory dump as `memory-NUMBER.csv`, or as `video-memory-NUMBER.csv` if the memory view
    /// shows the memory of the graphics device, in the [export
    /// folder](crate::StatsOverlay::export_folder). No file is overwritten.
    SaveMemoryDump "save the memory dump" Overlay;
    /// Starts to record all series into a file, or completes the recording, if the program
    /// [records](crate::StatsOverlay::set_recording).
    ToggleRecording "start or stop recording" Overlay;
    /// Saves the last frames as a recording, if the program keeps them.
    SaveRecent "save the last frames" Overlay;
    /// Shows or hides the help.
    ToggleHelp "this help" Overlay;
    /// Shows or hides the settings.
    ToggleSettings "settings" Overlay;
    /// Shows or hides the list of [problems](stats_core::problems()) that the core found.
    ToggleProblems "problems" Overlay;
}

/// The part of the overlay that an action affects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The overlay as a whole, regardless of what is on screen.
    Overlay,
    /// The panes and the tree of counters. The action has no effect while the memory view covers
    /// them.
    Panes,
    /// The rows on screen: the rows of the tree or of the memory view.
    Rows(RowsAction),
}

/// An action on the rows of the tree or of the memory view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowsAction {
    /// Moves the keyboard to the search box above the rows.
    Search,
    /// Moves the cursor, or acts on its row.
    Row(RowAction),
}

impl Action {
    /// Returns whether a game pad or a tap performs the action in a mode that leaves the other input
    /// to the game.
    pub(crate) fn acts_over_game(self, mode: Mode) -> bool {
        match self {
            Self::CycleMode
            | Self::ShowHud
            | Self::ShowWatch
            | Self::ShowFull
            | Self::Hide
            | Self::GoToHitch
            | Self::MarkMoment
            | Self::ToggleRecording
            | Self::SaveRecent => true,
            Self::TogglePause
            | Self::NextSpike
            | Self::PreviousSpike
            | Self::NextOverBudget
            | Self::PreviousOverBudget => mode == Mode::Watch,
            _ => false,
        }
    }

    /// Returns whether holding its key down repeats the action. Only steps repeat; a toggle would
    /// flicker.
    pub(super) fn repeats(self) -> bool {
        matches!(
            self,
            Self::StepForward
                | Self::StepBackward
                | Self::NextSpike
                | Self::PreviousSpike
                | Self::NextOverBudget
                | Self::PreviousOverBudget
                | Self::ZoomIn
                | Self::ZoomOut
                | Self::PanLeft
                | Self::PanRight
                | Self::Rows(
                    RowAction::Up | RowAction::Down | RowAction::PageUp | RowAction::PageDown
                )
        )
    }
}
