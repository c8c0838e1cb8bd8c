//! Says what the overlay itself takes, while it refreshes graphs less often: beside the caption of the
//! strip, or above the panes over the game.

use egui::{Painter, Rect, Sense, Ui};
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::theme::{Theme, small_font};
use stats_ui::tooltip;

use crate::cost::meter::CostMeter;

/// Which time the text compares with the budget of the overlay, and the cure.
const HINT: &str = if cfg!(debug_assertions) {
    "The time is that of a frame in which the overlay redraws everything. This is a debug build. With \
     opt-level = 2 for egui, epaint, stats-overlay and a few other packages in Cargo.toml, the \
     overlay takes a fraction of the time. docs/hosts.md lists them."
} else {
    "The time is that of a frame in which the overlay redraws everything. The frames in between take \
     less. The settings have the budget."
};

/// Returns the longest of the texts that fits into a width; `None` if none fits, or if the overlay
/// refreshes graphs in every frame.
pub(crate) fn slowed_text<'a>(
    painter: &Painter,
    theme: &Theme,
    cost: &'a CostMeter,
    width: f32,
) -> Option<&'a str> {
    if cost.text().is_empty() {
        return None;
    }
    let fits = |text: &&str| {
        let whole = shapes::laid_out(painter, text, small_font(), theme.weak);
        whole.size().x <= width
    };
    cost.texts().into_iter().find(fits)
}

/// Returns the width of the shortest of the texts, rounded up; 0 if the overlay refreshes graphs in every
/// frame.
pub(super) fn least_width(painter: &Painter, theme: &Theme, cost: &CostMeter) -> f32 {
    match cost.short_text() {
        "" => 0.0,
        text => {
            shapes::laid_out(painter, text, small_font(), theme.weak)
                .size()
                .x
                + 1.0
        }
    }
}

/// Draws the longest of the texts that fits at the right end of `rect`, if one does.
pub(super) fn slowed_ui(ui: &Ui, theme: &Theme, cost: &CostMeter, rect: Rect) {
    let Some(text) = slowed_text(ui.painter(), theme, cost, rect.width()) else {
        return;
    };
    let place = shapes::text_at_end(ui.painter(), rect, text, small_font(), theme.weak);
    let id = ui.make_persistent_id("slowed");
    accessibility::describe(ui.ctx(), id, place, || {
        ("Slowed".to_owned(), cost.text().to_owned())
    });
    let response = ui.interact(place, id.with("hint"), Sense::hover());
    if response.hovered() {
        tooltip::hint(&response, &format!("{}. {HINT}", cost.text()));
    } else {
        // The text is the value.
        tooltip::hint(&response, HINT);
    }
}
