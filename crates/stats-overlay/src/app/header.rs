//! The header: who has the input, pause, presets, menu.

use egui::{Align, Button, CornerRadius, Key, Layout, Rect, Stroke, TextEdit, Ui, UiBuilder, vec2};

use crate::app::panel::PanelUi;
use crate::input::action::Action;
use crate::input::keyboard::key_text;
use crate::input::mode::Mode;
use stats_analysis::format::whole_text;
use stats_memory_panel::NO_DUMP_MESSAGE;
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{Theme, text_font};

/// A header less wide than this, in points, has its presets in the menu.
const LEAST_WITH_PRESETS: f32 = 620.0;

/// What the menu offers beside presets.
const MENU: [(&str, Action); 9] = [
    ("Add a pane", Action::AddPane),
    ("Back to newest", Action::ResetView),
    ("Forget all frames so far", Action::ClearHistory),
    ("Copy the view as a line", Action::CopyView),
    ("Save values as CSV", Action::SaveCsv),
    ("Memory", Action::ToggleMemory),
    ("Save the memory dump", Action::SaveMemoryDump),
    ("Settings", Action::ToggleSettings),
    ("Help", Action::ToggleHelp),
];

impl PanelUi<'_> {
    /// Draws the header into `rect`: the title at the left, the buttons at the right.
    pub(crate) fn header_ui(&mut self, ui: &mut Ui, theme: &Theme, rect: Rect) {
        ui.painter().rect_filled(
            rect.shrink(1.0),
            CornerRadius {
                nw: 5,
                ne: 5,
                sw: 0,
                se: 0,
            },
            theme.bar,
        );
        ui.painter()
            .hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, theme.line));
        let inner = rect.shrink2(vec2(10.0, 5.0));
        let layout = Layout::right_to_left(Align::Center);
        let mut buttons = ui.new_child(
            UiBuilder::new()
                .id_salt("header")
                .max_rect(inner)
                .layout(layout),
        );
        if !self.embedded {
            let close = buttons.button("Close");
            if close.on_hover_text("Hide the overlay").clicked() {
                self.views.mode = Mode::Hidden;
            }
        }
        let paused = self.views.is_paused();
        let pause =
            buttons.add(Button::new(if paused { "Resume" } else { "Pause" }).selected(paused));
        if pause
            .on_hover_text("Space. Recording goes on while the views stand still")
            .clicked()
        {
            self.views.set_paused(!paused, Some(self.source));
        }
        if self.views.memory.has_source() && inner.width() >= LEAST_WITH_PRESETS {
            let memory = buttons.add(Button::new("Memory").selected(self.views.memory.is_open));
            if memory.on_hover_text("Memory owners. B").clicked() {
                self.views.perform(Action::ToggleMemory, self.source);
            }
        }
        buttons.menu_button("Menu", |ui| {
            self.menu_ui(ui, inner.width() < LEAST_WITH_PRESETS)
        });
        if inner.width() >= LEAST_WITH_PRESETS {
            buttons.menu_button("Presets", |ui| self.presets_ui(ui));
        }
        if !self.views.linked.follows() {
            let back = buttons.add(Button::new(
                egui::RichText::new("Back to newest").color(theme.accent),
            ));
            if back
                .on_hover_text("R. A double click in a graph does the same")
                .clicked()
            {
                self.views.reset_view();
            }
        }
        self.problems_ui(&mut buttons, theme);
        let free = inner.with_max_x(buttons.min_rect().left() - 10.0);
        self.title_ui(ui, theme, free);
    }

    fn menu_ui(&mut self, ui: &mut Ui, with_presets: bool) {
        if with_presets {
            ui.menu_button("Presets", |ui| self.presets_ui(ui));
            ui.separator();
        }
        for (name, action) in MENU {
            let item = ui.add(Button::new(name).shortcut_text(key_text(action)));
            let is_memory = matches!(action, Action::ToggleMemory | Action::SaveMemoryDump);
            let item = if is_memory && !self.views.memory.has_source() {
                item.on_hover_text(NO_DUMP_MESSAGE)
            } else {
                item
            };
            if item.clicked() {
                self.views.perform(action, self.source);
                ui.close();
            }
        }
    }

    /// The presets of the game and of the user, and a field to keep what is on screen under a name.
    fn presets_ui(&mut self, ui: &mut Ui) {
        let presets = &self.views.presets;
        let (mut show, mut forget) = (None, None);
        for preset in presets.game() {
            if ui.button(one_line(&preset.name, 40)).clicked() {
                show = Some(preset.name.clone());
            }
        }
        ui.separator();
        for preset in presets.own() {
            ui.horizontal(|ui| {
                if ui.button(one_line(&preset.name, 40)).clicked() {
                    show = Some(preset.name.clone());
                }
                if ui.small_button("Forget").clicked() {
                    forget = Some(preset.name.clone());
                }
            });
        }
        if let Some(name) = forget {
            self.views.presets.forget(&name);
        }
        if let Some(name) = show {
            self.views.show_preset(&name);
            ui.close();
        }
        self.keep_ui(ui);
    }

    /// The field for the name of a preset.
    fn keep_ui(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            let name = &mut self.views.preset_name;
            let field = ui.add(
                TextEdit::singleline(name)
                    .hint_text("name for these panes")
                    .desired_width(150.0),
            );
            accessibility::name_field(ui.ctx(), field.id, "Preset name");
            let done = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            if (ui.button("Keep").clicked() || done) && !name.trim().is_empty() {
                let name = std::mem::take(name);
                self.views.save_preset(name.trim());
                ui.close();
            }
        });
    }

    /// What the core refused or repaired, behind a button that says how much.
    fn problems_ui(&self, ui: &mut Ui, theme: &Theme) {
        let problems = &self.views.problems;
        if problems.is_empty() {
            return;
        }
        let text = egui::RichText::new(format!(
            "{} {}",
            problems.len(),
            if problems.len() == 1 {
                "problem"
            } else {
                "problems"
            }
        ));
        let chip =
            ui.add(Button::new(text.color(theme.alert)).stroke(Stroke::new(1.0, theme.alert)));
        chip.on_hover_ui(|ui| {
            ui.set_max_width(460.0);
            for problem in problems.iter().take(20) {
                ui.label(one_line(problem, 400));
            }
        });
    }

    /// Who has the input, and whether the views stand still or are refreshed less often.
    fn title_ui(&self, ui: &Ui, theme: &Theme, rect: Rect) {
        let rect = rect.with_max_x(rect.right().max(rect.left()));
        let title = match (self.embedded, self.views.settings.key) {
            (true, _) => "Stats".to_owned(),
            (false, Some(key)) => format!("Stats overlay has the input — {} to close", key.name()),
            (false, None) => "Stats overlay has the input".to_owned(),
        };
        let width = shapes::text_in(ui.painter(), rect, &title, text_font(), theme.text);
        accessibility::describe(ui.ctx(), ui.make_persistent_id("title"), rect, || {
            ("Title".to_owned(), title.clone())
        });
        let rect = rect.with_min_x((rect.left() + width + 16.0).min(rect.right()));
        let slowed = self.views.cost.text();
        // The memory view has no graphs.
        if !slowed.is_empty() && !self.views.is_paused() && !self.views.memory.is_open {
            shapes::text_in(ui.painter(), rect, slowed, text_font(), theme.alert);
            accessibility::describe(ui.ctx(), ui.make_persistent_id("slowed"), rect, || {
                ("Slowed".to_owned(), slowed.to_owned())
            });
        }
        let Some(snapshot) = &self.views.paused else {
            return;
        };
        let newer = self.source.frames().end.saturating_sub(snapshot.end());
        let at = whole_text(snapshot.end().saturating_sub(1) as f64);
        let text = format!(
            "PAUSED at frame {at} — {} new frames recorded since",
            whole_text(newer as f64)
        );
        shapes::text_in(ui.painter(), rect, &text, text_font(), theme.accent);
        accessibility::describe(ui.ctx(), ui.make_persistent_id("paused"), rect, || {
            ("Paused".to_owned(), text.clone())
        });
    }
}
