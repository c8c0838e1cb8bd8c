//! The host with a window: its event loop, its surface, and the frames drawn to it.
use std::sync::Arc;
use std::time::{Duration, Instant};

use stats_core::{Counter, Timer, TimerScope};
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::window::{Window, WindowId};

use crate::args::Args;
use crate::camera::Camera;
use crate::game::Game;
use crate::input::Input;
use crate::memory::RENDERING;
#[cfg(feature = "pads")]
use crate::pads::Pads;
use crate::plugins::Plugins;
use crate::puffin_scopes::PuffinScopes;
use crate::render::gpu::Gpu;
use crate::render::{FrameInput, Renderer, SmallPicture};
use crate::report::Report;
use crate::script::Script;

static ACQUIRE: Timer = Timer::new("window/acquire")
    .wait()
    .describe("waiting for the next texture of the window");
static PRESENT: Timer = Timer::new("window/present")
    .wait()
    .describe("handing the texture back to the window, which may wait for the display");
static VSYNC: Timer = Timer::new("window/vsync").wait().describe(
    "waiting until the window system wants the next frame; under Wayland, that is the display",
);
static SKIPPED: Counter = Counter::new("window/skipped-frames")
    .describe("frames that were not drawn: minimized, hidden, or no texture in time");
static RECONFIGURED: Counter =
    Counter::new("window/reconfigured").describe("times the surface was reconfigured");
static REBUILT: Counter = Counter::new("window/device-rebuilt")
    .describe("times the device was lost and the renderer recreated");
static EVENTS: Counter = Counter::new("window/events").describe("events from the window system");

/// Runs until the window is closed or the script is over. Returns the report of a scripted run.
pub(crate) fn run(args: &Args) -> Result<Option<Report>, String> {
    let events = EventLoop::new().map_err(|error| {
        format!(
            "there is no display to open a window on; start one (Xvfb :99 & export DISPLAY=:99), use ./scripts/demo, \
             or run without a window: --headless --smoke 10. The window system reports: {error}"
        )
    })?;
    // Each frame requests the next one. Under Wayland it comes when the compositor wants it, and polling
    // would keep a processor busy until then.
    events.set_control_flow(ControlFlow::Wait);
    let mut app = App {
        game: Game::new(args, true),
        script: Script::new(args),
        puffin: PuffinScopes::new(args.puffin),
        plugins: Plugins::new(args.plugin.as_deref())?,
        args,
        input: Input::default(),
        #[cfg(feature = "pads")]
        pads: Pads::new(),
        screen: None,
        began: Instant::now(),
        last: Instant::now(),
        idle: None,
        failed: None,
    };
    let ran = events
        .run_app(&mut app)
        .map_err(|error| format!("the window system ended the game ({error})"));
    // The settings are saved and the dump is written even if something went wrong.
    let ended = app.game.end(args.memory_dump.as_deref());
    ran?;
    if let Some(error) = app.failed {
        return Err(error);
    }
    ended?;
    Ok(args
        .is_scripted()
        .then(|| app.game.report(app.began.elapsed())))
}

struct App<'a> {
    args: &'a Args,
    game: Game,
    script: Script,
    puffin: PuffinScopes,
    plugins: Plugins,
    input: Input,
    #[cfg(feature = "pads")]
    pads: Pads,
    screen: Option<Screen>,
    began: Instant,
    last: Instant,
    /// The time between two frames.
    idle: Option<TimerScope>,
    failed: Option<String>,
}

/// Everything that exists only while a window is open.
struct Screen {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    renderer: Renderer,
    egui: egui_winit::State,
}

