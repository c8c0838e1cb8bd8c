//! The overlay as a host sees it. The host creates it once and draws it once a frame.

use std::fmt;

use egui::{Context, Key, Ui};
use stats_core::{Recorder, Source, own_memory};
use stats_ui::instant::Instant;

use crate::app::flight_recorder::FlightRecorder;
use crate::app::state::App;
use crate::cost::frame_clock::FrameClock;
use crate::cost::meter::count_end_frame;
use crate::cost::sleep::HostSleep;
use crate::cost::stopwatch::Stopwatch;
use crate::input::mode::Mode;

/// The overlay. Create one, and call [`show`](Self::show) once a frame.
///
/// It begins [hidden](Mode::Hidden), with the frame time selected and F3 as its key. One overlay
/// belongs to one [`egui::Context`], and one context shows one overlay.
pub struct StatsOverlay {
    recorder: Recorder,
    /// The history capacity last set on the recorder, in frames.
    history: usize,
    clock: FrameClock,
    sleep: HostSleep,
    cost_clock: FrameClock,
    pub(crate) app: App,
    drawn: Option<DrawnSource>,
    /// Whether the first frame of the overlay's own recorder has begun.
    has_begun: bool,
    /// Whether the host ends the frames of the overlay's own recorder.
    host_ends_frames: bool,
    #[cfg(feature = "gilrs")]
    /// In a mutex only because it is not `Sync`, and the overlay is. Nothing locks it.
    pub(crate) pads: Option<std::sync::Mutex<gilrs::Gilrs>>,
    #[cfg(feature = "winit")]
    gate: crate::input::winit::InputGate,
    /// When the window system was asked for the monitor.
    #[cfg(feature = "winit")]
    asked_monitor: Option<Instant>,
}

/// Tells the mode, and not the state of the views, so that a game compiles no code that prints it.
impl fmt::Debug for StatsOverlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StatsOverlay")
            .field("mode", &self.mode())
            .finish_non_exhaustive()
    }
}

/// A host may share the overlay between threads, as Bevy does with a resource. In a browser, the
/// game pads belong to one thread.
#[cfg(not(target_arch = "wasm32"))]
const _: () = {
    const fn is_shareable<T: Send + Sync>() {}
    is_shareable::<StatsOverlay>();
};

/// The source that the views watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DrawnSource {
    Own,
    Given,
}

impl StatsOverlay {
    /// Creates an overlay with a recorder of its own, which keeps the default history.
    #[must_use]
    pub fn new() -> Self {
        Self::with_recorder(Recorder::new())
    }

    /// Creates an overlay that drives this recorder, for example one with a longer history.
    #[must_use]
    pub fn with_recorder(recorder: Recorder) -> Self {
        let _memory = own_memory("stats-overlay");
        let mut app = App::default();
        let history = recorder.history_capacity();
        app.settings.history = history;
        app.flight = FlightRecorder::from_env();
        Self {
            recorder,
            history,
            clock: FrameClock::default(),
            sleep: HostSleep::default(),
            cost_clock: FrameClock::default(),
            app,
            drawn: None,
            has_begun: false,
            host_ends_frames: false,
            #[cfg(feature = "gilrs")]
            pads: None,
            #[cfg(feature = "winit")]
            gate: crate::input::winit::InputGate::default(),
            #[cfg(feature = "winit")]
            asked_monitor: None,
        }
    }

    /// Creates the overlay of a program that only shows what another program did or does: full,
    /// without a key, as nothing is below it, and without the questions about a game.
    #[must_use]
    pub fn viewer() -> Self {
        let mut overlay = Self::new();
        overlay.set_key(None);
        overlay.set_mode(Mode::Full);
        overlay.app.settings.first_steps = false;
        overlay.app.refresh_rate.is_viewer = true;
        overlay
    }

