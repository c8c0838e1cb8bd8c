//! What every shader of the scene knows: where the camera looks, and the colours of the level.
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

/// The colours of a level.
struct Palette {
    ambient: [f32; 3],
    accent: [f32; 3],
    stone: [f32; 3],
}

const PALETTES: [Palette; 2] = [
    Palette {
        ambient: [0.055, 0.080, 0.115],
        accent: [0.06, 0.92, 0.86],
        stone: [0.30, 0.33, 0.38],
    },
    Palette {
        ambient: [0.085, 0.070, 0.085],
        accent: [1.35, 0.40, 0.06],
        stone: [0.36, 0.33, 0.33],
    },
];

/// The uniform buffer and the samplers.
pub(crate) struct ViewGroup {
    buffer: wgpu::Buffer,
    pub(crate) layout: wgpu::BindGroupLayout,
    pub(crate) group: wgpu::BindGroup,
}

impl ViewGroup {
    pub(crate) fn new(gpu: &Gpu) -> Self {
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

    /// Takes over this frame's camera and level.
    pub(crate) fn write(
        &self,
        gpu: &Gpu,
        sim: &Sim,
        camera: &Camera,
        pixels: (u32, u32),
        lead: f32,
    ) {
        let _memory = stats_memory::scope!("view");
        let palette = &PALETTES[sim.stage.level.index];
        let scale = camera.scale();
        let uniform = Uniform {
            center: camera.center_ahead(lead).into(),
            scale: [scale.x, -scale.y],
            world: sim.stage.level.map.size().into(),
            pixels: [pixels.0 as f32, pixels.1 as f32],
            ambient: palette.ambient,
            time: (sim.seconds() % 600.0) as f32 + lead,
            accent: palette.accent,
            theme: sim.stage.level.index as f32,
            stone: palette.stone,
            light_scale: 1.0,
        };
        write_uniform(gpu, &self.buffer, bytemuck::bytes_of(&uniform));
    }
}

/// A buffer for a uniform of `size` bytes.
pub(crate) fn uniform_buffer(gpu: &Gpu, size: usize) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("uniform"),
        size: size as u64,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

pub(crate) fn write_uniform(gpu: &Gpu, buffer: &wgpu::Buffer, bytes: &[u8]) {
    gpu.queue.write_buffer(buffer, 0, bytes);
    WRITES.increment();
    upload::count_bytes(bytes.len());
}
