//! Everything that touches the statistics overlay: creating and showing it, sharing the input with
//! it, marking frames, presets, its settings file, recordings of the run, and viewers elsewhere.
mod histories;
pub(crate) mod marks;
mod pace;
mod presets;
pub(crate) mod settings;
mod slow_frames;

use std::path::PathBuf;

use stats_capture::{RecordingOptions, Recordings};
use stats_config::Config;
use stats_core::{Histogram, Mark, MarkEvent, Precision, Recorder, Timer, Unit};
use stats_gpu::FramePicture;
use stats_overlay::{Action, Mode, PaneView, SavedState, Settings, StatsOverlay};
#[cfg(feature = "pads")]
use stats_overlay::{PadButton, Press};
use stats_remote::{Remote, RemoteOptions};
use winit::event::WindowEvent;

use crate::memory::{self, UI};
use crate::render::gpu::Gpu;
use histories::Histories;
use marks::LOADING;
use pace::Paced;
pub(crate) use presets::{DISTRIBUTIONS, GPU, MEMORY, MEMORY_AND_NETWORK, STATISTICS};
use settings::SettingsFile;
use slow_frames::SlowFrames;

static SHOW: Timer = Timer::new("frame/overlay")
    .describe("the overlay, as measured by the game. The overlay watches its own budget, which is in its settings");
static FRAME: Histogram = Histogram::new("frame/time")
    .unit(Unit::Milliseconds)
    .precision(Precision::FourDigits)
    .describe("every frame of the run except while loading, as measured by the overlay's recorder");

/// The view of the overlay when the game starts: the values of `--overlay`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Start {
    Hidden,
    Hud,
    /// The panes over the game.
    Watch,
    /// The full overlay, with a search typed into the tree.
    Tree,
    Graph,
    Table,
    Distribution,
    Statistics,
    Hitches,
    Timeline,
    Costs,
}

/// The overlay of this game.
pub(crate) struct Overlay {
    overlay: StatsOverlay,
    /// The run on disk, if the environment variable STATS_CAPTURE or a key asks for it.
    recordings: Recordings,
    /// The frames of which it wants a small picture.
    slow_frames: SlowFrames,
    /// Viewers elsewhere, if the command line or the environment variable STATS_REMOTE asks for them.
    remote: Option<Remote>,
    settings: SettingsFile,
    histories: Histories,
    /// The number of ended frames when the last one was counted.
    counted: u64,
    /// Whether the frame budget adapts to the speed of a software adapter.
    is_paced: bool,
    paced: Option<Paced>,
}

impl Overlay {
    /// Creates the overlay with the game's presets and pinned counters, then restores the state in
    /// `file`. It starts with the HUD. The budgets are those of `stats.toml`, if the current folder
    /// or one above it has one.
    pub(crate) fn new(file: Option<PathBuf>) -> Self {
        let _memory = stats_memory::scope!("overlay", group: UI);
        let mut overlay = StatsOverlay::new();
        overlay.set_program("Hollow", env!("CARGO_PKG_VERSION"));
        overlay.set_memory_dump(stats_memory::dump);
        presets::install(&mut overlay);
        overlay.set_mode(Mode::Hud);
        let settings = SettingsFile::restore(file, &mut overlay);
        match Config::find(".") {
            Ok(Some(config)) => {
                config.apply_budgets();
                overlay.set_teams(config.team_list());
                if let Err(error) = config.define_series() {
                    eprintln!("game: not all series of stats.toml are defined: {error}");
                }
            }
            Ok(None) => {}
            Err(error) => eprintln!("game: the budgets are those of the code: {error}"),
        }
        let recordings = Recordings::from_env().unwrap_or_else(|error| {
            eprintln!("game: the run is not recorded: {error}");
            Recordings::new(RecordingOptions::default())
        });
        overlay.set_recording(recordings.control());
        Self {
            overlay,
            recordings,
            slow_frames: SlowFrames::default(),
            remote: None,
            settings,
            histories: Histories::of(presets::paths()),
            counted: 0,
            is_paced: false,
            paced: None,
        }
    }

