//! How much of the overlay is on screen, and as what.

/// How much of the overlay is on screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Nothing; frames are still recorded. The default.
    #[default]
    Hidden,
    /// Frame time, frame rate and the selected counters in a corner. It takes no input but the toggle
    /// key.
    Hud,
    /// Tree, graph and table over the whole screen. It has the keyboard and the pointer.
    Full,
}

impl Mode {
    /// What the toggle key leads to: hidden, HUD, full, hidden.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Hidden => Self::Hud,
            Self::Hud => Self::Full,
            Self::Full => Self::Hidden,
        }
    }
}

/// How the selected counters are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PaneView {
    /// Lines over an axis of frames. The default.
    #[default]
    Graph,
    /// A line of numbers for each frame.
    Table,
    /// Bars: how often which values occurred.
    Distribution,
    /// The frame times of the frames on screen in figures: percentiles, lows, hitches, stutter.
    Statistics,
}
