//! What a hitch makes the overlay allocate: a hitch must not cause another one.
//!
//! This test has a binary of its own, because the numbers depend on all series of the process.
#![cfg(feature = "enabled")]

use egui::{Context, RawInput, Rect, vec2};
use stats_core::{Recorder, TimerHandle, counter, timer};
use stats_overlay::{Mode, StatsOverlay};
use stats_testing::allocations;

#[global_allocator]
static ALLOCATOR: stats_testing::Counting = stats_testing::Counting;

/// The frames between two hitches, the number of the first one, and the end of their numbers.
const APART: u32 = 150;
const FIRST: u32 = 3;
const HITCHES: u32 = 12;

/// The maximum number of allocations in a frame after the first hitch, for which egui rasterizes
/// glyphs; after the second one, the first whose text says that it recurs; and after any other one.
const MOST_AFTER_FIRST: u64 = 1_000;
const MOST_AFTER_SECOND: u64 = 600;
const MOST: u64 = 300;

#[test]
fn a_hitch_makes_the_frames_after_it_allocate_little() {
    let systems = ["ai", "physics", "audio", "render"];
    let timers: Vec<TimerHandle> = (0..40)
        .map(|n| timer(&format!("{}/part-{}", systems[n % 4], n / 4)))
        .collect();
    let counts: Vec<_> = (0..40)
        .map(|n| counter(&format!("{}/count-{}", systems[n % 4], n / 4)))
        .collect();
    let mut recorder = Recorder::new();
    // A viewer: the time of its own, which depends on the machine, explains no long frame.
    let mut overlay = StatsOverlay::viewer();
    let mut settings = overlay.settings().clone();
    (settings.overlay_budget_ms, settings.first_steps) = (10_000.0, false);
    overlay.set_settings(&settings);
    overlay.set_mode(Mode::Hud);
    let ctx = Context::default();
    let (mut now_secs, mut counted) = (0.0, Vec::new());
    for frame in 0..HITCHES * APART {
        let is_hitch = frame >= FIRST * APART && frame.is_multiple_of(APART);
        if frame < 5 {
            timers.iter().for_each(|timer| drop(timer.scope()));
        }
        for (n, timer) in timers.iter().enumerate() {
            let more = if is_hitch && n == (frame / APART) as usize % 2 {
                12.0
            } else {
                0.0
            };
            timer.record_ms(0.1 + more);
        }
        counts
            .iter()
            .for_each(|counter| counter.add(f64::from(if is_hitch { 30 } else { 3 })));
        now_secs += if is_hitch { 0.028 } else { 0.016 };
        recorder.end_frame_at(now_secs);
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Default::default(), vec2(1280.0, 800.0))),
            time: Some(now_secs),
            ..RawInput::default()
        };
        let mut output = ctx.run_ui(input, |ui| {
            counted.push(allocations(|| overlay.show_with(ui.ctx(), &mut recorder)));
        });
        output.textures_delta.clear();
    }
    for hitch in FIRST..HITCHES {
        let frames = (hitch * APART) as usize..((hitch + 1) * APART) as usize;
        let most = counted[frames.clone()].iter().max().copied();
        let most = most.unwrap_or_default();
        let bar = match hitch - FIRST {
            0 => MOST_AFTER_FIRST,
            1 => MOST_AFTER_SECOND,
            _ => MOST,
        };
        assert!(most <= bar, "frames {frames:?}: {most}");
    }
    let found = std::iter::from_fn(|| overlay.poll_event()).count();
    assert!(found >= (HITCHES - FIRST) as usize, "{found}");
}
