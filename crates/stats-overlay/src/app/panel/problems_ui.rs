//! What the core rejected or repaired, behind a button in the header.

use egui::{Button, RichText, Stroke, Ui};
use stats_ui::text::one_line;
use stats_ui::theme::Theme;

/// How often the registry is asked for problems, in seconds.
const INTERVAL_SECS: f64 = 1.0;
/// The number of problems that are listed.
const MAX_LISTED: usize = 20;

/// The problems of the last reading.
#[derive(Debug)]
pub(crate) struct Problems {
    texts: Vec<String>,
    read_secs: f64,
}

impl Default for Problems {
    fn default() -> Self {
        Self {
            texts: Vec::new(),
            read_secs: f64::NEG_INFINITY,
        }
    }
}

impl Problems {
    /// Asks the core for problems, once in [`INTERVAL_SECS`].
    pub(crate) fn read(&mut self, now_secs: f64) {
        if !(0.0..INTERVAL_SECS).contains(&(now_secs - self.read_secs)) {
            self.read_secs = now_secs;
            self.texts = stats_core::problems()
                .iter()
                .map(ToString::to_string)
                .collect();
        }
    }

    /// Draws a button with the number of problems, which lists them while the pointer is on it.
    /// Draws nothing if there is no problem.
    pub(super) fn problems_ui(&self, ui: &mut Ui, theme: &Theme) {
        let text = match self.texts.len() {
            0 => return,
            1 => "1 problem".to_owned(),
            count => format!("{count} problems"),
        };
        let button = Button::new(RichText::new(text).color(theme.alert))
            .stroke(Stroke::new(1.0, theme.alert));
        ui.add(button).on_hover_ui(|ui| {
            ui.set_max_width(460.0);
            for problem in self.texts.iter().take(MAX_LISTED) {
                ui.label(one_line(problem, 400));
            }
        });
    }
}
