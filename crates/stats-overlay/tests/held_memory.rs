//! The memory that the overlay holds: history only for what is on screen.
//!
//! This test has a binary of its own, because it registers 100,000 series and counts the memory of
//! all threads.
#![cfg(feature = "enabled")]
#![expect(unsafe_code, reason = "a global allocator is unsafe to implement")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicI64, Ordering};

use egui::{Context, Pos2, RawInput, Rect, vec2};
use stats_core::{CounterHandle, Recorder, UpDownCounterHandle, counter, up_down_counter};
use stats_overlay::{Mode, StatsOverlay};

/// The bytes that are allocated. No other memory depends on this number, so no order is needed.
static LIVE: AtomicI64 = AtomicI64::new(0);

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call is forwarded unchanged to the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(layout.size() as i64, Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size() as i64, Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// The series of a program: one in four is a level that may leak.
#[derive(Default)]
struct Series {
    counters: Vec<CounterHandle>,
    levels: Vec<UpDownCounterHandle>,
}

impl Series {
    fn register(&mut self, count: usize) {
        for number in self.counters.len() + self.levels.len()..count {
            let system = ["renderer", "physics", "game", "audio", "ai"][number % 5];
            let path = format!("{system}/level-{}/enemy-{number}", number % 300);
            if number.is_multiple_of(4) {
                self.levels.push(up_down_counter(&path));
            } else {
                self.counters.push(counter(&path));
            }
        }
    }

    /// Changes most values in a frame.
    fn change(&self, frame: u64) {
        for (number, counter) in (3..).zip(&self.counters) {
            counter.add((frame * 7919 * number % 97) as f64);
        }
        for (number, level) in (3..).zip(&self.levels) {
            let change = (number % 97) as f64;
            if frame.is_multiple_of(2) {
                level.add(change);
            } else {
                level.sub(change);
            }
        }
    }
}

/// An overlay over a program.
struct Program<'a> {
    ctx: Context,
    recorder: Recorder,
    overlay: StatsOverlay,
    frame: u64,
    now_secs: f64,
    series: &'a Series,
}

impl<'a> Program<'a> {
    fn new(series: &'a Series, ctx: &Context) -> Self {
        let mut overlay = StatsOverlay::with_recorder(Recorder::with_history(1));
        let mut settings = overlay.settings().clone();
        // It never lowers its refresh rate.
        settings.overlay_budget_ms = 10_000.0;
        overlay.set_settings(&settings);
        Self {
            ctx: ctx.clone(),
            recorder: Recorder::new(),
            overlay,
            frame: 0,
            now_secs: 0.0,
            series,
        }
    }

    /// Runs frames in a mode, and returns the largest number of allocated bytes after any of them.
    /// Every hundredth frame is a hitch.
    fn play(&mut self, mode: Mode, frames: usize) -> Memory {
        self.overlay.set_mode(mode);
        let (mut most, mut last) = (0, 0);
        for _ in 0..frames {
            self.frame += 1;
            self.series.change(self.frame);
            let is_hitch = self.frame.is_multiple_of(100);
            self.now_secs += if is_hitch { 0.1 } else { 1.0 / 60.0 };
            self.recorder.end_frame_at(self.now_secs);
            let input = RawInput {
                screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(1920.0, 1080.0))),
                time: Some(self.now_secs),
                ..RawInput::default()
            };
            let (overlay, recorder) = (&mut self.overlay, &mut self.recorder);
            let mut output = (self.ctx).run_ui(input, |ui| overlay.show_with(ui.ctx(), recorder));
            output.textures_delta.clear();
            let shapes = std::mem::take(&mut output.shapes);
            drop(self.ctx.tessellate(shapes, 1.0));
            last = LIVE.load(Ordering::Relaxed);
            most = last.max(most);
        }
        Memory { most, last }
    }

    /// Shows everything that the test measures.
    fn show_all(&mut self, frames: usize) -> [Memory; 4] {
        let hud = self.play(Mode::Hud, frames);
        let full = self.play(Mode::Full, frames);
        self.overlay.set_search("enemy");
        let searching = self.play(Mode::Full, frames);
        self.overlay.set_search("");
        // Four seconds, of which the hitches take some.
        let hidden = self.play(Mode::Hidden, 240);
        [hud, full, searching, hidden]
    }
}

#[derive(Clone, Copy, Debug)]
struct Memory {
    most: i64,
    last: i64,
}

#[test]
fn histories_of_all_series_are_kept_only_while_panes_are_on_screen() {
    const MIB: f64 = (1 << 20) as f64;
    let mut series = Series::default();
    for count in [1_000, 100_000] {
        series.register(count);
        let frames = if count > 10_000 { 210 } else { 610 };
        let ctx = Context::default();
        // egui keeps the glyphs that this draws.
        Program::new(&series, &ctx).show_all(20);
        let mut program = Program::new(&series, &ctx);
        let before = program.play(Mode::Hidden, 150).last;
        let [hud, full, searching, hidden] = program.show_all(frames);
        let hud_again = program.play(Mode::Hud, 210);
        for (what, bytes, mib, each) in [
            ("HUD", hud.most, 1.0, 64),
            ("panes", full.most, 4.0, 320),
            ("search", searching.last, 4.0, 320),
            ("hidden", hidden.last, 0.3, 64),
            ("HUD again", hud_again.last, 1.0, 64),
        ] {
            let (bytes, max) = (bytes - before, mib * MIB + (each * count) as f64);
            println!("{what} with {count} series: {bytes} of {max} bytes");
            assert!(
                bytes as f64 <= max,
                "{what} with {count} series: {bytes} of {max} bytes"
            );
        }
    }
}
