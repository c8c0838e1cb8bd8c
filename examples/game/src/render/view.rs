//! The uniforms that all shaders of the scene share: the camera, and the colors of the level.
use stats_core::Counter;

use super::gpu::Gpu;
use super::pipeline::{Slot, bind_group, layout, sampler};
use super::upload;
use crate::camera::Camera;
use crate::sim::Sim;

static WRITES: Counter =
    Counter::new("render/upload/uniform-writes").describe("uniform buffers written");

/// Mirrors `View` in `common.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Uniform {
    center: [f32; 2],
    scale: [f32; 2],
    world: [f32; 2],
    pixels: [f32; 2],
    ambient: [f32; 3],
    time: f32,
    accent: [f32; 3],
    theme: f32,
    stone: [f32; 3],
    light_scale: f32,
}

/// The bind group of the uniforms, with two samplers.
pub(super) struct ViewGroup {
    buffer: wgpu::Buffer,
    pub(super) layout: wgpu::BindGroupLayout,
    pub(super) group: wgpu::BindGroup,
}

impl ViewGroup {
    pub(super) fn new(gpu: &Gpu) -> Self {
        let _memory = stats_memory::scope!("view");
        let layout = layout(gpu, "view", &[Slot::Uniform, Slot::Sampler, Slot::Sampler]);
        let buffer = uniform_buffer(gpu, size_of::<Uniform>());
        let (clamped, repeated) = (
            sampler(gpu, wgpu::AddressMode::ClampToEdge),
            sampler(gpu, wgpu::AddressMode::Repeat),
        );
        let group = bind_group(
            gpu,
            &layout,
            &[
                buffer.as_entire_binding(),
                wgpu::BindingResource::Sampler(&clamped),
                wgpu::BindingResource::Sampler(&repeated),
            ],
        );
        Self {
            buffer,
            layout,
            group,
        }
    }

    /// Writes the camera and the level of this frame.
    pub(super) fn write(
        &self,
        gpu: &Gpu,
        sim: &Sim,
        camera: &Camera,
        pixels: (u32, u32),
        lead: f32,
    ) {
        let _memory = stats_memory::scope!("view");
        let palette = &sim.stage.level.palette;
        let scale = camera.scale();
        let uniform = Uniform {
            center: camera.center_ahead(lead).into(),
            scale: [scale.x, -scale.y],
            world: sim.stage.level.map.size().into(),
            pixels: [pixels.0 as f32, pixels.1 as f32],
            ambient: palette.ambient,
            time: (sim.seconds() % 600.0) as f32 + lead,
            accent: palette.accent,
            theme: f32::from(sim.stage.level.ground as u8),
            stone: palette.stone,
            light_scale: 1.0,
        };
        write_uniform(gpu, &self.buffer, bytemuck::bytes_of(&uniform));
    }
}

/// Creates a buffer for a uniform of `size` bytes.
pub(super) fn uniform_buffer(gpu: &Gpu, size: usize) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("uniform"),
        size: size as u64,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

pub(super) fn write_uniform(gpu: &Gpu, buffer: &wgpu::Buffer, bytes: &[u8]) {
    gpu.queue.write_buffer(buffer, 0, bytes);
    WRITES.increment();
    upload::count_bytes(bytes.len());
}
