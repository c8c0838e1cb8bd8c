//! Pairs of functions, one with counters or a tracking allocator and one without. Without the
//! feature `enabled`, both must compile to the same machine code.

use std::alloc::{GlobalAlloc, Layout, System};

use stats_core::{
    Counter, DeferredSource, Gauge, Histogram, MarkEvent, Precision, Recorder, Timer, Unit,
    UpDownCounter, count, sample,
};
use stats_memory::{Group, Records, TrackingAllocator};
use stats_openmetrics::OpenMetrics;
use stats_tracing::StatsLayer;
use tracing_core::span::Id;
use tracing_subscriber::Registry;
use tracing_subscriber::layer::{Context, Layer};

static DRAW_CALLS: Counter = Counter::new("path-in-binary/draw-calls")
    .budget(2_000.0)
    .describe("path-in-binary too");
static ENEMIES: UpDownCounter = UpDownCounter::new("path-in-binary/enemies");
static CAMERA_X: Gauge = Gauge::new("path-in-binary/camera").unit(Unit::Meters);
static SIZES: Histogram = Histogram::new("path-in-binary/sizes")
    .precision(Precision::ThreeDigits)
    .largest();
static PATHS: Timer = Timer::new("path-in-binary/paths");
static PRESENT: Timer = Timer::new("path-in-binary/present").wait();

const IN_BINARY: &str = "path-in-binary/prefix";

/// A loop of a game, with a counter of every kind.
#[unsafe(no_mangle)]
pub fn pair_loop_counted(values: &[f64]) -> f64 {
    let _scope = PATHS.scope();
    PRESENT.record_ms(values.len() as f64);
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
        count!(IN_BINARY / "joined", expensive(*value));
        sample!("path-in-binary/sample", expensive(*value));
        sample!(
            "path-in-binary/sample-ms",
            expensive(*value),
            Unit::Milliseconds
        );
    }
    sum
}

/// The plain half, without counters.
#[unsafe(no_mangle)]
pub fn pair_loop_plain(values: &[f64]) -> f64 {
    let mut sum = 0.0;
    for value in values {
        sum += value * value;
    }
    sum
}

/// A frame with a recorder, run-time handles and their descriptions.
#[unsafe(no_mangle)]
pub fn pair_frame_counted(n: u32) -> u32 {
    stats_core::set_clock(|| std::time::Duration::ZERO);
    let mut recorder = Recorder::new();
    let kind = stats_core::counter("path-in-binary/run-time");
    let watch = recorder.watch(kind.id());
    let own = recorder.watch(PATHS.self_id());
    let waited = stats_core::timer("path-in-binary/wait").wait();
    drop(waited.scope());
    kind.add(n);
    stats_core::counter!("path-in-binary/site").add(n);
    recorder.end_frame();
    n + (recorder.history(&watch, 60).len() + recorder.history(&own, 60).len()) as u32
}

/// The plain half, without counters.
#[unsafe(no_mangle)]
pub fn pair_frame_plain(n: u32) -> u32 {
    n
}

/// A frame with deferred values, marks and a run of histograms.
#[unsafe(no_mangle)]
pub fn pair_late_counted(n: u32) -> u32 {
    let gpu = DeferredSource::new();
    let shadows = gpu
        .timer("path-in-binary/shadows")
        .budget(2.0)
        .describe("path-in-binary too");
    let triangles = gpu.counter("path-in-binary/triangles").unit(Unit::Bytes);
    let mut recorder = Recorder::new();
    let watch = recorder.watch(shadows.id());
    recorder.mark("path-in-binary", MarkEvent::Begin);
    let (stamp, lost) = (gpu.issue(), gpu.clone().issue());
    stats_core::histogram("path-in-binary/run-time")
        .precision(Precision::FourDigits)
        .record(n);
    recorder.end_frame();
    recorder.mark_frames("path-in-binary", 0..1);
    gpu.deliver(stamp, &[(shadows, f64::from(n)), (triangles, 1.0)]);
    gpu.give_up(lost);
    recorder.end_frame();
    stats_core::begin_run();
    n + (recorder.history(&watch, 60).len() + recorder.marks().len()) as u32
}

/// The plain half, without any of them.
#[unsafe(no_mangle)]
pub fn pair_late_plain(n: u32) -> u32 {
    n
}

static TRACKED: TrackingAllocator<System, Records> = TrackingAllocator::new(System);
static RENDERING: Group = Group::new("path-in-binary/rendering").budget_bytes(1000);

/// All operations of an allocator, in a scope, and the end of a frame.
#[unsafe(no_mangle)]
pub fn pair_allocate_counted(words: usize, bytes: usize) -> *mut u8 {
    let _scope = stats_memory::scope!("path-in-binary/scope", group: RENDERING);
    let _name = stats_memory::alloc_name!("path-in-binary/name");
    let _tag = stats_memory::current_tag()
        .scope("path-in-binary/tag")
        .enter();
    stats_memory::publish();
    allocate(&TRACKED, words, bytes)
}

/// The plain half, with the inner allocator and without a scope.
#[unsafe(no_mangle)]
pub fn pair_allocate_plain(words: usize, bytes: usize) -> *mut u8 {
    allocate(&System, words, bytes)
}

/// The calls of the layer for a span of `tracing`, from entering to closing it.
#[unsafe(no_mangle)]
pub fn pair_span_counted(
    layer: &StatsLayer,
    id: &Id,
    context: &Context<'_, Registry>,
    n: u32,
) -> u32 {
    layer.on_enter(id, context.clone());
    layer.on_exit(id, context.clone());
    layer.on_close(id.clone(), context.clone());
    n
}

/// The plain half, without a layer.
#[unsafe(no_mangle)]
pub fn pair_span_plain(_: &StatsLayer, _: &Id, _: &Context<'_, Registry>, n: u32) -> u32 {
    n
}

/// The end of a frame whose metrics are exported, and a process whose memory is sampled.
#[unsafe(no_mangle)]
pub fn pair_export_counted(metrics: &mut OpenMetrics, recorder: &Recorder, n: u32) -> u32 {
    stats_process::start();
    stats_process::follow_thread();
    metrics.end_frame(recorder);
    n
}

/// The plain half, without either.
#[unsafe(no_mangle)]
pub fn pair_export_plain(_: &mut OpenMetrics, _: &Recorder, n: u32) -> u32 {
    n
}

/// Uses an alignment that the system's allocator supports directly. With any other, the code
/// passes the address of the allocator on, and the halves of the pair differ in that address.
#[inline(always)]
fn allocate(allocator: &impl GlobalAlloc, words: usize, bytes: usize) -> *mut u8 {
    let Ok(layout) = Layout::array::<u64>(words) else {
        return std::ptr::null_mut();
    };
    if words == 0 || !(8..1 << 20).contains(&bytes) {
        return std::ptr::null_mut();
    }
    // SAFETY: no size is zero or too large; memory is freed or reallocated with the layout it was
    // allocated with.
    unsafe {
        let zeroed = allocator.alloc_zeroed(layout);
        if !zeroed.is_null() {
            allocator.dealloc(zeroed, layout);
        }
        let start = allocator.alloc(layout);
        if start.is_null() {
            start
        } else {
            allocator.realloc(start, layout, bytes)
        }
    }
}

/// Has an effect that the compiler may not remove.
fn expensive(value: f64) -> f64 {
    println!("evaluated");
    value
}