    /// Ends a frame of the overlay's own recorder, and draws the overlay over the host's picture.
    ///
    /// The first call begins frame 0, which the second call ends.
    ///
    /// While the overlay is hidden, time in which the host sleeps belongs to no frame. The host sleeps
    /// if there is no pass for more than 0.1 s, nothing requests an immediate repaint, and the thread
    /// works for less than half of that time. An input, a change of the window or a requested delay ends
    /// the sleep. The overlay does not read the work on Windows and in browsers, so a long frame before
    /// an input looks like sleep there. A game that draws ten passes without requests and inputs never
    /// sleeps.
    ///
    /// While the overlay is visible, the time in which eframe draws nothing, because its window is
    /// covered or minimized, belongs to no frame, unless the thread works for half of it.
    ///
    /// Call it once a frame, anywhere in the host's UI code. Several calls in one frame, as with
    /// several passes or viewports or with [`ui`](Self::ui), count as one frame, and only the first
    /// one in a pass of a viewport draws.
    ///
    /// A hidden overlay only takes the toggle key. It requests no repaint, performs no layout and,
    /// unless it looks for [hitches](crate::Settings::hitches_while_hidden), allocates nothing.
    /// Every other mode requests a repaint in every frame, because it shows live values.
    pub fn show(&mut self, ctx: &Context) {
        self.draw(ctx, None, false, &mut |app, source| app.show(ctx, source));
    }

    /// Ends a frame of the overlay's own recorder. From the first call on, drawing no longer ends
    /// frames.
    ///
    /// Call it once a frame in a host that does not draw at the end of its frames, such as Bevy.
    /// The first call begins frame 0.
    pub fn end_frame(&mut self) {
        let _memory = own_memory("stats-overlay");
        if !stats_core::ENABLED {
            return;
        }
        self.host_ends_frames = true;
        self.apply_history();
        self.end_own_frame();
    }

    /// Draws from a source that the host drives, such as its own recorder, a capture or another
    /// machine. Does not end a frame.
    ///
    /// Pass the same source in every frame. Call [`forget_source`](Self::forget_source) before
    /// drawing another one; selected counters then begin a new history. The overlay does so itself
    /// if [`show`](Self::show) was called in between, or if the generation of the listing or the
    /// number of frames is lower than before.
    pub fn show_with(&mut self, ctx: &Context, source: &mut dyn Source) {
        self.draw(ctx, Some(source), false, &mut |app, source| {
            app.show(ctx, source)
        });
    }

    /// Forgets the current source: its histories, its listing and, while paused, the copy of its
    /// values.
    ///
    /// Call it before drawing from another source. Selected counters stay selected, and are looked
    /// up in the next source.
    pub fn forget_source(&mut self) {
        let _memory = own_memory("stats-overlay");
        self.app.detach();
    }

    /// Draws the tree and the panes into a panel of the host, in any mode. They fill the rest of
    /// `ui`. A side that is infinite or empty, as in a scroll area, gets the length of its visible
    /// part. If that is infinite, too, the panel is 600 points wide or 400 points high.
    ///
    /// Drives the overlay's own recorder like [`show`](Self::show); both may be called in one
    /// frame. Only `show` takes the toggle key and the keys of full mode; `ui` takes the key that the
    /// user binds in the settings. Requests a repaint in every frame.
    pub fn ui(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        self.draw(&ctx, None, true, &mut |app, source| app.embed(ui, source));
    }

    /// Draws the tree and the panes into a panel of the host, from a source that the host drives.
    /// Does not end a frame.
    pub fn ui_with(&mut self, ui: &mut Ui, source: &mut dyn Source) {
        let ctx = ui.ctx().clone();
        self.draw(&ctx, Some(source), true, &mut |app, source| {
            app.embed(ui, source)
        });
    }

    /// Returns whether the overlay has the keyboard and the pointer, which it has in full mode.
    ///
    /// Other egui widgets then get no input, except those in layers above it, of `Order::Tooltip`
    /// or `Order::Debug`. A game that reads the window's input itself should ignore it while this
    /// is true. It stays true while the host does not call [`show`](Self::show): set
    /// [`Mode::Hidden`] before a part of the program without the overlay.
    #[must_use]
    pub fn wants_input(&self) -> bool {
        stats_core::ENABLED && self.app.visibility.mode == Mode::Full
    }

