//! Moments that the user marks, because something felt bad.

use stats_analysis::moments::name;
use stats_core::Source;

use crate::app::state::App;

/// The moments that were marked.
#[derive(Debug, Default)]
pub(crate) struct Moments {
    /// The number of the newest moment.
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

    /// Adds a note to the newest moment, or to the one whose number it begins with. Marks one if
    /// there is none.
    pub(super) fn note_moment(&mut self, note: &str, source: &mut dyn Source) {
        let (number, note) = numbered(note, self.moments.newest);
        self.mark_named(number, note, source);
    }

    fn mark_named(&mut self, number: u32, note: &str, source: &mut dyn Source) {
        let name = name(number, note);
        let is_shown = source.mark_point(&name);
        let is_recorded = self.recording.mark_point(&name);
        if is_shown || is_recorded {
            self.moments.newest = self.moments.newest.max(number);
            self.notice.say(format!("Marked {name}"));
        } else {
            self.notice
                .warn("This source cannot be marked. A running program can.");
        }
    }
}

/// Returns the number of the moment that a note is about, and the note: `2: stutter` is about the
/// second one. Any other note is about the newest one.
fn numbered(note: &str, newest: u32) -> (u32, &str) {
    let of = note.split_once(':').and_then(|(number, rest)| {
        // `2:15` is a time.
        let is_number = number.bytes().all(|digit| digit.is_ascii_digit());
        let number = number.parse::<u32>().ok().filter(|_| is_number)?;
        let is_of = (1..=newest).contains(&number) && rest.starts_with(char::is_whitespace);
        is_of.then_some((number, rest))
    });
    of.unwrap_or((newest.max(1), note))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_about_the_newest_moment_or_the_one_that_it_names() {
        assert_eq!(numbered("stutter", 3), (3, "stutter"));
        assert_eq!(numbered("2: stutter", 3), (2, " stutter"));
        assert_eq!(numbered("2:15 stutter", 3), (3, "2:15 stutter"));
        assert_eq!(numbered("2:stutter", 3), (3, "2:stutter"));
        assert_eq!(numbered("2:", 3), (3, "2:"));
        assert_eq!(numbered("+2: stutter", 3), (3, "+2: stutter"));
        assert_eq!(numbered("4: no such moment", 3), (3, "4: no such moment"));
        assert_eq!(numbered("0: none", 3), (3, "0: none"));
        assert_eq!(numbered("boss: slow", 3), (3, "boss: slow"));
        assert_eq!(numbered("1: none yet", 0), (1, "1: none yet"));
    }
}
