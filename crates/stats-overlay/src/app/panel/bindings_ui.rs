//! The part of the settings that binds keys, buttons of game pads, and the tap to actions.

use egui::{Button, CollapsingHeader, RichText, Ui, vec2};

use crate::input::action::Action;
use crate::input::bindings::Bindings;
use crate::input::press::Press;
use crate::input::settings::Settings;
use stats_ui::accessibility;
use stats_ui::theme::Theme;

/// The minimum width of the button with the presses of an action, in points.
const WIDTH: f32 = 150.0;

/// Draws what conflicts, and below it, folded, the presses of all actions. `binding` is the action
/// that waits for a press.
pub(super) fn bindings_ui(
    ui: &mut Ui,
    theme: &Theme,
    settings: &mut Settings,
    binding: &mut Option<Action>,
) {
    for conflict in settings.conflicts() {
        ui.label(RichText::new(conflict.to_string()).color(theme.alert));
    }
    let title = "keys, buttons of game pads, and the tap with three fingers";
    CollapsingHeader::new(title)
        .id_salt("bindings")
        .show(ui, |ui| {
            let hint = "Click on the keys of an action, then press another key or button. Esc leaves \
                        them as they are.";
            ui.label(RichText::new(hint).small().color(theme.weak));
            for action in Action::all() {
                action_ui(ui, &mut settings.bindings, action, binding);
            }
            if !settings.bindings.is_standard() && ui.button("Standard keys").clicked() {
                settings.bindings = Bindings::default();
            }
        });
}

/// Draws the line of an action.
fn action_ui(ui: &mut Ui, bindings: &mut Bindings, action: Action, binding: &mut Option<Action>) {
    ui.horizontal(|ui| {
        let text = if *binding == Some(action) {
            "press a key…".to_owned()
        } else {
            presses_text(bindings, action)
        };
        // The other font has no arrows.
        let text = RichText::new(text).monospace();
        let keys = ui.add(Button::new(text).min_size(vec2(WIDTH, 0.0)));
        accessibility::describe_button(ui.ctx(), keys.id, || {
            format!("Keys of: {}", action.describe())
        });
        if keys.clicked() {
            *binding = (*binding != Some(action)).then_some(action);
        }
        ui.label(action.describe());
        let mut small = |name: &str| {
            let button = ui.small_button(name);
            accessibility::describe_button(ui.ctx(), button.id, || {
                format!("{name}: {}", action.describe())
            });
            button.clicked()
        };
        if bindings.presses(action).next().is_some() && small("None") {
            bindings.remove_presses(action);
        }
        if !bindings.has_standard(action) && small("Standard") {
            bindings.reset(action);
        }
    });
}

fn presses_text(bindings: &Bindings, action: Action) -> String {
    let presses: Vec<String> = bindings.presses(action).map(Press::label).collect();
    if presses.is_empty() {
        "none".to_owned()
    } else {
        presses.join(", ")
    }
}
