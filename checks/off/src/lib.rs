//! Pairs of functions, one with counters and one without. Compiled without `enabled`, both must be the same machine code.

use stats_core::{Counter, Gauge, Histogram, Late, MarkEvent, Precision, Recorder, Timer, Unit, UpDownCounter, count, sample};

static DRAW_CALLS: Counter = Counter::new("path-in-binary/draw-calls").budget(2_000.0).describe("path-in-binary too");
static ENEMIES: UpDownCounter = UpDownCounter::new("path-in-binary/enemies");
static CAMERA_X: Gauge = Gauge::new("path-in-binary/camera").unit(Unit::Meters);
static SIZES: Histogram = Histogram::new("path-in-binary/sizes").precision(Precision::ThreeDigits);
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
        SIZES.record(*value);
        calls += *value as u32;
        count!("path-in-binary/count", expensive(*value));
        sample!("path-in-binary/sample", expensive(*value));
        sample!("path-in-binary/sample-ms", expensive(*value), Unit::Milliseconds);
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

/// A frame with late values, marks and a run of histograms.
#[unsafe(no_mangle)]
pub fn pair_late_counted(n: u32) -> u32 {
    let gpu = Late::new();
    let shadows = gpu.timer("path-in-binary/shadows").budget(2.0).describe("path-in-binary too");
    let triangles = gpu.counter("path-in-binary/triangles").unit(Unit::Bytes);
    let mut recorder = Recorder::new();
    let watch = recorder.watch(shadows.id());
    recorder.mark("path-in-binary", MarkEvent::Begin);
    let (stamp, lost) = (gpu.issue(), gpu.clone().issue());
    stats_core::histogram("path-in-binary/run-time").precision(Precision::FourDigits).record(n);
    recorder.push_frame();
    recorder.mark_frames("path-in-binary", 0..1);
    gpu.deliver(stamp, &[(shadows, f64::from(n)), (triangles, 1.0)]);
    gpu.give_up(lost);
    recorder.push_frame();
    stats_core::begin_run();
    n + (recorder.window(&watch, 60).len() + recorder.marks().len()) as u32
}

/// The same without any of them.
#[unsafe(no_mangle)]
pub fn pair_late_plain(n: u32) -> u32 {
    n
}

/// Has an effect that a compiler may not drop.
fn expensive(value: f64) -> f64 {
    println!("evaluated");
    value
}
