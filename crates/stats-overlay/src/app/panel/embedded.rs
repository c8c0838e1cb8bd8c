//! The panel inside a `Ui` of the host.

use egui::{Rect, Sense, Ui, UiBuilder, Vec2, vec2};

/// The size of an embedded panel if both the host's available space and its visible part are
/// infinite.
const UNBOUNDED: Vec2 = vec2(600.0, 400.0);

/// Counts the panels of a pass, because the widgets of each need distinct ids.
#[derive(Debug, Default)]
pub(crate) struct EmbeddedPanels {
    /// The pass in which a panel was last embedded.
    pass: u64,
    count: u32,
}

impl EmbeddedPanels {
    /// Allocates the rest of `ui` for another panel. Returns the panel's `Ui` and rectangle.
    pub(crate) fn begin(&mut self, ui: &mut Ui) -> (Ui, Rect) {
        let rect = bounded(ui.available_rect_before_wrap(), ui.clip_rect());
        ui.allocate_rect(rect, Sense::hover());
        let pass = ui.ctx().cumulative_pass_nr();
        let at = if self.pass == pass { self.count } else { 0 };
        (self.pass, self.count) = (pass, at + 1);
        let salt = ("stats overlay", at);
        let ui = ui.new_child(UiBuilder::new().id_salt(salt).max_rect(rect));
        (ui, rect)
    }
}

/// Returns `rect` with a size that can be drawn. An infinite or empty side, as in a scroll area,
/// becomes as long as the visible part; if that is infinite too, as long as the side of
/// [`UNBOUNDED`].
fn bounded(rect: Rect, clip: Rect) -> Rect {
    let extent = |left: f32, visible: f32, otherwise: f32| {
        let visible = if visible.is_finite() {
            visible.max(0.0)
        } else {
            otherwise
        };
        if left.is_finite() && left >= 1.0 {
            left
        } else {
            visible
        }
    };
    let width = extent(rect.width(), clip.width(), UNBOUNDED.x);
    Rect::from_min_size(
        rect.min,
        vec2(width, extent(rect.height(), clip.height(), UNBOUNDED.y)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Pos2, pos2};

    #[test]
    fn an_embedded_panel_has_a_finite_size() {
        let (inside, clip) = (
            Rect::from_min_size(pos2(5.0, -90.0), vec2(300.0, 200.0)),
            Rect::from_min_size(Pos2::ZERO, vec2(320.0, 240.0)),
        );
        assert_eq!(bounded(inside, clip), inside);
        let endless = Rect::from_min_max(inside.min, pos2(inside.right(), f32::INFINITY));
        assert_eq!(bounded(endless, clip).size(), vec2(300.0, 240.0));
        assert_eq!(
            bounded(inside.with_max_y(inside.top()), clip).size(),
            vec2(300.0, 240.0)
        );
        assert_eq!(
            bounded(
                Rect::EVERYTHING.with_min_x(0.0).with_min_y(0.0),
                Rect::EVERYTHING
            )
            .size(),
            UNBOUNDED
        );
    }
}
