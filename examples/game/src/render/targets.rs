//! The textures that are drawn to, all made anew when the size changes.
use stats_core::{Counter, Gauge, Unit};

use super::gpu::Gpu;
use super::pipeline::{DEPTH, HDR};

static MEMORY: Gauge = Gauge::new("render/memory/targets")
    .unit(Unit::Bytes)
    .describe("device memory of the targets");
static MADE: Counter =
    Counter::new("render/targets-made").describe("times all targets were made anew");
static WIDTH: Gauge = Gauge::new("render/scene/width")
    .unit(Unit::Pixels)
    .describe("of the scene before it is scaled to the window");
static HEIGHT: Gauge = Gauge::new("render/scene/height")
    .unit(Unit::Pixels)
    .describe("of the scene before it is scaled to the window");

/// How many times the bloom halves the scene.
pub(crate) const BLOOM_LEVELS: usize = 5;

/// How finely things are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Quality {
    /// Scene pixels to one window pixel.
    pub(crate) scene: f32,
    /// Light pixels to one scene pixel.
    pub(crate) light: f32,
    /// Steps of a shadow's march.
    pub(crate) shadow_steps: f32,
}

impl Quality {
    /// What the device can carry.
    pub(crate) const fn of(software: bool) -> Self {
        if software {
            Self {
                scene: 0.75,
                light: 0.34,
                shadow_steps: 14.0,
            }
        } else {
            Self {
                scene: 1.0,
                light: 0.5,
                shadow_steps: 40.0,
            }
        }
    }

    /// Hardly any detail, and no display or overlay, at next to no cost: between the pictures of a
    /// tour on a software device.
    pub(crate) const SKETCH: Self = Self {
        scene: 0.2,
        light: 0.34,
        shadow_steps: 4.0,
    };

    /// Full detail: for a picture, which may take its time.
    pub(crate) const PICTURE: Self = Self {
        scene: 1.0,
        light: 0.5,
        shadow_steps: 40.0,
    };
}

/// Views of the targets.
pub(crate) struct Targets {
    pub(crate) size: (u32, u32),
    pub(crate) scene: wgpu::TextureView,
    pub(crate) depth: wgpu::TextureView,
    pub(crate) light: wgpu::TextureView,
    pub(crate) toward: wgpu::TextureView,
    pub(crate) bloom: Vec<wgpu::TextureView>,
}

impl Targets {
    /// Targets for a window of this size in pixels.
    pub(crate) fn new(gpu: &Gpu, window: (u32, u32), quality: Quality) -> Self {
        let _memory = stats_memory::scope!("targets");
        let scaled = |(w, h): (u32, u32), by: f32| {
            (
                ((w as f32 * by) as u32).max(1),
                ((h as f32 * by) as u32).max(1),
            )
        };
        let size = scaled(window, quality.scene);
        let lit = scaled(size, quality.light);
        let bloom_size = |level: usize| (size.0 >> (level + 1)).max(1).min(size.0);
        let bloom_sizes: Vec<_> = (0..BLOOM_LEVELS)
            .map(|level| (bloom_size(level), (size.1 >> (level + 1)).max(1)))
            .collect();
        let pixels = |(w, h): (u32, u32)| u64::from(w) * u64::from(h);
        MEMORY.set(
            pixels(size) * (8 + 4)
                + pixels(lit) * 16
                + bloom_sizes
                    .iter()
                    .map(|&size| pixels(size) * 8)
                    .sum::<u64>(),
        );
        MADE.increment();
        WIDTH.set(size.0);
        HEIGHT.set(size.1);
        Self {
            size,
            scene: target(gpu, "scene", size, HDR),
            depth: target(gpu, "depth", size, DEPTH),
            light: target(gpu, "light", lit, HDR),
            toward: target(gpu, "toward", lit, HDR),
            bloom: bloom_sizes
                .iter()
                .map(|&size| target(gpu, "bloom", size, HDR))
                .collect(),
        }
    }
}

fn target(
    gpu: &Gpu,
    label: &str,
    (width, height): (u32, u32),
    format: wgpu::TextureFormat,
) -> wgpu::TextureView {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    texture.create_view(&Default::default())
}
