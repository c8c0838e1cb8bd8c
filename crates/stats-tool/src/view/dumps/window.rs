//! The window of memory dumps: the memory panel, the progress of reading, and errors.

use std::path::PathBuf;

use eframe::egui::{self, Align2, CentralPanel, Context, ProgressBar, Ui};
use stats_memory_panel::MemoryPanel;

use super::super::name;
use super::dump_error::DumpError;
use super::loading::{Loaded, Loading};
use crate::output::say;

/// The contents of the window.
pub(in crate::view) struct Window {
    panel: MemoryPanel,
    /// The files that are being read, in the order in which they were opened.
    loading: Vec<Loading>,
    /// The number of files of the first entry that have been read without an error.
    opened: usize,
    errors: Vec<DumpError>,
}

impl Window {
    pub(in crate::view) fn new(ctx: &Context, files: Vec<PathBuf>) -> Self {
        let mut app = Self {
            panel: MemoryPanel::new(),
            loading: Vec::new(),
            opened: 0,
            errors: Vec::new(),
        };
        app.open(ctx, files);
        app
    }

    fn open(&mut self, ctx: &Context, files: Vec<PathBuf>) {
        let ctx = ctx.clone();
        self.loading
            .push(Loading::begin(files, move || ctx.request_repaint()));
    }

    /// Takes the files that have been read, in the order in which they were opened.
    fn take_loaded(&mut self) {
        while let Some(loading) = self.loading.first() {
            match loading.next() {
                Ok(Some(loaded)) => self.take(loaded),
                Ok(None) => return,
                Err(()) => self.finish_first(),
            }
        }
    }

    /// Ends the first entry. Compares two files that were named or dropped together, unless one of
    /// them could not be opened.
    fn finish_first(&mut self) {
        let loading = self.loading.remove(0);
        if (loading.files(), std::mem::take(&mut self.opened)) == (2, 2) {
            self.panel.compare_newest();
        }
    }

    fn take(&mut self, loaded: Loaded) {
        match loaded {
            Ok((file, snapshot)) => {
                self.opened += 1;
                self.panel.add(&name(&file), snapshot);
            }
            Err(error) => {
                say(&error);
                self.errors.push(error);
            }
        }
    }

    fn open_dropped(&mut self, ctx: &Context) {
        let dropped: Vec<PathBuf> = ctx.input(|input| {
            input
                .raw
                .dropped_files
                .iter()
                .map(|file| file.path().to_owned())
                .collect()
        });
        if !dropped.is_empty() {
            self.open(ctx, dropped);
        }
    }

    fn loading_ui(&self, ui: &mut Ui) {
        if let Some(loading) = self.loading.first() {
            ui.add(ProgressBar::new(loading.progress()).show_percentage());
            // The reading thread reports only whole files, so the progress has to be polled.
            ui.ctx().request_repaint_after_secs(0.05);
        }
    }

    fn errors_ui(&mut self, ctx: &Context) {
        if self.errors.is_empty() {
            return;
        }
        let shown = egui::Window::new("Could not open")
            .anchor(Align2::CENTER_CENTER, [0.0; 2])
            .collapsible(false)
            .resizable(false)
            .show(ctx, |ui| {
                for error in &self.errors {
                    ui.label(error.to_string());
                }
                ui.button("Close").clicked()
            });
        if shown.is_some_and(|shown| shown.inner == Some(true)) {
            self.errors.clear();
        }
    }

    /// Draws the window.
    fn app_ui(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        self.open_dropped(&ctx);
        self.take_loaded();
        CentralPanel::default().show(ui, |ui| {
            self.loading_ui(ui);
            self.panel.ui(ui);
        });
        self.errors_ui(&ctx);
    }
}

impl eframe::App for Window {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.app_ui(ui);
    }
}

#[cfg(test)]
mod tests {
    use eframe::egui::vec2;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;

    use super::super::testing::{Dump, LINE};
    use super::*;
    use std::path::Path;

    /// Returns the window after all named files, and then all dropped files, have been read.
    fn window<'a>(named: &[&Path], dropped: &[&Path]) -> Harness<'a, Window> {
        let named = named.iter().map(|file| file.to_path_buf()).collect();
        let mut app = Window::new(&Context::default(), named);
        if !dropped.is_empty() {
            app.open(
                &Context::default(),
                dropped.iter().map(|file| file.to_path_buf()).collect(),
            );
        }
        let mut harness = Harness::builder()
            .with_size(vec2(900.0, 600.0))
            .build_ui_state(|ui, app: &mut Window| app.app_ui(ui), app);
        while !harness.state().loading.is_empty() {
            std::thread::yield_now();
            harness.run_steps(1);
        }
        harness.run_steps(3);
        harness
    }

    fn is_compared(harness: &Harness<'_, Window>) -> bool {
        assert!(
            harness.query_by_label("Size").is_some(),
            "the panel shows a dump"
        );
        harness.query_by_label("Size change").is_some()
    }

    #[test]
    fn two_files_opened_together_are_compared() {
        let [one, two] = [1, 2]
            .map(|count| Dump::new(&format!("compared-{count}"), LINE.repeat(count).as_bytes()));
        assert!(is_compared(&window(&[&one.0, &two.0], &[])));
        assert!(is_compared(&window(&[&one.0], &[&one.0, &two.0])));
        assert!(
            !is_compared(&window(&[&one.0], &[&two.0])),
            "opened one after another"
        );
        assert!(
            !is_compared(&window(&[&one.0], &[&one.0, &two.0, &one.0])),
            "three files, so it is not clear which to compare"
        );
    }

    #[test]
    fn nothing_is_compared_if_a_file_could_not_be_opened() {
        let [good, bad] = [LINE, "# A text\n"]
            .map(|text| Dump::new(&format!("half-{}", text.len()), text.as_bytes()));
        for files in [[&good.0, &bad.0], [&bad.0, &good.0]] {
            let harness = window(&[&good.0], &files.map(PathBuf::as_path));
            assert!(!is_compared(&harness));
            assert!(harness.query_by_label("Could not open").is_some());
        }
    }
}
