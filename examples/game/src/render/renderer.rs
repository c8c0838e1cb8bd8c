//! The renderer: it draws a frame with all passes, onto a window or a picture.
use std::path::Path;

use stats_core::{Counter, Timer};
use stats_gpu::{FramePicture, FramePictures};

use super::bloom::BloomPass;
use super::composite::CompositePass;
use super::gpu::Gpu;
use super::ground::GroundTextures;
use super::light::LightPass;
use super::particles::ParticlePass;
use super::picture::{Canvas, PictureError};
use super::scene::Scene;
use super::targets::{Quality, Targets};
use super::timing::Timing;
use super::ui::UiPass;
use super::view::ViewGroup;
use super::world::WorldPass;
use crate::camera::Camera;
use crate::game::CPU;
use crate::memory::RENDERING;
use crate::sim::Sim;
use crate::sim::faults::Fault;

static RECORD: Timer = Timer::new("render/record")
    .budget(4.0)
    .describe("recording all passes on the CPU");
static SUBMIT: Timer = Timer::new("render/submit")
    .budget(4.0)
    .describe("handing the commands to the queue; a software device also draws here");
static SUBMITS: Counter =
    Counter::new("render/submits").describe("command buffers handed to the queue");
static WAIT: Timer = Timer::new("render/fence")
    .wait()
    .describe("waiting for the device if no window limits the frame rate");
static FRAMES: Counter = Counter::new("render/frames").describe("frames drawn");
static PICTURES: Counter = Counter::new("render/pictures").describe("pictures written to disk");
static UNBATCHED: Counter = Counter::new("render/unbatched-frames")
    .describe("frames drawn without instancing because of the planted fault");

/// The renderer of a window, or of a run without one.
pub(crate) struct Renderer {
    pub(crate) gpu: Gpu,
    timing: Timing,
    format: wgpu::TextureFormat,
    size: (u32, u32),
    /// Whether a software device only sketches the frames between pictures.
    pub(crate) sketches: bool,
    quality: Quality,
    targets: Targets,
    view: ViewGroup,
    ground: GroundTextures,
    light: LightPass,
    world: WorldPass,
    particles: ParticlePass,
    bloom: BloomPass,
    composite: CompositePass,
    ui: UiPass,
    /// Small pictures of the newest frames.
    pictures: FramePictures,
    scene: Scene,
}

/// The contents of a frame.
pub(crate) struct FrameInput<'a> {
    pub(crate) sim: &'a Sim,
    pub(crate) camera: &'a Camera,
    /// Seconds since the last simulation step.
    pub(crate) lead: f32,
    pub(crate) ctx: &'a egui::Context,
    pub(crate) ui: egui::FullOutput,
    /// The small picture to keep of the frame; `None` keeps none.
    pub(crate) picture: Option<SmallPicture>,
}

/// A small picture to keep, and one to read back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SmallPicture {
    /// The frame that is drawn.
    pub(crate) frame: u64,
    /// The frame whose picture is wanted.
    pub(crate) wanted: Option<u64>,
}

impl Renderer {
    pub(crate) fn new(gpu: Gpu, size: (u32, u32), format: wgpu::TextureFormat) -> Self {
        let _memory = stats_memory::scope!("render", group: RENDERING);
        let quality = Quality::of(gpu.software);
        let targets = Targets::new(&gpu, size, quality);
        let (view, ground) = (ViewGroup::new(&gpu), GroundTextures::new(&gpu));
        Self {
            light: LightPass::new(&gpu, &[&view.layout, &ground.layout]),
            world: WorldPass::new(&gpu, &view.layout, &ground.layout, &targets),
            particles: ParticlePass::new(&gpu, &[&view.layout]),
            bloom: BloomPass::new(&gpu, &targets),
            composite: CompositePass::new(&gpu, &targets, format),
            ui: UiPass::new(&gpu, format),
            pictures: FramePictures::new(&gpu.device, format, size),
            scene: Scene::default(),
            timing: Timing::new(&gpu),
            gpu,
            format,
            size,
            sketches: false,
            quality,
            targets,
            view,
            ground,
        }
    }

    pub(crate) const fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Waits until the device has finished drawing.
    pub(crate) fn finish(&self) -> Result<(), wgpu::PollError> {
        let _memory = stats_memory::scope!("render", group: RENDERING);
        let _wait = stats_memory::scope!("wait");
        WAIT.time(|| self.gpu.device.poll(wgpu::PollType::wait_indefinitely()))
            .map(|_| ())
    }

    /// Adapts to a new window size. The size must not be zero.
    pub(crate) fn resize(&mut self, size: (u32, u32)) {
        if size == self.size {
            return;
        }
        self.size = size;
        self.pictures = FramePictures::new(&self.gpu.device, self.format, size);
        self.recreate_targets();
    }

    /// Returns the quality of frames that are not pictures.
    fn usual_quality(&self) -> Quality {
        if self.sketches && self.gpu.software {
            Quality::SKETCH
        } else {
            Quality::of(self.gpu.software)
        }
    }

