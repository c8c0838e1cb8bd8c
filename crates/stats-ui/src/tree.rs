//! The actions of a tree, from keys, a game pad, or buttons of the host.

/// Moves the cursor of a tree, or acts on the row at the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowAction {
    /// Moves to the row above.
    Up,
    /// Moves to the row below.
    Down,
    /// Moves up by the number of rows on screen.
    PageUp,
    /// Moves down by the number of rows on screen.
    PageDown,
    /// Moves to the first row.
    Start,
    /// Moves to the last row.
    End,
    /// Opens the row at the cursor, or moves to its first child if it is open.
    Open,
    /// Closes the row at the cursor, or moves to its parent if it is closed.
    Close,
    /// Activates the row: selects or deselects a counter, shows a hitch, or opens or closes a row
    /// of the memory panel.
    Activate,
}
