//! The problems that the core reports, such as refused values and repaired paths: a button in the
//! header, and the sheet that it opens.

use crate::input::key_hint::hint_with_keys;
use egui::{Button, Label, Rect, RichText, ScrollArea, Stroke, Ui};
use stats_analysis::format::count_text;
use stats_ui::accessibility;
use stats_ui::theme::{Theme, text_font};

use crate::app::panel::panel_ui::BACK_WIDTH;
use crate::data::throttle::Throttle;
use crate::paint::canvas::clipped_child;

/// The interval at which problems are read, in seconds.
const INTERVAL_SECS: f64 = 1.0;

/// The problems last read from the core.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    texts: Vec<String>,
    read: Throttle,
}

impl Problems {
    /// Reads the core's problems, at most once per [`INTERVAL_SECS`].
    pub(crate) fn read(&mut self, now_secs: f64) {
        if self.read.take(now_secs, INTERVAL_SECS) {
            self.texts = stats_core::problems()
                .iter()
                .map(ToString::to_string)
                .collect();
        }
    }

    /// Draws a button with the number of problems, or nothing if there are none. Returns whether
    /// the button was clicked.
    pub(super) fn button_ui(&self, ui: &mut Ui, theme: &Theme) -> bool {
        if self.texts.is_empty() {
            return false;
        }
        let button = Button::new(RichText::new(self.title()).color(theme.alert))
            .stroke(Stroke::new(1.0, theme.alert));
        let response = ui.add(button);
        hint_with_keys(&response, "Lists what was rejected, and why (I)");
        response.clicked()
    }

    /// Draws the list of all problems into `rect`, each in full, with buttons to copy them.
    pub(super) fn sheet_ui(&self, ui: &mut Ui, theme: &Theme, rect: Rect) {
        let mut ui = clipped_child(ui, "problems", rect);
        ui.horizontal(|ui| {
            ui.set_max_width((rect.width() - BACK_WIDTH).max(0.0));
            ui.label(RichText::new(self.title()).color(theme.accent));
            if !self.texts.is_empty() && ui.button("Copy all").clicked() {
                ui.ctx().copy_text(self.texts.join("\n"));
            }
        });
        ui.add_space(6.0);
        ScrollArea::vertical()
            .auto_shrink([false, false])
            .show(&mut ui, |ui| {
                for (at, problem) in self.texts.iter().enumerate() {
                    ui.horizontal_top(|ui| {
                        let copy = ui.small_button("Copy");
                        accessibility::describe_button(ui.ctx(), copy.id, || {
                            format!("Copy problem {}", at + 1)
                        });
                        if copy.clicked() {
                            ui.ctx().copy_text(problem.clone());
                        }
                        let text = RichText::new(problem).font(text_font());
                        ui.add(Label::new(text).wrap().selectable(true));
                    });
                    ui.add_space(4.0);
                }
            });
    }

    fn title(&self) -> String {
        match self.texts.len() {
            0 => "No problems".to_owned(),
            count => count_text(count as u64, "problem", "problems"),
        }
    }
}
