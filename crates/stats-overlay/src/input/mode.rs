//! Defines how much of the overlay is on screen, and where it is.

use egui::{Align2, Rect, Vec2};

/// How much of the overlay is on screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// Nothing; frames are still recorded. The default.
    #[default]
    Hidden,
    /// Frame time, frame rate and counters in a corner. It takes no input except the toggle key.
    Hud,
    /// The panes over a part of the screen during play, partly transparent. They take no input
    /// except the toggle key.
    Watch,
    /// The tree and the panes over the whole screen. It takes the keyboard and the pointer.
    Full,
}

impl Mode {
    /// Returns the next mode: hidden → HUD → watch → full → hidden. The toggle key also leaves out
    /// the modes that the [settings](crate::Settings) skip.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Hidden => Self::Hud,
            Self::Hud => Self::Watch,
            Self::Watch => Self::Full,
            Self::Full => Self::Hidden,
        }
    }
}

/// The edge or corner of the screen for the panes in [watch mode](Mode::Watch).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Place {
    /// Over the whole height. The default.
    #[default]
    Right,
    /// Over the whole height.
    Left,
    /// Over the whole width.
    Top,
    /// Over the whole width.
    Bottom,
    /// A corner.
    TopLeft,
    /// A corner.
    TopRight,
    /// A corner.
    BottomLeft,
    /// A corner.
    BottomRight,
}

impl Place {
    /// Returns the part of `screen` at this place. It takes `share` of the width at the left or
    /// right, of the height at the top or bottom, and of both in a corner.
    pub(crate) fn rect_in(self, screen: Rect, share: f32) -> Rect {
        let (align, share) = match self {
            Self::Right => (Align2::RIGHT_CENTER, Vec2::new(share, 1.0)),
            Self::Left => (Align2::LEFT_CENTER, Vec2::new(share, 1.0)),
            Self::Top => (Align2::CENTER_TOP, Vec2::new(1.0, share)),
            Self::Bottom => (Align2::CENTER_BOTTOM, Vec2::new(1.0, share)),
            Self::TopLeft => (Align2::LEFT_TOP, Vec2::splat(share)),
            Self::TopRight => (Align2::RIGHT_TOP, Vec2::splat(share)),
            Self::BottomLeft => (Align2::LEFT_BOTTOM, Vec2::splat(share)),
            Self::BottomRight => (Align2::RIGHT_BOTTOM, Vec2::splat(share)),
        };
        align.align_size_within_rect(screen.size() * share, screen)
    }
}
