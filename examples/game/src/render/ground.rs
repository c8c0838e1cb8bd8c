//! The textures of the level. They are uploaded when a level is loaded, and patched around moving
//! gates, so that gates cast shadows.
use stats_core::{Counter, Gauge, Timer, Unit};

use super::gpu::Gpu;
use super::pipeline::{Slot, bind_group, layout};
use super::upload;
use crate::camera::Camera;
use crate::sim::scenery::{FIELD_REACH, FIELD_TEXELS, GROUND_SIDE, Scenery, encode_distance};
use crate::sim::{Sim, Vec2};

static LOADED: Counter =
    Counter::new("render/textures/loaded").describe("textures created for levels");
static MEMORY: Gauge = Gauge::new("render/memory/textures")
    .unit(Unit::Bytes)
    .describe("device memory of the level's textures");
static PATCHES: Counter = Counter::new("render/textures/patches")
    .describe("patches of the distance field uploaded for moving gates");
static PATCH_TEXELS: Counter =
    Counter::new("render/textures/patched-texels").describe("texels of those patches");
static PATCHING: Timer = Timer::new("render/textures/patching")
    .budget(1.0)
    .describe("computing those patches");
static BYTES: Counter = Counter::new("render/upload/textures")
    .unit(Unit::Bytes)
    .describe("bytes uploaded to textures");

/// The textures of the loaded level.
pub(super) struct GroundTextures {
    pub(super) layout: wgpu::BindGroupLayout,
    loaded: Option<Loaded>,
    patch: Vec<[u8; 4]>,
}

struct Loaded {
    stage_number: u64,
    field: wgpu::Texture,
    group: wgpu::BindGroup,
}

impl GroundTextures {
    pub(super) fn new(gpu: &Gpu) -> Self {
        let _memory = stats_memory::scope!("ground");
        Self {
            layout: layout(gpu, "ground", &[Slot::Texture, Slot::Texture]),
            loaded: None,
            patch: Vec::new(),
        }
    }

    /// Returns the bind group of the level, after uploading the level if it is new. Returns `None`
    /// if the level has no scenery.
    pub(super) fn update(
        &mut self,
        gpu: &Gpu,
        sim: &Sim,
        camera: &Camera,
    ) -> Option<&wgpu::BindGroup> {
        let scenery = sim.stage.level.scenery.as_ref()?;
        let _memory = stats_memory::scope!("ground");
        if self
            .loaded
            .as_ref()
            .is_none_or(|loaded| loaded.stage_number != sim.stage_number)
        {
            self.loaded = Some(self.load(gpu, scenery, sim.stage_number));
        }
        PATCHING.time(|| self.patch_gates(gpu, scenery, sim, camera));
        self.loaded.as_ref().map(|loaded| &loaded.group)
    }

    fn load(&self, gpu: &Gpu, scenery: &Scenery, stage_number: u64) -> Loaded {
        let (width, height) = scenery.field_size;
        let field = texture(gpu, "field", (width as u32, height as u32), 1);
        write(
            gpu,
            &field,
            0,
            (0, 0),
            (width as u32, height as u32),
            bytemuck::cast_slice(&scenery.field),
        );
        let mips = mip_chain(&scenery.ground);
        let ground = texture(
            gpu,
            "ground",
            (GROUND_SIDE as u32, GROUND_SIDE as u32),
            mips.len() as u32,
        );
        for (level, mip) in mips.iter().enumerate() {
            let side = (GROUND_SIDE >> level) as u32;
            write(
                gpu,
                &ground,
                level as u32,
                (0, 0),
                (side, side),
                bytemuck::cast_slice(mip),
            );
        }
        LOADED.add(2);
        MEMORY.set(scenery.field.len() * 4 + mips.iter().map(|mip| mip.len() * 4).sum::<usize>());
        let views = [
            field.create_view(&Default::default()),
            ground.create_view(&Default::default()),
        ];
        let group = bind_group(
            gpu,
            &self.layout,
            &views.each_ref().map(wgpu::BindingResource::TextureView),
        );
        Loaded {
            stage_number,
            field,
            group,
        }
    }

