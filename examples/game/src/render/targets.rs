//! The textures that the passes draw to. All are recreated when the size or the quality changes.
use stats_core::{Counter, Gauge, Unit};

use super::gpu::Gpu;
use super::pipeline::{DEPTH, HDR};

static MEMORY: Gauge = Gauge::new("render/memory/targets")
    .unit(Unit::Bytes)
    .describe("device memory of the render targets");
static CREATED: Counter =
    Counter::new("render/targets-created").describe("times that all render targets were created");
static WIDTH: Gauge = Gauge::new("render/scene/width")
    .unit(Unit::Pixels)
    .describe("width of the scene before it is scaled to the window");
static HEIGHT: Gauge = Gauge::new("render/scene/height")
    .unit(Unit::Pixels)
    .describe("height of the scene before it is scaled to the window");

/// The number of times that the bloom halves the scene.
pub(super) const BLOOM_LEVELS: usize = 5;

/// The level of detail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Quality {
    /// The resolution of the scene, as a share of the window's.
    pub(super) scene: f32,
    /// The resolution of the light, as a share of the scene's.
    pub(super) light: f32,
    /// The maximum number of steps of shadow marching.
    pub(super) shadow_steps: f32,
}

impl Quality {
    /// Returns the usual quality, for a software or a hardware device.
    pub(super) const fn of(software: bool) -> Self {
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

    /// Hardly any detail, and neither HUD nor overlay: for the frames between the pictures of a
    /// tour on a software device.
    pub(super) const SKETCH: Self = Self {
        scene: 0.2,
        light: 0.34,
        shadow_steps: 4.0,
    };

    /// Full detail, for pictures.
    pub(super) const PICTURE: Self = Self {
        scene: 1.0,
        light: 0.5,
        shadow_steps: 40.0,
    };
}

/// The views of the render targets.
pub(super) struct Targets {
    pub(super) size: (u32, u32),
    pub(super) scene: wgpu::TextureView,
    pub(super) depth: wgpu::TextureView,
    pub(super) light: wgpu::TextureView,
    pub(super) toward: wgpu::TextureView,
    pub(super) bloom: Vec<wgpu::TextureView>,
}

impl Targets {
    /// Creates the targets for a window of this size in pixels.
    pub(super) fn new(gpu: &Gpu, window: (u32, u32), quality: Quality) -> Self {
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
        CREATED.increment();
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
