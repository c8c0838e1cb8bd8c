//! The CPU time of timing the eight passes of a frame on the GPU, compared with wgpu-profiler. The
//! passes draw nothing.
//!
//! A frame is recorded, finished and submitted, without timing and with each contender in turn. The
//! result is the time beyond the frame without timing. A software device draws during the
//! submission, and is slow to write timestamps. Therefore the first two rows leave the submission
//! out, and the last row compares whole frames.

use std::time::{Duration, Instant};

use stats_bench::{Bar, Contest, Table};
use stats_gpu::GpuTimer;
use wgpu_profiler::{GpuProfiler, GpuProfilerSettings};

const FRAMES: u64 = 20;

const PASSES: [&str; 8] = [
    "shadow",
    "depth",
    "world",
    "particles",
    "down",
    "up",
    "composite",
    "ui",
];

/// A device, and a texture to draw to.
struct Host {
    device: wgpu::Device,
    queue: wgpu::Queue,
    adapter_name: String,
    view: wgpu::TextureView,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let host = pollster::block_on(Host::new())?;
    let mut timer = GpuTimer::new(&host.device, &host.queue);
    if !timer.status().is_timing() {
        println!("Nothing was measured: {}.", timer.status());
        return Ok(());
    }
    let mut profiler = GpuProfiler::new(&host.device, GpuProfilerSettings::default())?;
    let recorded = Contest::new()
        .with_own_clock(FRAMES, || (0..FRAMES).map(|_| host.untimed()).sum())
        .with_own_clock(FRAMES, || (0..FRAMES).map(|_| host.timed(&mut timer)).sum())
        .with_own_clock(FRAMES, || {
            (0..FRAMES).map(|_| host.profiled(&mut profiler)).sum()
        })
        .run();
    let whole = Contest::new()
        .with(FRAMES, || (0..FRAMES).for_each(|_| _ = host.untimed()))
        .with(FRAMES, || {
            (0..FRAMES).for_each(|_| _ = host.timed(&mut timer))
        })
        .with(FRAMES, || {
            (0..FRAMES).for_each(|_| _ = host.profiled(&mut profiler))
        })
        .run();
    let mut table = Table::default();
    let (ours, theirs) = (recorded.beyond(1, 0), recorded.beyond(2, 0));
    let what =
        "8 timed passes: recording, resolving and collecting, beyond the frame without timing";
    table.row(
        what,
        &[ours, recorded.ns(0)],
        ours / 1e3,
        "µs",
        Bar::AtMost(60.0),
    );
    table.row(
        "the same / wgpu-profiler",
        &[ours, theirs],
        ours / theirs,
        "×",
        Bar::AtMost(1.0),
    );
    let (ours, theirs) = (whole.beyond(1, 0), whole.beyond(2, 0));
    table.row(
        "the same with the submission / wgpu-profiler",
        &[ours, theirs],
        ours / theirs,
        "×",
        Bar::AtMost(1.0),
    );
    println!("{table}");
    println!("The GPU is {}.", host.adapter_name);
    Ok(())
}

impl Host {
    async fn new() -> Result<Self, Box<dyn std::error::Error>> {
        let instance = wgpu::Instance::default();
        let adapter = instance
            .request_adapter(&wgpu::RequestAdapterOptions::default())
            .await?;
        let required_features = stats_gpu::required_features(&adapter);
        let descriptor = wgpu::DeviceDescriptor {
            required_features,
            ..Default::default()
        };
        let (device, queue) = adapter.request_device(&descriptor).await?;
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d {
                width: 4,
                height: 4,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Ok(Self {
            device,
            queue,
            adapter_name: adapter.get_info().name,
            view,
        })
    }

    fn untimed(&self) -> Duration {
        let begun = Instant::now();
        let mut encoder = self.encoder();
        for name in PASSES {
            self.pass(&mut encoder, name, None);
        }
        self.submit(encoder, begun)
    }

    fn timed(&self, timer: &mut GpuTimer) -> Duration {
        let begun = Instant::now();
        let mut encoder = self.encoder();
        for name in PASSES {
            self.pass(&mut encoder, name, timer.render_pass_timestamps(name));
        }
        timer.end_frame(&mut encoder);
        self.submit(encoder, begun)
    }

    fn profiled(&self, profiler: &mut GpuProfiler) -> Duration {
        let begun = Instant::now();
        let mut encoder = self.encoder();
        for name in PASSES {
            let query = profiler.begin_pass_query(name, &mut encoder);
            self.pass(&mut encoder, name, query.render_pass_timestamp_writes());
            profiler.end_query(&mut encoder, query);
        }
        profiler.resolve_queries(&mut encoder);
        let recorded = self.submit(encoder, begun);
        let begun = Instant::now();
        profiler
            .end_frame()
            .unwrap_or_else(|error| println!("wgpu-profiler: {error}"));
        std::hint::black_box(profiler.process_finished_frame(self.queue.get_timestamp_period()));
        recorded + begun.elapsed()
    }

    /// Submits the encoder, whose recording began at `begun`. Returns how long the recording took.
    fn submit(&self, encoder: wgpu::CommandEncoder, begun: Instant) -> Duration {
        let commands = encoder.finish();
        let recorded = begun.elapsed();
        self.queue.submit([commands]);
        recorded
    }

    fn encoder(&self) -> wgpu::CommandEncoder {
        self.device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    fn pass(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        name: &str,
        timestamps: Option<wgpu::RenderPassTimestampWrites<'_>>,
    ) {
        let ops = wgpu::Operations {
            load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
            store: wgpu::StoreOp::Store,
        };
        let color = wgpu::RenderPassColorAttachment {
            view: &self.view,
            depth_slice: None,
            resolve_target: None,
            ops,
        };
        drop(encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some(name),
            color_attachments: &[Some(color)],
            timestamp_writes: timestamps,
            ..Default::default()
        }));
    }
}
