//! Copies values and views to the clipboard, and saves values as files.

use std::path::PathBuf;

use egui::Context;
use stats_analysis::format::count_text;
use stats_core::Source;

use crate::app::state::App;
use crate::data::view::Data;
use crate::export::csv::save_csv;
use crate::export::tsv::tsv;
use crate::persist::saved::PaneLayout;

/// The folder of saved files, and the text to copy.
#[derive(Debug)]
pub(crate) struct Export {
    /// The folder for CSV files and memory dumps.
    pub(crate) folder: PathBuf,
    /// The text to copy at the end of the pass.
    clipboard: Option<String>,
}

impl Default for Export {
    fn default() -> Self {
        Self {
            folder: PathBuf::from("."),
            clipboard: None,
        }
    }
}

impl Export {
    /// Copies a text at the end of the pass.
    pub(super) fn copy(&mut self, text: String) {
        self.clipboard = Some(text);
    }

    /// Hands copied text to the system.
    pub(super) fn flush_clipboard(&mut self, ctx: &Context) {
        if let Some(text) = self.clipboard.take() {
            ctx.copy_text(text);
        }
    }
}

impl App {
    /// Copies the selected frames of the active pane, or all frames, as tab-separated text.
    pub(super) fn copy_tsv(&mut self, source: &dyn Source) {
        let data = self.active_data(source);
        let frames = self.frames_to_export(&data);
        let text = tsv(&data, self.panes.active().selection.selected(), &frames);
        drop(data);
        let copied = count_text(frames.len() as u64, "frame", "frames");
        self.notice.say(format!("Copied {copied} of this pane"));
        self.export.clipboard = Some(text);
    }

    /// Saves the selected frames of the active pane, or all frames, as a CSV file.
    pub(super) fn save_csv(&mut self, source: &dyn Source) {
        let data = self.active_data(source);
        let frames = self.frames_to_export(&data);
        let selected = self.panes.active().selection.selected();
        let saved = save_csv(&self.export.folder, &data, selected, &frames);
        drop(data);
        match saved {
            Ok(path) => {
                let path = path.canonicalize().unwrap_or(path);
                self.notice.say(format!(
                    "Saved the values of this pane as {}",
                    path.display()
                ));
            }
            Err(error) => self.notice.warn(error),
        }
    }

    fn frames_to_export(&self, data: &dyn Data) -> Vec<u64> {
        let table = &self.panes.active().views.table;
        table.frames_to_copy(&self.frame_axis, data.frames())
    }

    /// Copies the panes as one line of text.
    pub(super) fn copy_view(&mut self) {
        self.export.clipboard = Some(self.layout().to_line());
        self.notice
            .say("Copied the view as one line: paste it here or in another overlay");
    }

    /// Shows the panes of a pasted line.
    pub(super) fn paste(&mut self, text: &str) {
        match PaneLayout::from_line(text) {
            Ok(layout) => {
                self.show_layout(&layout);
                self.notice.say("Showing the view of the pasted line");
            }
            Err(error) => self.notice.warn(error.to_string()),
        }
    }
}
