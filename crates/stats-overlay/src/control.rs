//! The functions with which a program controls the overlay; `overlay` has those that draw it.

#[cfg(feature = "memory")]
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stats_analysis::insight::{Event, Findings};
use stats_analysis::teams::Team;
use stats_core::{MarkEvent, RecordingControl, own_memory};
use stats_ui::text::one_line;

use crate::app::program::Program;
use crate::baseline::saved::BaselineSeries;
#[cfg(doc)]
use crate::baseline::saved::SavedBaseline;
use crate::input::action::Action;
use crate::input::pane_view::PaneView;
use crate::input::press::Press;
use crate::input::settings::Settings;
use crate::overlay::StatsOverlay;
use crate::persist::saved::{PaneLayout, Preset, SavedPane, SavedState};
use crate::persist::view_line::ViewLineError;

impl StatsOverlay {
    /// Performs an action, as a key or a button of the overlay does. Call it for a game pad or a
    /// menu of the game.
    ///
    /// [`Action::CycleMode`], [`Action::Hide`] and the actions that show a mode take effect at
    /// once. All others take effect in the next call that draws, even if the overlay is hidden. An
    /// action that cannot be performed, such as moving to the next spike if there is none, does
    /// nothing or shows a notice.
    ///
    /// ```
    /// use stats_overlay::{Action, Mode, StatsOverlay};
    ///
    /// let mut overlay = StatsOverlay::new();
    /// overlay.act(Action::CycleMode); // the game pad's own button for it
    /// assert_eq!(overlay.mode(), Mode::Hud);
    /// ```
    pub fn act(&mut self, action: Action) {
        let _memory = own_memory("stats-overlay");
        match self.app.mode_after(action) {
            Some(mode) => self.set_mode(mode),
            None => self.app.queue.push(action),
        }
    }

    /// Performs the action of a press, and returns whether the press belongs to the overlay, so that
    /// the game must not use it. The [settings](crate::Settings::bindings) say which action each press
    /// has.
    ///
    /// For buttons of game pads, and for keys over the game: the overlay reads the keyboard and touches
    /// itself. In full mode, every press belongs to it. In the other modes, a press performs only what
    /// makes sense over a game: changing the mode, marking a moment, going to the newest hitch and
    /// recording; in watch mode also pausing and going to spikes and spans over budget.
    ///
    /// ```
    /// use stats_overlay::{Mode, PadButton, Press, StatsOverlay};
    ///
    /// let mut overlay = StatsOverlay::new();
    /// # if stats_core::ENABLED {
    /// assert!(overlay.press(Press::Pad(PadButton::Select)));
    /// assert_eq!(overlay.mode(), Mode::Hud);
    /// assert!(!overlay.press(Press::Pad(PadButton::South)), "the game jumps");
    /// # }
    /// ```
    pub fn press(&mut self, press: Press) -> bool {
        let _memory = own_memory("stats-overlay");
        stats_core::ENABLED && self.app.press(press)
    }

    /// Returns whether the release of a game pad's button belongs to the overlay, as its
    /// [`press`](Self::press) did, so that no button sticks in the game when the overlay opens or
    /// closes in between.
    pub fn release(&mut self, press: Press) -> bool {
        stats_core::ENABLED && self.app.release(press)
    }

    /// Marks the current frame: a span of frames begins or ends here, or something happened. All
    /// views show the mark.
    ///
    /// Sets the mark in the overlay's own recorder, as `mark` of
    /// [`recorder_mut`](Self::recorder_mut) does. If the host drives the source
    /// ([`show_with`](Self::show_with)), mark the frame in the host's recorder instead, with
    /// [`Recorder::mark`](stats_core::Recorder::mark). Marks change no value. Statistics leave out
    /// marked frames only on request.
    ///
    /// ```
    /// use stats_core::MarkEvent;
    ///
    /// # let mut overlay = stats_overlay::StatsOverlay::new();
    /// overlay.mark("loading", MarkEvent::Begin);
    /// // Frames later:
    /// overlay.mark("loading", MarkEvent::End);
    /// overlay.mark("level 2", MarkEvent::Point);
    /// # assert_eq!(overlay.recorder().marks().len(), if stats_core::ENABLED { 2 } else { 0 });
    /// ```
    pub fn mark(&mut self, name: &str, event: MarkEvent) {
        let _memory = own_memory("stats-overlay");
        self.recorder_mut().mark(name, event);
    }