    /// Uploads the field around each gate in view, with the gate as a wall.
    fn patch_gates(&mut self, gpu: &Gpu, scenery: &Scenery, sim: &Sim, camera: &Camera) {
        let Some(loaded) = &self.loaded else { return };
        let sites = &sim.stage.level.gates;
        for (site, gate) in sites.iter().zip(sim.stage.gates.iter()) {
            if !camera.sees(gate.at, 9.0) {
                continue;
            }
            let margin = site.half + Vec2::splat(2.0);
            let texel = |meters: f32, limit: usize| {
                ((meters * FIELD_TEXELS as f32).max(0.0) as usize).min(limit)
            };
            let (width, height) = scenery.field_size;
            let (from, to) = (
                site.from.min(site.to) - margin,
                site.from.max(site.to) + margin,
            );
            let (left, right) = (texel(from.x, width), texel(to.x, width));
            let (top, bottom) = (texel(from.y, height), texel(to.y, height));
            self.patch.clear();
            for y in top..bottom {
                for x in left..right {
                    let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) / FIELD_TEXELS as f32;
                    let mut texel = scenery.field[y * width + x];
                    texel[0] = texel[0].min(encode_distance(
                        box_distance(at - gate.at, gate.half).min(FIELD_REACH),
                    ));
                    self.patch.push(texel);
                }
            }
            PATCHES.increment();
            PATCH_TEXELS.add(self.patch.len());
            let size = ((right - left) as u32, (bottom - top) as u32);
            write(
                gpu,
                &loaded.field,
                0,
                (left as u32, top as u32),
                size,
                bytemuck::cast_slice(&self.patch),
            );
        }
    }
}

/// Returns the distance from a point to a box around the origin; 0 inside.
fn box_distance(at: Vec2, half: Vec2) -> f32 {
    (at.abs() - half).max(Vec2::ZERO).length()
}

fn texture(gpu: &Gpu, label: &str, (width, height): (u32, u32), mips: u32) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
        mip_level_count: mips,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

fn write(
    gpu: &Gpu,
    texture: &wgpu::Texture,
    mip_level: u32,
    (x, y): (u32, u32),
    (width, height): (u32, u32),
    bytes: &[u8],
) {
    if width == 0 || height == 0 {
        return;
    }
    gpu.queue.write_texture(
        wgpu::TexelCopyTextureInfo {
            texture,
            mip_level,
            origin: wgpu::Origin3d { x, y, z: 0 },
            aspect: wgpu::TextureAspect::All,
        },
        bytes,
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(width * 4),
            rows_per_image: None,
        },
        wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
    );
    upload::count_bytes(bytes.len());
    BYTES.add(bytes.len());
}

/// Returns the mip levels of the ground: each texel is the mean of four of the previous level.
fn mip_chain(ground: &[[u8; 4]]) -> Vec<Vec<[u8; 4]>> {
    let _name = stats_memory::alloc_name!("mip chain");
    let mut mips = vec![ground.to_vec()];
    let mut side = GROUND_SIDE;
    while side > 1 {
        let (last, half) = (&mips[mips.len() - 1], side / 2);
        let mean = |x: usize, y: usize, c: usize| {
            let sum: u32 = [(0, 0), (1, 0), (0, 1), (1, 1)]
                .iter()
                .map(|&(dx, dy)| u32::from(last[(y * 2 + dy) * side + x * 2 + dx][c]))
                .sum();
            (sum / 4) as u8
        };
        let next = (0..half * half)
            .map(|at| std::array::from_fn(|c| mean(at % half, at / half, c)))
            .collect();
        mips.push(next);
        side = half;
    }
    mips
}