    /// Returns how much of the overlay is on screen. The initial mode is [`Mode::Hidden`].
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.app.visibility.mode
    }

    /// Sets how much of the overlay is on screen, as the toggle key does.
    pub fn set_mode(&mut self, mode: Mode) {
        let _memory = own_memory("stats-overlay");
        self.app.visibility.mode = mode;
    }

    /// Sets the key that cycles hidden → HUD → watch → full. `None` leaves that to
    /// [`set_mode`](Self::set_mode) and to actions. Default: F3.
    ///
    /// The key acts only without modifiers. Widgets of the host that are drawn after
    /// [`show`](Self::show) see neither the key nor the character that it types.
    pub fn set_key(&mut self, key: Option<Key>) {
        self.app.settings.key = key;
    }

    /// Returns whether an event of the window belongs to the overlay. The game must not see such an
    /// event. Requires the feature `winit`.
    ///
    /// Pass every event of the window, in order, regardless of egui's response. In full mode, keys,
    /// buttons, the wheel, pointer movement, touches, gestures and text belong to the overlay; in
    /// the other modes, only the toggle key does. The release of a key or a button belongs to the
    /// side that got its press, so nothing sticks when the overlay opens or closes in between.
    ///
    /// ```ignore
    /// fn window_event(&mut self, _: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
    ///     let _ = self.egui.on_window_event(&self.window, &event);
    ///     if !self.overlay.consumes(&event) {
    ///         self.game.input(&event);
    ///     }
    /// }
    /// ```
    #[cfg(feature = "winit")]
    pub fn consumes(&mut self, event: &winit::event::WindowEvent) -> bool {
        let _memory = own_memory("stats-overlay");
        self.gate
            .takes(event, self.app.visibility.mode, self.app.settings.key)
    }

    /// Tells all readers the refresh rate of the monitor that shows a window, with
    /// [`stats_core::set_refresh_hz`]. Requires the feature `winit`.
    ///
    /// Call it in every frame. It asks the window system for the monitor only once in two seconds,
    /// which takes some microseconds. If the window system does not know the rate, nothing changes.
    #[cfg(feature = "winit")]
    pub fn follow_window(&mut self, window: &winit::window::Window) {
        let now = Instant::now();
        let is_due = (self.asked_monitor).is_none_or(|asked| {
            now.saturating_duration_since(asked) >= std::time::Duration::from_secs(2)
        });
        if stats_core::ENABLED && is_due {
            self.asked_monitor = Some(now);
            let monitor = window.current_monitor();
            let rate = monitor.and_then(|monitor| monitor.refresh_rate_millihertz());
            if let Some(millihertz) = rate {
                stats_core::set_refresh_hz(Some(f64::from(millihertz) / 1e3));
            }
        }
    }

    /// Returns the overlay's own recorder.
    #[must_use]
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// Returns the overlay's own recorder for changes, such as watching more series.
    pub fn recorder_mut(&mut self) -> &mut Recorder {
        &mut self.recorder
    }

    /// Draws from a source, or else from the overlay's own recorder. A panel of the host is on screen
    /// in any mode.
    fn draw(
        &mut self,
        ctx: &Context,
        source: Option<&mut dyn Source>,
        is_embedded: bool,
        draw: &mut dyn FnMut(&mut App, &mut dyn Source),
    ) {
        let _memory = own_memory("stats-overlay");
        if !stats_core::ENABLED {
            return;
        }
        #[cfg(feature = "gilrs")]
        self.poll_pads();
        match source {
            Some(_) => self.draw_from(DrawnSource::Given),
            None => self.own_source(ctx),
        }
        let is_seen = is_embedded || self.app.visibility.mode != Mode::Hidden;
        if is_seen || self.app.refresh_rate.cost.is_to_end() {
            self.begin_cost(ctx);
        }
        let seen = is_seen.then(Stopwatch::start);
        match source {
            Some(source) => draw(&mut self.app, source),
            None => draw(&mut self.app, &mut self.recorder),
        }
        if is_embedded || self.app.visibility.mode != Mode::Hidden {
            self.sleep.note_asked(ctx);
        }
        let opened = self.app.refresh_rate.opened.take();
        if let Some(stopwatch) = seen.or(opened) {
            self.count_cost(ctx, &stopwatch);
        }
    }

    /// Ends a frame of the overlay's own recorder if a new frame of the host began.
    fn own_source(&mut self, ctx: &Context) {
        self.draw_from(DrawnSource::Own);
        self.apply_history();
        if self.clock.is_new_frame(ctx) && !self.host_ends_frames {
            if self.sleep.has_slept(ctx) {
                self.recorder.restart_frame();
                self.app.recording.restart_frame();
            } else {
                self.end_own_frame();
            }
        }
    }

    /// Sets the history capacity from the settings.
    fn apply_history(&mut self) {
        if self.history != self.app.settings.history {
            self.history = self.app.settings.history;
            self.recorder.set_history(self.history);
        }
    }

    fn end_own_frame(&mut self) {
        if std::mem::replace(&mut self.has_begun, true) {
            let start = Instant::now();
            self.recorder.end_frame();
            count_end_frame(start);
        } else {
            // The time since the recorder was created, such as the loading of the game, does not
            // count as a frame.
            self.recorder.restart_frame();
        }
    }

    /// Ends a frame of the cost meter if a new frame of the host began.
    fn begin_cost(&mut self, ctx: &Context) {
        if self.cost_clock.is_new_frame(ctx) {
            let budget_ms = self.app.settings.overlay_budget_ms;
            self.app.refresh_rate.cost.begin_frame(budget_ms);
        }
    }

    /// Adds the time since the overlay began to draw.
    fn count_cost(&mut self, ctx: &Context, stopwatch: &Stopwatch) {
        // The frame in which the overlay opens has not begun for the meter.
        self.begin_cost(ctx);
        self.app.refresh_rate.cost.add_ms(stopwatch.elapsed_ms());
        // Wait until something is visible: starting a thread allocates, and a hidden overlay must not
        // allocate.
        #[cfg(feature = "process")]
        {
            stats_process::sample_memory();
            stats_process::keep_sampling_if_started();
        }
    }

    fn draw_from(&mut self, drawn: DrawnSource) {
        if self.drawn.is_some_and(|before| before != drawn) {
            self.app.detach();
        }
        self.drawn = Some(drawn);
    }
}

