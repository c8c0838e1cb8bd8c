//! The header: the program, its frame rate, whether the views are paused, a finding, and the buttons.

use egui::containers::menu::MenuConfig;
use egui::{
    Align, Button, Key, Layout, Popup, PopupCloseBehavior, Rect, TextEdit, Ui, UiBuilder, UiKind,
    UiStackInfo, vec2,
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
use crate::insight::headline::Headline;
use crate::paint::choice_ui::button;
use stats_core::RecordingStatus;
use stats_ui::accessibility;
use stats_ui::popup;
use stats_ui::text::one_line;
use stats_ui::theme::Theme;
use stats_ui::tooltip;

/// The minimum width of the header for buttons of the presets, the memory view and recordings, in
/// points. If it is narrower, only the menu has them.
const MIN_FOR_ALL_BUTTONS: f32 = 620.0;
const CLOSE_HINT: &str = "Leaves the overlay, which has the input";

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
    /// The mean frame time and the frame rate of the last second.
    pub(super) pace: &'a [String; 2],
    /// The hitch of the frame that the user looks at, or else the newest finding.
    pub(super) verdict: Option<&'a Headline>,
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
            popup::submenu(ui, "Presets", &mut |ui| self.presets_ui(ui));
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

    pub(super) fn perform_if(&mut self, is_clicked: bool, action: Action) {
        self.requests
            .extend(is_clicked.then_some(Request::Perform(action)));
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
