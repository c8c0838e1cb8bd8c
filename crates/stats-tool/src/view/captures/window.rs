//! The window of captures.

use std::thread::JoinHandle;

use eframe::egui::{Ui, ViewportCommand};
use stats_analysis::insight::Findings;
use stats_overlay::{BaselineSeries, FRAME_TIME, Mode, StatsOverlay};

use super::content::{Content, Explained};
use crate::failure::Failure;
use crate::output::say;

/// The contents of the window.
pub(in crate::view) struct Window {
    content: Content,
    overlay: StatsOverlay,
    /// Finds the hitches; `None` before the search starts, and once the hitches are shown.
    explaining: Option<JoinHandle<Result<Explained, Failure>>>,
    was_drawn: bool,
    /// The number of errors that were printed.
    printed: usize,
}

impl Window {
    /// Shows captures, compared with a baseline if it has any series.
    pub(in crate::view) fn new(content: Content, baseline: Vec<BaselineSeries>) -> Self {
        let mut overlay = crate::view::overlay();
        overlay.set_baseline(baseline);
        let mut settings = overlay.settings().clone();
        settings.display_hz = content.refresh_hz();
        overlay.set_settings(&settings);
        if let Some(paths) = content.first_selected() {
            overlay.deselect(FRAME_TIME);
            for path in paths {
                overlay.select(path);
            }
        }
        Self {
            content,
            overlay,
            explaining: None,
            was_drawn: false,
            printed: 0,
        }
    }

    /// Draws the window.
    fn window_ui(&mut self, ui: &mut Ui) {
        self.overlay.show_with(ui.ctx(), self.content.source());
        if self.overlay.mode() != Mode::Full {
            ui.ctx().send_viewport_cmd(ViewportCommand::Close);
            // Until the window is gone, it continues to show the overlay.
            self.overlay.set_mode(Mode::Full);
        }
        self.show_hitches();
        let errors = self.content.errors();
        for error in errors.iter().skip(self.printed) {
            say(error);
        }
        self.printed = errors.len();
    }

    /// Shows the findings of `stats explain` once they are known. The overlay cannot find hitches
    /// itself, because a capture reads only the watched columns.
    fn show_hitches(&mut self) {
        if !std::mem::replace(&mut self.was_drawn, true) {
            self.explaining = self.content.explain();
        }
        let Some(explained) = self.explaining.take_if(|thread| thread.is_finished()) else {
            return;
        };
        match explained.join() {
            Ok(Ok(Explained { found, screens })) => {
                let began = found.slowdowns.into_iter().filter_map(|one| one.began);
                let hitches = found.hitches.into_iter().chain(began).collect();
                let leaks = found.leaks.into_iter().map(|one| (one.leak, one.unit));
                let findings = Findings::new(hitches, leaks.collect(), found.periodic);
                self.overlay.set_hitches(findings);
                for (frame, screen) in screens {
                    let (width, height) = screen.dimensions();
                    self.overlay.add_picture(frame, width, height, &screen);
                }
            }
            Ok(Err(error)) => say(format_args!("the hitches are not known: {error}")),
            // A panic has printed its message.
            Err(_) => {}
        }
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
    use egui_kittest::kittest::{NodeT, Queryable};
    use stats_analysis::bottleneck::Limit;
    use stats_capture::{Capture, CaptureOptions, RecordedKind, Run, SeriesRecord};
    use stats_core::{Counter, Frame, MarkEvent};

    use super::*;
    use crate::metrics::{Columns, Rules, RunExplanation, RunMetrics};

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
        let window = Window::new(Content::open(files).unwrap(), Vec::new());
        let mut harness = Harness::builder()
            .with_size(vec2(1280.0, 800.0))
            .build_ui_state(|ui, window: &mut Window| window.window_ui(ui), window);
        harness.run_steps(10);
        harness
    }

    #[test]
    fn a_capture_has_the_hitches_that_explain_finds() {
        let folder = stats_testing::Folder::new("tool-view-hitches");
        let path = folder.0.join("hitches.parquet");
        let mut capture = Capture::create(&path, CaptureOptions::default()).unwrap();
        let slow = stats_core::timer("view-hitches/slow");
        let mut now_secs = 0.0;
        for frame in 0..150 {
            let ms = if frame == 120 { 20.0 } else { 1.0 };
            slow.record_ms(ms);
            now_secs += (ms + 9.0) / 1e3;
            capture.end_frame_at(now_secs);
        }
        let file = capture.finish().unwrap();
        let screens = folder.0.join("hitches.pictures");
        std::fs::create_dir(&screens).unwrap();
        // The picture of another frame is not shown.
        for (frame, width) in [(120, 640), (30, 8)] {
            let screen = image::RgbaImage::from_pixel(width, 400, image::Rgba([9, 99, 199, 255]));
            let path = screens.join(format!("frame-{frame}.png"));
            screen.save(path).unwrap();
        }
        let opened = stats_capture::CaptureFile::open(&file).unwrap();
        let columns = Columns::read(&opened).unwrap();
        let hitches = RunExplanation::of(&columns, &Rules::default()).hitches;
        let hitch = hitches.iter().find(|hitch| hitch.frame == 120).unwrap();
        let mut window = window(&[file]);
        window
            .state_mut()
            .overlay
            .set_view(stats_overlay::PaneView::Hitches);
        while window.state().explaining.is_some() {
            window.run_steps(1);
        }
        window.run_steps(2);
        let row = window.get_by_label("Hitch in frame 120");
        let value = row.accesskit_node().value().unwrap_or_default();
        assert_eq!(value, hitch.verdict.replace('→', "to"));
        assert!(value.contains("view-hitches/slow"), "{value}");
        assert!(window.query_by_label("Picture").is_none(), "in no row yet");
        window.key_press(eframe::egui::Key::ArrowDown);
        window.run_steps(3);
        let picture = window.get_by_label("Picture");
        let caption = picture.accesskit_node().value().unwrap_or_default();
        assert_eq!(caption, "The screen in this frame");
    }