impl ApplicationHandler for App<'_> {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.screen.is_some() {
            return;
        }
        match Screen::open(event_loop, self.args, &self.game.ctx) {
            Ok(screen) => {
                self.game.overlay.set_gpu(&screen.renderer.gpu);
                self.screen = Some(screen);
            }
            Err(error) => self.fail(event_loop, error),
        }
        (self.began, self.last) = (Instant::now(), Instant::now());
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        EVENTS.increment();
        let Some(screen) = &mut self.screen else {
            return;
        };
        // Whether egui consumed the event does not matter: it claims Tab even if it has no widget
        // to move the focus to. `Input::take` asks the overlay instead.
        if !(self.args.has_folder() && is_pointer(&event)) {
            let _ = screen.egui.on_window_event(&screen.window, &event);
        }
        if self
            .input
            .take(&event, &mut self.game.overlay)
            .is_some_and(|command| self.game.obey(command))
        {
            event_loop.exit();
        }
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Resized(size) => screen.resize(size),
            WindowEvent::RedrawRequested => {
                self.idle = None;
                self.frame(event_loop);
                self.idle = Some(VSYNC.scope());
            }
            _ => {}
        }
    }

    fn about_to_wait(&mut self, _: &ActiveEventLoop) {
        if let Some(screen) = &self.screen {
            screen.window.request_redraw();
        }
    }
}

impl App<'_> {
    fn fail(&mut self, event_loop: &ActiveEventLoop, error: String) {
        self.failed = Some(error);
        event_loop.exit();
    }

    fn frame(&mut self, event_loop: &ActiveEventLoop) {
        self.script.wait();
        self.puffin.begin_frame();
        self.plugins.frame(&mut self.game.overlay);
        let elapsed = self.last.elapsed();
        self.last = Instant::now();
        let input = &self.input;
        #[cfg(not(feature = "pads"))]
        let controls = |camera: &Camera| input.controls(camera);
        #[cfg(feature = "pads")]
        let controls = {
            self.pads.frame(&mut self.game.overlay);
            |camera: &Camera| self.pads.controls(input.controls(camera), camera)
        };
        self.game.simulate(elapsed, controls, self.script.end());
        let picture = self.script.follow(&mut self.game);
        let Some(screen) = &mut self.screen else {
            return;
        };
        if screen.renderer.gpu.is_lost() {
            REBUILT.increment();
            // Dropped first: two surfaces cannot share a window.
            self.screen = None;
            return self.resumed(event_loop);
        }
        if let Err(error) = screen.draw(&mut self.game, picture.as_deref()) {
            return self.fail(event_loop, error);
        }
        if picture.is_some() {
            self.game.overlay.restart_frame();
        }
        if self.script.is_over(&self.game) {
            event_loop.exit();
        }
    }
}

/// Returns whether an event moves the pointer. A tour ignores these: wherever the pointer happens
/// to be, it must not show in the pictures.
fn is_pointer(event: &WindowEvent) -> bool {
    matches!(
        event,
        WindowEvent::CursorMoved { .. } | WindowEvent::CursorEntered { .. }
    )
}

impl Screen {
    fn open(
        event_loop: &ActiveEventLoop,
        args: &Args,
        ctx: &egui::Context,
    ) -> Result<Self, String> {
        let _memory = stats_memory::scope!("window", group: RENDERING);
        let attributes = Window::default_attributes()
            .with_title("Hollow")
            .with_inner_size(PhysicalSize::new(args.size.0, args.size.1));
        let window = event_loop
            .create_window(attributes)
            .map(Arc::new)
            .map_err(|error| format!("the window could not be opened ({error}); run without one: --headless --smoke 10"))?;
        let (gpu, surface) =
            Gpu::new(Some(&window), args.gpu_timing).map_err(|error| error.to_string())?;
        let surface = surface.ok_or(
            "the window has no surface to draw to; run without a window: --headless --smoke 10",
        )?;
        let size = window.inner_size();
        let mut config = surface
            .get_default_config(&gpu.adapter, size.width.max(1), size.height.max(1))
            .ok_or(
                "the graphics adapter cannot draw to this window; run without one: --headless --smoke 10",
            )?;
        let formats = surface.get_capabilities(&gpu.adapter).formats;
        config.format =
            egui_wgpu::preferred_framebuffer_format(&formats).map_err(|error| error.to_string())?;
        config.present_mode = if args.vsync {
            wgpu::PresentMode::AutoVsync
        } else {
            wgpu::PresentMode::AutoNoVsync
        };
        surface.configure(&gpu.device, &config);
        let side = gpu.device.limits().max_texture_dimension_2d as usize;
        let egui = egui_winit::State::new(
            ctx.clone(),
            egui::ViewportId::ROOT,
            &window,
            None,
            None,
            Some(side),
        );
        let mut renderer = Renderer::new(gpu, (config.width, config.height), config.format);
        renderer.sketches = args.has_folder();
        Ok(Self {
            window,
            surface,
            config,
            renderer,
            egui,
        })
    }

