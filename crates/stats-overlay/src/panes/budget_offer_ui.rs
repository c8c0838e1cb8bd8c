//! The line that offers another frame budget.

use egui::{Align, Button, Label, Layout, Rect, RichText, Ui, UiBuilder, vec2};

use crate::data::budget_offer::Offer;
use crate::input::action::Action;
use crate::input::key_hint::key_text;
use crate::view::PaneRequest;
use stats_analysis::format::exact_text;
use stats_core::Unit;
use stats_ui::theme::{Theme, text_font};
use stats_ui::tooltip;

/// The height of the line, in points.
pub(super) const OFFER: f32 = 24.0;

/// Draws the offer into `rect`. Returns the button that was clicked, if any.
pub(super) fn budget_offer_ui(
    ui: &mut Ui,
    theme: &Theme,
    offer: Offer,
    rect: Rect,
) -> Option<PaneRequest> {
    let inner = rect.shrink2(vec2(6.0, 1.0));
    ui.painter().rect_filled(rect, 2.0, theme.bar);
    let mut ui = ui.new_child(
        UiBuilder::new()
            .id_salt("budget offer")
            .max_rect(inner)
            .layout(Layout::right_to_left(Align::Center)),
    );
    ui.set_clip_rect(rect.intersect(ui.clip_rect()));
    let dismiss = ui.add(Button::new("Dismiss"));
    let accept = format!("Set the budget to {}", budget_text(offer.budget_ms));
    let accept = ui.add(Button::new(accept));
    let accept = tooltip::with_text(accept, &key_text(&ui.ctx().clone(), Action::AcceptBudget));
    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
        let text = RichText::new(typical_text(offer)).font(text_font());
        ui.add(Label::new(text.color(theme.text)).truncate());
    });
    let accepted = PaneRequest::Perform(Action::AcceptBudget);
    let accepted = accept.clicked().then_some(accepted);
    accepted.or(dismiss.clicked().then_some(PaneRequest::DismissBudget))
}

/// Returns the text about the typical frame time.
fn typical_text(offer: Offer) -> String {
    let typical_ms = if offer.typical_ms < 10.0 {
        (offer.typical_ms * 10.0).round() / 10.0
    } else {
        offer.typical_ms.round()
    };
    format!(
        "Typical frame {}",
        exact_text(typical_ms, Unit::Milliseconds)
    )
}

/// Returns a budget as text, such as `16.67 ms`.
pub(crate) fn budget_text(budget_ms: f64) -> String {
    exact_text((budget_ms * 100.0).round() / 100.0, Unit::Milliseconds)
}