    /// Marks the current frame as a moment in which something felt bad, with a note of the player;
    /// without one if the note is empty. The name of the mark is `moment 1`, or `moment 1: the note`,
    /// with the next number.
    ///
    /// Takes effect in the next call that draws, even if the overlay is hidden, like
    /// [`Action::MarkMoment`]. The mark is in the source that this call draws, if that is a
    /// [`Recorder`](stats_core::Recorder), and in the program's
    /// [recordings](Self::set_recording). `stats explain` and reports list what was unusual in the
    /// two seconds before each moment.
    ///
    /// ```
    /// # let mut overlay = stats_overlay::StatsOverlay::new();
    /// overlay.mark_moment("stutter at the bridge");
    /// ```
    pub fn mark_moment(&mut self, note: &str) {
        let _memory = own_memory("stats-overlay");
        self.app.moments.asked.push(note.to_owned());
    }

    /// Sets the name and the build of the program, which the header of the full overlay shows.
    /// Default: the name of the executable, and `debug` or `release`, as this crate was compiled. An
    /// empty text is not shown. The name has at most 60 characters, and the build 400. A text that is
    /// cut off has a tooltip.
    ///
    /// ```
    /// # let mut overlay = stats_overlay::StatsOverlay::new();
    /// overlay.set_program("Hollow", env!("CARGO_PKG_VERSION"));
    /// ```
    pub fn set_program(&mut self, name: &str, build: &str) {
        let _memory = own_memory("stats-overlay");
        let Program {
            name: of,
            build: its,
        } = &mut self.app.program;
        one_line(name, 60).as_ref().clone_into(of);
        one_line(build, 400).as_ref().clone_into(its);
    }

    /// Sets the teams of the program, which the search knows as `team:ai`: in the tree, and in the views
    /// that it filters, such as the list of hitches. There are none at first.
    ///
    /// stats-config makes them from the section `[teams]` of `stats.toml`:
    /// `overlay.set_teams(config.team_list())`.
    ///
    /// ```
    /// # let mut overlay = stats_overlay::StatsOverlay::new();
    /// use stats_overlay::Team;
    ///
    /// overlay.set_teams([Team::new("ai", |path| path.starts_with("ai/"))]);
    /// overlay.set_search("team:ai over-budget");
    /// ```
    pub fn set_teams(&mut self, teams: impl IntoIterator<Item = Team>) {
        let _memory = own_memory("stats-overlay");
        self.app.tree.set_teams(teams.into_iter().collect());
    }

    /// Returns the text in the search box of the tree. It is empty at first.
    #[must_use]
    pub fn search(&self) -> &str {
        &self.app.tree.search_box.text
    }

    /// Searches the tree as if this text had been typed. An empty text shows everything.
    pub fn set_search(&mut self, terms: &str) {
        let _memory = own_memory("stats-overlay");
        terms.clone_into(&mut self.app.tree.search_box.text);
    }

    /// Selects a series in the active pane by its path. Initially,
    /// [`FRAME_TIME`](crate::FRAME_TIME) is selected.
    ///
    /// A path without a series is kept, shown as missing, and watched as soon as a series registers
    /// it. An empty path is ignored. At most [`MAX_SELECTED`](crate::MAX_SELECTED) series are
    /// selected in a pane. A timer's calls have the path `<timer>/calls`. If another series has
    /// that path, they have `<timer>/calls (timer)`.
    pub fn select(&mut self, path: &str) {
        let _memory = own_memory("stats-overlay");
        self.app.panes.active_mut().selection.set(path, true);
    }

    /// Deselects a series in the active pane by its path. Nothing happens if it is not selected.
    pub fn deselect(&mut self, path: &str) {
        let _memory = own_memory("stats-overlay");
        self.app.panes.active_mut().selection.set(path, false);
    }

    /// Returns the paths selected in the active pane, in the order in which they were selected.
    pub fn selected(&self) -> impl Iterator<Item = &str> {
        self.app.panes.active().selection.paths()
    }

    /// Returns how the active pane shows its series. The initial view is [`PaneView::Graph`].
    #[must_use]
    pub fn view(&self) -> PaneView {
        self.app.panes.active().view
    }

