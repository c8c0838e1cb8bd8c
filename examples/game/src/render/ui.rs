//! The UI pass: it draws the HUD and the overlay over the scene.
use stats_core::{Counter, Timer};
use stats_gpu::GpuTimer;

use super::counters::{PassCounters, count_pass, pass_counters};
use super::gpu::Gpu;
use super::pipeline::color_attachment;

static COUNTERS: PassCounters = pass_counters!("ui", 1.0);
static TESSELLATE: Timer = Timer::new("render/ui/tessellate")
    .budget(2.0)
    .describe("turning egui's shapes into triangles");
static UPLOAD: Timer =
    Timer::new("render/ui/upload").describe("handing textures and triangles to the queue");
static TEXTURES: Counter =
    Counter::new("render/ui/texture-updates").describe("updates of egui's textures");
static SHAPES: Counter = Counter::new("render/ui/shapes").describe("shapes painted with egui");

/// The output of egui for one frame.
pub(super) struct UiFrame {
    jobs: Vec<egui::ClippedPrimitive>,
    free: Vec<egui::TextureId>,
    screen: egui_wgpu::ScreenDescriptor,
}

pub(super) struct UiPass {
    renderer: egui_wgpu::Renderer,
}

impl UiPass {
    pub(super) fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let _memory = stats_memory::scope!("ui");
        Self {
            renderer: egui_wgpu::Renderer::new(
                &gpu.device,
                format,
                egui_wgpu::RendererOptions::default(),
            ),
        }
    }

    /// Uploads the textures and triangles of a frame.
    pub(super) fn prepare(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        ctx: &egui::Context,
        mut output: egui::FullOutput,
        size: (u32, u32),
    ) -> UiFrame {
        SHAPES.add(output.shapes.len());
        let screen = egui_wgpu::ScreenDescriptor {
            size_in_pixels: [size.0, size.1],
            pixels_per_point: output.pixels_per_point,
        };
        let _memory = stats_memory::scope!("ui");
        let jobs = TESSELLATE.time(|| ctx.tessellate(output.shapes, output.pixels_per_point));
        let _upload = UPLOAD.scope();
        for (id, deltas) in std::mem::take(&mut output.textures_delta.set) {
            TEXTURES.add(deltas.len());
            deltas.iter().for_each(|delta| {
                self.renderer
                    .update_texture(&gpu.device, &gpu.queue, id, delta)
            });
        }
        // There are no paint callbacks, so the returned list of their command buffers is empty.
        self.renderer
            .update_buffers(&gpu.device, &gpu.queue, encoder, &jobs, &screen);
        UiFrame {
            jobs,
            free: std::mem::take(&mut output.textures_delta.free)
                .into_iter()
                .collect(),
            screen,
        }
    }

    pub(super) fn record(
        &self,
        timer: Option<&GpuTimer>,
        encoder: &mut wgpu::CommandEncoder,
        frame: &UiFrame,
        into: &wgpu::TextureView,
    ) {
        let _record = COUNTERS.record.scope();
        let _memory = stats_memory::scope!("ui");
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("ui"),
            color_attachments: &[Some(color_attachment(into, None))],
            timestamp_writes: timer.and_then(|timer| timer.render_pass_timestamps("ui")),
            ..Default::default()
        });
        self.renderer
            .render(&mut pass.forget_lifetime(), &frame.jobs, &frame.screen);
        count_pass();
        let vertices: usize = frame.jobs.iter().map(indices).sum();
        COUNTERS.draws.add(frame.jobs.len());
        COUNTERS.instances.add(frame.jobs.len());
        COUNTERS.vertices.add(vertices);
        COUNTERS.pipelines.increment();
        COUNTERS.binds.add(frame.jobs.len() + 1);
    }

    /// Frees the textures that the frame was the last to use.
    pub(super) fn finish(&mut self, frame: UiFrame) {
        frame
            .free
            .iter()
            .for_each(|id| self.renderer.free_texture(id));
    }
}

fn indices(job: &egui::ClippedPrimitive) -> usize {
    match &job.primitive {
        egui::epaint::Primitive::Mesh(mesh) => mesh.indices.len(),
        egui::epaint::Primitive::Callback(_) => 0,
    }
}
