//! The memory that the overlay holds: history only for what is on screen.
//!
//! This test has a binary of its own, because it registers 100,000 series and counts the memory of
//! all threads.
#![cfg(feature = "enabled")]

use std::process::{Command, Stdio};
use std::time::Duration;

use egui::{Context, Pos2, RawInput, Rect, vec2};
use stats_core::{
    CounterHandle, Recorder, TimerHandle, UpDownCounterHandle, counter, timer, up_down_counter,
};
use stats_overlay::{Mode, StatsOverlay};
use stats_testing::{count_held_bytes, held_bytes};

#[global_allocator]
static ALLOCATOR: stats_testing::Counting = stats_testing::Counting;

/// What a program consists of.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    /// Counters, and levels that may leak: one in four.
    Counters,
    /// The same, each in a folder of its own.
    Folders,
    /// Timers. Each is three listed series: its time, its calls and its self time.
    Timers,
}

/// The series of a program.
#[derive(Default)]
struct Series {
    counters: Vec<CounterHandle>,
    levels: Vec<UpDownCounterHandle>,
    timers: Vec<TimerHandle>,
}

impl Shape {
    /// Returns the bytes for each listed series under the HUD, in the tree with panes, and while
    /// the overlay is hidden.
    fn bytes_each(self) -> [usize; 3] {
        match self {
            // Of the HUD's 72 bytes, the insight takes 25 for each series, and 25 more while a frame
            // waits to be ranked.
            Self::Counters | Self::Folders => [72, 320, 64],
            // A timer takes four numbers of the core, not three. While a thread ranks a frame, it
            // takes up to 100 bytes for each timer, at any time in the mode with panes. The HUD adds up
            // the self time of each timer, in 8 bytes, and a third of the listed series are timers.
            Self::Timers => [112, 352, 64],
        }
    }
}

impl Series {
    /// Registers series until `count` are listed.
    fn register(&mut self, shape: Shape, count: usize) {
        for number in self.listed().. {
            if self.listed() >= count {
                break;
            }
            let system = ["renderer", "physics", "game", "audio", "ai"][number % 5];
            let path = format!("{system}/level-{}/enemy-{number}", number % 300);
            let below = if shape == Shape::Folders {
                "/updates"
            } else {
                ""
            };
            let path = path + below;
            if shape == Shape::Timers {
                self.timers.push(timer(&path));
            } else if number.is_multiple_of(4) {
                self.levels.push(up_down_counter(&path));
            } else {
                self.counters.push(counter(&path));
            }
        }
    }

    fn listed(&self) -> usize {
        self.counters.len() + self.levels.len() + 3 * self.timers.len()
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
        for (number, timer) in (3..).zip(&self.timers) {
            timer.record(Duration::from_nanos(frame * 7919 * number % 97));
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
            last = held_bytes();
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
    // Series are never unregistered.
    let this = std::env::current_exe().expect("the test has a path");
    let start = |name| {
        let mut command = Command::new(&this);
        command.args(["--exact", name, "--ignored", "--nocapture"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("it starts")
    };
    let running = ["measures_counters", "measures_folders", "measures_timers"].map(start);
    for one in running {
        let output = one.wait_with_output().expect("it runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        println!("{}", text(&output.stdout));
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
}

#[test]
#[ignore = "runs in a process of its own"]
fn measures_counters() {
    measure(Shape::Counters);
}

#[test]
#[ignore = "runs in a process of its own"]
fn measures_folders() {
    measure(Shape::Folders);
}

#[test]
#[ignore = "runs in a process of its own"]
fn measures_timers() {
    measure(Shape::Timers);
}

fn measure(shape: Shape) {
    const MIB: f64 = (1 << 20) as f64;
    let (mut series, mut is_within) = (Series::default(), true);
    count_held_bytes();
    for count in [1_000, 100_000] {
        series.register(shape, count);
        let frames = if count > 10_000 { 210 } else { 610 };
        let ctx = Context::default();
        // egui keeps the glyphs that this draws.
        Program::new(&series, &ctx).show_all(20);
        let mut program = Program::new(&series, &ctx);
        let before = program.play(Mode::Hidden, 150).last;
        let [hud, full, searching, hidden] = program.show_all(frames);
        let hud_again = program.play(Mode::Hud, 210);
        let [of_hud, of_panes, of_hidden] = shape.bytes_each();
        for (what, bytes, mib, each) in [
            ("HUD", hud.most, 1.0, of_hud),
            ("panes", full.most, 4.0, of_panes),
            ("search", searching.last, 4.0, of_panes),
            ("hidden", hidden.last, 0.3, of_hidden),
            // Buffers of work that other threads did for the panes have a size that depends on the load.
            ("HUD again", hud_again.last, 1.5, of_hud),
        ] {
            let (bytes, max) = (bytes - before, mib * MIB + (each * count) as f64);
            println!("{what} with {count} series: {bytes} of {max} bytes");
            is_within &= bytes as f64 <= max;
        }
    }
    assert!(is_within, "the memory is over its bar");
}