    /// Lets viewers elsewhere watch the game, and prints the address for them: if it is asked for, or
    /// if STATS_REMOTE is set.
    pub(crate) fn start_remote(&mut self, is_asked_for: bool) {
        let started = match Remote::from_env() {
            Ok(None) if is_asked_for => Remote::start(RemoteOptions::default()).map(Some),
            started => started,
        };
        match started {
            Ok(remote) => self.remote = remote,
            Err(error) => eprintln!("game: no viewer can watch it: {error}"),
        }
        // Without the statistics, nothing listens.
        if stats_core::ENABLED
            && let Some(remote) = &self.remote
        {
            eprintln!("game: stats view '{}'", remote.address());
        }
    }

    /// Ends the recorder's frame and draws the overlay. Call it once per frame, in the egui pass.
    pub(crate) fn show(&mut self, ctx: &egui::Context) {
        let _memory = stats_memory::scope!("overlay", group: UI);
        memory::publish();
        {
            let _show = SHOW.scope();
            self.overlay.show(ctx);
        }
        // egui may repeat a pass within a frame, and only the first pass counts.
        if ctx.current_pass_index() == 0 {
            self.recordings.end_frame();
        }
        self.count_frame();
        self.pace();
        let _name = stats_memory::alloc_name!("histories");
        self.histories.update(self.overlay.recorder_mut());
        if let Some(remote) = &mut self.remote {
            remote.publish(self.overlay.recorder_mut());
        }
        (self.settings).update(|| saved(&self.overlay, self.paced));
    }

    /// Adds the duration of the newest frame to the histogram, once, unless a level was loading.
    fn count_frame(&mut self) {
        let recorder = self.overlay.recorder();
        let ended = recorder.frames().end;
        let is_new = std::mem::replace(&mut self.counted, ended) != ended;
        let is_newest = |mark: &&Mark| mark.frames.contains(&ended.saturating_sub(1));
        let mut newest_marks = recorder.marks().iter().filter(is_newest);
        if is_new && !newest_marks.any(|mark| mark.name == LOADING) {
            recorder
                .frame_times(1)
                .iter()
                .for_each(|ms| FRAME.record(ms));
        }
    }

    /// On a software adapter, lets the frame budget be one that the game can meet, and the budget of
    /// the overlay with it. A mark says so in every view and in the report.
    fn pace(&mut self) {
        let recorder = self.overlay.recorder();
        if !self.is_paced || !recorder.frames().end.is_multiple_of(pace::EVERY) {
            return;
        }
        let times_ms: Vec<f64> = recorder.frame_times(pace::FRAMES).iter().collect();
        self.pace_to(times_ms);
    }

    /// Adapts the budgets to these frame times. A player who removed the frame budget gets none.
    pub(crate) fn pace_to(&mut self, times_ms: Vec<f64>) {
        let mut settings = self.settings().clone();
        let current_ms = settings.frame_budget_ms;
        if let Some(paced) = self.paced {
            paced.undo(&mut settings);
        }
        let (Some(current_ms), Some(own_ms)) = (current_ms, settings.frame_budget_ms) else {
            // The overlay has no more time then, either.
            if self.paced.take().is_some() {
                self.overlay.set_settings(&settings);
            }
            return;
        };
        let Some(ms) = pace::budget(times_ms, current_ms, own_ms) else {
            // If the player chose another frame budget, the overlay has its own again.
            if current_ms == own_ms && self.paced.take().is_some() {
                self.overlay.set_settings(&settings);
            }
            return;
        };
        self.paced = Some(Paced::raise(&mut settings, ms));
        self.overlay.set_settings(&settings);
        let name = if ms > own_ms {
            format!("budget {ms} ms: this machine draws in software")
        } else {
            format!("budget {own_ms} ms again")
        };
        self.mark(&name, MarkEvent::Point);
    }

    /// Returns whether an event of the window is for the overlay. The game must then ignore it.
    /// Pass every event, in order.
    pub(crate) fn consumes(&mut self, event: &WindowEvent) -> bool {
        self.overlay.consumes(event)
    }

    /// Returns how much of the overlay is on screen.
    pub(crate) fn mode(&self) -> Mode {
        self.overlay.mode()
    }

    /// Goes to what the card of the overlay shows.
    pub(crate) fn go_to_hitch(&mut self) {
        self.overlay.act(Action::GoToHitch);
    }

    /// Marks that something felt bad.
    pub(crate) fn mark_moment(&mut self) {
        self.overlay.act(Action::MarkMoment);
    }

    /// Presses a button of a game pad. Returns whether it is for the overlay. The game must then
    /// ignore it.
    #[cfg(feature = "pads")]
    pub(crate) fn press(&mut self, button: PadButton) -> bool {
        self.overlay.press(Press::Pad(button))
    }

