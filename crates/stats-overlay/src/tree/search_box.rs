//! The state of the search box and of the hint below it.

/// The typed text, and the pending actions of the box.
#[derive(Debug, Default)]
pub(crate) struct SearchBox {
    /// The typed text.
    pub(crate) text: String,
    /// Whether to give the keyboard to the box.
    pub(super) wants_focus: bool,
    /// Whether it has the keyboard.
    pub(super) has_focus: bool,
    /// Whether to move the caret to the end of the text.
    pub(super) caret_to_end: bool,
    /// Whether the user opened the list of search words with its button.
    pub(super) shows_hint: bool,
    /// Whether the list was drawn in the previous pass.
    pub(super) draws_hint: bool,
}

impl SearchBox {
    /// Gives the keyboard to the box in the next pass.
    pub(crate) fn focus(&mut self) {
        self.wants_focus = true;
    }

    /// Removes the text. Returns whether there was any.
    pub(crate) fn clear(&mut self) -> bool {
        !std::mem::take(&mut self.text).is_empty()
    }

    /// Removes the text if the box has the keyboard.
    pub(crate) fn clear_if_typed(&mut self) {
        if std::mem::take(&mut self.has_focus) {
            self.clear();
        }
    }

    /// Closes the list of words. Returns whether it was opened with its button.
    pub(crate) fn close_hint(&mut self) -> bool {
        std::mem::take(&mut self.shows_hint)
    }

    /// Adds a word from the hint, closes the hint, and puts the caret after the word.
    pub(super) fn add_word(&mut self, word: &str) {
        if !self.text.is_empty() && !self.text.ends_with(' ') {
            self.text.push(' ');
        }
        self.text.push_str(word);
        (self.shows_hint, self.draws_hint) = (false, false);
        (self.wants_focus, self.caret_to_end) = (true, true);
    }
}
