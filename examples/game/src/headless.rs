//! A run without a window: simulation, and pictures where a graphics adapter exists.
use std::time::{Duration, Instant};

use crate::args::Args;
use crate::game::{Ending, Game};
use crate::render::gpu::{Gpu, GpuError};
use crate::render::{Renderer, Shot};
use crate::scopes::Scopes;
use crate::script::Script;
use crate::sim::player::Controls;

/// The format of pictures, which is that of most windows.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Plays to the end of the script; what there is to say, or what went wrong.
pub(crate) fn run(args: &Args) -> Result<Ending, String> {
    let mut script = Script::new(args);
    let scopes = Scopes::new(args.puffin);
    let mut renderer = match Gpu::new(None, args.gpu_timing) {
        Ok((gpu, _)) => Some(renderer(gpu, args)),
        Err(error) => {
            without_adapter(args, &error)?;
            None
        }
    };
    let canvas = renderer.as_ref().map(Renderer::canvas);
    let mut game = Game::new(args, renderer.is_some());
    let began = Instant::now();
    while !script.is_over(&game) {
        script.wait();
        scopes.begin_frame();
        game.simulate(Duration::ZERO, |_| Controls::default(), script.end());
        let picture = script.follow(&mut game);
        let mut ui = game.ui(raw_input(args.size, began.elapsed()));
        if let (Some(renderer), Some(canvas)) = (&mut renderer, &canvas) {
            let shot = Shot {
                sim: &game.sim,
                camera: &game.camera,
                lead: 0.0,
                ctx: &game.ctx,
                ui,
            };
            renderer.draw(shot, &[&canvas.view], picture.is_some());
            // Without a window nothing paces the frames, so wait for the device rather than pile up
            // work.
            renderer.finish().map_err(|error| {
                format!(
                    "the graphics device was lost ({error}); run again, or with a smaller --size"
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
    Ok(game.ending(began.elapsed()))
}

fn renderer(gpu: Gpu, args: &Args) -> Renderer {
    let mut renderer = Renderer::new(gpu, args.size, FORMAT);
    renderer.sketches = args.tour.is_some();
    renderer
}

/// Without an adapter a run that was to leave pictures fails; any other goes on, and says so.
fn without_adapter(args: &Args, error: &GpuError) -> Result<(), String> {
    if args.screenshots.is_empty() && args.tour.is_none() {
        println!("simulating without drawing: {error}");
        return Ok(());
    }
    Err(error.to_string())
}

fn raw_input((width, height): (u32, u32), time: Duration) -> egui::RawInput {
    let screen =
        egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width as f32, height as f32));
    egui::RawInput {
        screen_rect: Some(screen),
        time: Some(time.as_secs_f64()),
        focused: true,
        ..Default::default()
    }
}
