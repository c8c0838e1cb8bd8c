//! The overlay as a host sees it: made once, drawn once a frame.

use egui::{Context, Key, Ui};
use stats_core::{Recorder, Source};

use crate::app::state::App;
use crate::cost::frame_clock::FrameClock;
use crate::cost::meter::{Stopwatch, count_end_frame};
use crate::input::mode::Mode;

/// The overlay: make one, call [`show`](Self::show) once a frame.
///
/// It begins [hidden](Mode::Hidden), with the frame time selected and F3 as its key. One overlay
/// belongs to one [`egui::Context`], and one context shows one overlay.
#[derive(Debug)]
pub struct StatsOverlay {
    recorder: Recorder,
    /// The history that the recorder was last told to keep.
    history: usize,
    clock: FrameClock,
    cost_clock: FrameClock,
    pub(crate) app: App,
    drawn: Option<Drawn>,
    /// Whether a frame of the own recorder is under way.
    has_begun: bool,
    #[cfg(feature = "winit")]
    gate: crate::input::winit::InputGate,
}

/// Whose data the views hold watches on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drawn {
    Own,
    Given,
}

impl StatsOverlay {
    /// An overlay with a recorder of its own, of the recorder's default history.
    #[must_use]
    pub fn new() -> Self {
        Self::with_recorder(Recorder::new())
    }

    /// An overlay that drives this recorder: one with a longer history, say.
    #[must_use]
    pub fn with_recorder(recorder: Recorder) -> Self {
        let mut app = App::default();
        let history = recorder.history_capacity();
        app.settings.history = history;
        Self {
            recorder,
            history,
            clock: FrameClock::default(),
            cost_clock: FrameClock::default(),
            app,
            drawn: None,
            has_begun: false,
            #[cfg(feature = "winit")]
            gate: crate::input::winit::InputGate::default(),
        }
    }

    /// Ends a frame of its own recorder, and draws what the mode asks for over the host's picture.
    ///
    /// The first call begins frame 0, which the second ends.
    ///
    /// Call it once in every frame, at any point of the host's UI code. Called more often (several
    /// passes, several viewports, [`ui`](Self::ui) as well) it still counts one frame.
    ///
    /// Hidden it takes the toggle key, asks for no repaint, lays nothing out and allocates nothing.
    /// HUD and full mode request a repaint with every frame, so that what they show is live.
    pub fn show(&mut self, ctx: &Context) {
        if !stats_core::ENABLED {
            return;
        }
        self.own_source(ctx);
        self.begin_cost(ctx);
        let stopwatch = self.stopwatch();
        self.app.show(ctx, &mut self.recorder);
        self.count_cost(stopwatch);
    }

    /// Draws from a source that the host drives: its own recorder, a capture, another machine. No
    /// frame is pushed.
    ///
    /// Pass the same source in every frame. Before another one is drawn call
    /// [`forget_source`](Self::forget_source); selected counters begin their history in it anew. That
    /// is done by itself where [`show`](Self::show) was called in between, and where the listing's
    /// generation or the number of frames went back.
    pub fn show_with(&mut self, ctx: &Context, source: &mut dyn Source) {
        if !stats_core::ENABLED {
            return;
        }
        self.draw_from(Drawn::Given);
        self.begin_cost(ctx);
        let stopwatch = self.stopwatch();
        self.app.show(ctx, source);
        self.count_cost(stopwatch);
    }

    /// Lets go of the source drawn so far: of its histories, its listing and, when paused, the copy
    /// of its values.
    ///
    /// Call it before drawing from another source. What is selected stays selected, and is looked for
    /// there.
    pub fn forget_source(&mut self) {
        self.app.detach();
    }

    /// Draws tree and views into a panel of the host, whatever the mode: they fill what is left of
    /// `ui`. Where that has no end, or nothing is left (low in a scroll area), they are as large as
    /// what is visible of it, or else 600 × 400 points.
    ///
    /// Drives the overlay's own recorder like [`show`](Self::show); both may be called in one
    /// frame. The toggle key and the keys of the full mode are left to `show`.
    pub fn ui(&mut self, ui: &mut Ui) {
        if !stats_core::ENABLED {
            return;
        }
        self.own_source(ui.ctx());
        self.begin_cost(ui.ctx());
        let stopwatch = Some(Stopwatch::start());
        self.app.embed(ui, &mut self.recorder);
        self.count_cost(stopwatch);
    }

