//! How much of the overlay is on screen, and how a pane shows its counters.

/// How much of the overlay is on screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Nothing; frames are still recorded. The default.
    #[default]
    Hidden,
    /// Frame time, frame rate and counters in a corner. It takes no input except the toggle key.
    Hud,
    /// The tree and the panes over the whole screen. It takes the keyboard and the pointer.
    Full,
}

impl Mode {
    /// Returns the mode after a press of the toggle key: hidden → HUD → full → hidden.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Hidden => Self::Hud,
            Self::Hud => Self::Full,
            Self::Full => Self::Hidden,
        }
    }
}

/// How a pane shows its counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PaneView {
    /// Lines over an axis of frames. The default.
    #[default]
    Graph,
    /// A row of numbers for each frame.
    Table,
    /// Bars: how often each value occurred.
    Distribution,
    /// Statistics of the frame times on screen: percentiles, lows, hitches, stutter.
    Statistics,
}
