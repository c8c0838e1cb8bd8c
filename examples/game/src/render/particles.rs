//! The particle pass: sparks, shots and rings, whose light is added to the scene.
use stats_gpu::GpuTimer;

use super::counters::{CountedPass, PassCounters, pass_counters};
use super::gpu::Gpu;
use super::pipeline::{ADD, HDR, Recipe, color_attachment, scene_shader};
use super::scene::{Scene, Spark};
use super::targets::Targets;
use super::upload::InstanceBuffer;

static COUNTERS: PassCounters = pass_counters!("particles", 1.0);

pub(super) struct ParticlePass {
    pipeline: wgpu::RenderPipeline,
    sparks: InstanceBuffer,
}

impl ParticlePass {
    pub(super) fn new(gpu: &Gpu, groups: &[&wgpu::BindGroupLayout]) -> Self {
        let _memory = stats_memory::scope!("particles");
        let attributes = wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32x2, 2 => Float32, 3 => Float32, 4 => Float32x3];
        let module = scene_shader(gpu, "particle", include_str!("../shaders/particle.wgsl"));
        let pipeline = Recipe {
            label: "particles",
            module: &module,
            vertex: "vertex",
            fragment: "fragment",
            groups,
            instances: Some((size_of::<Spark>() as u64, &attributes)),
            targets: &[(HDR, Some(ADD))],
            depth: None,
        };
        Self {
            pipeline: pipeline.build(gpu),
            sparks: InstanceBuffer::new(gpu, "sparks"),
        }
    }

    pub(super) fn upload(&mut self, gpu: &Gpu, scene: &Scene) {
        self.sparks.fill(gpu, &scene.sparks);
    }

    pub(super) fn record(
        &self,
        timer: Option<&GpuTimer>,
        encoder: &mut wgpu::CommandEncoder,
        targets: &Targets,
        view: &wgpu::BindGroup,
    ) {
        let _scope = stats_memory::scope!(COUNTERS.record);
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("particles"),
            color_attachments: &[Some(color_attachment(&targets.scene, None))],
            timestamp_writes: timer.and_then(|timer| timer.render_pass_timestamps("particles")),
            ..Default::default()
        });
        let mut pass = CountedPass::new(pass, &COUNTERS);
        pass.pipeline(&self.pipeline);
        pass.bind(0, view);
        pass.buffer(self.sparks.buffer());
        pass.draw(6, self.sparks.count(), false);
    }
}
