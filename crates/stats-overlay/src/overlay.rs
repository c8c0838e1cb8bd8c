use egui::{Context, Key, Ui};
use stats_core::{Recorder, Source};

use crate::clock::FrameClock;
use crate::views::{Mode, View, Views};

/// The overlay: make one, call [`show`](Self::show) once a frame.
///
/// It begins [hidden](Mode::Hidden), with the frame time ticked and F3 as its key. One overlay belongs to one
/// [`egui::Context`], and one context shows one overlay.
#[derive(Debug)]
pub struct StatsOverlay {
    recorder: Recorder,
    clock: FrameClock,
    views: Views,
    drawn: Option<Drawn>,
    /// Whether a frame of the own recorder is under way.
    has_begun: bool,
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
        Self { recorder, clock: FrameClock::default(), views: Views::new(), drawn: None, has_begun: false }
    }

    /// Ends a frame of its own recorder, and draws what the mode asks for over the host's picture.
    ///
    /// The first call begins frame 0, which the second ends.
    ///
    /// Call it once in every frame, at any point of the host's UI code. Called more often (several passes, several
    /// viewports, [`ui`](Self::ui) as well) it still counts one frame.
    ///
    /// Hidden it takes the toggle key, asks for no repaint, lays nothing out and allocates nothing. HUD and full mode
    /// request a repaint with every frame, so that what they show is live.
    pub fn show(&mut self, ctx: &Context) {
        if !stats_core::ENABLED {
            return;
        }
        self.own_source(ctx);
        self.views.show(ctx, &mut self.recorder);
    }

    /// Draws from a source that the host drives: its own recorder, a capture, another machine. No frame is pushed.
    ///
    /// Pass the same source in every frame. Before another one is drawn call [`forget_source`](Self::forget_source); ticked
    /// counters begin their history in it anew. That is done by itself where [`show`](Self::show) was called in between, and
    /// where the listing's generation or the number of frames went back.
    pub fn show_with(&mut self, ctx: &Context, source: &mut dyn Source) {
        if !stats_core::ENABLED {
            return;
        }
        self.draw_from(Drawn::Given);
        self.views.show(ctx, source);
    }

    /// Lets go of the source drawn so far: of its histories, its listing and, when paused, the copy of its values.
    ///
    /// Call it before drawing from another source. What is ticked stays ticked, and is looked for there.
    pub fn forget_source(&mut self) {
        self.views.detach();
    }

    /// Draws tree and views into a panel of the host, whatever the mode: they fill what is left of `ui`.
    /// Where that has no end, or nothing is left (low in a scroll area), they are as large as what is visible of it, or else
    /// 600 × 400 points.
    ///
    /// Drives the overlay's own recorder like [`show`](Self::show); both may be called in one frame. The toggle key and
    /// the keys of the full mode are left to `show`.
    pub fn ui(&mut self, ui: &mut Ui) {
        if !stats_core::ENABLED {
            return;
        }
        self.own_source(ui.ctx());
        self.views.embed(ui, &mut self.recorder);
    }

    /// Draws tree and views of a source that the host drives into a panel of the host. No frame is pushed.
    pub fn ui_with(&mut self, ui: &mut Ui, source: &mut dyn Source) {
        if !stats_core::ENABLED {
            return;
        }
        self.draw_from(Drawn::Given);
        self.views.embed(ui, source);
    }

    /// Whether the overlay has the keyboard and the pointer: in full mode.
    ///
    /// egui's own widgets get none of it by themselves. A game that reads the window's input should ignore it while this
    /// is true.
    #[must_use]
    pub fn wants_input(&self) -> bool {
        stats_core::ENABLED && self.views.mode == Mode::Full
    }

    /// How much of the overlay is on screen. [`Mode::Hidden`] at first.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.views.mode
    }

    /// Shows more or less of it, as the toggle key does.
    pub fn set_mode(&mut self, mode: Mode) {
        self.views.mode = mode;
    }

    /// The key that cycles hidden → HUD → full; `None` leaves that to [`set_mode`](Self::set_mode). Default: F3.
    ///
    /// It is taken only without modifiers, with the character that it types; no widget of the host that is drawn after
    /// [`show`](Self::show) sees either.
    pub fn set_key(&mut self, key: Option<Key>) {
        self.views.key = key;
    }

    /// What stands in the search box of the tree.
    #[must_use]
    pub fn search(&self) -> &str {
        &self.views.tree.typed
    }

    /// Searches the tree as if this had been typed. Empty shows everything.
    pub fn set_search(&mut self, terms: &str) {
        terms.clone_into(&mut self.views.tree.typed);
    }

    /// Ticks or unticks a series by its path; [`FRAME_TIME`](crate::FRAME_TIME) is ticked at first.
    ///
    /// A path that nothing is registered under yet is kept, shown as missing, and watched from when it exists. Not more
    /// than [`MAX_TICKED`](crate::MAX_TICKED) are ticked at a time. The calls of a timer have the path `<timer>/calls`, or
    /// `<timer>/calls (timer)` where another series has that one.
    pub fn set_ticked(&mut self, path: &str, ticked: bool) {
        self.views.selection.set(path, ticked);
    }

    /// The ticked paths, in the order of ticking.
    pub fn ticked(&self) -> impl Iterator<Item = &str> {
        self.views.selection.ticked().iter().map(|ticked| ticked.path.as_str())
    }

    /// How the ticked series are shown. [`View::Graph`] at first.
    #[must_use]
    pub fn view(&self) -> View {
        self.views.view
    }

    /// Shows the ticked series as a graph or as a table.
    pub fn set_view(&mut self, view: View) {
        self.views.view = view;
    }

    /// Whether the views stand still.
    #[must_use]
    pub fn paused(&self) -> bool {
        self.views.is_paused()
    }

    /// Makes the views stand still, or live again. Recording goes on either way.
    ///
    /// What is shown is copied at the moment of pausing, that is with the next call that draws: about 32 KiB for each
    /// ticked series with the recorder's default history.
    pub fn set_paused(&mut self, paused: bool) {
        self.views.set_paused(paused, None);
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
        if self.clock.is_new_frame(ctx) {
            if std::mem::replace(&mut self.has_begun, true) {
                self.recorder.push_frame();
            } else {
                // What went by since the recorder was made, the loading of the game say, was no frame.
                self.recorder.restart_frame();
            }
        }
    }

    fn draw_from(&mut self, drawn: Drawn) {
        if self.drawn.is_some_and(|before| before != drawn) {
            self.views.detach();
        }
        self.drawn = Some(drawn);
    }
}

impl Default for StatsOverlay {
    fn default() -> Self {
        Self::new()
    }
}
