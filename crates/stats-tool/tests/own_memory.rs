//! A game under the tracking allocator, alone, with a recording, and with an overlay. Its groups
//! have the same memory each time.

use std::alloc::System;
use std::collections::VecDeque;
use std::process::Command;
use std::sync::Barrier;
use std::thread;

use stats_capture::{Capture, CaptureOptions};
use stats_core::{Recorder, Timer, counter, find};
use stats_memory::{Group, Tags, TrackingAllocator, for_each_group, publish, scope};
use stats_testing::Folder;

#[global_allocator]
static ALLOCATOR: TrackingAllocator<System, Tags> = TrackingAllocator::new(System);

static AI: Group = Group::new("ai");
static PHYSICS: Group = Group::new("physics");
static RENDERING: Group = Group::new("rendering");

static THINK: Timer = Timer::new("ai/think");
static COLLIDE: Timer = Timer::new("physics/collide");
static DRAW: Timer = Timer::new("draw");

/// Several blocks of a recording, each of which takes the scopes of all threads.
const FRAMES: usize = 400;

/// Tells the game what to do besides playing.
const MODE: &str = "OWN_MEMORY_MODE";

/// Allocates and frees the same in each run, and times what it does.
fn work(timer: &'static Timer, kept: &mut VecDeque<Vec<u8>>, frame: usize) {
    for part in 0..40 {
        let _time = timer.scope();
        kept.push_back(vec![1; 100 + (frame * 40 + part) % 777]);
        if kept.len() > 300 {
            kept.pop_front();
        }
    }
}

/// Plays on a thread of its own.
fn system(group: &'static Group, timer: &'static Timer, turn: &Barrier) {
    let _memory = stats_memory::current_tag().group(group).enter();
    let mut kept = VecDeque::new();
    for frame in 0..FRAMES {
        turn.wait();
        work(timer, &mut kept, frame);
        turn.wait();
    }
    turn.wait();
}

/// What runs beside the game.
enum Beside {
    Nothing,
    Capture(Box<Capture>),
    #[cfg(feature = "view")]
    Overlay(Box<stats_overlay::StatsOverlay>, eframe::egui::Context),
}

impl Beside {
    fn new(mode: &str, folder: &Folder) -> Self {
        match mode {
            "capture" => {
                let mut options = CaptureOptions::default();
                options.pictures = 8;
                let capture = Capture::create(folder.0.join("run.parquet"), options);
                Self::Capture(Box::new(capture.expect("the folder can be written")))
            }
            #[cfg(feature = "view")]
            "overlay" => {
                let mut overlay = stats_overlay::StatsOverlay::new();
                overlay.set_mode(stats_overlay::Mode::Full);
                overlay.select("ai/think");
                Self::Overlay(Box::new(overlay), eframe::egui::Context::default())
            }
            _ => Self::Nothing,
        }
    }

    fn end_frame(&mut self) {
        match self {
            Self::Nothing => {}
            Self::Capture(capture) => {
                if let Some(frame) = capture.wants_picture() {
                    let memory = stats_core::own_memory("pictures");
                    let pixels = vec![0; 64 * 64 * 4];
                    drop(memory);
                    capture.picture(frame, 64, 64, pixels);
                }
                capture.end_frame();
            }
            #[cfg(feature = "view")]
            Self::Overlay(overlay, ctx) => {
                // The game's own pass of egui is not what is compared.
                let _memory = scope!("egui", group: EGUI);
                let mut output = ctx.run_pass(eframe::egui::RawInput::default(), |ctx| {
                    overlay.show(ctx);
                });
                output.textures_delta.clear();
            }
        }
    }
}

#[cfg(feature = "view")]
static EGUI: Group = Group::new("egui");

/// Prints the memory of the groups at the end, and the allocations of all frames.
fn play(mode: &str) {
    let folder = Folder::new(&format!("own-memory-{mode}"));
    let turn = Barrier::new(3);
    let mut beside = Beside::new(mode, &folder);
    let mut recorder = Recorder::new();
    let (mut kept, mut made) = (VecDeque::new(), [0.0; 3]);
    let groups = ["ai", "physics", "rendering"];
    thread::scope(|threads| {
        threads.spawn(|| system(&AI, &THINK, &turn));
        threads.spawn(|| system(&PHYSICS, &COLLIDE, &turn));
        publish();
        for frame in 0..FRAMES {
            turn.wait();
            let _memory = scope!("frame", group: RENDERING);
            work(&DRAW, &mut kept, frame);
            if frame % 50 == 0 {
                counter(&format!("late/{frame}")).add(1);
            }
            turn.wait();
            publish();
            recorder.end_frame();
            for (group, made) in groups.iter().zip(&mut made) {
                let series = find(&format!("memory/groups/{group}/frame-bytes"));
                *made += series.and_then(|id| recorder.peek(id)).unwrap_or(0.0);
            }
            beside.end_frame();
        }
        let mut lines = Vec::new();
        for_each_group(|usage| {
            if let Some(at) = groups.iter().position(|group| *group == usage.group) {
                let (bytes, peak) = (usage.bytes, usage.peak_bytes);
                let line = format!("{at} {bytes} {} {peak} {}", usage.allocations, made[at]);
                lines.push(line);
            }
        });
        lines.sort();
        println!("{mode}");
        lines.iter().for_each(|line| println!("group {line}"));
        turn.wait();
    });
    if let Beside::Capture(capture) = beside {
        capture.finish().expect("the folder can be written");
    }
}

/// The game, in a process of its own.
#[test]
#[ignore = "the other tests run it"]
fn the_game() {
    play(&std::env::var(MODE).unwrap_or_default());
}

/// Returns the lines of the groups that a game prints.
fn groups_of(mode: &str) -> Vec<String> {
    let this = std::env::current_exe().expect("a test has a program");
    let game = Command::new(this)
        .args(["--exact", "the_game", "--ignored", "--nocapture"])
        .env(MODE, mode)
        .output()
        .expect("a test can run");
    let text = String::from_utf8_lossy(&game.stdout).into_owned();
    assert!(game.status.success() && text.contains(mode), "{game:?}");
    let lines: Vec<_> = text
        .lines()
        .filter(|line| line.starts_with("group "))
        .map(str::to_owned)
        .collect();
    assert_eq!(lines.len(), 3, "{text}");
    lines
}

#[test]
fn a_recording_changes_nothing_in_the_groups_of_the_game() {
    let alone = groups_of("alone");
    assert_eq!(
        groups_of("alone"),
        alone,
        "the game itself does the same each time"
    );
    assert_eq!(groups_of("capture"), alone);
}

#[cfg(feature = "view")]
#[test]
fn an_overlay_changes_nothing_in_the_groups_of_the_game() {
    assert_eq!(groups_of("overlay"), groups_of("alone"));
}
