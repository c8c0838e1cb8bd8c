//! What a program can tell the overlay to do and to show, beside drawing it.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use stats_core::MarkEvent;

use crate::input::action::Action;
use crate::input::mode::{Mode, PaneView};
use crate::input::settings::Settings;
use crate::overlay::StatsOverlay;
use crate::persist::saved::{PaneLayout, Preset, SavedPane, SavedState};
use crate::persist::view_line_error::ViewLineError;
use stats_memory_panel::Dump;

impl StatsOverlay {
    /// Does what a key or a button of the overlay would do: for a game pad, or a menu of the game's
    /// own.
    ///
    /// [`Action::CycleMode`] and [`Action::Hide`] are done at once, all others with the next call that draws, hidden or not. An
    /// action that makes no sense as things are (the next spike where there is none) does nothing,
    /// or says so on screen.
    ///
    /// ```
    /// use stats_overlay::{Action, Mode, StatsOverlay};
    ///
    /// let mut overlay = StatsOverlay::new();
    /// overlay.act(Action::CycleMode); // the game pad's own button for it
    /// assert_eq!(overlay.mode(), Mode::Hud);
    /// ```
    pub fn act(&mut self, action: Action) {
        if action == Action::CycleMode {
            self.set_mode(self.mode().next());
        } else if action == Action::Hide {
            self.set_mode(Mode::Hidden);
        } else {
            self.app.queue.push(action);
        }
    }

