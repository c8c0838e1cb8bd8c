//! What the keyboard, a game pad or a button asks of a tree.

/// Moves the cursor of a tree, or acts on the row under it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TreeAction {
    /// Moves to the row above.
    Up,
    /// Moves to the row below.
    Down,
    /// Moves up by the rows on screen.
    PageUp,
    /// Moves down by the rows on screen.
    PageDown,
    /// Moves to the first row.
    Start,
    /// Moves to the last row.
    End,
    /// Opens the folder under the cursor, or moves to its first child if it is open.
    Open,
    /// Closes the folder under the cursor, or moves to its parent if it is closed.
    Close,
    /// Activates the row: selects or deselects a counter, opens or closes a row of the memory view.
    Activate,
}
