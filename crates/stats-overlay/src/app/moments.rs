//! Moments that the user marks, because something felt bad.

use stats_analysis::moments::name;
use stats_core::Source;

use crate::app::state::App;

/// The moments that were marked.
#[derive(Debug, Default)]
pub(crate) struct Moments {
    /// The number of the newest one.
    newest: u32,
    /// The notes of those that the program asked for, to be marked in the next pass.
    pub(crate) asked: Vec<String>,
    /// The note that is being typed about the newest one.
    pub(crate) typed: String,
}

impl App {
    /// Marks the moments that the program asked for.
    pub(super) fn mark_asked_moments(&mut self, source: &mut dyn Source) {
        for note in std::mem::take(&mut self.moments.asked) {
            self.mark_moment(&note, source);
        }
    }

    /// Marks the current frame as a moment.
    pub(super) fn mark_moment(&mut self, note: &str, source: &mut dyn Source) {
        self.mark_named(self.moments.newest + 1, note, source);
    }

    /// Adds a note to the newest moment. Marks one if there is none.
    pub(super) fn note_moment(&mut self, note: &str, source: &mut dyn Source) {
        self.mark_named(self.moments.newest.max(1), note, source);
    }

    fn mark_named(&mut self, number: u32, note: &str, source: &mut dyn Source) {
        let name = name(number, note);
        let is_shown = source.mark_point(&name);
        let is_recorded = self.recording.mark_point(&name);
        if is_shown || is_recorded {
            self.moments.newest = number;
            self.notice.say(format!("Marked {name}"));
        } else {
            self.notice
                .warn("This source cannot be marked. A running program can.");
        }
    }
}