    /// Sets how the active pane shows its series.
    pub fn set_view(&mut self, view: PaneView) {
        let _memory = own_memory("stats-overlay");
        self.app.panes.active_mut().view = view;
    }

    /// Returns whether the views are paused, or will be paused by the next call that draws. The
    /// initial value is `false`.
    #[must_use]
    pub fn paused(&self) -> bool {
        self.app.playback.is_paused()
    }

    /// Pauses the views, or resumes them and follows the newest frames. Recording continues either
    /// way.
    ///
    /// The next call that draws copies the values on screen. With the recorder's default history,
    /// the copy takes about 32 KiB for each selected series.
    pub fn set_paused(&mut self, paused: bool) {
        let _memory = own_memory("stats-overlay");
        self.app.set_paused(paused, None);
    }

    /// Returns the number of panes, from 1 to [`MAX_PANES`](crate::MAX_PANES).
    #[must_use]
    pub fn pane_count(&self) -> usize {
        self.app.panes.len()
    }

    /// Replaces the panes, from top to bottom, and activates the first one. Panes beyond
    /// [`MAX_PANES`](crate::MAX_PANES) are left out. If `panes` is empty, one empty pane is shown.
    pub fn show_panes(&mut self, panes: &[SavedPane]) {
        let _memory = own_memory("stats-overlay");
        self.app.panes.show(panes, 0);
    }

    /// Sets the budget of a series by hand, in its unit: a frame with a greater value is over budget.
    /// `None`, or a budget that is not finite, removes it; the budget of the program applies again.
    ///
    /// The budget replaces those of the code and of `stats.toml`. It is set in the core
    /// ([`stats_core::set_budget`]), for all readers of the program, and recordings contain it. It is
    /// saved with the state, and a [view line](Self::view_line) contains the budgets of its series.
    /// No series need have the path yet. The budget of [`FRAME_TIME`](crate::FRAME_TIME) is
    /// [`Settings::frame_budget_ms`], within its range. The user sets budgets with `Shift+L`.
    ///
    /// ```
    /// # let mut overlay = stats_overlay::StatsOverlay::new();
    /// overlay.set_budget("ai/pathfinding", Some(2.0));
    /// assert!(overlay.budgets().eq([("ai/pathfinding", 2.0)]));
    /// assert_eq!(overlay.budgets_toml(), "[budgets]\n\"ai/pathfinding\" = 2\n");
    /// ```
    pub fn set_budget(&mut self, path: &str, budget: Option<f64>) {
        let _memory = own_memory("stats-overlay");
        self.app.set_budget(path, budget);
    }

    /// Returns the paths and the budgets that were set by hand, in the order of the paths, without
    /// that of the frame time.
    pub fn budgets(&self) -> impl Iterator<Item = (&str, f64)> {
        self.app.budgets.iter()
    }

    /// Returns the paths and the formulas of the series that the user typed into the search box, in the
    /// order of the paths. [`define_series`](crate::define_series) defines one in code.
    pub fn formulas(&self) -> impl Iterator<Item = (&str, &str)> {
        self.app.formulas.iter()
    }

    /// Returns the budgets that were set by hand as a part of `stats.toml`, which a program reads
    /// with `stats-config`. That of the frame time is included if it differs from the default.
    ///
    /// A budget has the unit of its series in the overlay's own recorder. A path that this recorder
    /// does not list has only the number, which is in the unit of any series. The button *Copy for
    /// stats.toml* writes the units of the source on screen.
    #[must_use]
    pub fn budgets_toml(&self) -> String {
        self.app.budgets_toml(self.recorder())
    }

    /// Pins a series to the HUD by its path. While nothing is pinned, the HUD shows the three timers
    /// with the largest self time.
    ///
    /// At most [`MAX_SELECTED`](crate::MAX_SELECTED) series are pinned. The HUD shows as many of
    /// them as fit.
    pub fn pin(&mut self, path: &str) {
        let _memory = own_memory("stats-overlay");
        self.app.panes.pinned.set(path, true);
    }

    /// Unpins a series from the HUD by its path. Nothing happens if it is not pinned.
    pub fn unpin(&mut self, path: &str) {
        let _memory = own_memory("stats-overlay");
        self.app.panes.pinned.set(path, false);
    }

    /// Returns the paths pinned to the HUD, in the order in which they were pinned.
    pub fn pinned(&self) -> impl Iterator<Item = &str> {
        self.app.panes.pinned.paths()
    }

