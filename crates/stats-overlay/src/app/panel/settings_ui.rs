//! The sheet of settings.

use std::borrow::Cow;

use egui::{Checkbox, ComboBox, DragValue, Key, Rect, Response, RichText, ScrollArea, Slider, Ui};

use crate::app::panel::bindings_ui::bindings_ui;
use crate::data::selection::FRAME_TIME;
use crate::input::action::Action;
use crate::input::mode::{HudSize, Place};
use crate::input::settings::Settings;
use crate::paint::canvas::clipped_child;
use stats_analysis::format::value_text;
use stats_ui::popup;
use stats_ui::text::one_line;
use stats_ui::theme::Theme;
use stats_ui::theme::{Appearance, Palette};
use stats_ui::tooltip;

/// The toggle keys to choose from.
const TOGGLE_KEYS: [Key; 14] = [
    Key::F1,
    Key::F2,
    Key::F3,
    Key::F4,
    Key::F5,
    Key::F6,
    Key::F7,
    Key::F8,
    Key::F9,
    Key::F10,
    Key::F11,
    Key::F12,
    Key::Backtick,
    Key::Insert,
];

/// What the overlay costs at present.
#[derive(Clone, Copy)]
pub(super) struct Costs {
    /// The milliseconds of a frame.
    pub(super) frame_ms: f64,
    /// The bytes of the scopes that the flight recorder keeps.
    pub(super) flight_bytes: usize,
}

/// Draws the settings into `rect` and changes them. `binding` is the action that waits for the press
/// to bind, and `shown` are the paths of all series on screen.
pub(super) fn settings_ui<'a>(
    ui: &mut Ui,
    theme: &Theme,
    settings: &mut Settings,
    binding: &mut Option<Action>,
    shown: impl Iterator<Item = &'a str>,
    costs: Costs,
    rect: Rect,
) {
    let mut ui = clipped_child(ui, "settings", rect);
    let series = pausable(shown, settings.pause_on_spike.as_deref());
    ScrollArea::vertical()
        .auto_shrink([false, false])
        .show(&mut ui, |ui| {
            let mut changed = settings.clone();
            heading(ui, theme, "Overlay");
            look_ui(ui, &mut changed);
            bindings_ui(ui, theme, &mut changed, binding);
            heading(ui, theme, "HUD");
            hud_ui(ui, &mut changed);
            heading(ui, theme, "Watch while playing");
            watch_ui(ui, &mut changed);
            heading(ui, theme, "Numbers and frames");
            numbers_ui(ui, theme, &mut changed, costs);
            heading(ui, theme, "Automatic pause");
            pause_ui(ui, theme, &mut changed, &series);
            ui.add_space(10.0);
            if ui.button("Reset to defaults").clicked() {
                changed = Settings::default();
            }
            if changed != *settings {
                *settings = changed.clamped();
            }
        });
}

fn heading(ui: &mut Ui, theme: &Theme, text: &str) {
    ui.add_space(8.0);
    ui.label(RichText::new(text).color(theme.accent));
    ui.add_space(2.0);
}

/// Draws the key, the colors and the size.
fn look_ui(ui: &mut Ui, settings: &mut Settings) {
    let keys = ComboBox::from_label("key that shows and hides the overlay")
        .selected_text(settings.key.map_or("none", Key::name));
    popup::combo_box(ui, keys, &mut |ui| {
        ui.selectable_value(&mut settings.key, None, "none");
        for key in TOGGLE_KEYS {
            ui.selectable_value(&mut settings.key, Some(key), key.name());
        }
    });
    cycle_ui(ui, settings);
    let appearances = [
        (Appearance::Host, "like the game"),
        (Appearance::Dark, "dark"),
        (Appearance::Light, "light"),
    ];
    values_ui(ui, "appearance", &mut settings.appearance, &appearances);
    let palettes = [
        (Palette::Standard, "16 colors"),
        (Palette::ColorVision, "8 hues for color-vision deficiency"),
    ];
    values_ui(ui, "colors of series", &mut settings.palette, &palettes);
    ui.checkbox(&mut settings.first_steps, "cards of the first steps");
    ui.add(
        Slider::new(&mut settings.opacity, Settings::OPACITY)
            .fixed_decimals(2)
            .text("opacity"),
    );
    // Apply the scale on release. Otherwise the slider would move under the pointer.
    let id = ui.make_persistent_id("scale");
    let mut scale = ui.data(|data| data.get_temp(id)).unwrap_or(settings.scale);
    let response = ui.add(
        Slider::new(&mut scale, Settings::SCALE)
            .step_by(0.05)
            .text("scale"),
    );
    if response.dragged() {
        ui.data_mut(|data| data.insert_temp(id, scale));
    } else {
        ui.data_mut(|data| data.remove::<f32>(id));
        settings.scale = scale;
    }
}