    #[test]
    fn a_capture_says_what_limits_it_as_its_report_does() {
        let folder = stats_testing::Folder::new("tool-view-limit");
        let file = folder.0.join("limit.parquet");
        const COUNT: usize = 30;
        let mut run = Run::default();
        run.refresh_hz = Some(60.0);
        let frames = (0..COUNT as u64).map(|index| Frame {
            index,
            start_secs: index as f64 / 60.0,
            duration_ms: 1e3 / 60.0,
        });
        // Times of the GPU are not known, so only the refresh rate tells what it waits for.
        let present = "window/present";
        let times = [
            ("frame/running", 5.0),
            ("frame/ready", 0.0),
            ("frame/blocked", 1e3 / 60.0 - 5.0),
            (present, 1e3 / 60.0 - 5.0),
        ];
        let series = times.map(|(path, ms)| {
            let mut record = SeriesRecord::default();
            record.path = path.to_owned();
            record.unit = "ms".to_owned();
            if path == present {
                (record.kind, record.wait) = (RecordedKind::Timer, true);
            }
            (record, vec![ms; COUNT])
        });
        // The overlay reads a long listing in parts.
        let others = (0..2500).map(|at| {
            let mut record = SeriesRecord::default();
            record.path = format!("other/{at}");
            (record, vec![0.0; COUNT])
        });
        let series: Vec<_> = others.chain(series).collect();
        let frames: Vec<Frame> = frames.collect();
        stats_capture::write(&file, &run, &frames, &series, &[]).unwrap();
        let opened = stats_capture::CaptureFile::open(&file).unwrap();
        let report = RunMetrics::of(&opened, &file, &Rules::default()).unwrap();
        let shares = report.bottleneck.named_shares();
        assert_eq!((shares[0].0, shares[0].2), (Limit::Display, 1.0));
        let mut window = window(&[file]);
        let overlay = &mut window.state_mut().overlay;
        overlay.set_view(stats_overlay::PaneView::Statistics);
        window.run_steps(60);
        for (_, name, share) in shares {
            let row = window.get_by_label(&name);
            let value = row.accesskit_node().value().unwrap_or_default();
            assert_eq!(
                value,
                format!("{:.1} % of the time", 100.0 * share),
                "{name}"
            );
        }
    }

    #[test]
    fn a_capture_is_compared_with_the_capture_that_is_baseline_a() {
        let folder = stats_testing::Folder::new("tool-view-baseline");
        let level = stats_core::gauge("view-baseline/level");
        let record = |name: &str, value: f64| {
            let mut capture =
                Capture::create(folder.0.join(name), CaptureOptions::default()).unwrap();
            for _ in 0..100 {
                level.set(value);
                capture.end_frame();
            }
            capture.finish().unwrap()
        };
        let (before, after) = (
            record("before.parquet", 10.0),
            record("after.parquet", 12.5),
        );
        let series = super::super::baseline::baseline(&before).unwrap();
        assert!(series.iter().any(|series| series.path == FRAME_TIME));
        let mut window = Window::new(Content::open(&[after]).unwrap(), series);
        window.overlay.select("view-baseline/level");
        let mut window = Harness::builder()
            .with_size(vec2(1280.0, 800.0))
            .build_ui_state(|ui, window: &mut Window| window.window_ui(ui), window);
        window.run_steps(12);
        let row = window.get_by_label("legend view-baseline/level");
        let text = row.accesskit_node().value().unwrap_or_default();
        assert!(text.contains("vs A +25.0 %"), "{text}");
    }

    #[test]
    fn closing_the_overlay_closes_the_window() {
        let folder = stats_testing::Folder::new("tool-view-close");
        let mut window = window(&[record(&folder, "a.parquet", 10)]);
        let closes = |window: &Harness<'_, Window>| {
            let mut viewports = window.output().viewport_output.values();
            viewports.any(|viewport| viewport.commands.contains(&ViewportCommand::Close))
        };
        assert!(!closes(&window));
        window.get_by_label("Close").click();
        let closed = (0..5).any(|_| {
            window.step();
            closes(&window)
        });
        assert!(closed);
        assert_eq!(window.state().overlay.mode(), Mode::Full);
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
