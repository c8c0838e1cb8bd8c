//! Getting values and views out of the overlay: to the clipboard, into a file.

use egui::Context;
use stats_core::Source;

use crate::app::views::Views;
use crate::export::csv::save_csv;
use crate::export::tsv::tsv;
use crate::persist::saved::PaneLayout;

impl Views {
    /// Copies the selected frames of the active pane, or all.
    pub(crate) fn copy_tsv(&mut self, source: &dyn Source) {
        let pane = self.panes.active();
        let (text, frames) = self.data_of_active(source, |data| {
            let frames = pane.table.frames_to_copy(&self.linked, data.frames());
            (tsv(data, pane.selection.selected(), &frames), frames.len())
        });
        self.notice
            .say(format!("{frames} frames of this pane copied"));
        self.clipboard = Some(text);
    }

    /// Saves the same as a file.
    pub(crate) fn save_csv(&mut self, source: &dyn Source) {
        let pane = self.panes.active();
        let saved = self.data_of_active(source, |data| {
            let frames = pane.table.frames_to_copy(&self.linked, data.frames());
            save_csv(
                &self.export_folder,
                data,
                pane.selection.selected(),
                &frames,
            )
        });
        match saved {
            Ok(path) => {
                let path = path.canonicalize().unwrap_or(path);
                self.notice.say(format!(
                    "The values of this pane were saved as {}",
                    path.display()
                ));
            }
            Err(error) => self.notice.warn(error.to_string()),
        }
    }

    /// Copies the panes as one line of text.
    pub(crate) fn copy_view(&mut self) {
        self.clipboard = Some(self.layout().to_line());
        self.notice
            .say("The view was copied as one line: paste it here or in another overlay");
    }

    /// Shows the panes that a pasted line tells of.
    pub(crate) fn paste(&mut self, text: &str) {
        match PaneLayout::from_line(text) {
            Ok(layout) => {
                self.show_panes(&layout.panes, layout.active);
                self.notice.say("The view was taken from the pasted line");
            }
            Err(error) => self.notice.warn(error.to_string()),
        }
    }

    /// Hands what was copied to the system.
    pub(crate) fn flush_clipboard(&mut self, ctx: &Context) {
        if let Some(text) = self.clipboard.take() {
            ctx.copy_text(text);
        }
    }
}
