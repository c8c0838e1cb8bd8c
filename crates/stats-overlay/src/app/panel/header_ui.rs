//! The header: the program, its frame rate and the newest finding, whether the views are paused or
//! refreshed less often, and the buttons.

use egui::containers::menu::MenuConfig;
use egui::{
    Align, Button, Key, Layout, Popup, PopupCloseBehavior, Rect, Sense, TextEdit, Ui, UiBuilder,
    UiKind, UiStackInfo, vec2,
};

use crate::app::memory::NO_DUMP_MESSAGE;
use crate::app::moments::Moments;
use crate::app::panel::problems_ui::Problems;
use crate::app::presets::Presets;
use crate::app::program::Program;
use crate::app::recording::{NO_RECORDING, button_hint, button_text};
use crate::app::request::Request;
use crate::data::playback::Playback;
use crate::input::action::Action;
use crate::input::key_hint::{hint_with_keys, key_text};
use crate::paint::choice_ui::button;
use stats_analysis::format::{count_text, whole_text};
use stats_core::RecordingStatus;
use stats_ui::accessibility;
use stats_ui::popup;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{Theme, text_font};
use stats_ui::tooltip;

/// The minimum width of the header for buttons of the presets, the memory view and recordings, in
/// points. If it is narrower, only the menu has them.
const MIN_FOR_ALL_BUTTONS: f32 = 620.0;
/// The minimum width of the title for each of its parts, and that of the finding, in points.
const WITH_NAME: f32 = 120.0;
const WITH_BUILD: f32 = 420.0;
const WITH_RATE: f32 = 240.0;
const MIN_VERDICT: f32 = 60.0;
/// The width of the frame rate, and the gap after each part, in points.
const RATE_WIDTH: f32 = 78.0;
const GAP: f32 = 14.0;
/// What the key and the button do that leave the overlay.
const LEAVES: &str = "leaves the overlay, which has the input";
const CLOSE_HINT: &str = "Leaves the overlay, which has the input";
/// What a click on the finding does.
const VERDICT_HINT: &str = "Goes to its frame, with everything selected that moved (Q)";
/// The cure for a slow overlay in a debug build.
const DEBUG_BUILD_HINT: &str = "This is a debug build. With opt-level = 2 for egui, epaint, \
     stats-overlay and a few other packages in Cargo.toml, the overlay takes a fraction of the time. \
     docs/hosts.md lists them.";

/// The items of the menu besides the presets, each with what it needs from the program.
const MENU: [(&str, Action, Needs); 16] = [
    ("Add a pane", Action::AddPane, Needs::Nothing),
    ("Back to newest", Action::ResetView, Needs::Nothing),
    ("Clear all frames", Action::ClearHistory, Needs::Nothing),
    ("Explain the frame", Action::Explain, Needs::Nothing),
    ("Go to the newest hitch", Action::GoToHitch, Needs::Nothing),
    ("Mark this moment", Action::MarkMoment, Needs::Nothing),
    ("Mark baseline A", Action::MarkBaseline, Needs::Nothing),
    ("Clear baseline A", Action::ClearBaseline, Needs::Nothing),
    ("Copy the view as a line", Action::CopyView, Needs::Nothing),
    ("Save values as CSV", Action::SaveCsv, Needs::Nothing),
    (
        "Start or stop recording",
        Action::ToggleRecording,
        Needs::Recording,
    ),
    ("Save the last frames", Action::SaveRecent, Needs::Recording),
    ("Memory", Action::ToggleMemory, Needs::Memory),
    (
        "Save the memory dump",
        Action::SaveMemoryDump,
        Needs::Memory,
    ),
    ("Settings", Action::ToggleSettings, Needs::Nothing),
    ("Help", Action::ToggleHelp, Needs::Nothing),
];

/// What an item needs from the program.
#[derive(Clone, Copy)]
enum Needs {
    Nothing,
    /// A function that writes memory dumps.
    Memory,
    /// Recordings.
    Recording,
}

