//! The memory view as a part of the overlay.
//!
//! The view itself is a [`MemoryPanel`]. This file decides when it is open, takes snapshots for it
//! while it is closed, and saves dumps.

use std::path::{Path, PathBuf};

use egui::{Rect, Ui};

use crate::app::notice::Notice;
use crate::input::action::RowsAction;
use stats_memory_panel::{Asked, Dump, Job, MemoryPanel, NO_SOURCE, SaveDumpError, panicked_text};
use stats_ui::theme::Theme;

/// The memory view and the dump that is being saved. A closed view does nothing.
#[derive(Debug, Default)]
pub(crate) struct MemoryView {
    panel: MemoryPanel,
    /// Whether the view is open, in place of the tree and the panes.
    pub(crate) is_open: bool,
    /// Whether the view was drawn since the last [`settle`](Self::settle).
    was_drawn: bool,
    /// Whether the view was on screen in the previous pass, so that keys apply to it.
    pub(crate) is_seen: bool,
    saving: Option<Job<Result<PathBuf, SaveDumpError>>>,
}

impl MemoryView {
    /// Returns whether there is a function that writes dumps.
    pub(crate) fn has_source(&self) -> bool {
        self.panel.dump().is_some()
    }

    /// Sets the function that writes dumps. Existing snapshots stay.
    pub(crate) fn set_dump(&mut self, dump: Dump) {
        self.panel.set_dump(dump);
    }

    /// Opens the view, or closes it.
    pub(crate) fn toggle(&mut self) {
        self.is_open = !self.is_open;
    }

    /// Opens the view and begins a snapshot, unless one is being taken. Returns false, and shows a
    /// notice, if there is no function that writes dumps.
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

    /// Performs an action on the rows of the view.
    pub(super) fn perform(&mut self, action: RowsAction) {
        match action {
            RowsAction::Search => self.panel.search(),
            RowsAction::Tree(action) => self.panel.perform(action),
        }
    }

    /// Shows a notice, unless the view on screen says so itself.
    fn warn_of_no_source(&self, notice: &mut Notice) {
        if !self.is_seen {
            notice.warn(NO_SOURCE);
        }
    }

    /// Begins to save a dump into a folder, unless one is being saved.
    pub(crate) fn save(&mut self, folder: &Path, notice: &mut Notice) {
        match self.panel.dump() {
            None => self.warn_of_no_source(notice),
            Some(_) if self.saving.is_some() => {}
            Some(dump) => self.saving = Some(dump.save(folder)),
        }
    }

    /// Takes in a finished snapshot, even while the view is closed, and reports a dump that was
    /// saved. Call it once a pass.
    pub(crate) fn settle(&mut self, notice: &mut Notice) {
        self.is_seen = std::mem::take(&mut self.was_drawn) && self.is_open;
        self.panel.finish_taking();
        let Some(done) = self.saving.as_ref().and_then(Job::poll) else {
            return;
        };
        self.saving = None;
        match done {
            Ok(Ok(path)) => notice.say(format!("Saved the memory dump as {}", path.display())),
            Ok(Err(error)) => notice.warn(error.to_string()),
            Err(panicked) => notice.warn(format!(
                "The memory dump was not saved: {}",
                panicked_text(&panicked)
            )),
        }
    }

    /// Notes that the view is on screen, perhaps below help or settings.
    pub(crate) fn note_drawn(&mut self) {
        self.was_drawn = true;
    }

    /// Draws the view into `rect`. Takes a snapshot if there has never been one.
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
    fn a_closed_view_takes_and_compares_one_snapshot_at_a_time() {
        let (mut view, mut notice) = (MemoryView::default(), Notice::default());
        assert!(
            !view.take(true, &mut notice) && !view.is_open,
            "no function writes dumps"
        );
        view.set_dump(Dump::new(|out| {
            out.write_all(b"0x1,t,g,64,s,n\n").map(|()| 1)
        }));
        for compare in [true, false, true] {
            assert!(view.take(compare, &mut notice));
            // A second request does nothing while a snapshot is taken.
            assert!(view.take(!compare, &mut notice));
            while view.panel.is_taking() {
                std::thread::yield_now();
                view.settle(&mut notice);
            }
        }
        assert_eq!(view.panel.shown(), (Some(2), Some(3)));
    }
}
