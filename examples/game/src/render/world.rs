//! The world pass: floor, walls, shadows, and everything that moves.
use stats_gpu::GpuTimer;

use super::counters::{CountedPass, PassCounters, pass_counters};
use super::gpu::Gpu;
use super::pipeline::{HDR, Recipe, Slot, bind_group, color_attachment, layout, scene_shader};
use super::scene::{Scene, Sprite, WallTile};
use super::targets::Targets;
use super::upload::InstanceBuffer;

static COUNTERS: PassCounters = pass_counters!("world", 2.0);

/// The vertices of a wall tile: five faces of two triangles.
const WALL_VERTICES: u32 = 30;

pub(super) struct WorldPass {
    floor: wgpu::RenderPipeline,
    wall: wgpu::RenderPipeline,
    sprite: wgpu::RenderPipeline,
    walls: InstanceBuffer,
    shadows: InstanceBuffer,
    sprites: InstanceBuffer,
    light_layout: wgpu::BindGroupLayout,
    light_group: wgpu::BindGroup,
}

impl WorldPass {
    pub(super) fn new(
        gpu: &Gpu,
        view: &wgpu::BindGroupLayout,
        ground: &wgpu::BindGroupLayout,
        targets: &Targets,
    ) -> Self {
        let _memory = stats_memory::scope!("world");
        let light_layout = layout(gpu, "lit", &[Slot::Texture, Slot::Texture]);
        let groups = [view, ground, &light_layout];
        let pipeline = |label, source, instances, depth, blend| {
            let module = scene_shader(gpu, label, source);
            let targets = [(HDR, blend)];
            Recipe {
                label,
                module: &module,
                vertex: "vertex",
                fragment: "fragment",
                groups: &groups,
                instances,
                targets: &targets,
                depth: Some(depth),
            }
            .build(gpu)
        };
        let tile = wgpu::vertex_attr_array![0 => Float32x2, 1 => Uint32, 2 => Float32];
        let sprite = wgpu::vertex_attr_array![
            0 => Float32x2, 1 => Float32x2, 2 => Float32, 3 => Float32, 4 => Uint32, 5 => Float32, 6 => Float32x4
        ];
        let over = Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        let tiles: (u64, &[_]) = (size_of::<WallTile>() as u64, &tile);
        let sprites: (u64, &[_]) = (size_of::<Sprite>() as u64, &sprite);
        Self {
            floor: pipeline(
                "floor",
                include_str!("../shaders/ground.wgsl"),
                None,
                false,
                None,
            ),
            wall: pipeline(
                "wall",
                include_str!("../shaders/wall.wgsl"),
                Some(tiles),
                true,
                None,
            ),
            sprite: pipeline(
                "sprite",
                include_str!("../shaders/sprite.wgsl"),
                Some(sprites),
                false,
                over,
            ),
            walls: InstanceBuffer::new(gpu, "walls"),
            shadows: InstanceBuffer::new(gpu, "shadows"),
            sprites: InstanceBuffer::new(gpu, "sprites"),
            light_group: light_group(gpu, &light_layout, targets),
            light_layout,
        }
    }

    pub(super) fn resize(&mut self, gpu: &Gpu, targets: &Targets) {
        self.light_group = light_group(gpu, &self.light_layout, targets);
    }

    pub(super) fn upload(&mut self, gpu: &Gpu, scene: &Scene) {
        self.walls.fill(gpu, &scene.walls);
        self.shadows.fill(gpu, &scene.shadows);
        self.sprites.fill(gpu, &scene.sprites);
    }

    /// Records the pass. `one_by_one` is the planted fault: a draw call for each object.
    pub(super) fn record(
        &self,
        timer: Option<&GpuTimer>,
        encoder: &mut wgpu::CommandEncoder,
        targets: &Targets,
        groups: &[&wgpu::BindGroup],
        one_by_one: bool,
    ) {
        let _scope = stats_memory::scope!(COUNTERS.record);
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("world"),
            color_attachments: &[Some(color_attachment(
                &targets.scene,
                Some(wgpu::Color::BLACK),
            ))],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &targets.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            timestamp_writes: timer.and_then(|timer| timer.render_pass_timestamps("world")),
            ..Default::default()
        });
        let mut pass = CountedPass::new(pass, &COUNTERS);
        for (index, group) in groups.iter().chain([&&self.light_group]).enumerate() {
            pass.bind(index as u32, group);
        }
        pass.pipeline(&self.floor);
        pass.draw(3, 1, false);
        for (pipeline, buffer, vertices) in [
            (&self.wall, &self.walls, WALL_VERTICES),
            (&self.sprite, &self.shadows, 6),
            (&self.sprite, &self.sprites, 6),
        ] {
            pass.pipeline(pipeline);
            pass.buffer(buffer.buffer());
            pass.draw(vertices, buffer.count(), one_by_one);
        }
    }
}

fn light_group(gpu: &Gpu, layout: &wgpu::BindGroupLayout, targets: &Targets) -> wgpu::BindGroup {
    bind_group(
        gpu,
        layout,
        &[
            wgpu::BindingResource::TextureView(&targets.light),
            wgpu::BindingResource::TextureView(&targets.toward),
        ],
    )
}
