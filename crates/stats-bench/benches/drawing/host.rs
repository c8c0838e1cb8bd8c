//! The program around the measured code: a context, a clock that advances by 1/60 s a frame, an
//! overlay and its recorder.

use egui::{Context, Event, MouseWheelUnit, Pos2, RawInput, Rect, Ui, Vec2, vec2};
use stats_bench::{Bar, Table};
use stats_core::{CounterHandle, Recorder, counter};
use stats_overlay::{FRAME_TIME, Mode, StatsOverlay};

pub(crate) const SCREEN: Vec2 = vec2(1920.0, 1080.0);
/// The frames in a round of a contest.
pub(crate) const FRAMES: u64 = 6;

/// A headless egui context.
#[derive(Default)]
pub(crate) struct Screen {
    ctx: Context,
    frames: u64,
}

impl Screen {
    /// Runs one frame: its UI code and its tessellation.
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

/// An overlay that shows some counters of a recorder.
pub(crate) struct Host {
    screen: Screen,
    pub(crate) overlay: StatsOverlay,
    pub(crate) recorder: Recorder,
    counters: Vec<CounterHandle>,
    recorded: u64,
    now_ms: f64,
}

impl Host {
    /// Creates an overlay with `selected` selected counters and a full history of `history` frames.
    pub(crate) fn new(mode: Mode, selected: usize, history: usize) -> Self {
        let counters: Vec<_> = (0..selected).map(|number| counter(&path(number))).collect();
        let mut overlay = StatsOverlay::with_recorder(Recorder::with_history(1));
        overlay.set_mode(mode);
        // A large budget, so that the overlay does not slow itself down while it is measured.
        let mut settings = overlay.settings().clone();
        settings.overlay_budget_ms = 100.0;
        // As after the first use.
        settings.first_steps = false;
        overlay.set_settings(&settings);
        overlay.deselect(FRAME_TIME);
        // The HUD shows what is pinned.
        (0..selected).for_each(|number| match mode {
            Mode::Hud => overlay.pin(&path(number)),
            _ => overlay.select(&path(number)),
        });
        let recorder = Recorder::with_history(history);
        let mut host = Self {
            screen: Screen::default(),
            overlay,
            recorder,
            counters,
            recorded: 0,
            now_ms: 0.0,
        };
        host.draw();
        (0..history + 100).for_each(|_| host.record_frame());
        // Reads the recorded frames, and settles.
        (0..60 + history * selected / 2000).for_each(|_| host.draw());
        host
    }

    /// Ends a frame of the recorder, with typical values of a game and an occasional spike. A clock
    /// of the game says that it took 1/60 s, give or take a millisecond: the real time of a frame
    /// in a contest is mostly that of the other contenders.
    pub(crate) fn record_frame(&mut self) {
        self.recorded += 1;
        for (number, counter) in self.counters.iter().enumerate() {
            counter.add(value(number, self.recorded));
        }
        self.now_ms += 1000.0 / 60.0 + (value(16, self.recorded) - 550.0) / 50.0;
        self.recorder.end_frame_at(self.now_ms / 1e3);
    }

    /// Exchanges the overlays of two hosts, but not their screens.
    pub(crate) fn swap_overlay(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.overlay, &mut other.overlay);
        std::mem::swap(&mut self.recorder, &mut other.recorder);
        std::mem::swap(&mut self.now_ms, &mut other.now_ms);
        std::mem::swap(&mut self.recorded, &mut other.recorded);
    }

    /// Draws a frame of the screen.
    pub(crate) fn draw(&mut self) {
        self.draw_with(Vec::new());
    }

    pub(crate) fn draw_with(&mut self, events: Vec<Event>) {
        let Self {
            screen,
            overlay,
            recorder,
            ..
        } = self;
        screen.frame(events, |ui| overlay.show_with(ui.ctx(), recorder));
    }

    /// Draws a frame with a new frame in the recorder, and counts the allocations of the overlay.
    pub(crate) fn count_allocations(&mut self) -> u64 {
        self.record_frame();
        let Self {
            screen,
            overlay,
            recorder,
            ..
        } = self;
        let mut count = 0;
        screen.frame(Vec::new(), |ui| {
            count = stats_testing::allocations(|| overlay.show_with(ui.ctx(), recorder));
        });
        count
    }

    /// Zooms the graph out with the wheel until the whole history is visible.
    pub(crate) fn zoom_out(&mut self) {
        let wheel = Event::MouseWheel {
            unit: MouseWheelUnit::Point,
            delta: vec2(0.0, -3000.0),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
            modifiers: egui::Modifiers::NONE,
        };
        self.draw_with(vec![Event::PointerMoved(Pos2::new(1200.0, 300.0))]);
        self.draw_with(vec![wheel]);
        (0..60).for_each(|_| self.draw());
        self.draw_with(vec![Event::PointerGone]);
        self.draw();
    }

    /// Draws a round of a contest, without new frames in the recorder.
    pub(crate) fn draw_round(&mut self) {
        (0..FRAMES).for_each(|_| self.draw());
    }

    /// Draws a round of a contest, with a new frame in the recorder for each.
    pub(crate) fn live_round(&mut self) {
        for _ in 0..FRAMES {
            self.record_frame();
            self.draw();
        }
    }
}

/// Adds the allocations of a frame, beyond those of an empty frame of egui: the median of many
/// frames, in which numbers are not refreshed, and the mean of all.
pub(crate) fn allocations(table: &mut Table, what: &str, host: &mut Host, bar: f64) {
    let mut empty = Screen::default();
    let mut of_empty = 0;
    for _ in 0..10 {
        of_empty = stats_testing::allocations(|| empty.frame(Vec::new(), |_| ()));
    }
    let frame = |_| {
        host.record_frame();
        stats_testing::allocations(|| host.draw()).saturating_sub(of_empty)
    };
    let mut frames: Vec<u64> = (0..60).map(frame).collect();
    frames.sort_unstable();
    let mean = frames.iter().sum::<u64>() as f64 / frames.len() as f64;
    let most = format!("allocations in most frames of {what}");
    table.row(
        &most,
        &[],
        frames[frames.len() / 2] as f64,
        "",
        Bar::AtMost(bar),
    );
    let all = format!("allocations in a frame of {what}, with refreshed numbers: mean");
    table.row(&all, &[], mean, "", Bar::AtMost(bar));
}

pub(crate) fn path(number: usize) -> String {
    format!(
        "bench/drawing/{}/counter-{number}",
        ["renderer", "physics", "game"][number % 3]
    )
}

/// Returns the value of a counter in a frame.
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
