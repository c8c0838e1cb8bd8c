//! The window of captures.

use eframe::egui::Ui;
use stats_overlay::{FRAME_TIME, Mode, StatsOverlay};

use super::content::Content;

/// The contents of the window.
pub(in crate::view) struct Window {
    content: Content,
    overlay: StatsOverlay,
    /// The number of problems that were printed.
    printed: usize,
}

impl Window {
    pub(in crate::view) fn new(content: Content) -> Self {
        let mut overlay = StatsOverlay::new();
        // There is no game below the overlay to return to.
        overlay.set_key(None);
        if let Some(paths) = content.first_selected() {
            overlay.set_selected(FRAME_TIME, false);
            for path in paths {
                overlay.set_selected(path, true);
            }
        }
        Self {
            content,
            overlay,
            printed: 0,
        }
    }

    /// Draws the window.
    fn window_ui(&mut self, ui: &mut Ui) {
        self.overlay.set_mode(Mode::Full);
        self.overlay.show_with(ui.ctx(), self.content.source());
        let errors = self.content.errors();
        for error in errors.iter().skip(self.printed) {
            eprintln!("stats: {error}");
        }
        self.printed = errors.len();
    }
}

impl eframe::App for Window {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.window_ui(ui);
    }
}

#[cfg(test)]
mod tests {
    use eframe::egui::vec2;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;
    use stats_capture::{Capture, CaptureOptions};
    use stats_core::{Counter, MarkEvent};

    use super::*;

    static WORK: Counter = Counter::new("view/work");

    /// Records some frames with a mark on frame `marked`.
    fn record(folder: &stats_testing::Folder, name: &str, marked: u64) -> std::path::PathBuf {
        let path = folder.0.join(name);
        let mut capture = Capture::create(&path, CaptureOptions::default()).unwrap();
        for frame in 0..100 {
            WORK.add(1);
            if frame == marked {
                capture.mark("fight", MarkEvent::Point);
            }
            capture.end_frame();
        }
        capture.finish().unwrap()
    }

    fn window<'a>(files: &[std::path::PathBuf]) -> Harness<'a, Window> {
        let window = Window::new(Content::open(files).unwrap());
        let mut harness = Harness::builder()
            .with_size(vec2(1280.0, 800.0))
            .build_ui_state(|ui, window: &mut Window| window.window_ui(ui), window);
        harness.run_steps(10);
        harness
    }

    #[test]
    fn a_capture_is_shown_in_the_overlay_and_two_side_by_side() {
        let folder = stats_testing::Folder::new("tool-view");
        let files = [
            record(&folder, "a.parquet", 10),
            record(&folder, "b.parquet", 30),
        ];
        let one = window(&files[..1]);
        assert!(one.query_all_by_label_contains("view").next().is_some());
        let two = window(&files);
        for path in super::super::pair::Pair::FRAME_TIMES {
            let label = path.split('/').next_back().unwrap();
            assert!(
                two.query_all_by_label_contains(label).next().is_some(),
                "{path}"
            );
        }
    }
}
