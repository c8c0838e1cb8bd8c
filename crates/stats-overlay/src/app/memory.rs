//! The memory view as part of the overlay: when it is shown, and what is done beside it.

use std::path::{Path, PathBuf};

use egui::{Rect, Ui};

use crate::app::notice::Notice;
use crate::input::action::Action;
use stats_memory_panel::{Asked, Dump, Job, MemoryPanel, NO_SOURCE, SaveDumpError, panicked_text};
use stats_ui::theme::Theme;

/// The memory view's state in the overlay. Hidden it is idle.
#[derive(Debug, Default)]
pub(crate) struct MemoryView {
    panel: MemoryPanel,
    /// Whether it takes the place of tree and panes.
    pub(crate) is_open: bool,
    /// Whether it was drawn since the last [`settle`](Self::settle), and before that one.
    was_drawn: bool,
    /// Whether it is what the user sees, so that keys are its own.
    pub(crate) is_seen: bool,
    saving: Option<Job<Result<PathBuf, SaveDumpError>>>,
}

impl MemoryView {
    /// Whether there is something to take snapshots of.
    pub(crate) fn has_source(&self) -> bool {
        self.panel.dump().is_some()
    }

    /// Takes dumps by this function from now on. Snapshots that there are stay.
    pub(crate) fn set_dump(&mut self, dump: Dump) {
        self.panel.set_dump(dump);
    }

    /// Shows it, or goes back to the panes.
    pub(crate) fn toggle(&mut self) {
        self.is_open = !self.is_open;
    }

    /// Shows it and begins to take a snapshot, unless one is being taken; false, and said, where
    /// there is nothing to take one of.
    pub(crate) fn take(&mut self, compare: bool, notice: &mut Notice) -> bool {
        let has_source = self.has_source();
        if has_source {
            self.is_open = true;
            self.panel.take(compare);
        } else {
            self.warn_of_no_source(notice);
        }
        has_source
    }

    /// Does what an action comes to while the view is seen; false where it is none of the view's.
    /// Beneath help or settings nothing comes of it, nor of panes that nobody sees.
    pub(crate) fn perform(&mut self, action: Action, is_covered: bool) -> bool {
        let is_others = matches!(
            action,
            Action::CycleMode
                | Action::Hide
                | Action::Back
                | Action::ToggleHelp
                | Action::ToggleSettings
                | Action::ToggleMemory
                | Action::TakeMemorySnapshot
                | Action::CompareMemory
                | Action::SaveMemoryDump
        );
        if self.is_seen && !is_others && !is_covered {
            match action {
                Action::Tree(action) => self.panel.perform(action),
                Action::Search => self.panel.search(),
                _ => {}
            }
        }
        self.is_seen && !is_others
    }

    /// Says it where the view does not.
    fn warn_of_no_source(&self, notice: &mut Notice) {
        if !self.is_seen {
            notice.warn(NO_SOURCE);
        }
    }

    /// Begins to save the dump, unless it is being saved or there is nothing to save.
    pub(crate) fn save(&mut self, folder: &Path, notice: &mut Notice) {
        match self.panel.dump() {
            None => self.warn_of_no_source(notice),
            Some(_) if self.saving.is_some() => {}
            Some(dump) => self.saving = Some(dump.save(folder)),
        }
    }

    /// Once a pass: takes in a snapshot that was being taken, also while nobody sees it, and says
    /// what became of a dump that was being saved.
    pub(crate) fn settle(&mut self, notice: &mut Notice) {
        self.is_seen = std::mem::take(&mut self.was_drawn) && self.is_open;
        self.panel.finish_taking();
        let Some(done) = self.saving.as_ref().and_then(Job::poll) else {
            return;
        };
        self.saving = None;
        match done {
            Ok(Ok(path)) => notice.say(format!("The memory dump was saved as {}", path.display())),
            Ok(Err(error)) => notice.warn(error.to_string()),
            Err(panicked) => {
                notice.warn(format!("No dump was saved: {}", panicked_text(&panicked)))
            }
        }
    }

    /// Notes that it is what the user sees, be it beneath help or settings.
    pub(crate) fn note_drawn(&mut self) {
        self.was_drawn = true;
    }

    /// Draws it into `rect`. The first time there is anything to take it takes a snapshot.
    pub(crate) fn memory_ui(&mut self, ui: &mut Ui, theme: &Theme, rect: Rect) -> Option<Asked> {
        if self.panel.is_untouched() {
            self.panel.take(false);
        }
        let asked = self.panel.panel_ui(ui, theme, rect, true);
        if asked == Some(Asked::Back) {
            self.is_open = false;
        }
        asked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_taken_and_compared_one_at_a_time() {
        let (mut view, mut notice) = (MemoryView::default(), Notice::default());
        assert!(
            !view.take(true, &mut notice) && !view.is_open,
            "there is nothing to take"
        );
        view.set_dump(Dump::new(|out| {
            out.write_all(b"0x1,t,g,64,s,n\n").map(|()| 1)
        }));
        for compare in [true, false, true] {
            assert!(view.take(compare, &mut notice));
            // Comes to nothing.
            assert!(view.take(!compare, &mut notice));
            while view.panel.is_taking() {
                std::thread::yield_now();
                view.settle(&mut notice);
            }
        }
        assert_eq!(view.panel.shown(), (Some(2), Some(3)));
    }
}
