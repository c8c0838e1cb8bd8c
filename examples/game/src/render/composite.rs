//! The composite pass: it grades scene and bloom, and draws them onto the window or a picture.
use stats_core::Timer;
use stats_gpu::GpuTimer;

use super::counters::{CountedPass, PassCounters, pass_counters};
use super::gpu::Gpu;
use super::pipeline::{Recipe, Slot, bind_group, color_attachment, layout, sampler, shader};
use super::targets::Targets;
use super::view::{uniform_buffer, write_uniform};

static COUNTERS: PassCounters = pass_counters!("composite", 1.0);
static SMALL: Timer = Timer::new("render/small-picture")
    .describe("recording the small picture that the overlay keeps of each frame");

pub(super) struct CompositePass {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    grade: wgpu::Buffer,
    group: wgpu::BindGroup,
}

impl CompositePass {
    pub(super) fn new(gpu: &Gpu, targets: &Targets, format: wgpu::TextureFormat) -> Self {
        let _memory = stats_memory::scope!("composite");
        let layout = layout(
            gpu,
            "composite",
            &[Slot::Texture, Slot::Texture, Slot::Sampler, Slot::Uniform],
        );
        let module = shader(gpu, "composite", include_str!("../shaders/composite.wgsl"));
        let pipeline = Recipe {
            label: "composite",
            module: &module,
            vertex: "vertex",
            fragment: "fragment",
            groups: &[&layout],
            instances: None,
            targets: &[(format, None)],
            depth: None,
        }
        .build(gpu);
        let (sampler, grade) = (
            sampler(gpu, wgpu::AddressMode::ClampToEdge),
            uniform_buffer(gpu, 16),
        );
        let group = group(gpu, &layout, &sampler, &grade, targets);
        Self {
            pipeline,
            layout,
            sampler,
            grade,
            group,
        }
    }

    pub(super) fn resize(&mut self, gpu: &Gpu, targets: &Targets) {
        self.group = group(gpu, &self.layout, &self.sampler, &self.grade, targets);
    }

    /// Sets the grading of this frame. `hurt` reddens the picture and `flash` brightens it.
    pub(super) fn write(&self, gpu: &Gpu, time: f32, hurt: f32, flash: f32) {
        write_uniform(
            gpu,
            &self.grade,
            bytemuck::cast_slice(&[time, hurt, flash, 0.0]),
        );
    }

    pub(super) fn record(
        &self,
        timer: Option<&GpuTimer>,
        encoder: &mut wgpu::CommandEncoder,
        into: &wgpu::TextureView,
    ) {
        let _scope = stats_memory::scope!(COUNTERS.record);
        let mut pass = CountedPass::new(begin("composite", timer, encoder, into), &COUNTERS);
        pass.pipeline(&self.pipeline);
        pass.bind(0, &self.group);
        pass.draw(3, 1, false);
    }

    /// Draws the scene once more, onto a small target that the overlay keeps. The counters of the
    /// game leave it out.
    pub(super) fn record_small(
        &self,
        timer: Option<&GpuTimer>,
        encoder: &mut wgpu::CommandEncoder,
        into: &wgpu::TextureView,
    ) {
        let _memory = stats_core::own_memory("pictures");
        let _scope = SMALL.scope();
        let mut pass = begin("small-picture", timer, encoder, into);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.draw(0..3, 0..1);
    }
}

fn begin<'encoder>(
    name: &str,
    timer: Option<&GpuTimer>,
    encoder: &'encoder mut wgpu::CommandEncoder,
    into: &wgpu::TextureView,
) -> wgpu::RenderPass<'encoder> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(name),
        color_attachments: &[Some(color_attachment(into, Some(wgpu::Color::BLACK)))],
        timestamp_writes: timer.and_then(|timer| timer.render_pass_timestamps(name)),
        ..Default::default()
    })
}

fn group(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    sampler: &wgpu::Sampler,
    grade: &wgpu::Buffer,
    targets: &Targets,
) -> wgpu::BindGroup {
    bind_group(
        gpu,
        layout,
        &[
            wgpu::BindingResource::TextureView(&targets.scene),
            wgpu::BindingResource::TextureView(&targets.bloom[0]),
            wgpu::BindingResource::Sampler(sampler),
            grade.as_entire_binding(),
        ],
    )
}
