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

/// The size and the form of the HUD.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HudSize {
    /// One line: the frame time, the frame rate and the newest finding.
    Line,
    /// 0.8 times the normal size.
    Small,
    /// The normal size. The default.
    #[default]
    Medium,
    /// 1.3 times the normal size.
    Large,
}

impl HudSize {
    /// Returns the size relative to the normal one.
    pub(crate) fn factor(self) -> f32 {
        match self {
            Self::Small => 0.8,
            Self::Large => 1.3,
            Self::Line | Self::Medium => 1.0,
        }
    }
}

/// The edge or corner of the screen for the HUD, and for the panes in [watch mode](Mode::Watch).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Place {
    /// The right edge. Panes cover its whole height. The default.
    #[default]
    Right,
    /// The left edge. Panes cover its whole height.
    Left,
    /// The upper edge. Panes cover its whole width.
    Top,
    /// The lower edge. Panes cover its whole width.
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
        let share = match self {
            Self::Right | Self::Left => Vec2::new(share, 1.0),
            Self::Top | Self::Bottom => Vec2::new(1.0, share),
            _ => Vec2::splat(share),
        };
        self.align()
            .align_size_within_rect(screen.size() * share, screen)
    }

    /// Returns how something at this place is aligned within the screen.
    pub(crate) fn align(self) -> Align2 {
        match self {
            Self::Right => Align2::RIGHT_CENTER,
            Self::Left => Align2::LEFT_CENTER,
            Self::Top => Align2::CENTER_TOP,
            Self::Bottom => Align2::CENTER_BOTTOM,
            Self::TopLeft => Align2::LEFT_TOP,
            Self::TopRight => Align2::RIGHT_TOP,
            Self::BottomLeft => Align2::LEFT_BOTTOM,
            Self::BottomRight => Align2::RIGHT_BOTTOM,
        }
    }
}