    /// Says something of the frame under way, which all views show: that a span of frames begins or
    /// ends, or that something happened.
    ///
    /// It is the overlay's own recorder that is told, as by [`recorder_mut`](Self::recorder_mut)
    /// and `mark`. Where the host drives the source ([`show_with`](Self::show_with)) that one is
    /// marked instead: [`Recorder::mark`](stats_core::Recorder::mark). Marks are no values: no
    /// number is another one because of them.
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
        self.recorder_mut().mark(name, event);
    }

    /// What stands in the search box of the tree. Empty at first.
    #[must_use]
    pub fn search(&self) -> &str {
        &self.app.tree.search_box.text
    }

    /// Searches the tree as if this had been typed. Empty shows everything.
    pub fn set_search(&mut self, terms: &str) {
        terms.clone_into(&mut self.app.tree.search_box.text);
    }

    /// Ticks or unticks a series in the active pane by its path; [`FRAME_TIME`](crate::FRAME_TIME)
    /// is selected at first.
    ///
    /// A path that nothing is registered under yet is kept, shown as missing, and watched from when
    /// it exists. Not more than [`MAX_SELECTED`](crate::MAX_SELECTED) are selected in a pane. The calls
    /// of a timer have the path `<timer>/calls`, or `<timer>/calls (timer)` where another series
    /// has that one.
    pub fn set_selected(&mut self, path: &str, selected: bool) {
        self.app.panes.active_mut().selection.set(path, selected);
    }

    /// The paths selected in the active pane, in the order of ticking.
    pub fn selected(&self) -> impl Iterator<Item = &str> {
        self.app.panes.active().selection.paths()
    }

    /// How the series of the active pane are shown. [`PaneView::Graph`] at first.
    #[must_use]
    pub fn view(&self) -> PaneView {
        self.app.panes.active().view
    }

    /// Shows the series of the active pane as a graph or as a table.
    pub fn set_view(&mut self, view: PaneView) {
        self.app.panes.active_mut().view = view;
    }

    /// Whether the views stand still, or will with the next call that draws. `false` at first.
    #[must_use]
    pub fn paused(&self) -> bool {
        self.app.playback.is_paused()
    }

    /// Makes the views stand still, or live again. Recording goes on either way.
    ///
    /// What is shown is copied at the moment of pausing, that is with the next call that draws:
    /// about 32 KiB for each selected series with the recorder's default history.
    pub fn set_paused(&mut self, paused: bool) {
        self.app.set_paused(paused, None);
    }

    /// How many panes there are, from 1 to [`MAX_PANES`](crate::MAX_PANES).
    #[must_use]
    pub fn panes(&self) -> usize {
        self.app.panes.len()
    }

    /// Shows these panes instead of those there are, from top to bottom; the first is the active
    /// one. Of more than [`MAX_PANES`](crate::MAX_PANES) the first are shown, and an empty pane
    /// where there are none.
    pub fn show_panes(&mut self, panes: &[SavedPane]) {
        self.app.panes.show(panes, 0);
    }

    /// Pins a series to the HUD by its path, or unpins it. While nothing is pinned the HUD shows
    /// the active pane's series.
    ///
    /// Not more than [`MAX_SELECTED`](crate::MAX_SELECTED) are pinned; as many are shown as there is
    /// room for.
    pub fn set_pinned(&mut self, path: &str, pinned: bool) {
        self.app.panes.pinned.set(path, pinned);
    }

    /// The paths pinned to the HUD, in the order of pinning.
    pub fn pinned(&self) -> impl Iterator<Item = &str> {
        self.app.panes.pinned.paths()
    }

    /// Offers a preset of the game's own: one pane with these series, under `name` in the overlay's
    /// menu.
    ///
    /// Registered again under the same name it is changed. Series may be registered later than the
    /// preset.
    ///
    /// ```
    /// # let mut overlay = stats_overlay::StatsOverlay::new();
    /// overlay.preset("AI", ["ai/pathfinding", "ai/decisions", "game/enemies"]);
    /// ```
    pub fn preset<'a>(&mut self, name: &str, paths: impl IntoIterator<Item = &'a str>) {
        self.add_preset(Preset::new(name, vec![SavedPane::new(paths)]));
    }

    /// Offers a preset of the game's own with any panes. Registered again under the same name it is
    /// changed.
    pub fn add_preset(&mut self, preset: Preset) {
        self.app.presets.register(preset);
    }

    /// Shows a preset, the user's own before one of the game's; false where there is none of this
    /// name.
    pub fn show_preset(&mut self, name: &str) -> bool {
        self.app.show_preset(name)
    }

    /// The settings, as the user or [`set_settings`](Self::set_settings) left them.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.app.settings
    }

    /// Changes the settings; a number beyond its range becomes the nearest within, NaN the least.
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
        self.app.settings = settings.clamped();
    }

    /// Everything about the overlay that persists; see [`SavedState`] for files and hosts' storages.
    ///
    /// What was not understood of what was [restored](Self::restore) is still in it.
    #[must_use]
    pub fn saved(&self) -> SavedState {
        self.app.saved()
    }

    /// Shows what was saved, and takes over its settings.
    ///
    /// Paths that nothing is registered under yet are kept, shown as missing, and found as soon as
    /// they exist.
    pub fn restore(&mut self, saved: &SavedState) {
        self.app.restore(saved);
    }

    /// The panes as one line of printable text that can be pasted into another overlay.
    #[must_use]
    pub fn view_line(&self) -> String {
        self.app.layout().to_line()
    }

    /// Shows the panes of a line that [`view_line`](Self::view_line) made.
    ///
    /// # Errors
    ///
    /// When the text is no such line; nothing is changed then.
    pub fn show_view_line(&mut self, line: &str) -> Result<(), ViewLineError> {
        let layout = PaneLayout::from_line(line)?;
        self.app.panes.show(&layout.panes, layout.active);
        Ok(())
    }

    /// The selected frames, whose statistics the legends show; `None` where none are. In full mode
    /// the user selects them.
    #[must_use]
    pub fn selected_frames(&self) -> Option<Range<u64>> {
        self.app.linked.selected_range.clone()
    }

    /// Selects frames in all panes, or none; an empty range is none. Frames that are not held do
    /// not count.
    pub fn select_frames(&mut self, frames: Option<Range<u64>>) {
        self.app.select_frames(frames);
    }

    /// Lets the memory view (`B`) take its snapshots by this function, which writes a dump and
    /// returns the number of its lines: with `stats-memory`,
    /// `overlay.set_memory_dump(stats_memory::dump);`.
    ///
    /// It is called on a thread of its own, named `stats-overlay`, while frames go on (in a
    /// browser, which has no threads, within the frame): when the view is opened for the first
    /// time, and when the user asks for a snapshot or saves a dump. An error or a panic of it is
    /// told in the view. Set again, later snapshots are by the other function.
    ///
    /// ```
    /// # let mut overlay = stats_overlay::StatsOverlay::new();
    /// overlay.set_memory_dump(|out| {
    ///     out.write_all(b"0x0000000000001000,main,rendering,64,Level|Load,mesh\n")?;
    ///     Ok(1)
    /// });
    /// ```
    pub fn set_memory_dump(
        &mut self,
        dump: impl Fn(&mut dyn io::Write) -> io::Result<u64> + Send + Sync + 'static,
    ) {
        self.app.memory.set_dump(Dump::new(dump));
    }

    /// The folder that CSV files and memory dumps are saved into. Default: the current directory.
    #[must_use]
    pub fn export_folder(&self) -> &Path {
        &self.app.export.folder
    }

    /// Saves CSV files and memory dumps into this folder from now on. It is made with the first
    /// file where it does not exist.
    ///
    /// Paths and names of marks are written as they are, so that they can be read back. One that
    /// begins with `=` a spreadsheet takes for a formula: names that somebody else made up are
    /// imported as text.
    pub fn set_export_folder(&mut self, folder: impl Into<PathBuf>) {
        self.app.export.folder = folder.into();
    }
}