    /// Releases a button. Returns whether the press was for the overlay.
    #[cfg(feature = "pads")]
    pub(crate) fn release(&mut self, button: PadButton) -> bool {
        self.overlay.release(Press::Pad(button))
    }

    /// Marks the current frame.
    pub(crate) fn mark(&mut self, name: &str, event: MarkEvent) {
        self.overlay.recorder_mut().mark(name, event);
        self.recordings.mark(name, event);
    }

    /// Returns the frame that ended last if a recording would keep a picture of it.
    pub(crate) fn wants_picture(&mut self) -> Option<u64> {
        self.recordings.wants_picture()
    }

    /// Returns the number of the frame that is being drawn.
    pub(crate) fn frame(&self) -> u64 {
        self.overlay.recorder().frames().end
    }

    /// Returns whether the overlay or a recording may want the picture of a frame.
    pub(crate) fn may_want_pictures(&mut self) -> bool {
        self.settings().hitches || self.recordings.keeps_pictures()
    }

    /// Returns the frame whose small picture a recording or the overlay wants. Call it in each frame
    /// with a small picture: a recording wants only that of the newest one.
    pub(crate) fn wanted_picture(&mut self) -> Option<u64> {
        let drawn = self.frame();
        // Recordings number their frames from their own start.
        if self.wants_picture().is_some()
            && let Some(newest) = drawn.checked_sub(1)
        {
            self.slow_frames.add(newest);
        }
        // A hitch is wanted for much longer, and its picture may be gone.
        let slow = self.slow_frames.oldest(drawn);
        slow.or_else(|| self.overlay.wanted_picture())
    }

    /// Takes a small picture, which arrives some frames after its frame.
    pub(crate) fn take_picture(&mut self, picture: FramePicture) {
        let (width, height) = (picture.width, picture.height);
        (self.overlay).add_picture(picture.frame, width, height, &picture.rgba);
        let ago = self.frame().saturating_sub(picture.frame);
        if self.slow_frames.remove(picture.frame)
            && let Some(frame) = self.recordings.next_frame().checked_sub(ago)
        {
            (self.recordings).picture(frame, width, height, picture.rgba);
        }
    }

    /// Hands a picture of a frame to the recordings.
    pub(crate) fn picture(&mut self, frame: u64, (width, height): (u32, u32), rgba: Vec<u8>) {
        self.recordings.picture(frame, width, height, rgba);
    }

    /// Stores the graphics adapter in the recordings, and gives the memory view the memory of its
    /// device.
    pub(crate) fn set_gpu(&mut self, gpu: &Gpu) {
        let memory = stats_gpu::memory_dump(&gpu.device);
        self.overlay.set_video_memory_dump(memory);
        let adapter = gpu.adapter.get_info();
        self.is_paced = adapter.device_type == wgpu::DeviceType::Cpu;
        let driver = format!("{} {}", adapter.driver, adapter.driver_info);
        self.recordings.set_gpu(&adapter.name, driver.trim());
    }

    /// Takes the refresh rate of the monitor that shows the window.
    pub(crate) fn follow_window(&mut self, window: &winit::window::Window) {
        self.overlay.follow_window(window);
    }

    /// Restarts the frame clock. The elapsed time, such as that of writing a picture, is attributed
    /// to no frame.
    pub(crate) fn restart_frame(&mut self) {
        self.overlay.recorder_mut().restart_frame();
        self.recordings.restart_frame();
    }

    /// Saves the settings, completes the recordings, and waits until they are written. Call it when
    /// the game ends.
    pub(crate) fn finish(&mut self) {
        drop(std::mem::replace(
            &mut self.recordings,
            Recordings::new(RecordingOptions::default()),
        ));
        self.settings.finish(saved(&self.overlay, self.paced));
    }

    /// Returns the recorder of the run, to ask for the history of a series.
    pub(crate) fn recorder_mut(&mut self) -> &mut Recorder {
        self.overlay.recorder_mut()
    }

    /// Returns the overlay's settings, which include the frame budget.
    pub(crate) fn settings(&self) -> &Settings {
        self.overlay.settings()
    }

    /// Sets how long a frame may take.
    pub(crate) fn set_frame_budget(&mut self, ms: impl Into<Option<f64>>) {
        let mut settings = self.overlay.settings().clone();
        settings.frame_budget_ms = ms.into();
        self.overlay.set_settings(&settings);
    }

