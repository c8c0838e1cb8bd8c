//! A small host around the overlay: a button, a text field, a scrolling list, and a recorder that
//! the test drives.

use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, Vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use egui_kittest::{Harness, HarnessBuilder};
use stats_overlay::{Mode, StatsOverlay};

use crate::scoped::Scoped;

/// The state of the host.
pub(crate) struct Host {
    pub(crate) overlay: StatsOverlay,
    pub(crate) recorder: Scoped,
    /// The number of clicks on the host's button.
    pub(crate) clicks: usize,
    /// The text in the host's field.
    pub(crate) text: String,
    pub(crate) button: Rect,
    pub(crate) field: Rect,
    pub(crate) list: Rect,
    /// The scroll offset of the host's list.
    pub(crate) scrolled: f32,
    /// Whether the overlay is shown before the host's own widgets.
    pub(crate) overlay_first: bool,
    /// Whether the host's field requests the keyboard in every frame.
    pub(crate) requests_focus: bool,
    /// Whether the host's widgets saw the toggle key.
    pub(crate) saw_key: bool,
    /// Whether the shapes of a pass contain texts instead of their triangles.
    pub(crate) keeps_texts: bool,
}

impl Host {
    /// Returns a host that lists the counters whose paths start with `scope`.
    ///
    /// The overlay never lowers its refresh rate, so that tests need not wait on a slow machine. It is
    /// that of a viewer: its own time, which depends on the machine, does not explain long frames of a
    /// test.
    pub(crate) fn new(scope: &'static str) -> Self {
        let mut overlay = StatsOverlay::viewer();
        overlay.set_mode(Mode::Hidden);
        let mut settings = StatsOverlay::new().settings().clone();
        settings.overlay_budget_ms = 100.0;
        // As after the first use.
        settings.first_steps = false;
        overlay.set_settings(&settings);
        Self {
            overlay,
            recorder: Scoped::new(scope),
            clicks: 0,
            text: String::new(),
            button: Rect::NOTHING,
            field: Rect::NOTHING,
            list: Rect::NOTHING,
            scrolled: 0.0,
            overlay_first: false,
            requests_focus: false,
            saw_key: false,
            keeps_texts: true,
        }
    }

    /// Returns a host whose overlay is in full mode.
    pub(crate) fn full(scope: &'static str) -> Self {
        let mut host = Self::new(scope);
        host.overlay.set_mode(Mode::Full);
        host
    }

    /// Records frames of 16 ms up to and including frame `last`. Calls `each` before each frame
    /// ends.
    pub(crate) fn record(&mut self, last: u64, mut each: impl FnMut(u64)) {
        let next = self.recorder.frames().end;
        for frame in next..=last {
            each(frame);
            self.recorder.end_frame_at((frame + 1) as f64 * 0.016);
        }
    }

    fn ui(&mut self, ui: &mut egui::Ui) {
        if self.keeps_texts {
            stats_ui::retained::keep_texts(ui.ctx());
        }
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
        self.list = side.response.rect;
        egui::CentralPanel::default().show(ui, |ui| {
            let button = ui.button("Host button");
            self.clicks += usize::from(button.clicked());
            self.button = button.rect;
            let label = ui.label("Host field");
            let field = ui
                .text_edit_singleline(&mut self.text)
                .labelled_by(label.id);
            if self.requests_focus {
                field.request_focus();
            }
            self.field = field.rect;
            self.saw_key |= ui.input(|input| input.key_pressed(Key::F3));
        });
        if !self.overlay_first {
            self.overlay.show_with(ui.ctx(), &mut self.recorder);
        }
    }
}

fn builder(size: Vec2) -> HarnessBuilder<Host> {
    Harness::builder().with_size(size).with_step_dt(1.0 / 60.0)
}

/// Returns a harness for this host with 60 steps a second and no rendering.
pub(crate) fn harness<'a>(size: Vec2, host: Host) -> Harness<'a, Host> {
    builder(size).build_ui_state(|ui, host: &mut Host| host.ui(ui), host)
}

/// Like [`harness`], with another duration per step.
pub(crate) fn harness_at<'a>(size: Vec2, step_secs: f32, host: Host) -> Harness<'a, Host> {
    builder(size)
        .with_step_dt(step_secs)
        .build_ui_state(|ui, host: &mut Host| host.ui(ui), host)
}

/// Like [`harness`], for names whose glyphs the test fonts lack.
pub(crate) fn harness_of_any_glyphs<'a>(
    size: Vec2,
    pixels_per_point: f32,
    host: Host,
) -> Harness<'a, Host> {
    let builder = builder(size)
        .allow_missing_glyphs()
        .with_pixels_per_point(pixels_per_point);
    builder.build_ui_state(|ui, host: &mut Host| host.ui(ui), host)
}

/// Like [`harness`], with rendering.
pub(crate) fn harness_with_pictures<'a>(
    size: Vec2,
    theme: egui::Theme,
    host: Host,
) -> Harness<'a, Host> {
    let host = Host {
        keeps_texts: false,
        ..host
    };
    builder(size)
        .with_theme(theme)
        .wgpu()
        .build_ui_state(|ui, host: &mut Host| host.ui(ui), host)
}

/// Presses a key and runs two frames.
pub(crate) fn press(harness: &mut Harness<'_, Host>, key: Key) {
    harness.key_press(key);
    harness.run_steps(2);
}

/// Clicks at a position and runs two frames.
pub(crate) fn click_at(harness: &mut Harness<'_, Host>, pos: Pos2) {
    click_with(harness, pos, PointerButton::Primary);
}

fn click_with(harness: &mut Harness<'_, Host>, pos: Pos2, button: PointerButton) {
    harness.hover_at(pos);
    harness.run_steps(1);
    for pressed in [true, false] {
        harness.event(Event::PointerButton {
            pos,
            button,
            pressed,
            modifiers: Modifiers::NONE,
        });
    }
    harness.run_steps(2);
}

/// Clicks the node with this label and runs two frames.
pub(crate) fn click(harness: &mut Harness<'_, Host>, label: &str) {
    harness.get_by_label(label).click();
    harness.run_steps(2);
}

/// Presses and releases the secondary button on the node with this label.
pub(crate) fn secondary_click(harness: &mut Harness<'_, Host>, label: &str) {
    let pos = harness.get_by_label(label).rect().center();
    click_with(harness, pos, PointerButton::Secondary);
}

/// Returns the paths selected in the active pane.
pub(crate) fn selected(harness: &Harness<'_, Host>) -> Vec<String> {
    harness
        .state()
        .overlay
        .selected()
        .map(str::to_owned)
        .collect()
}

/// Opens all groups of the help.
pub(crate) fn unfold_help(harness: &mut Harness<'_, Host>) {
    let groups = [
        "Keys: the overlay and its windows",
        "Keys: the tree and other lists",
        "Keys: panes and their views",
        "Keys: frames and time",
    ];
    groups.iter().for_each(|group| click(harness, group));
    harness.run_steps(30);
}

/// Returns the accessibility value of a node.
pub(crate) fn value_of(harness: &Harness<'_, Host>, label: &str) -> String {
    harness
        .get_by_label(label)
        .accesskit_node()
        .value()
        .unwrap_or_default()
}