/// Draws the choice of modes that the key cycles through. The last one cannot be turned off.
fn cycle_ui(ui: &mut Ui, settings: &mut Settings) {
    ui.horizontal_wrapped(|ui| {
        ui.label("modes the key cycles through");
        let stops = [
            settings.cycle_hud,
            settings.cycle_watch,
            settings.cycle_full,
        ];
        let several = stops.into_iter().filter(|&stops| stops).count() > 1;
        for (stops, name) in [
            (&mut settings.cycle_hud, "HUD"),
            (&mut settings.cycle_watch, "watch"),
            (&mut settings.cycle_full, "full"),
        ] {
            let stop = ui.add_enabled(several || !*stops, Checkbox::new(stops, name));
            tooltip::while_disabled(stop, "The key needs at least one mode to show");
        }
    });
}

/// The places of the HUD and of the panes, with their names.
const PLACES: &[(Place, &str)] = &[
    (Place::Left, "left"),
    (Place::Right, "right"),
    (Place::Top, "top"),
    (Place::Bottom, "bottom"),
    (Place::TopLeft, "top left"),
    (Place::TopRight, "top right"),
    (Place::BottomLeft, "bottom left"),
    (Place::BottomRight, "bottom right"),
];

/// Draws a setting with a few values, each with its name.
fn values_ui<T: Copy + PartialEq>(ui: &mut Ui, label: &str, value: &mut T, values: &[(T, &str)]) {
    ui.push_id(label, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.label(label);
            for (of, name) in values {
                ui.selectable_value(value, *of, *name);
            }
        });
    });
}

/// Draws a note in small letters.
fn note_ui(ui: &mut Ui, theme: &Theme, text: &str) {
    ui.label(RichText::new(text).small().color(theme.weak));
}

/// Draws the place, the size and the contents of the HUD.
fn hud_ui(ui: &mut Ui, settings: &mut Settings) {
    values_ui(ui, "place of the HUD", &mut settings.hud_place, PLACES);
    let sizes = [
        (HudSize::Line, "one line"),
        (HudSize::Small, "small"),
        (HudSize::Medium, "medium"),
        (HudSize::Large, "large"),
    ];
    values_ui(ui, "size", &mut settings.hud_size, &sizes);
    ui.checkbox(
        &mut settings.hud_statistics,
        "1 % low and frames over budget",
    );
}

/// Draws the position and the opacity of the panes over the game.
fn watch_ui(ui: &mut Ui, settings: &mut Settings) {
    values_ui(ui, "place of the panes", &mut settings.watch_place, PLACES);
    ui.add(
        Slider::new(&mut settings.watch_share, Settings::WATCH_SHARE)
            .custom_formatter(|share, _| format!("{:.0} %", share * 100.0))
            .custom_parser(|text| {
                Some(text.trim_end_matches([' ', '%']).parse::<f64>().ok()? / 100.0)
            })
            .text("share of the screen"),
    );
    ui.add(
        Slider::new(&mut settings.watch_opacity, Settings::WATCH_OPACITY)
            .text("opacity of the background of graphs"),
    );
}

