//! A program around what is measured: a context, a clock that goes on by 1/60 s, an overlay and its
//! recorder.

use egui::{Context, Event, MouseWheelUnit, Pos2, RawInput, Rect, Ui, Vec2, vec2};
use stats_core::{CounterHandle, Recorder, counter};
use stats_overlay::{FRAME_TIME, Mode, StatsOverlay};

pub(crate) const SCREEN: Vec2 = vec2(1920.0, 1080.0);
/// Frames in a round of a contest.
pub(crate) const FRAMES: u64 = 6;

/// A headless context.
#[derive(Default)]
pub(crate) struct Screen {
    ctx: Context,
    frames: u64,
}

impl Screen {
    /// One frame: its UI code and its tessellation.
    pub(crate) fn frame(&mut self, events: Vec<Event>, draw: impl FnMut(&mut Ui)) {
        self.frames += 1;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SCREEN)),
            time: Some(self.frames as f64 / 60.0),
            events,
            ..RawInput::default()
        };
        let mut output = self.ctx.run_ui(input, draw);
        let shapes = self.ctx.tessellate(std::mem::take(&mut output.shapes), 1.0);
        output.textures_delta.clear();
        std::hint::black_box(&shapes);
    }
}

/// An overlay that draws some counters of a recorder.
pub(crate) struct Host {
    screen: Screen,
    pub(crate) overlay: StatsOverlay,
    pub(crate) recorder: Recorder,
    counters: Vec<CounterHandle>,
    pushed: u64,
}

impl Host {
    /// So many counters, selected, with a full history of so many frames.
    pub(crate) fn new(mode: Mode, selected: usize, history: usize) -> Self {
        let counters: Vec<_> = (0..selected).map(|number| counter(&path(number))).collect();
        let mut overlay = StatsOverlay::with_recorder(Recorder::with_history(1));
        overlay.set_mode(mode);
        // It is not to spare time where it is measured.
        let mut settings = overlay.settings().clone();
        settings.overlay_budget_ms = 100.0;
        overlay.set_settings(&settings);
        overlay.set_selected(FRAME_TIME, false);
        (0..selected).for_each(|number| overlay.set_selected(&path(number), true));
        let recorder = Recorder::with_history(history);
        let mut host = Self {
            screen: Screen::default(),
            overlay,
            recorder,
            counters,
            pushed: 0,
        };
        host.draw();
        (0..history + 100).for_each(|_| host.push());
        // Catches up with what was recorded, and settles.
        (0..60 + history * selected / 2000).for_each(|_| host.draw());
        host
    }

    /// Ends a frame of the recorder: values as games have them, with a spike now and then.
    pub(crate) fn push(&mut self) {
        self.pushed += 1;
        for (number, counter) in self.counters.iter().enumerate() {
            counter.add(value(number, self.pushed));
        }
        self.recorder.end_frame();
    }

    /// A frame of the screen.
    pub(crate) fn draw(&mut self) {
        self.draw_with(Vec::new());
    }

    fn draw_with(&mut self, events: Vec<Event>) {
        let Self {
            screen,
            overlay,
            recorder,
            ..
        } = self;
        screen.frame(events, |ui| overlay.show_with(ui.ctx(), recorder));
    }

    /// Turns the wheel over the graph until the whole history is seen.
    pub(crate) fn zoom_out(&mut self) {
        let wheel = Event::MouseWheel {
            unit: MouseWheelUnit::Point,
            delta: vec2(0.0, -3000.0),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
            modifiers: egui::Modifiers::NONE,
        };
        self.draw_with(vec![Event::PointerMoved(Pos2::new(1200.0, 400.0))]);
        self.draw_with(vec![wheel]);
        (0..60).for_each(|_| self.draw());
        self.draw_with(vec![Event::PointerGone]);
        self.draw();
    }

    /// A round of a contest, without new frames in the recorder.
    pub(crate) fn draw_round(&mut self) {
        (0..FRAMES).for_each(|_| self.draw());
    }

    /// A round of a contest, the recorder going on with each frame.
    pub(crate) fn live_round(&mut self) {
        for _ in 0..FRAMES {
            self.push();
            self.draw();
        }
    }
}

pub(crate) fn path(number: usize) -> String {
    format!(
        "bench/drawing/{}/counter-{number}",
        ["renderer", "physics", "game"][number % 3]
    )
}

/// The value of a counter in a frame.
pub(crate) fn value(number: usize, frame: u64) -> f64 {
    let number = number as u64 + 3;
    let noise = (frame.wrapping_mul(7919).wrapping_mul(number) >> 3) % 97;
    let spike = if frame.wrapping_mul(number).is_multiple_of(1511) {
        900
    } else {
        0
    };
    (500 + noise + spike) as f64
}