impl Default for StatsOverlay {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use egui::{Event, Modifiers, RawInput};

    use super::*;

    #[test]
    fn the_frame_in_which_a_key_opens_the_overlay_is_measured_and_hidden_frames_are_not() {
        if !stats_core::ENABLED {
            return;
        }
        let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
        let has_drawn = |overlay: &mut StatsOverlay, key: Option<Key>| {
            let press_and_release = |key| {
                [true, false].map(|pressed| Event::Key {
                    key,
                    physical_key: None,
                    pressed,
                    repeat: false,
                    modifiers: Modifiers::NONE,
                })
            };
            let input = RawInput {
                events: key.into_iter().flat_map(press_and_release).collect(),
                ..RawInput::default()
            };
            let mut output = ctx.run_ui(input, |ui| overlay.show(ui.ctx()));
            output.textures_delta.clear();
            overlay.app.refresh_rate.cost.is_to_end()
        };
        for _ in 0..2 {
            assert!(!has_drawn(&mut overlay, None), "hidden");
            // The first time, the overlay loads its fonts instead.
            overlay.set_mode(Mode::Hud);
            (0..3).for_each(|_| _ = has_drawn(&mut overlay, None));
            overlay.set_mode(Mode::Hidden);
            has_drawn(&mut overlay, None);
            assert!(!has_drawn(&mut overlay, None), "hidden again");
            assert!(has_drawn(&mut overlay, Some(Key::F3)), "opened");
            assert_eq!(overlay.mode(), Mode::Hud);
            overlay.set_mode(Mode::Hidden);
            has_drawn(&mut overlay, None);
        }
    }
}
