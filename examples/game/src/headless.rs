//! The host without a window: it simulates, and draws pictures if there is a graphics adapter.
use std::time::{Duration, Instant};

use crate::args::Args;
use crate::game::Game;
use crate::plugins::Plugins;
use crate::puffin_scopes::PuffinScopes;
use crate::render::gpu::{Gpu, GpuError};
use crate::render::{Canvas, FrameInput, Renderer};
use crate::report::Report;
use crate::script::Script;
use crate::sim::player::Controls;

/// The format of the pictures.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Plays to the end of the script, and returns the report of the run.
pub(crate) fn run(args: &Args) -> Result<Report, String> {
    let mut script = Script::new(args);
    let puffin = PuffinScopes::new(args.puffin);
    let mut plugins = Plugins::new(args.plugin.as_deref())?;
    let mut renderer = match Gpu::new(None, args.gpu_timing) {
        Ok((gpu, _)) => Some(renderer(gpu, args)),
        Err(error) => {
            without_adapter(args, &error)?;
            None
        }
    };
    let canvas = renderer.as_ref().map(Renderer::canvas);
    let mut game = Game::new(args, renderer.is_some());
    if let Some(renderer) = &renderer {
        game.overlay.set_gpu(&renderer.gpu);
    }
    let began = Instant::now();
    while !script.is_over(&game) {
        script.wait();
        puffin.begin_frame();
        plugins.frame(&mut game.overlay);
        game.simulate(Duration::ZERO, |_| Controls::default(), script.end());
        let picture = script.follow(&mut game);
        let time_secs = match args.reel {
            // The film tells ages as its viewer sees them.
            Some(_) => game.sim.seconds(),
            None => began.elapsed().as_secs_f64(),
        };
        let mut ui = game.ui(raw_input(args.size, time_secs));
        if let (Some(renderer), Some(canvas)) = (&mut renderer, &canvas) {
            take_picture(&mut game, renderer, canvas)?;
            let input = FrameInput {
                sim: &game.sim,
                camera: &game.camera,
                lead: 0.0,
                ctx: &game.ctx,
                ui,
                picture: None,
            };
            let _ = renderer.draw(input, &[&canvas.view], picture.is_some());
            // Without a window, nothing limits the frame rate. Wait for the device, or work would
            // pile up.
            renderer.finish().map_err(|error| {
                format!(
                    "the graphics device was lost ({error}); try again, or use a smaller --size"
                )
            })?;
            if let Some(path) = picture {
                renderer
                    .save(canvas, &path)
                    .map_err(|error| error.to_string())?;
                game.overlay.restart_frame();
            }
        } else {
            ui.textures_delta.clear();
        }
    }
    game.end(args.memory_dump.as_deref())?;
    Ok(game.report(began.elapsed()))
}

/// Hands a picture of the frame that has just ended to the recording, if it is one of the slowest.
/// The canvas shows that frame until the next one is drawn.
fn take_picture(game: &mut Game, renderer: &Renderer, canvas: &Canvas) -> Result<(), String> {
    if let Some(frame) = game.overlay.wants_picture() {
        let pixels = renderer.pixels(canvas).map_err(|error| error.to_string())?;
        game.overlay.picture(frame, canvas.size, pixels);
        game.overlay.restart_frame();
    }
    Ok(())
}

fn renderer(gpu: Gpu, args: &Args) -> Renderer {
    let mut renderer = Renderer::new(gpu, args.size, FORMAT);
    renderer.sketches = args.has_folder();
    renderer
}

/// Handles a missing graphics adapter: a run that should write pictures fails, any other continues
/// and says so.
fn without_adapter(args: &Args, error: &GpuError) -> Result<(), String> {
    if args.screenshots().len() == 0 && !args.has_folder() {
        println!("simulating without drawing: {error}");
        return Ok(());
    }
    Err(error.to_string())
}

fn raw_input((width, height): (u32, u32), time_secs: f64) -> egui::RawInput {
    let screen =
        egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width as f32, height as f32));
    egui::RawInput {
        screen_rect: Some(screen),
        time: Some(time_secs),
        focused: true,
        ..Default::default()
    }
}