    fn resize(&mut self, size: PhysicalSize<u32>) {
        // A minimized window has no size. Its frames are skipped until it has one again.
        if size.width > 0 && size.height > 0 {
            (self.config.width, self.config.height) = (size.width, size.height);
            self.reconfigure();
            self.renderer.resize((size.width, size.height));
        }
    }

    fn reconfigure(&self) {
        RECONFIGURED.increment();
        self.surface
            .configure(&self.renderer.gpu.device, &self.config);
    }

    /// Draws the frame, and also writes it to the file `picture`. The egui pass runs even if there
    /// is no texture to draw to, so that every frame is counted.
    fn draw(&mut self, game: &mut Game, picture: Option<&std::path::Path>) -> Result<(), String> {
        game.overlay.follow_window(&self.window);
        game.camera.resize(self.renderer.size());
        let mut output = game.ui(self.egui.take_egui_input(&self.window));
        let platform = std::mem::take(&mut output.platform_output);
        self.egui.handle_platform_output(&self.window, platform);
        let texture = self.acquire();
        let view = texture
            .as_ref()
            .map(|texture| texture.texture.create_view(&Default::default()));
        if view.is_none() {
            SKIPPED.increment();
            // Without a texture nothing waits for the display, so the loop would spin.
            std::thread::sleep(Duration::from_millis(10));
        }
        let input = FrameInput {
            sim: &game.sim,
            camera: &game.camera,
            lead: game.lead(),
            ctx: &game.ctx,
            ui: output,
            picture: (game.overlay.may_want_pictures()).then(|| SmallPicture {
                frame: game.overlay.frame(),
                wanted: game.overlay.wanted_picture(),
            }),
        };
        let canvas = picture.map(|path| (self.renderer.canvas(), path));
        let onto: Vec<&wgpu::TextureView> = view
            .iter()
            .chain(canvas.iter().map(|(canvas, _)| &canvas.view))
            .collect();
        if let Some(picture) = self.renderer.draw(input, &onto, canvas.is_some()) {
            game.overlay.take_picture(picture);
        }
        if let Some(texture) = texture {
            let _memory = stats_memory::scope!("window", group: RENDERING);
            if self.config.present_mode == wgpu::PresentMode::AutoVsync {
                self.window.pre_present_notify();
            }
            PRESENT.time(|| self.renderer.gpu.queue.present(texture));
        }
        canvas.map_or(Ok(()), |(canvas, path)| {
            self.renderer
                .save(&canvas, path)
                .map_err(|error| error.to_string())
        })
    }

    fn acquire(&self) -> Option<wgpu::SurfaceTexture> {
        use wgpu::CurrentSurfaceTexture as Acquired;
        let _scope = stats_memory::scope!(ACQUIRE, group: RENDERING);
        let size = self.window.inner_size();
        if size.width == 0 || size.height == 0 || self.window.is_minimized() == Some(true) {
            return None;
        }
        match self.surface.get_current_texture() {
            Acquired::Success(texture) | Acquired::Suboptimal(texture) => Some(texture),
            Acquired::Outdated | Acquired::Lost => {
                self.reconfigure();
                None
            }
            _ => None,
        }
    }
}