/// Draws the header.
pub(super) struct HeaderUi<'a> {
    pub(super) theme: &'a Theme,
    pub(super) program: &'a Program,
    /// The frame rate of the last second.
    pub(super) rate: &'a str,
    /// The newest finding; empty without one.
    pub(super) verdict: &'a str,
    /// Whether the panel is inside a `Ui` of the host.
    pub(super) embedded: bool,
    /// The toggle key.
    pub(super) key: Option<Key>,
    pub(super) playback: &'a Playback,
    /// The index after the source's newest frame.
    pub(super) newest: u64,
    /// Whether the panes follow the newest frames.
    pub(super) follows: bool,
    /// Whether there is a function that writes memory dumps.
    pub(super) has_memory: bool,
    pub(super) is_memory_open: bool,
    /// The state of the recording; `None` if the program does not record.
    pub(super) recording: Option<RecordingStatus>,
    /// How often the picture is refreshed; empty if that is every frame.
    pub(super) slowdown: &'a str,
    pub(super) problems: &'a Problems,
    pub(super) presets: &'a mut Presets,
    pub(super) moments: &'a mut Moments,
    /// Receives the clicks.
    pub(super) requests: &'a mut Vec<Request>,
}

impl HeaderUi<'_> {
    /// Draws the header into `rect`: the program and the finding on the left, the buttons on the
    /// right.
    pub(super) fn header_ui(&mut self, ui: &mut Ui, rect: Rect) {
        let theme = self.theme;
        let inner = rect.shrink2(vec2(10.0, 5.0));
        let layout = Layout::right_to_left(Align::Center);
        let mut buttons = ui.new_child(
            UiBuilder::new()
                .id_salt("header")
                .max_rect(inner)
                .layout(layout),
        );
        if !self.embedded {
            let close = button(&mut buttons, ("Close", CLOSE_HINT), None);
            self.perform_if(close.clicked(), Action::Hide);
        }
        let paused = self.playback.is_paused();
        let pause = if paused {
            ("Resume", "Space or R. Follows the newest frames again")
        } else {
            (
                "Pause",
                "Space. Recording continues while the views are paused",
            )
        };
        let pause = button(&mut buttons, pause, Some(paused));
        self.perform_if(pause.clicked(), Action::TogglePause);
        let has_room = inner.width() >= MIN_FOR_ALL_BUTTONS;
        if self.has_memory && has_room {
            let memory = ("Memory", "Memory owners (B)");
            let memory = button(&mut buttons, memory, Some(self.is_memory_open));
            self.perform_if(memory.clicked(), Action::ToggleMemory);
        }
        if let Some(status) = self.recording.filter(|_| has_room) {
            let (name, help) = (button_text(status), button_hint(status));
            let is_running = status.running.is_some();
            let record = button(&mut buttons, (&name, &help), Some(is_running));
            self.perform_if(record.clicked(), Action::ToggleRecording);
        }
        menu(&mut buttons, "Menu", &mut |ui| self.menu_ui(ui, !has_room));
        if has_room {
            menu(&mut buttons, "Presets", &mut |ui| self.presets_ui(ui));
        }
        if !self.follows && !paused {
            let back = egui::RichText::new("Back to newest").color(theme.accent);
            let back = buttons.add(Button::new(back));
            hint_with_keys(&back, "A double click in a graph does the same (R)");
            self.perform_if(back.clicked(), Action::ResetView);
        }
        let has_clicked = self.problems.button_ui(&mut buttons, theme);
        self.perform_if(has_clicked, Action::ToggleProblems);
        let free = inner.with_max_x(buttons.min_rect().left() - 10.0);
        self.title_ui(ui, free);
    }

    fn menu_ui(&mut self, ui: &mut Ui, with_presets: bool) {
        if with_presets {
            popup::menu_button(ui, "Presets", &mut |ui| self.presets_ui(ui));
            ui.separator();
        }
        for (name, action, needs) in MENU {
            let item = ui.add(Button::new(name).shortcut_text(key_text(ui.ctx(), action)));
            let item = match needs {
                Needs::Memory if !self.has_memory => tooltip::with_text(item, NO_DUMP_MESSAGE),
                Needs::Recording if self.recording.is_none() => {
                    tooltip::with_text(item, NO_RECORDING)
                }
                _ => item,
            };
            if item.clicked() {
                self.requests.push(Request::Perform(action));
                ui.close();
            }
        }
        self.note_ui(ui);
    }

    /// Draws the field for a note about the newest moment.
    fn note_ui(&mut self, ui: &mut Ui) {
        let names = ("note about the moment", "Note", "Add note");
        let note = field_ui(ui, &mut self.moments.typed, names);
        self.requests.extend(note.map(Request::NoteMoment));
    }

    /// Draws the presets of the game and of the user, and a field for saving the panes as a new
    /// one.
    fn presets_ui(&mut self, ui: &mut Ui) {
        let presets = &*self.presets;
        let (mut show, mut forget) = (None, None);
        for preset in presets.game_not_replaced() {
            if ui.button(one_line(&preset.name, 40)).clicked() {
                show = Some(preset.name.clone());
            }
        }
        ui.separator();
        for preset in &presets.own {
            ui.horizontal(|ui| {
                if ui.button(one_line(&preset.name, 40)).clicked() {
                    show = Some(preset.name.clone());
                }
                if ui.small_button("Delete").clicked() {
                    forget = Some(preset.name.clone());
                }
            });
        }
        if let Some(name) = forget {
            self.presets.forget(&name);
        }
        if let Some(name) = show {
            self.requests.push(Request::ShowPreset(name));
            ui.close();
        }
        self.keep_ui(ui);
    }

    /// Draws the field for the name of a new preset.
    fn keep_ui(&mut self, ui: &mut Ui) {
        let names = ("preset name", "Preset name", "Save");
        let name = field_ui(ui, &mut self.presets.typed, names);
        self.requests.extend(name.map(Request::KeepPreset));
    }

    /// Draws the program, its frame rate, and whether the views are paused or refreshed less often.
    /// The newest finding takes the rest; a click goes to it.
    fn title_ui(&mut self, ui: &Ui, rect: Rect) {
        let theme = *self.theme;
        let rect = rect.with_max_x(rect.right().max(rect.left()));
        let (paused, slowed) = (self.paused_text(), self.slowed_text());
        let is_slowed = !slowed.is_empty();
        let Program { name, build } = self.program;
        let mut rest = rect;
        let id = ui.make_persistent_id("title");
        let parts = [
            ("Title", name.as_str(), WITH_NAME, theme.text),
            ("Build", build.as_str(), WITH_BUILD, theme.weak),
            ("Slowed", slowed, 0.0, theme.alert),
            ("Paused", paused.as_str(), 0.0, theme.accent),
        ];
        for (label, text, least, color) in parts {
            let is_shown = !text.is_empty() && rect.width() >= least;
            let place = rest;
            if is_shown {
                let width = shapes::text_in(ui.painter(), place, text, text_font(), color);
                let place = place.with_max_x(place.left() + width);
                rest.min.x = (rest.left() + width + GAP).min(rest.right());
                accessibility::describe(ui.ctx(), id.with(label), place, || {
                    (label.to_owned(), text.to_owned())
                });
                // Such as why a viewer is not connected.
                let whole = shapes::fitted(ui.painter(), text, text_font(), color, f32::INFINITY);
                if whole.size().x > width + 0.5 {
                    let response = ui.interact(place, id.with((label, "whole")), Sense::hover());
                    tooltip::hint(&response, text);
                }
            }
            if label == "Build" {
                rest = self.rate_ui(ui, rest, rect.width());
            }
        }
        if cfg!(debug_assertions) && is_slowed {
            let response = ui.interact(rect, id.with("why slowed"), Sense::hover());
            tooltip::hint(&response, DEBUG_BUILD_HINT);
        }
        if rest.width() >= MIN_VERDICT {
            self.verdict_ui(ui, rest);
        }
    }

    /// Draws the frame rate with a fixed width. Returns what it leaves.
    fn rate_ui(&self, ui: &Ui, rest: Rect, width: f32) -> Rect {
        if width < WITH_RATE {
            return rest;
        }
        let (cell, mut left) =
            rest.split_left_right_at_x(rest.left() + RATE_WIDTH.min(rest.width()));
        shapes::number_in(ui.painter(), cell, self.rate, self.theme.text);
        left.min.x = (left.left() + GAP).min(left.right());
        let id = ui.make_persistent_id("rate");
        accessibility::describe(ui.ctx(), id, cell, || {
            ("Frame rate".to_owned(), self.rate.to_owned())
        });
        left
    }

    /// Draws the newest finding as a link to it.
    fn verdict_ui(&mut self, ui: &Ui, rect: Rect) {
        let theme = self.theme;
        let id = ui.make_persistent_id("verdict");
        if self.verdict.is_empty() {
            let Some(key) = self.key.filter(|_| !self.embedded) else {
                return;
            };
            let (painter, font) = (ui.painter(), text_font());
            let width = shapes::text_in(painter, rect, key.name(), font.clone(), theme.weak);
            let rest = rect.with_min_x((rect.left() + width + 4.0).min(rect.right()));
            shapes::text_in(painter, rest, LEAVES, font, theme.weak);
            return;
        }
        let sign = rect.left_center() + vec2(6.0, 0.0);
        ui.painter().add(shapes::spike_sign(sign, theme.alert));
        let text = rect.with_min_x(rect.left() + 16.0);
        let response = ui.interact(rect, id, Sense::click());
        let color = if response.hovered() {
            theme.accent
        } else {
            theme.text
        };
        shapes::text_in(ui.painter(), text, self.verdict, text_font(), color);
        accessibility::describe_button(ui.ctx(), id, || "Newest hitch".to_owned());
        accessibility::describe(ui.ctx(), id.with("text"), rect, || {
            ("Hitch".to_owned(), self.verdict.to_owned())
        });
        hint_with_keys(&response, VERDICT_HINT);
        self.perform_if(response.clicked(), Action::GoToHitch);
    }

    fn perform_if(&mut self, is_clicked: bool, action: Action) {
        self.requests
            .extend(is_clicked.then_some(Request::Perform(action)));
    }

    /// Returns how often the picture is refreshed; empty if the title does not show it.
    fn slowed_text(&self) -> &str {
        // The memory view has no graphs.
        if self.playback.is_paused() || self.is_memory_open {
            ""
        } else {
            self.slowdown
        }
    }

    /// Returns the text about the frame at which the views are paused; empty if they are not.
    fn paused_text(&self) -> String {
        let Some(snapshot) = self.playback.snapshot() else {
            return String::new();
        };
        let newer = self.newest.saturating_sub(snapshot.end());
        let at = whole_text(snapshot.end().saturating_sub(1) as f64);
        format!(
            "PAUSED at frame {at} — {} recorded since",
            count_text(newer, "new frame", "new frames")
        )
    }
}

