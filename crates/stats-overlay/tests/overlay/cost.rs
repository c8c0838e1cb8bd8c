//! The cost of the overlay: UI and tessellation of a frame, without a GPU.
//!
//! `cargo test --release -p stats-overlay --test overlay cost -- --ignored --nocapture --test-threads 1`

use std::time::{Duration, Instant};

use egui::{Context, Event, Pos2, RawInput, Rect, vec2};
use stats_core::{CounterHandle, counter};
use stats_overlay::{Mode, PaneView, StatsOverlay};

struct Bench {
    ctx: Context,
    overlay: StatsOverlay,
    counters: Vec<CounterHandle>,
    step: u64,
}

impl Bench {
    /// A host with `selected` counters and `frames` frames of history.
    fn new(selected: usize, frames: u64) -> Self {
        let counters: Vec<_> = (0..selected)
            .map(|number| counter(&format!("cost/{number}")))
            .collect();
        let mut overlay = StatsOverlay::new();
        for number in 0..selected {
            overlay.set_selected(&format!("cost/{number}"), true);
        }
        let mut bench = Self {
            ctx: Context::default(),
            overlay,
            counters,
            step: 0,
        };
        bench.frame();
        for frame in 0..frames {
            bench.add(frame);
            bench.overlay.recorder_mut().end_frame();
        }
        bench
    }

    fn add(&self, frame: u64) {
        for (number, counter) in self.counters.iter().enumerate() {
            counter.add(500 + (frame * 7919 * (number as u64 + 3)) % 97);
        }
    }

    /// Runs one frame and returns the time of UI and tessellation.
    fn frame(&mut self) -> Duration {
        let [ui, paint] = self.frame_parts();
        ui + paint
    }

    /// Runs one frame and returns the times of UI and of tessellation.
    fn frame_parts(&mut self) -> [Duration; 2] {
        self.step += 1;
        self.add(self.step);
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(1920.0, 1080.0))),
            time: Some(self.step as f64 / 60.0),
            events: vec![Event::PointerMoved(Pos2::new(5.0, 5.0))],
            ..RawInput::default()
        };
        let start = Instant::now();
        let mut output = self.ctx.run_ui(input, |ui| self.overlay.show(ui.ctx()));
        let ui = start.elapsed();
        let shapes = self.ctx.tessellate(std::mem::take(&mut output.shapes), 1.0);
        let paint = start.elapsed() - ui;
        output.textures_delta.clear();
        drop(shapes);
        [ui, paint]
    }

    fn report(&mut self, what: &str) {
        for _ in 0..30 {
            self.frame();
        }
        let times: Vec<[Duration; 2]> = (0..300).map(|_| self.frame_parts()).collect();
        let ms = |part: fn(&[Duration; 2]) -> Duration, rank: usize| {
            let mut times: Vec<Duration> = times.iter().map(part).collect();
            times.sort();
            times[rank].as_secs_f64() * 1e3
        };
        println!(
            "{what}: median {:.3} ms (UI {:.3}, tessellation {:.3}), 99 % {:.3} ms",
            ms(|[ui, paint]| *ui + *paint, 150),
            ms(|parts| parts[0], 150),
            ms(|parts| parts[1], 150),
            ms(|[ui, paint]| *ui + *paint, 297)
        );
    }
}

#[test]
#[ignore = "a measurement"]
fn cost() {
    let mut bench = Bench::new(8, 4200);
    bench.report("hidden");
    bench.overlay.set_mode(Mode::Hud);
    bench.report("HUD with 8 counters");
    bench.overlay.set_mode(Mode::Full);
    bench.report("graph, 8 counters, 600 of 4096 frames shown");
    let wheel = Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: vec2(0.0, -3000.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: egui::Modifiers::NONE,
    };
    for events in [
        vec![Event::PointerMoved(Pos2::new(1200.0, 400.0))],
        vec![wheel],
        vec![],
        vec![],
        vec![],
        vec![],
    ] {
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, vec2(1920.0, 1080.0)));
        bench.step += 1;
        let time = Some(bench.step as f64 / 60.0);
        let input = RawInput {
            screen_rect,
            time,
            events,
            ..RawInput::default()
        };
        bench
            .ctx
            .run_ui(input, |ui| bench.overlay.show(ui.ctx()))
            .textures_delta
            .clear();
    }
    bench.report("graph, 8 counters, all 4096 frames shown");
    bench.overlay.set_view(PaneView::Distribution);
    bench.report("distribution, 8 counters, all 4096 frames shown");
    let mut bench = Bench::new(64, 4200);
    bench.overlay.set_mode(Mode::Full);
    bench.overlay.set_view(PaneView::Table);
    bench.report("table, 64 counters, 4096 frames");
    bench.overlay.set_paused(true);
    bench.report("table, paused");
}

#[test]
#[ignore = "a measurement"]
fn cost_of_100_000_counters() {
    for number in 0..100_000_u32 {
        let system = ["renderer", "physics", "game", "audio", "ai"][number as usize % 5];
        let _ = counter(&format!(
            "{system}/level-{}/enemy-{number}/updates",
            number % 300
        ));
    }
    let mut bench = Bench::new(1, 10);
    bench.overlay.set_mode(Mode::Full);
    println!("first frame of 100,000: {:?}", bench.frame());
    bench.report("tree of 100,000");
    bench.overlay.set_search("a");
    println!("first search: {:?}", bench.frame());
    for typed in [
        "e",
        "en",
        "ene",
        "enem",
        "enemy",
        "enemy-1",
        "enemy-12",
        "enemy-12 rend",
        "rend/level-7",
        "xyz",
        "rleu",
    ] {
        bench.overlay.set_search(typed);
        println!("frame with a new search {typed:?}: {:?}", bench.frame());
    }
    bench.overlay.set_search("enemy");
    bench.report("search results of 100,000");
}
