//! The bloom passes: the bright parts of the scene are halved five times, and blurred on the way
//! back up.
use stats_gpu::GpuTimer;

use super::counters::{CountedPass, PassCounters, pass_counters};
use super::gpu::Gpu;
use super::pipeline::{
    ADD, HDR, Recipe, Slot, bind_group, color_attachment, layout, sampler, shader,
};
use super::targets::{BLOOM_LEVELS, Targets};

static COUNTERS: PassCounters = pass_counters!("bloom", 1.0);

pub(super) struct BloomPass {
    bright: wgpu::RenderPipeline,
    down: wgpu::RenderPipeline,
    up: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    /// Bind groups to read from the scene, and then from each level.
    sources: Vec<wgpu::BindGroup>,
}

impl BloomPass {
    pub(super) fn new(gpu: &Gpu, targets: &Targets) -> Self {
        let _memory = stats_memory::scope!("bloom");
        let layout = layout(gpu, "bloom", &[Slot::Texture, Slot::Sampler]);
        let module = shader(gpu, "bloom", include_str!("../shaders/bloom.wgsl"));
        let pipeline = |fragment, blend| {
            let targets = [(HDR, blend)];
            let groups = [&layout];
            Recipe {
                label: "bloom",
                module: &module,
                vertex: "vertex",
                fragment,
                groups: &groups,
                instances: None,
                targets: &targets,
                depth: None,
            }
            .build(gpu)
        };
        let (bright, down, up) = (
            pipeline("bright", None),
            pipeline("down", None),
            pipeline("up", Some(ADD)),
        );
        let sampler = sampler(gpu, wgpu::AddressMode::ClampToEdge);
        let sources = sources(gpu, &layout, &sampler, targets);
        Self {
            bright,
            down,
            up,
            layout,
            sampler,
            sources,
        }
    }

    pub(super) fn resize(&mut self, gpu: &Gpu, targets: &Targets) {
        self.sources = sources(gpu, &self.layout, &self.sampler, targets);
    }

    pub(super) fn record(
        &self,
        timer: Option<&GpuTimer>,
        encoder: &mut wgpu::CommandEncoder,
        targets: &Targets,
    ) {
        let _scope = stats_memory::scope!(COUNTERS.record);
        self.blit(timer, encoder, &self.bright, 0, &targets.bloom[0], true);
        for level in 1..BLOOM_LEVELS {
            self.blit(
                timer,
                encoder,
                &self.down,
                level,
                &targets.bloom[level],
                true,
            );
        }
        for level in (1..BLOOM_LEVELS).rev() {
            self.blit(
                timer,
                encoder,
                &self.up,
                level + 1,
                &targets.bloom[level - 1],
                false,
            );
        }
    }

    fn blit(
        &self,
        timer: Option<&GpuTimer>,
        encoder: &mut wgpu::CommandEncoder,
        pipeline: &wgpu::RenderPipeline,
        source: usize,
        into: &wgpu::TextureView,
        clear: bool,
    ) {
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("bloom"),
            color_attachments: &[Some(color_attachment(
                into,
                clear.then_some(wgpu::Color::BLACK),
            ))],
            // All bloom passes share a name: their times add up.
            timestamp_writes: timer.and_then(|timer| timer.render_pass_timestamps("bloom")),
            ..Default::default()
        });
        let mut pass = CountedPass::new(pass, &COUNTERS);
        pass.pipeline(pipeline);
        pass.bind(0, &self.sources[source]);
        pass.draw(3, 1, false);
    }
}

fn sources(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    sampler: &wgpu::Sampler,
    targets: &Targets,
) -> Vec<wgpu::BindGroup> {
    std::iter::once(&targets.scene)
        .chain(&targets.bloom)
        .map(|view| {
            bind_group(
                gpu,
                layout,
                &[
                    wgpu::BindingResource::TextureView(view),
                    wgpu::BindingResource::Sampler(sampler),
                ],
            )
        })
        .collect()
}
