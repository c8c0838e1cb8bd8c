//! The panel inside a panel of the host.

use egui::{Rect, Sense, Ui, UiBuilder, Vec2, vec2};
use stats_core::Source;

use crate::app::panel::PanelUi;
use crate::app::views::Views;

/// The size of an embedded panel that has no bounds and no visible part that has.
const ENDLESS: Vec2 = vec2(600.0, 400.0);

impl Views {
    /// Draws tree and view into a panel of the host.
    pub(crate) fn embed(&mut self, ui: &mut Ui, source: &mut dyn Source) {
        self.settle(source, ui.input(|input| input.time));
        let rect = bounded(ui.available_rect_before_wrap(), ui.clip_rect());
        ui.allocate_rect(rect, Sense::hover());
        let pass = ui.ctx().cumulative_pass_nr();
        let at = if self.embedded.0 == pass {
            self.embedded.1
        } else {
            0
        };
        self.embedded = (pass, at + 1);
        let mut panel = ui.new_child(
            UiBuilder::new()
                .id_salt(("stats overlay", at))
                .max_rect(rect),
        );
        PanelUi {
            views: self,
            source,
            embedded: true,
        }
        .panel_ui(&mut panel, rect);
        ui.ctx().request_repaint();
    }
}

/// `rect`, as large as what is visible where it has no end or where nothing is left (below the fold
/// of a scroll area); where that has no end either, as large as [`ENDLESS`].
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
    let width = extent(rect.width(), clip.width(), ENDLESS.x);
    Rect::from_min_size(
        rect.min,
        vec2(width, extent(rect.height(), clip.height(), ENDLESS.y)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Pos2, pos2};

    #[test]
    fn an_embedded_panel_has_an_end() {
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
            ENDLESS
        );
    }
}
