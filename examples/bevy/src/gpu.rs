//! The GPU time of each frame, in the frame that caused it: a `DeferredSource` over the device of Bevy,
//! whose wgpu is another version than that of stats-gpu.
//!
//! Bevy's own times of render passes are gauges: they show the newest measurement, in the frame in which
//! it arrives. Here the main world issues a stamp in each frame. The render world takes it over together
//! with what it draws, and delivers the time for it, some frames later.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bevy::prelude::*;
use bevy::render::renderer::{RenderDevice, RenderQueue, render_system};
use bevy::render::{ExtractSchedule, MainWorld, Render, RenderApp, RenderSystems};
use stats_core::{DeferredSeries, DeferredSource, FrameStamp};

/// The number of frames that may wait for their results.
const SLOTS: usize = 8;

/// The bytes of the two timestamps of a frame.
const BYTES: u64 = 16;

/// Adds the timer `gpu/frame`.
pub(crate) struct GpuTimePlugin;

/// The source, and the stamp of the current frame. In the main world.
#[derive(Resource)]
struct GpuTime {
    source: DeferredSource,
    frame: DeferredSeries,
    stamp: Option<FrameStamp>,
}

/// The queries of the frames that are being drawn. In the render world.
#[derive(Resource)]
struct GpuQueries {
    source: DeferredSource,
    frame: DeferredSeries,
    period_ns: f64,
    slots: Vec<Slot>,
    /// The stamp of the frame to draw.
    stamp: Option<FrameStamp>,
    /// The slot of the frame that is being drawn, with its stamp.
    drawing: Option<(usize, FrameStamp)>,
}

/// The queries of a frame, and the way of their results.
struct Slot {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    readable: wgpu::Buffer,
    /// The frame that waits for its results.
    waiting: Option<Waiting>,
}

struct Waiting {
    stamp: FrameStamp,
    is_mapped: Arc<AtomicBool>,
    has_failed: Arc<AtomicBool>,
}

impl Plugin for GpuTimePlugin {
    fn build(&self, app: &mut App) {
        let source = DeferredSource::new();
        let frame = source
            .timer("gpu/frame")
            .describe("time from the first to the last GPU work of the frame");
        app.insert_resource(GpuTime {
            source,
            frame,
            stamp: None,
        });
        app.add_systems(Last, issue);
    }

    fn finish(&self, app: &mut App) {
        let time = app.world().resource::<GpuTime>();
        let (source, frame) = (time.source.clone(), time.frame);
        let Some(render_app) = app.get_sub_app_mut(RenderApp) else {
            return;
        };
        let world = render_app.world();
        let device = world.resource::<RenderDevice>();
        let needed =
            wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS;
        if !device.features().contains(needed) {
            stats_core::set_unavailable(frame.id(), Some("the adapter has no timestamps"));
            return;
        }
        let period_ns = f64::from(world.resource::<RenderQueue>().get_timestamp_period());
        let slots = (0..SLOTS).map(|_| Slot::new(device.wgpu_device()));
        let queries = GpuQueries {
            source,
            frame,
            period_ns,
            slots: slots.collect(),
            stamp: None,
            drawing: None,
        };
        render_app.insert_resource(queries);
        render_app.add_systems(ExtractSchedule, take_stamp);
        render_app.add_systems(
            Render,
            (begin.before(render_system), end.after(render_system)).in_set(RenderSystems::Render),
        );
    }
}

/// Issues the stamp of a frame in the last schedule of its main world, before the overlay ends it.
fn issue(mut time: ResMut<GpuTime>) {
    let new = time.source.issue();
    // Nobody took the last one: nothing was drawn.
    if let Some(stamp) = time.stamp.replace(new) {
        time.source.deliver(stamp, &[]);
    }
}

fn take_stamp(mut main: ResMut<MainWorld>, mut queries: ResMut<GpuQueries>) {
    let new = main.resource_mut::<GpuTime>().stamp.take();
    if let Some(stamp) = std::mem::replace(&mut queries.stamp, new) {
        queries.source.deliver(stamp, &[]);
    }
}

/// Begins the time of a frame, before anything else of it is submitted.
fn begin(mut queries: ResMut<GpuQueries>, device: Res<RenderDevice>, queue: Res<RenderQueue>) {
    queries.deliver();
    let Some(stamp) = queries.stamp.take() else {
        return;
    };
    let free = (queries.slots.iter()).position(|slot| slot.waiting.is_none());
    let Some(at) = free else {
        // There is work, but nobody measures it: the frame is unknown.
        queries.source.give_up(stamp);
        return;
    };
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.write_timestamp(&queries.slots[at].queries, 0);
    queue.submit([encoder.finish()]);
    queries.drawing = Some((at, stamp));
}

/// Ends the time of a frame, and asks for the result.
fn end(mut queries: ResMut<GpuQueries>, device: Res<RenderDevice>, queue: Res<RenderQueue>) {
    let Some((at, stamp)) = queries.drawing.take() else {
        return;
    };
    let slot = &mut queries.slots[at];
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.write_timestamp(&slot.queries, 1);
    encoder.resolve_query_set(&slot.queries, 0..2, &slot.resolved, 0);
    encoder.copy_buffer_to_buffer(&slot.resolved, 0, &slot.readable, 0, BYTES);
    queue.submit([encoder.finish()]);
    let waiting = Waiting {
        stamp,
        is_mapped: Arc::default(),
        has_failed: Arc::default(),
    };
    let (is_mapped, has_failed) = (waiting.is_mapped.clone(), waiting.has_failed.clone());
    slot.waiting = Some(waiting);
    // wgpu calls it during a later submission.
    slot.readable
        .map_async(wgpu::MapMode::Read, .., move |result| match result {
            Ok(()) => is_mapped.store(true, Ordering::Release),
            Err(_) => has_failed.store(true, Ordering::Release),
        });
}

impl GpuQueries {
    /// Delivers the times that have arrived.
    fn deliver(&mut self) {
        for slot in &mut self.slots {
            let Some(waiting) = &slot.waiting else {
                continue;
            };
            let stamp = waiting.stamp;
            if waiting.has_failed.load(Ordering::Acquire) {
                // The device is lost. The slot stays occupied, because its buffer is not usable.
                self.source.give_up(stamp);
            } else if waiting.is_mapped.load(Ordering::Acquire) {
                slot.waiting = None;
                match slot.ticks() {
                    [begin, end] if begin <= end => {
                        let ms = (end - begin) as f64 * self.period_ns * 1e-6;
                        self.source.deliver(stamp, &[(self.frame, ms)]);
                    }
                    // The counter was reset meanwhile.
                    _ => self.source.give_up(stamp),
                }
            }
        }
    }
}

impl Slot {
    fn new(device: &wgpu::Device) -> Self {
        let buffer = |usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("frame timestamps"),
                size: BYTES,
                usage,
                mapped_at_creation: false,
            })
        };
        Self {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("frame timestamps"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            readable: buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST),
            waiting: None,
        }
    }

    /// Returns the two timestamps, and makes the buffer usable again.
    fn ticks(&self) -> [u64; 2] {
        let mut ticks = [u64::MAX, 0];
        for (tick, bytes) in ticks
            .iter_mut()
            .zip(self.readable.get_mapped_range(..).as_chunks().0)
        {
            *tick = u64::from_le_bytes(*bytes);
        }
        self.readable.unmap();
        ticks
    }
}