    /// Draws tree and views of a source that the host drives into a panel of the host. No frame is
    /// pushed.
    pub fn ui_with(&mut self, ui: &mut Ui, source: &mut dyn Source) {
        if !stats_core::ENABLED {
            return;
        }
        self.draw_from(Drawn::Given);
        self.begin_cost(ui.ctx());
        let stopwatch = Some(Stopwatch::start());
        self.app.embed(ui, source);
        self.count_cost(stopwatch);
    }

    /// Whether the overlay has the keyboard and the pointer: in full mode.
    ///
    /// egui's own widgets get none of it by themselves. A game that reads the window's input should
    /// ignore it while this is true.
    #[must_use]
    pub fn wants_input(&self) -> bool {
        stats_core::ENABLED && self.app.visibility.mode == Mode::Full
    }

    /// How much of the overlay is on screen. [`Mode::Hidden`] at first.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.app.visibility.mode
    }

    /// Shows more or less of it, as the toggle key does.
    pub fn set_mode(&mut self, mode: Mode) {
        self.app.visibility.mode = mode;
    }

    /// The key that cycles hidden → HUD → full; `None` leaves that to [`set_mode`](Self::set_mode).
    /// Default: F3.
    ///
    /// It is taken only without modifiers, with the character that it types; no widget of the host
    /// that is drawn after [`show`](Self::show) sees either.
    pub fn set_key(&mut self, key: Option<Key>) {
        self.app.settings.key = key;
    }

    /// Whether an event of the window is the overlay's, so that the game must not see it: with the
    /// feature `winit`.
    ///
    /// Pass every event of the window, in order, whatever egui said of it. In full mode keys,
    /// buttons, the wheel, the pointer's movement, touches, gestures and text are the overlay's,
    /// otherwise only the toggle key is. The release of a key or a button goes to whoever saw it go
    /// down, so nothing sticks when the overlay opens or closes in between.
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
        self.gate
            .takes(event, self.app.visibility.mode, self.app.settings.key)
    }

    /// The overlay's own recorder.
    #[must_use]
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// The overlay's own recorder, to watch or read more with it.
    pub fn recorder_mut(&mut self) -> &mut Recorder {
        &mut self.recorder
    }

    /// Ends a frame of the own recorder where a new one began.
    fn own_source(&mut self, ctx: &Context) {
        self.draw_from(Drawn::Own);
        if self.history != self.app.settings.history {
            self.history = self.app.settings.history;
            self.recorder.set_history(self.history);
        }
        if self.clock.is_new_frame(ctx) {
            if std::mem::replace(&mut self.has_begun, true) {
                let stopwatch = Stopwatch::start();
                self.recorder.end_frame();
                count_end_frame(&stopwatch);
            } else {
                // What went by since the recorder was made, the loading of the game say, was no
                // frame.
                self.recorder.restart_frame();
            }
        }
    }

    /// Ends a frame of the overlay's own cost where a new one began.
    fn begin_cost(&mut self, ctx: &Context) {
        if self.cost_clock.is_new_frame(ctx) {
            self.app
                .pace
                .begin_frame(self.app.settings.overlay_budget_ms);
        }
    }

    /// Begins to measure what drawing costs; hidden there is nothing to measure.
    fn stopwatch(&self) -> Option<Stopwatch> {
        (self.app.visibility.mode != Mode::Hidden).then(Stopwatch::start)
    }

    fn count_cost(&mut self, stopwatch: Option<Stopwatch>) {
        if let Some(stopwatch) = stopwatch {
            self.app.pace.add_ms(stopwatch.elapsed_ms());
            // Not before there is something to see: one that stays hidden has no thread, and its
            // program no allocations of one.
            #[cfg(feature = "process")]
            stats_process::start();
        }
    }

    fn draw_from(&mut self, drawn: Drawn) {
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
