//! The panel over the whole screen, between the host's picture and its tooltips.

use egui::{Area, Color32, Context, Id, LayerId, Order, Popup, Rect, Sense, Ui};
use stats_ui::pointer::scale_layer;

/// The layer of the panel, scaled as the settings say.
pub(crate) struct FullScreen {
    id: Id,
    pub(crate) layer: LayerId,
    rect: Rect,
}

impl FullScreen {
    pub(crate) fn new(ctx: &Context, scale: f32) -> Self {
        let id = Id::NULL.with("stats overlay");
        let layer = LayerId::new(Order::Foreground, id);
        let rect = scale_layer(ctx, layer, scale);
        Self { id, layer, rect }
    }

    /// Draws a panel over the dimmed picture of the host, and keeps pointer and keyboard from the
    /// host's widgets. `panel_ui` receives the panel's rectangle.
    pub(crate) fn show<R>(self, ctx: &Context, panel_ui: impl FnOnce(&mut Ui, Rect) -> R) -> R {
        let (id, screen) = (self.id, self.rect);
        let area = Area::new(id)
            .order(Order::Foreground)
            .fixed_pos(screen.min)
            .default_size(screen.size())
            .constrain(false)
            .movable(false)
            .interactable(true)
            .fade_in(false);
        let shown = area.show(ctx, |ui| {
            ui.set_min_size(screen.size());
            // The shield lies below everything else, so that a click beside the panel's widgets
            // does not reach the game.
            let shield = ui.interact(screen, id.with("shield"), Sense::click_and_drag());
            if ui.ctx().memory(|memory| memory.focused().is_none()) {
                shield.request_focus();
            }
            // The game is dimmed to show that the overlay has the input.
            ui.painter()
                .rect_filled(screen, 0.0, Color32::from_black_alpha(110));
            let margin = (screen.size().min_elem() * 0.03 - 4.0).clamp(0.0, 24.0);
            panel_ui(ui, screen.shrink(margin))
        });
        // Menus of the panel stay above it.
        if !Popup::is_any_open(ctx) {
            ctx.move_to_top(self.layer);
        }
        // This keeps the Tab key from moving the focus to the host's widgets.
        ctx.memory_mut(|memory| memory.set_modal_layer(self.layer));
        shown.inner
    }
}
