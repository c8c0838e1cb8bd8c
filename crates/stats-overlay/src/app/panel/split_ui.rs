//! The split of the panel between the tree and the panes, and the line that moves it.

use egui::{CursorIcon, Rect, Sense, Stroke, Ui};
use stats_ui::theme::Theme;

use crate::input::saved_field::within;
use crate::persist::saved::PaneLayout;

/// The minimum width of a panel with the tree beside the panes instead of above them, in points.
const SIDE_BY_SIDE: f32 = 460.0;

/// How the width is split.
#[derive(Debug)]
pub(crate) struct Split {
    tree_share: f32,
}

impl Default for Split {
    fn default() -> Self {
        Self { tree_share: 0.28 }
    }
}

impl Split {
    /// Returns the tree's share of the width.
    pub(crate) fn tree_share(&self) -> f32 {
        self.tree_share
    }

    /// Sets the tree's share of the width, within limits that leave room for the panes. Ignores a
    /// share that is not a finite number.
    pub(crate) fn set_tree_share(&mut self, share: f32) {
        if share.is_finite() {
            self.tree_share = within(PaneLayout::TREE_SHARE, share);
        }
    }

    /// Draws the line between the tree and the panes, which the user can drag. Returns their
    /// rectangles.
    pub(super) fn split_ui(&mut self, ui: &Ui, theme: &Theme, rect: Rect) -> (Rect, Rect) {
        if rect.width() < SIDE_BY_SIDE {
            return rect.split_top_bottom_at_fraction(0.42);
        }
        let width = (rect.width() * self.tree_share).clamp(180.0, rect.width() - 260.0);
        let x = (rect.left() + width).round();
        let grip = Rect::from_x_y_ranges(x - 4.0..=x + 4.0, rect.y_range());
        let response = ui.interact(grip, ui.make_persistent_id("split"), Sense::drag());
        if response.dragged() {
            self.set_tree_share((width + response.drag_delta().x) / rect.width());
        }
        let active = response.hovered() || response.dragged();
        let color = if active { theme.accent } else { theme.line };
        ui.painter().vline(
            x,
            rect.y_range(),
            Stroke::new(if active { 2.0 } else { 1.0 }, color),
        );
        response.on_hover_cursor(CursorIcon::ResizeHorizontal);
        rect.split_left_right_at_x(x)
    }
}