    fn set_quality(&mut self, quality: Quality) {
        if self.quality != quality {
            self.quality = quality;
            self.recreate_targets();
        }
    }

    /// Recreates everything that depends on the size or the quality.
    fn recreate_targets(&mut self) {
        let _memory = stats_memory::scope!("render", group: RENDERING);
        self.targets = Targets::new(&self.gpu, self.size, self.quality);
        self.world.resize(&self.gpu, &self.targets);
        self.bloom.resize(&self.gpu, &self.targets);
        self.composite.resize(&self.gpu, &self.targets);
    }

    /// Creates a texture of the renderer's size and format, to draw a picture into.
    pub(crate) fn canvas(&self) -> Canvas {
        let _memory = stats_memory::scope!("render", group: RENDERING);
        Canvas::new(&self.gpu, self.size, self.format)
    }

    /// Draws a frame onto each of these views. `fine` makes a software device draw it in full
    /// detail, however long that takes, and leaves it out of the CPU and GPU times. Any other
    /// device draws every frame in full detail. Returns a wanted picture that has arrived.
    pub(crate) fn draw(
        &mut self,
        input: FrameInput<'_>,
        onto: &[&wgpu::TextureView],
        fine: bool,
    ) -> Option<FramePicture> {
        FRAMES.increment();
        let _memory = stats_memory::scope!("render", group: RENDERING);
        // A picture in full detail takes a software device much longer than a frame of the game.
        let fine = fine && self.gpu.software;
        let _cpu = (!fine).then(|| CPU.scope());
        self.set_quality(if fine {
            Quality::PICTURE
        } else {
            self.usual_quality()
        });
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let record = RECORD.scope();
        self.record_scene(&mut encoder, &input, fine);
        let ui = self
            .ui
            .prepare(&self.gpu, &mut encoder, input.ctx, input.ui, self.size);
        let timer = (!fine).then_some(&self.timing.timer);
        if fine {
            self.timing.timer.leave_out_frame();
        }
        for into in onto {
            self.composite.record(timer, &mut encoder, into);
            // Skipped in sketches: on a software device, it takes longer than everything else.
            if self.quality != Quality::SKETCH {
                self.ui.record(timer, &mut encoder, &ui, into);
            }
        }
        let arrived = (input.picture).and_then(|picture| {
            let target = self.pictures.target(picture.frame)?;
            self.composite.record_small(timer, &mut encoder, target);
            self.pictures.read_back(&mut encoder, picture.wanted)
        });
        self.timing.end_frame(&mut encoder);
        drop(record);
        let submitting = (!fine).then(|| SUBMIT.scope());
        let submitted = stats_memory::scope!("submit");
        self.gpu.queue.submit([encoder.finish()]);
        drop(submitted);
        drop(submitting);
        SUBMITS.increment();
        self.ui.finish(ui);
        arrived
    }

    /// Waits for a canvas to be drawn, and writes it as a PNG.
    pub(crate) fn save(&self, canvas: &Canvas, path: &Path) -> Result<(), PictureError> {
        PICTURES.increment();
        let _memory = stats_memory::scope!("render", group: RENDERING);
        let _picture = stats_memory::scope!("picture");
        canvas.save(&self.gpu, path)
    }

    /// Waits for a canvas to be drawn, and returns its pixels, for a recording. Their memory is
    /// that of the recording: the game itself needs no pixels.
    pub(crate) fn pixels(&self, canvas: &Canvas) -> Result<Vec<u8>, PictureError> {
        let _memory = stats_core::own_memory("pictures");
        canvas.pixels(&self.gpu)
    }

    fn record_scene(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        input: &FrameInput<'_>,
        fine: bool,
    ) {
        let FrameInput {
            sim, camera, lead, ..
        } = *input;
        self.scene
            .gather(sim, camera, lead, self.quality.shadow_steps);
        self.view
            .write(&self.gpu, sim, camera, self.targets.size, lead);
        let Some(ground) = self.ground.update(&self.gpu, sim, camera) else {
            return;
        };
        self.light.upload(&self.gpu, &self.scene);
        self.world.upload(&self.gpu, &self.scene);
        self.particles.upload(&self.gpu, &self.scene);
        let one_by_one =
            sim.faults.is_on(Fault::DrawCalls) && sim.stage.level.region_at(camera.center()) == 2;
        UNBATCHED.add(u32::from(one_by_one));
        let groups = [&self.view.group, ground];
        let timer = (!fine).then_some(&self.timing.timer);
        self.light
            .record(timer, encoder, &self.targets, &groups, one_by_one);
        self.world
            .record(timer, encoder, &self.targets, &groups, one_by_one);
        self.particles
            .record(timer, encoder, &self.targets, &self.view.group);
        self.bloom.record(timer, encoder, &self.targets);
        let (hurt, nova) = (
            f32::from(sim.player.flash) / 8.0,
            1.0 - (sim.player.nova_age as f32 / 9.0).min(1.0),
        );
        self.composite
            .write(&self.gpu, (sim.seconds() % 60.0) as f32, hurt, nova);
    }
}