/// A field in a menu, and a button that takes its text, as Enter does. Returns that text, unless it is
/// blank.
fn field_ui(
    ui: &mut Ui,
    text: &mut String,
    (hint, name, button): (&str, &str, &str),
) -> Option<String> {
    let entered = ui.horizontal(|ui| {
        let field = TextEdit::singleline(text).hint_text(hint);
        let field = ui.add(field.desired_width(150.0));
        accessibility::name_field(ui.ctx(), field.id, name);
        let done = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        (ui.button(button).clicked() || done) && !text.trim().is_empty()
    });
    entered.inner.then(|| {
        ui.close();
        std::mem::take(text).trim().to_owned()
    })
}

/// Draws a button with a menu that stays open while its text field is clicked. Its items close it.
fn menu(ui: &mut Ui, name: &str, contents: &mut dyn FnMut(&mut Ui)) {
    let response = button(ui, (name, ""), None);
    let id = Popup::default_response_id(&response);
    if response.clicked() || Popup::is_id_open(ui.ctx(), id) {
        let behavior = PopupCloseBehavior::CloseOnClickOutside;
        let config = MenuConfig::new().close_behavior(behavior);
        let info = UiStackInfo::new(UiKind::Menu);
        let menu = Popup::menu(&response)
            .close_behavior(behavior)
            .style(config.style.clone())
            .info(info.with_tag_value(MenuConfig::MENU_CONFIG_TAG, config));
        popup::show(menu, contents);
    }
}