    /// Adds a preset of the game to the overlay's menu: one pane with these series, under `name`.
    ///
    /// Replaces a preset of the game with the same name. The series may be registered later.
    ///
    /// ```
    /// # let mut overlay = stats_overlay::StatsOverlay::new();
    /// overlay.preset("AI", ["ai/pathfinding", "ai/decisions", "game/enemies"]);
    /// ```
    pub fn preset<'a>(&mut self, name: &str, paths: impl IntoIterator<Item = &'a str>) {
        let _memory = own_memory("stats-overlay");
        self.add_preset(Preset::new(name, vec![SavedPane::new(paths)]));
    }

    /// Adds a preset of the game with any panes to the overlay's menu. Replaces a preset of the
    /// game with the same name.
    pub fn add_preset(&mut self, preset: Preset) {
        let _memory = own_memory("stats-overlay");
        self.app.presets.register(preset);
    }

    /// Shows a preset by its name, in its mode if it has one. A preset of the user takes precedence
    /// over one of the game. Returns false if none has this name.
    pub fn show_preset(&mut self, name: &str) -> bool {
        let _memory = own_memory("stats-overlay");
        self.app.show_preset(name)
    }

    /// Returns the settings, as the user or [`set_settings`](Self::set_settings) last changed them.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.app.settings
    }

    /// Changes the settings. A number outside its range becomes the nearest valid number; NaN
    /// becomes the lowest. If the settings skip every mode, the toggle key still shows the full
    /// overlay, and a notice says so.
    ///
    /// ```
    /// # let mut overlay = stats_overlay::StatsOverlay::new();
    /// let mut settings = overlay.settings().clone();
    /// settings.frame_budget_ms = Some(1000.0 / 144.0);
    /// settings.scale = 9.0;
    /// overlay.set_settings(&settings);
    /// assert_eq!(overlay.settings().scale, 3.0);
    /// ```
    pub fn set_settings(&mut self, settings: &Settings) {
        let _memory = own_memory("stats-overlay");
        self.app.set_settings(settings);
    }

    /// Returns the persistent state of the overlay. [`SavedState`] describes how to save it to a
    /// file or in the host's storage.
    ///
    /// It includes the unknown fields of the [restored](Self::restore) state.
    #[must_use]
    pub fn saved(&self) -> SavedState {
        self.app.saved()
    }

    /// Restores a saved state, with its settings. The HUD and the panes over the game are shown
    /// again. A state that was saved in another mode leaves the mode as it is, so that the full
    /// overlay never takes the first input of a run.
    ///
    /// Paths without a series are kept, shown as missing, and watched as soon as a series registers
    /// them.
    pub fn restore(&mut self, saved: &SavedState) {
        let _memory = own_memory("stats-overlay");
        self.app.restore(saved);
    }

    /// Returns the panes as one line of printable text that can be pasted into another overlay. In
    /// watch mode, the line includes the mode.
    #[must_use]
    pub fn view_line(&self) -> String {
        self.app.layout().to_line()
    }

    /// Shows the panes of a line that [`view_line`](Self::view_line) returned, in the mode of the
    /// line if it has one.
    ///
    /// # Errors
    ///
    /// Returns an error, and changes nothing, if the text is not such a line.
    pub fn show_view_line(&mut self, line: &str) -> Result<(), ViewLineError> {
        let _memory = own_memory("stats-overlay");
        let layout = PaneLayout::from_line(line)?;
        self.app.show_layout(&layout);
        Ok(())
    }

    /// Returns the selected frames, whose statistics the legends show; `None` if none are selected.
    /// In full mode, the user selects them.
    #[must_use]
    pub fn selected_frames(&self) -> Option<Range<u64>> {
        self.app.frame_axis.selected_range.clone()
    }

    /// Selects frames in all panes, or none. An empty range selects none. Frames that are no longer
    /// in the history are ignored.
    pub fn select_frames(&mut self, frames: Option<Range<u64>>) {
        let _memory = own_memory("stats-overlay");
        self.app.select_frames(frames);
    }

    /// Sets the function that writes memory dumps, from which the memory view (`B`) takes its
    /// snapshots. The function returns the number of lines that it wrote. For `stats-memory`, call
    /// `overlay.set_memory_dump(stats_memory::dump);`.
    ///
    /// The overlay calls it when the user first opens the view, takes a snapshot or saves a dump.
    /// It runs on its own thread, named `stats-overlay`, while frames continue. In a browser, which
    /// has no threads, it runs within the frame. The view shows errors and panics. Calling this
    /// again replaces the function.
    ///
    /// ```
    /// # let mut overlay = stats_overlay::StatsOverlay::new();
    /// overlay.set_memory_dump(|out| {
    ///     out.write_all(b"0x0000000000001000,main,rendering,64,Level|Load,mesh\n")?;
    ///     Ok(1)
    /// });
    /// ```
    #[cfg(feature = "memory")]
    pub fn set_memory_dump(
        &mut self,
        dump: impl Fn(&mut dyn io::Write) -> io::Result<u64> + Send + Sync + 'static,
    ) {
        let _memory = own_memory("stats-overlay");
        self.app.memory.panel.set_dump(dump);
    }

    /// Sets the function that writes a dump of the video memory, which the memory view shows as a
    /// tree of its own: the key Shift+G, or the button *Video* of the view. It is called and shown like
    /// that of [`set_memory_dump`](Self::set_memory_dump). For `stats-gpu`, call
    /// `overlay.set_video_memory_dump(stats_gpu::memory_dump(&device));`.
    #[cfg(feature = "memory")]
    pub fn set_video_memory_dump(
        &mut self,
        dump: impl Fn(&mut dyn io::Write) -> io::Result<u64> + Send + Sync + 'static,
    ) {
        let _memory = own_memory("stats-overlay");
        self.app.memory.video.set_dump(dump);
    }

    /// Sets whether the memory view takes a snapshot whenever a marked span, such as the loading of
    /// a level, begins or ends: one of each kind of memory whose dump is set. The button *At marks*
    /// of the view does the same. Default: false.
    ///
    /// The button *Left behind* then compares the newest of these snapshots with the previous one
    /// at the same mark. If one frame has several marks, the longest name becomes the name of the
    /// snapshot. See [`mark`](Self::mark).
    #[cfg(feature = "memory")]
    pub fn set_memory_snapshots_at_marks(&mut self, takes: bool) {
        self.app.memory.panel.set_takes_at_marks(takes);
        self.app.memory.video.set_takes_at_marks(takes);
    }

    /// Sets the recordings that the keys `V` and `Shift+E` start, end and save. With
    /// `stats-capture`, whose recordings end their frames independently of the overlay:
    ///
    /// ```ignore
    /// let mut recordings = stats_capture::Recordings::from_env()?;
    /// overlay.set_recording(recordings.control());
    /// // At the end of each frame:
    /// recordings.end_frame();
    /// ```
    ///
    /// The header shows what is being recorded. Notices report the path of a saved recording, or
    /// why saving failed. Calling this again replaces the recordings.
    pub fn set_recording(&mut self, recording: Arc<dyn RecordingControl>) {
        let _memory = own_memory("stats-overlay");
        self.app.recording.control = Some(recording);
    }

    /// Shows these hitches, leaks and periodic stalls in the list of hitches, instead of those that
    /// the overlay finds.
    ///
    /// Use this for a source that cannot report the values of all series, such as a capture. The
    /// program then feeds its frames to an [`Insight`](stats_analysis::insight::Insight). Series
    /// have the numbers that they have in the source. Call it after the source is first drawn,
    /// because drawing another source discards these findings.
    pub fn set_hitches(&mut self, findings: Findings) {
        let _memory = own_memory("stats-overlay");
        self.app.hitches.give(findings);
    }

    /// Returns the oldest event that the program has not taken yet: a hitch, a leak, a periodic
    /// stall, or a series that crossed its budget. Returns `None` if there is none.
    ///
    /// Call it once a frame, after the call that draws, until it returns `None`. There are events
    /// while the overlay looks for [hitches](crate::Settings::hitches): while any part of it is on
    /// screen, and also while it is hidden
    /// [if the settings say so](crate::Settings::hitches_while_hidden). At most 64 events wait;
    /// [`Event::Lost`] tells how many were replaced before the program took them. The budget of the
    /// frame time is that of the [settings](crate::Settings::frame_budget_ms).
    ///
    /// ```
    /// use stats_overlay::Event;
    ///
    /// # let mut overlay = stats_overlay::StatsOverlay::new();
    /// while let Some(event) = overlay.poll_event() {
    ///     println!("{event}");
    ///     if let Event::Hitch(_) = event {
    ///         // recordings.save_recent();
    ///     }
    /// }
    /// ```
    pub fn poll_event(&mut self) -> Option<Event> {
        let _memory = own_memory("stats-overlay");
        self.app.hitches.poll_event()
    }

    /// Returns the frame of the newest hitch if its picture is wanted, for a host that can
    /// [hand it over](Self::add_picture). Numbers are those of the drawn source. After
    /// [`show`](Self::show), [`recorder`](Self::recorder)`().frames().end` is the frame that is drawn;
    /// after [`show_with`](Self::show_with), `source.frames().end` is.
    ///
    /// A hitch is noticed in the first call that draws after its frame. A picture is wanted for 64
    /// frames, and while one is, further hitches want none. There is none while the overlay does not
    /// look for [hitches](crate::Settings::hitches).
    #[must_use]
    pub fn wanted_picture(&self) -> Option<u64> {
        self.app.hitches.wanted_picture()
    }

    /// Adds a picture for the wanted hitch: four bytes per pixel (red, green, blue, alpha), row by row
    /// from the top. `frame` is the frame that it shows: that of the hitch, or up to 64 frames later,
    /// which the overlay then says. The list of hitches shows the picture.
    ///
    /// If the program [lists the hitches itself](Self::set_hitches), a picture of the frame of any of them
    /// is taken.
    ///
    /// Ignored if no picture is wanted, and if `rgba` does not have `width` × `height` × 4 bytes. The
    /// newest 16 pictures are kept as textures of at most 320 × 320 pixels, 6.25 MiB together. Reducing
    /// a larger one reads four of its pixels for each of the small one.
    ///
    /// With wgpu, `FramePictures` of the crate `stats-gpu` has the picture of the hitch itself, in four
    /// lines:
    ///
    /// ```no_run
    /// # struct Picture { frame: u64, width: u32, height: u32, rgba: Vec<u8> }
    /// # struct Pictures;
    /// # impl Pictures {
    /// #     fn target(&mut self, _: u64) -> Option<&()> { None }
    /// #     fn read_back(&mut self, _: &mut (), _: Option<u64>) -> Option<Picture> { None }
    /// # }
    /// # fn after_show(overlay: &mut stats_overlay::StatsOverlay, mut encoder: (),
    /// #     mut pictures: Pictures, draw_last_pass: impl Fn(&mut (), &())) {
    /// let frame = overlay.recorder().frames().end; // after `show`
    /// if let Some(small) = pictures.target(frame) {
    ///     draw_last_pass(&mut encoder, small);
    /// }
    /// if let Some(of) = pictures.read_back(&mut encoder, overlay.wanted_picture()) {
    ///     overlay.add_picture(of.frame, of.width, of.height, &of.rgba);
    /// }
    /// # }
    /// ```
    pub fn add_picture(&mut self, frame: u64, width: u32, height: u32, rgba: &[u8]) {
        let _memory = own_memory("stats-overlay");
        (self.app.hitches).add_picture(frame, (width, height), rgba);
    }

    /// Makes these statistics [baseline A](SavedBaseline), with which graphs and the search compare:
    /// for instance those of an earlier run, which a program computes with [`BaselineSeries::of`]
    /// from the values of a capture. A series is found by its path and its unit. Keeps the first
    /// 8,192 series. Without any, there is no baseline.
    pub fn set_baseline(&mut self, series: Vec<BaselineSeries>) {
        let _memory = own_memory("stats-overlay");
        self.app.set_baseline(series);
    }

    /// Returns the folder for CSV files and memory dumps. Default: the current directory.
    #[must_use]
    pub fn export_folder(&self) -> &Path {
        &self.app.export.folder
    }

    /// Sets the folder for CSV files and memory dumps. The first saved file creates the folder if
    /// it does not exist.
    ///
    /// Paths and names of marks are written unchanged, so that they can be read back. A spreadsheet
    /// treats a name that begins with `=` as a formula, so import names that you do not trust as
    /// text.
    pub fn set_export_folder(&mut self, folder: impl Into<PathBuf>) {
        let _memory = own_memory("stats-overlay");
        self.app.export.folder = folder.into();
    }
}
