//! A small host around the overlay: a button, a text field and a scroll area, and a recorder that the test drives.

use egui::{Key, Vec2};
use egui_kittest::Harness;
use stats_core::Recorder;
use stats_overlay::StatsOverlay;

/// The state of the host.
pub(crate) struct Host {
    pub(crate) overlay: StatsOverlay,
    pub(crate) recorder: Recorder,
    /// How often the host's button was clicked.
    pub(crate) clicks: usize,
    /// What was typed into the host's field.
    pub(crate) text: String,
    /// Where the host's button and its right-hand panel are.
    pub(crate) button: egui::Rect,
    pub(crate) side_width: f32,
    /// How far the host's list is scrolled.
    pub(crate) scrolled: f32,
    /// Whether the overlay is shown before the host's own widgets.
    pub(crate) overlay_first: bool,
}

impl Host {
    pub(crate) fn new() -> Self {
        Self {
            overlay: StatsOverlay::new(),
            recorder: Recorder::new(),
            clicks: 0,
            text: String::new(),
            button: egui::Rect::NOTHING,
            side_width: 0.0,
            scrolled: 0.0,
            overlay_first: false,
        }
    }

    /// Pushes frames of 16 ms up to and including number `last`, calling `each` before each of them.
    pub(crate) fn record(&mut self, last: u64, mut each: impl FnMut(u64)) {
        let next = self.recorder.frames().end;
        for frame in next..=last {
            each(frame);
            self.recorder.push_frame_at((frame + 1) as f64 * 0.016);
        }
    }

    fn ui(&mut self, ui: &mut egui::Ui) {
        if self.overlay_first {
            self.overlay.show_with(ui.ctx(), &mut self.recorder);
        }
        let side = egui::Panel::right("side").show(ui, |ui| {
            let list = egui::ScrollArea::vertical().show_viewport(ui, |ui, viewport| {
                ui.set_min_size(egui::vec2(150.0, 5000.0));
                viewport.top()
            });
            self.scrolled = list.inner;
        });
        self.side_width = side.response.rect.width();
        egui::CentralPanel::default().show(ui, |ui| {
            let button = ui.button("Host button");
            self.clicks += usize::from(button.clicked());
            self.button = button.rect;
            let label = ui.label("Host field");
            ui.text_edit_singleline(&mut self.text).labelled_by(label.id);
        });
        if !self.overlay_first {
            self.overlay.show_with(ui.ctx(), &mut self.recorder);
        }
    }
}

/// A harness of this host, with 60 steps a second and without pictures.
pub(crate) fn harness<'a>(size: Vec2, host: Host) -> Harness<'a, Host> {
    Harness::builder().with_size(size).with_step_dt(1.0 / 60.0).build_ui_state(|ui, host: &mut Host| host.ui(ui), host)
}

/// The same, rendering pictures.
pub(crate) fn harness_with_pictures<'a>(size: Vec2, theme: egui::Theme, host: Host) -> Harness<'a, Host> {
    let builder = Harness::builder().with_size(size).with_step_dt(1.0 / 60.0).with_theme(theme).wgpu();
    builder.build_ui_state(|ui, host: &mut Host| host.ui(ui), host)
}

/// Presses a key and lets two frames pass.
pub(crate) fn press(harness: &mut Harness<'_, Host>, key: Key) {
    harness.key_press(key);
    harness.run_steps(2);
}