/// Draws the settings for the history, the refresh rate and the budgets.
fn numbers_ui(ui: &mut Ui, theme: &Theme, settings: &mut Settings, costs: Costs) {
    ui.add(
        Slider::new(&mut settings.refresh_hz, Settings::REFRESH_HZ)
            .suffix(" Hz")
            .text("refresh rate of numbers"),
    );
    ui.add(
        Slider::new(&mut settings.history, Settings::HISTORY)
            .logarithmic(true)
            .text("frames kept"),
    );
    note_ui(ui, theme, &history_cost(settings.history));
    let (budget_ms, usual_ms) = (&mut settings.frame_budget_ms, 1000.0 / 60.0);
    optional_ui(ui, "frame budget", budget_ms, usual_ms, |budget| {
        budget.range(Settings::BUDGET_MS).speed(0.1).suffix(" ms")
    });
    let (name, display_hz) = ("refresh rate of the display", &mut settings.display_hz);
    let rate = optional_ui(ui, name, display_hz, 60.0, |rate| {
        rate.range(Settings::DISPLAY_HZ).speed(0.5).suffix(" Hz")
    });
    let help = "The statistics of a pane use it to estimate missed refreshes";
    tooltip::with_text(rate, help);
    ui.checkbox(
        &mut settings.seconds,
        "seconds beside the numbers of frames",
    );
    let hitches = ui.checkbox(&mut settings.hitches, "find the causes of hitches");
    let help = "Takes 5 ns a frame and up to 64 bytes for each series. While panes are on screen, the \
                recent values of all series take 1.5 MiB and up to 50 bytes for each series more.";
    tooltip::with_text(hitches, help);
    ui.add_enabled_ui(settings.hitches, |ui| {
        let hidden = &mut settings.hitches_while_hidden;
        ui.checkbox(hidden, "also while the overlay is hidden");
    });
    let flight = &mut settings.flight_recorder;
    let flight = ui.checkbox(flight, "keep the scopes of the last seconds and hitches");
    let help = "The flight recorder: a hitch has a timeline even if no view showed one. A scope takes \
                up to twice as long, and the scopes up to 16 MiB.";
    tooltip::with_text(flight, help);
    if costs.flight_bytes > 0 {
        let bytes = value_text(costs.flight_bytes as f64, stats_core::Unit::Bytes);
        let note = format!("{bytes} of scopes are kept now");
        note_ui(ui, theme, &note);
    }
    ui.horizontal(|ui| {
        ui.label("the overlay's own budget");
        ui.add(
            DragValue::new(&mut settings.overlay_budget_ms)
                .range(Settings::BUDGET_MS)
                .speed(0.05)
                .max_decimals(2)
                .suffix(" ms"),
        );
    });
    let cost_ms = costs.frame_ms;
    let note =
        format!("takes {cost_ms:.2} ms now; over its budget, it refreshes less often and says so");
    note_ui(ui, theme, &note);
}

/// Draws the setting for an optional number. A number that is turned on begins with `usual`.
fn optional_ui(
    ui: &mut Ui,
    name: &str,
    number: &mut Option<f64>,
    usual: f64,
    limited: impl FnOnce(DragValue<'_>) -> DragValue<'_>,
) -> Response {
    let line = ui.horizontal(|ui| {
        let (mut is_some, mut value) = (number.is_some(), number.unwrap_or(usual));
        ui.checkbox(&mut is_some, name);
        ui.add_enabled(is_some, limited(DragValue::new(&mut value)).max_decimals(2));
        *number = is_some.then_some(value);
    });
    line.response
}

/// Draws the choice of the series whose spikes pause the views, and the times during which spikes
/// do not.
fn pause_ui(ui: &mut Ui, theme: &Theme, settings: &mut Settings, series: &[String]) {
    let chosen = settings
        .pause_on_spike
        .as_deref()
        .map_or(Cow::Borrowed("never"), |path| one_line(path, 48));
    let choices = ComboBox::from_label("pause on a spike in")
        .selected_text(chosen)
        .width(240.0);
    popup::combo_box(ui, choices, &mut |ui| {
        ui.selectable_value(&mut settings.pause_on_spike, None, "never");
        for path in series {
            ui.selectable_value(
                &mut settings.pause_on_spike,
                Some(path.clone()),
                one_line(path, 80),
            );
        }
    });
    ui.add_enabled_ui(settings.pause_on_spike.is_some(), |ui| {
        let seconds = |value| {
            DragValue::new(value)
                .range(Settings::PAUSE_SECS)
                .speed(0.1)
                .suffix(" s")
        };
        ui.horizontal(|ui| {
            ui.label("ignore spikes in the first");
            ui.add(seconds(&mut settings.pause_delay_secs));
            ui.label("and for");
            ui.add(seconds(&mut settings.pause_cooldown_secs));
            ui.label("after resuming");
        });
    });
    note_ui(ui, theme, "any selected or pinned counter can be chosen");
}

/// Returns the series that can be chosen: the frame time, those on screen, and the chosen one.
fn pausable<'a>(shown: impl Iterator<Item = &'a str>, chosen: Option<&str>) -> Vec<String> {
    let mut paths = vec![FRAME_TIME.to_owned()];
    let mut add = |path: &str| {
        if !paths.iter().any(|held| held == path) {
            paths.push(path.to_owned());
        }
    };
    shown.for_each(&mut add);
    chosen.into_iter().for_each(&mut add);
    paths
}

/// Returns the memory that a history of `frames` takes, as text.
fn history_cost(frames: usize) -> String {
    format!(
        "{} for each watched series",
        value_text(frames as f64 * 8.0, stats_core::Unit::Bytes)
    )
}
