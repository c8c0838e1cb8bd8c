//! Pairs of functions, one with counters and one without. Compiled without `enabled`, both must be the same machine code.

use stats_core::{Counter, Gauge, Recorder, Timer, Unit, UpDownCounter, count};

static DRAW_CALLS: Counter = Counter::new("path-in-binary/draw-calls").budget(2_000.0).describe("path-in-binary too");
static ENEMIES: UpDownCounter = UpDownCounter::new("path-in-binary/enemies");
static CAMERA_X: Gauge = Gauge::new("path-in-binary/camera").unit(Unit::Meters);
static PATHS: Timer = Timer::new("path-in-binary/paths");

/// What a game does in a loop, with one of everything.
#[unsafe(no_mangle)]
pub fn pair_loop_counted(values: &[f64]) -> f64 {
    let _scope = PATHS.scope();
    let mut calls = DRAW_CALLS.local();
    let mut sum = 0.0;
    for value in values {
        sum += value * value;
        DRAW_CALLS.add(*value);
        ENEMIES.increment();
        ENEMIES.sub(values.len());
        CAMERA_X.set(sum);
        calls += *value as u32;
        count!("path-in-binary/count", expensive(*value));
    }
    sum
}

/// The same without counters.
#[unsafe(no_mangle)]
pub fn pair_loop_plain(values: &[f64]) -> f64 {
    let mut sum = 0.0;
    for value in values {
        sum += value * value;
    }
    sum
}

/// A frame, with a recorder of its own, run-time handles and what they say of themselves.
#[unsafe(no_mangle)]
pub fn pair_frame_counted(n: u32) -> u32 {
    let mut recorder = Recorder::new();
    let kind = stats_core::counter("path-in-binary/run-time");
    let watch = recorder.watch(kind.id());
    kind.add(n);
    stats_core::counter!("path-in-binary/site").add(n);
    recorder.push_frame();
    n + recorder.window(&watch, 60).len() as u32
}

/// The same without counters.
#[unsafe(no_mangle)]
pub fn pair_frame_plain(n: u32) -> u32 {
    n
}

/// Has an effect that a compiler may not drop.
fn expensive(value: f64) -> f64 {
    println!("evaluated");
    value
}
