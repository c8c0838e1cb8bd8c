//! The light pass: each light in view adds to a map of the amount and the direction of the light at
//! each point.
use stats_gpu::GpuTimer;

use super::counters::{CountedPass, PassCounters, pass_counters};
use super::gpu::Gpu;
use super::pipeline::{ADD, HDR, Recipe, color_attachment, scene_shader};
use super::scene::{Light, Scene};
use super::targets::Targets;
use super::upload::InstanceBuffer;

static COUNTERS: PassCounters = pass_counters!("light", 1.0);

pub(super) struct LightPass {
    pipeline: wgpu::RenderPipeline,
    lights: InstanceBuffer,
}

impl LightPass {
    pub(super) fn new(gpu: &Gpu, groups: &[&wgpu::BindGroupLayout]) -> Self {
        let _memory = stats_memory::scope!("light");
        let attributes = wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32, 2 => Float32, 3 => Float32x3, 4 => Float32];
        let module = scene_shader(gpu, "light", include_str!("../shaders/light.wgsl"));
        let pipeline = Recipe {
            label: "light",
            module: &module,
            vertex: "vertex",
            fragment: "fragment",
            groups,
            instances: Some((size_of::<Light>() as u64, &attributes)),
            targets: &[(HDR, Some(ADD)), (HDR, Some(ADD))],
            depth: None,
        };
        Self {
            pipeline: pipeline.build(gpu),
            lights: InstanceBuffer::new(gpu, "lights"),
        }
    }

    pub(super) fn upload(&mut self, gpu: &Gpu, scene: &Scene) {
        self.lights.fill(gpu, &scene.lights);
    }

    pub(super) fn record(
        &self,
        timer: Option<&GpuTimer>,
        encoder: &mut wgpu::CommandEncoder,
        targets: &Targets,
        groups: &[&wgpu::BindGroup],
        one_by_one: bool,
    ) {
        let _record = COUNTERS.record.scope();
        let _memory = stats_memory::scope!("light");
        let attachment = |view| Some(color_attachment(view, Some(wgpu::Color::BLACK)));
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("light"),
            color_attachments: &[attachment(&targets.light), attachment(&targets.toward)],
            timestamp_writes: timer.and_then(|timer| timer.render_pass_timestamps("light")),
            ..Default::default()
        });
        let mut pass = CountedPass::new(pass, &COUNTERS);
        pass.pipeline(&self.pipeline);
        for (index, group) in groups.iter().enumerate() {
            pass.bind(index as u32, group);
        }
        pass.buffer(self.lights.buffer());
        pass.draw(6, self.lights.count(), one_by_one);
    }
}
