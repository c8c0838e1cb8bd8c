//! A device, work for it, and a recorder of its series.

use std::sync::{Mutex, MutexGuard, PoisonError};

use stats_core::{Recorder, SeriesInfo, Watch};
use stats_gpu::GpuTimer;

/// Runs one test at a time: all timers share their series, and all tests share one GPU.
static TURN: Mutex<()> = Mutex::new(());

/// Work whose duration is proportional to `loops`.
const SHADER: &str = "
override loops: u32 = 1;
@group(0) @binding(0) var<storage, read_write> cells: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var value = cells[id.x];
    for (var i = 0u; i < loops; i++) { value = value * 1664525u + 1013904223u; }
    cells[id.x] = value;
}
";

pub(crate) struct Host {
    pub(crate) adapter: wgpu::Adapter,
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    _turn: MutexGuard<'static, ()>,
}

/// A compute pipeline and the buffer that it writes to.
pub(crate) struct Work {
    pipeline: wgpu::ComputePipeline,
    cells: wgpu::BindGroup,
}

impl Host {
    /// Creates a device with the features `wanted`. Prints the reason and returns `None` if no
    /// adapter has them.
    pub(crate) fn new(wanted: wgpu::Features) -> Option<Self> {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let instance = wgpu::Instance::default();
        let adapter = match pollster::block_on(
            instance.request_adapter(&wgpu::RequestAdapterOptions::default()),
        ) {
            Ok(adapter) => adapter,
            Err(error) => {
                println!("skipped: no graphics adapter ({error})");
                return None;
            }
        };
        if !adapter.features().contains(wanted) {
            println!("skipped: {} has no {wanted:?}", adapter.get_info().name);
            return None;
        }
        let (device, queue) = Self::device(&adapter, wanted);
        Some(Self {
            adapter,
            device,
            queue,
            _turn: turn,
        })
    }

    /// Creates a device that times passes and scopes.
    pub(crate) fn timing() -> Option<Self> {
        Self::new(wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS)
    }

    pub(crate) fn device(
        adapter: &wgpu::Adapter,
        required_features: wgpu::Features,
    ) -> (wgpu::Device, wgpu::Queue) {
        let descriptor = wgpu::DeviceDescriptor {
            required_features,
            ..Default::default()
        };
        pollster::block_on(adapter.request_device(&descriptor))
            .unwrap_or_else(|error| panic!("no device: {error}"))
    }

    pub(crate) fn encoder(&self) -> wgpu::CommandEncoder {
        self.device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    /// Ends the frame of a timer and of a recorder, and waits for the device.
    pub(crate) fn end_frame(
        &self,
        mut encoder: wgpu::CommandEncoder,
        timer: &mut GpuTimer,
        histories: &mut Histories,
    ) {
        timer.end_frame(&mut encoder);
        self.queue.submit([encoder.finish()]);
        histories.recorder.end_frame();
        self.wait();
    }

    /// Waits until the device has executed everything, which a game would not do.
    pub(crate) fn wait(&self) {
        let polled = self.device.poll(wgpu::PollType::wait_indefinitely());
        assert!(polled.is_ok(), "{polled:?}");
    }

    /// Creates work of `loops` loops.
    pub(crate) fn work(&self, loops: u32) -> Work {
        let module = self
            .device
            .create_shader_module(wgpu::ShaderModuleDescriptor {
                label: None,
                source: wgpu::ShaderSource::Wgsl(SHADER.into()),
            });
        let constants = [("loops", f64::from(loops))];
        let pipeline = self
            .device
            .create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: None,
                layout: None,
                module: &module,
                entry_point: Some("main"),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: &constants,
                    ..Default::default()
                },
                cache: None,
            });
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 4 * 64 * 64,
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: false,
        });
        let cells = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: buffer.as_entire_binding(),
            }],
        });
        Work { pipeline, cells }
    }
}

impl Work {
    /// Records the work as one pass.
    pub(crate) fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timestamps: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) {
        let descriptor = wgpu::ComputePassDescriptor {
            label: None,
            timestamp_writes: timestamps,
        };
        let mut pass = encoder.begin_compute_pass(&descriptor);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.cells, &[]);
        pass.dispatch_workgroups(64, 1, 1);
    }
}

/// A recorder that keeps the histories of some paths.
pub(crate) struct Histories {
    pub(crate) recorder: Recorder,
    watches: Vec<(String, Watch)>,
}

impl Histories {
    /// Watches `paths`, which must be registered. `path#calls` is the number of calls of a timer.
    pub(crate) fn of(paths: &[&str]) -> Self {
        let mut recorder = Recorder::new();
        let watches = paths
            .iter()
            .map(|path| ((*path).to_owned(), recorder.watch(id(path))))
            .collect();
        Self { recorder, watches }
    }

    /// Returns all values of a path; NaN for an unknown one.
    pub(crate) fn values(&self, path: &str) -> Vec<f64> {
        let (_, watch) = self
            .watches
            .iter()
            .find(|(known, _)| known == path)
            .unwrap_or_else(|| panic!("{path} is not watched"));
        self.recorder.history(watch, usize::MAX).iter().collect()
    }

    /// Returns the sum of all known values of a path.
    pub(crate) fn total(&self, path: &str) -> f64 {
        let values = self.values(path).into_iter();
        values.filter(|value| !value.is_nan()).sum()
    }
}

fn id(path: &str) -> stats_core::SeriesId {
    let (path, calls) = path
        .strip_suffix("#calls")
        .map_or((path, false), |path| (path, true));
    let mut id = None;
    stats_core::for_each_series(|info: SeriesInfo<'_>| {
        if info.path == path {
            id = if calls { info.calls } else { Some(info.id) };
        }
    });
    id.unwrap_or_else(|| panic!("nothing is registered as {path:?}"))
}