    /// Shows no cards of the first steps, which no script clicks.
    pub(crate) fn dismiss_first_steps(&mut self) {
        let mut settings = self.overlay.settings().clone();
        settings.first_steps = false;
        self.overlay.set_settings(&settings);
    }

    /// Returns the median time that the overlay took per frame, in milliseconds, over the last 600
    /// frames. Returns `None` if nothing was recorded.
    pub(crate) fn median_ms(&mut self) -> Option<f64> {
        let recorder = self.overlay.recorder_mut();
        let watch = recorder.watch(SHOW.id());
        let mut ms: Vec<f64> = recorder.history(&watch, 600).iter().collect();
        ms.sort_by(f64::total_cmp);
        ms.get(ms.len() / 2).copied()
    }

    /// Returns the paths in presets that no series has.
    pub(crate) fn missing_series(&self) -> &[String] {
        self.histories.missing()
    }
}

/// Returns the state to save. The budgets of this machine's load are no choice of the player.
fn saved(overlay: &StatsOverlay, paced: Option<Paced>) -> SavedState {
    let mut saved = overlay.saved();
    if let Some(paced) = paced {
        paced.undo(&mut saved.settings);
    }
    saved
}

/// The controls that the command line and the tour use, as a player would with keys.
impl Overlay {
    /// Shows the view that the command line names.
    pub(crate) fn set_start(&mut self, start: Start) {
        let (mode, view) = match start {
            Start::Hidden => (Mode::Hidden, None),
            Start::Hud => (Mode::Hud, None),
            Start::Watch => (Mode::Watch, None),
            Start::Tree | Start::Graph => (Mode::Full, Some(PaneView::Graph)),
            Start::Table => (Mode::Full, Some(PaneView::Table)),
            Start::Distribution => (Mode::Full, Some(PaneView::Distribution)),
            Start::Statistics => (Mode::Full, Some(PaneView::Statistics)),
            Start::Hitches => (Mode::Watch, Some(PaneView::Hitches)),
            Start::Timeline => (Mode::Full, Some(PaneView::Timeline)),
            Start::Costs => (Mode::Full, Some(PaneView::Costs)),
        };
        self.overlay.set_mode(mode);
        self.overlay
            .set_search(if start == Start::Tree { "paths" } else { "" });
        if let Some(view) = view {
            self.overlay.set_view(view);
        }
    }

    /// Shows one of the game's presets.
    pub(crate) fn show_preset(&mut self, name: &str) {
        self.overlay.show_preset(name);
    }

    /// Shows a layout of the tour.
    pub(crate) fn show_tour_panes(&mut self, name: &str) {
        self.overlay.show_panes(&presets::tour_panes(name));
    }

    pub(crate) fn set_search(&mut self, terms: &str) {
        self.overlay.set_search(terms);
    }

    pub(crate) fn set_paused(&mut self, paused: bool) {
        self.overlay.set_paused(paused);
    }

    /// Selects the frames between two ages, counted back from the newest frame; `None` selects
    /// nothing.
    pub(crate) fn select_last(&mut self, ages: Option<(u64, u64)>) {
        let newest = self.overlay.recorder().frames().end;
        let frame = |age: u64| newest.saturating_sub(age);
        self.overlay
            .select_frames(ages.map(|(from, to)| frame(from)..frame(to)));
    }

    /// Opens or closes the help.
    pub(crate) fn toggle_help(&mut self) {
        self.overlay.act(Action::ToggleHelp);
    }

    /// Opens or closes the settings.
    pub(crate) fn toggle_settings(&mut self) {
        self.overlay.act(Action::ToggleSettings);
    }

    /// Opens or closes the memory view.
    pub(crate) fn toggle_memory(&mut self) {
        self.overlay.act(Action::ToggleMemory);
    }

    /// Compares the snapshot in the memory view with the memory in use now.
    pub(crate) fn compare_memory(&mut self) {
        self.overlay.act(Action::CompareMemory);
    }
}

#[cfg(all(test, feature = "enabled"))]
impl Overlay {
    pub(crate) fn saved(&self) -> stats_overlay::SavedState {
        self.overlay.saved()
    }

    pub(crate) fn pin(&mut self, path: &str) {
        self.overlay.pin(path);
    }
}
