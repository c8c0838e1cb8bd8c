//! The panel: its state, and its methods for programs.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use egui::{Id, Rect, Ui};

use super::building::Building;
use super::dump_function::DumpFunction;
use super::facets::Facets;
use super::icicle::Icicle;
use super::list::RowList;
use super::pages::PagesPicture;
use super::save::{SaveDumpError, Saving};
use super::snapshots::Snapshots;
use super::taking::{Purpose, TakenSnapshot, Taking};
use crate::snapshot::MemorySnapshot;
use crate::tree::{Changes, Filter, Levels, Order, SortBy};
use stats_ui::theme::{StyleCache, Theme};

/// The interval at which a program that draws on demand checks whether a snapshot is complete.
const POLL: Duration = Duration::from_millis(50);

/// The maximum number of snapshots at marks that are being taken at the same time.
const MAX_MARKED: usize = 4;

/// The number of panels created. Each panel has a number, which makes its egui ids unique.
static PANELS: AtomicU64 = AtomicU64::new(0);

/// A panel that shows who owns the memory of a program. It keeps several snapshots, and shows one
/// of them or compares two.
///
/// ```
/// # fn example(ui: &mut egui::Ui) -> std::io::Result<()> {
/// use stats_memory_panel::{MemoryPanel, MemorySnapshot};
///
/// let mut panel = MemoryPanel::new(); // once
/// panel.add("before", MemorySnapshot::read(std::fs::File::open("memory-1.csv")?)?);
/// panel.add("after", MemorySnapshot::read(std::fs::File::open("memory-2.csv")?)?);
/// panel.compare_newest();
/// panel.ui(ui); // in every frame
/// # Ok(())
/// # }
/// ```
pub struct MemoryPanel {
    pub(super) number: u64,
    pub(super) kind: MemoryKind,
    /// Whether the bar has a button to show the memory of the other kind.
    pub(super) has_switch: bool,
    /// The memory of the process and of the system; empty if the host does not tell it.
    pub(super) system_note: String,
    /// The id of the place where it is drawn. A frame may draw one panel in several places.
    pub(super) id: Id,
    clock: Clock,
    pub(super) dump: Option<DumpFunction>,
    pub(super) snapshots: Snapshots,
    pub(super) levels: Levels,
    pub(super) filter: Filter,
    pub(super) list: RowList,
    pub(super) icicle: Icicle,
    /// Whether the map of pages is shown where a snapshot has one.
    pub(super) shows_pages: bool,
    pub(super) pages_picture: PagesPicture,
    taking: Option<Taking>,
    /// Whether snapshots are taken at marks.
    takes_at_marks: bool,
    /// The snapshots that are being taken at marks, oldest first.
    marked: VecDeque<Taking>,
    saving: Option<Saving>,
    /// Why the last snapshot or tree failed.
    pub(super) problem: Option<String>,
    pub(super) building: Building,
    /// Whether the filters are shown; `None` until the user chooses, which shows them if there is
    /// room.
    pub(super) shows_filters: Option<bool>,
    /// Whether there is room for the filters.
    pub(super) has_room: bool,
    /// Whether the name filter should get the keyboard focus.
    pub(super) focus_name: bool,
    /// The style of widgets in [`ui`](Self::ui).
    style: StyleCache,
}

/// Tells whose memory the panel shows, and not the state of its views.
impl fmt::Debug for MemoryPanel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryPanel")
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

/// Whose memory a panel shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MemoryKind {
    /// The memory that the program allocates.
    #[default]
    Main,
    /// The memory that the program allocates on a graphics device.
    Video,
}

/// What the user asks the overlay to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PanelRequest {
    /// Return to the panes.
    Back,
    /// Save a dump, with [`MemoryPanel::save_dump`].
    SaveDump,
    /// Show the panel of this memory instead.
    Show(MemoryKind),
}

/// The age of the panel, by the host's clock.
#[derive(Debug, Default)]
struct Clock {
    began_secs: Option<f64>,
    age_secs: f64,
}

impl Clock {
    fn set(&mut self, now_secs: f64) {
        let began_secs = *self.began_secs.get_or_insert(now_secs);
        self.age_secs = (now_secs - began_secs).max(0.0);
    }
}

impl Default for MemoryPanel {
    fn default() -> Self {
        Self::new()
    }
}

impl MemoryPanel {
    /// Creates a panel without snapshots, for the memory that the program allocates.
    #[must_use]
    pub fn new() -> Self {
        Self::of(MemoryKind::Main)
    }

    /// Creates a panel without snapshots, for memory of this kind. The kind decides the texts of an
    /// empty panel and the names of saved dumps.
    #[must_use]
    pub fn of(kind: MemoryKind) -> Self {
        Self {
            // Relaxed ordering: the number only has to be unique.
            number: PANELS.fetch_add(1, Ordering::Relaxed),
            kind,
            has_switch: false,
            system_note: String::new(),
            id: Id::NULL,
            clock: Clock::default(),
            dump: None,
            snapshots: Snapshots::default(),
            levels: Levels::default(),
            filter: Filter::default(),
            list: RowList::default(),
            icicle: Icicle::default(),
            shows_pages: false,
            pages_picture: PagesPicture::default(),
            taking: None,
            takes_at_marks: false,
            marked: VecDeque::new(),
            saving: None,
            problem: None,
            building: Building::default(),
            shows_filters: None,
            has_room: true,
            focus_name: false,
            style: StyleCache::default(),
        }
    }

    /// Adds a snapshot and shows it.
    ///
    /// The panel keeps 16 snapshots. Beyond that, it drops the oldest one that is neither shown nor
    /// compared. A tree of more than 10,000 allocations is built on another thread, and shown when
    /// it is complete.
    pub fn add(&mut self, name: &str, snapshot: MemorySnapshot) {
        let facets = Facets::of(&snapshot);
        self.snapshots.add(name, snapshot, facets);
    }

    /// Compares the newest snapshot with the one before it, the largest growth first. Does nothing
    /// if there are fewer than two snapshots.
    pub fn compare_newest(&mut self) {
        if let [.., before, now] = self.snapshots.list() {
            let (before, now) = (before.number, now.number);
            self.snapshots.show(now);
            self.compare_with(Some(before));
        }
    }

    /// Draws the panel into the rest of `ui`, in its own style, dark or light like `ui`.
    ///
    /// The arrow keys, Page Up, Page Down, Home, End and Enter move through the rows in two cases:
    /// after a click on a row, and while the pointer is over the panel and nothing has the keyboard
    /// focus. A program may draw several panels, even of the same snapshots. The cost depends on
    /// the number of rows on screen, not on the length of the list.
    pub fn ui(&mut self, ui: &mut Ui) {
        let theme = Theme::new(ui.visuals().dark_mode);
        let rect = ui.available_rect_before_wrap();
        if !(rect.is_finite() && rect.is_positive()) {
            return;
        }
        ui.allocate_rect(rect, egui::Sense::hover());
        ui.painter().rect_filled(rect, 0.0, theme.sheet.to_opaque());
        let mut inside = ui.new_child(
            egui::UiBuilder::new()
                .id_salt(("memory panel", self.number))
                .max_rect(rect),
        );
        inside.set_style(self.style.get(&theme));
        self.panel_ui(&mut inside, &theme, rect.shrink(6.0), false);
        if self.is_taking() || !self.marked.is_empty() {
            ui.ctx().request_repaint_after(POLL);
        }
    }

    /// Draws the panel into `rect` as a page of the overlay: in the overlay's theme, with buttons
    /// to leave the page and to save a dump. Returns the user's request.
    pub fn overlay_ui(&mut self, ui: &mut Ui, theme: &Theme, rect: Rect) -> Option<PanelRequest> {
        self.panel_ui(ui, theme, rect, true)
    }

    /// Sets the function with which the panel takes snapshots of this program, such as
    /// `stats_memory::dump`. It writes a dump and returns the number of lines.
    ///
    /// With it, the panel has a button for new snapshots, and takes the first one when it is first
    /// drawn. Each snapshot sets the gauges `memory/pages/touched`, `free`, `largest-free-run` and
    /// `nearly-empty` to the bytes that [`Fragmentation`](crate::Fragmentation) describes, so that
    /// a recording has them. A snapshot without usable addresses leaves them as they are.
    ///
    /// The function runs on a thread named `stats-overlay`, or on the calling thread if no thread
    /// can be started. The panel shows its errors and panics. Calling this again replaces the
    /// function and keeps the snapshots.
    pub fn set_dump(
        &mut self,
        dump: impl Fn(&mut dyn Write) -> io::Result<u64> + Send + Sync + 'static,
    ) {
        self.dump = Some(Arc::new(dump));
    }

    /// Sets whether the bar of [`overlay_ui`](Self::overlay_ui) has buttons to choose between main
    /// and video memory. A click returns [`PanelRequest::Show`]. Default: false.
    pub fn set_switch(&mut self, has_switch: bool) {
        self.has_switch = has_switch;
    }

    /// Sets a line about the memory of the process and of the system, which is shown above that of
    /// the dump. An empty line is not shown. Default: empty.
    pub fn set_system_note(&mut self, note: &str) {
        if self.system_note != note {
            note.clone_into(&mut self.system_note);
        }
    }

    /// Returns whether [`set_dump`](Self::set_dump) was called.
    pub fn has_dump(&self) -> bool {
        self.dump.is_some()
    }

    /// Sets the current time, in seconds since an arbitrary moment. A snapshot is named after the
    /// time at which it was started, as minutes and seconds since the first call.
    ///
    /// Drawing sets egui's time. A host that takes a snapshot in a frame that does not draw the
    /// panel calls this first, with the time of the same clock.
    pub fn set_time(&mut self, now_secs: f64) {
        self.clock.set(now_secs);
    }

    /// Starts taking a snapshot, and shows it when it is complete. Does nothing without a function
    /// that writes dumps, or while another snapshot is being taken.
    pub fn take_snapshot(&mut self) {
        self.take(Purpose::Show);
    }

    /// Starts taking a snapshot, and compares it with the shown one when it is complete. Does
    /// nothing in the same cases as [`take_snapshot`](Self::take_snapshot).
    pub fn compare_with_now(&mut self) {
        self.take(Purpose::Compare);
    }

    /// Sets whether [`mark`](Self::mark) takes snapshots, like the button *At marks*. Default:
    /// false.
    pub fn set_takes_at_marks(&mut self, takes: bool) {
        self.takes_at_marks = takes;
    }

    /// Returns whether [`mark`](Self::mark) takes snapshots.
    pub fn takes_at_marks(&self) -> bool {
        self.takes_at_marks
    }

    /// If snapshots at marks are turned on, starts taking one at a mark, such as the beginning or
    /// the end of a level. The panel keeps it under the name of the mark, and does not show it.
    /// Does nothing without a function that writes dumps, or while four such snapshots are being
    /// taken.
    pub fn mark(&mut self, mark: &str) {
        let Some(dump) = self.dump.as_ref().filter(|_| self.takes_at_marks) else {
            return;
        };
        if self.marked.len() < MAX_MARKED {
            let purpose = Purpose::Keep(mark.to_owned());
            let taking = Taking::start(dump, purpose, self.clock.age_secs);
            self.marked.push_back(taking);
        }
    }

    /// Returns whether there are two snapshots taken at marks.
    pub(super) fn has_left_behind(&self) -> bool {
        self.snapshots.left_behind().is_some()
    }

    /// Compares the newest snapshot taken at a mark with the previous one at the same mark, or else
    /// at any mark, to show what was left behind. Does nothing if there are fewer than two such
    /// snapshots.
    pub fn compare_left_behind(&mut self) {
        if let Some((before, now)) = self.snapshots.left_behind() {
            self.snapshots.compare_with(None);
            self.snapshots.show(now);
            self.compare_with(Some(before));
        }
    }

    /// Adds the snapshots that have been completed. Drawing does so as well; a host calls this in
    /// frames that do not draw the panel.
    pub fn update(&mut self) {
        if let Some(done) = self.taking.as_ref().and_then(Taking::poll) {
            self.taking = None;
            self.finish_taking(done);
        }
        // In the order of the marks.
        while let Some(done) = self.marked.front().and_then(Taking::poll) {
            self.marked.pop_front();
            self.finish_taking(done);
        }
    }

    fn finish_taking(&mut self, done: Result<TakenSnapshot, String>) {
        let TakenSnapshot {
            name,
            snapshot,
            facets,
            purpose,
        } = match done {
            Ok(taken) => taken,
            Err(problem) => {
                self.problem = Some(problem);
                return;
            }
        };
        if let (MemoryKind::Main, Some(figures)) = (self.kind, snapshot.fragmentation()) {
            figures.publish();
        }
        let before = self.snapshots.shown_number();
        match purpose {
            Purpose::Keep(mark) => self.snapshots.add_at_mark(&name, mark, snapshot, facets),
            Purpose::Show => self.snapshots.add(&name, snapshot, facets),
            Purpose::Compare => {
                self.snapshots.add(&name, snapshot, facets);
                self.compare_with(before);
            }
        }
    }

    /// Starts saving a dump of this program as `memory-NUMBER.csv`, or `video-memory-NUMBER.csv`, in
    /// a folder, which is created if it does not exist. Never overwrites a file. Does nothing without
    /// a function that writes dumps, or while another dump is being saved.
    pub fn save_dump(&mut self, folder: &Path) {
        if let (Some(dump), None) = (&self.dump, &self.saving) {
            self.saving = Some(Saving::start(dump, folder, self.kind));
        }
    }

    /// Returns the path of the saved dump, or the error that prevented it. Each result is returned
    /// once. `None` while a dump is being saved, or if there is nothing to save.
    pub fn poll_saved_dump(&mut self) -> Option<Result<PathBuf, SaveDumpError>> {
        let done = self.saving.as_ref().and_then(Saving::poll)?;
        self.saving = None;
        Some(done)
    }

    pub(super) fn is_comparison(&self) -> bool {
        self.snapshots.before_number().is_some()
    }

    /// Takes the first snapshot, unless that failed before.
    pub(super) fn take_first(&mut self) {
        if self.snapshots.list().is_empty() && self.taking.is_none() && self.problem.is_none() {
            self.take_snapshot();
        }
    }

    /// Returns whether a snapshot is being taken, other than at a mark.
    pub(super) fn is_taking(&self) -> bool {
        self.taking.is_some()
    }

    fn take(&mut self, purpose: Purpose) {
        let Some(dump) = self.dump.as_ref().filter(|_| self.taking.is_none()) else {
            return;
        };
        self.problem = None;
        self.taking = Some(Taking::start(dump, purpose, self.clock.age_secs));
    }

    /// Compares the shown snapshot with another one, or with none.
    pub(super) fn compare_with(&mut self, number: Option<u32>) {
        self.snapshots.compare_with(number);
        self.settle_comparison();
    }

    /// Shows another snapshot.
    pub(super) fn show(&mut self, number: u32) {
        self.snapshots.show(number);
        self.settle_comparison();
    }

    /// Adjusts the order and the filter after a comparison was started, changed or ended.
    fn settle_comparison(&mut self) {
        let by_change = matches!(
            self.list.order().by,
            SortBy::BytesChange | SortBy::Growth | SortBy::CountChange
        );
        if self.is_comparison() {
            self.list.set_order(Order {
                by: SortBy::Growth,
                descending: true,
            });
        } else {
            self.filter.changes = Changes::All;
            if by_change {
                self.list.set_order(Order::default());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snapshots_are_taken_one_at_a_time_without_drawing() {
        let mut panel = MemoryPanel::new();
        panel.take_snapshot();
        assert!(!panel.is_taking(), "there is no function to take it with");
        panel.set_dump(|out| out.write_all(b"0x1,t,g,64,s,n\n").map(|()| 1));
        for purpose in [Purpose::Compare, Purpose::Show, Purpose::Compare] {
            panel.take(purpose);
            // Ignored while another one is being taken.
            panel.take(Purpose::Show);
            while panel.is_taking() {
                std::thread::yield_now();
                panel.update();
            }
        }
        let snapshots = &panel.snapshots;
        assert_eq!(
            (snapshots.before_number(), snapshots.shown_number()),
            (Some(2), Some(3))
        );
    }

    #[test]
    fn marks_take_snapshots_in_order_if_they_are_turned_on() {
        let mut panel = MemoryPanel::new();
        panel.set_dump(|out| out.write_all(b"0x1,t,g,64,s,n\n").map(|()| 1));
        panel.mark("nobody asked");
        assert!(panel.marked.is_empty());
        panel.set_takes_at_marks(true);
        ["a", "b", "a", "c", "too many"]
            .iter()
            .for_each(|mark| panel.mark(mark));
        while !panel.marked.is_empty() {
            std::thread::yield_now();
            panel.update();
        }
        let names: Vec<_> = panel
            .snapshots
            .list()
            .iter()
            .map(|kept| &*kept.short)
            .collect();
        assert_eq!(names, ["1: 0:00 a", "2: 0:00 b", "3: 0:00 a", "4: 0:00 c"]);
        panel.mark("b");
        while !panel.marked.is_empty() {
            std::thread::yield_now();
            panel.update();
        }
        panel.compare_left_behind();
        let snapshots = &panel.snapshots;
        assert_eq!(
            (snapshots.before_number(), snapshots.shown_number()),
            (Some(2), Some(5))
        );
    }

    #[test]
    fn a_failed_first_snapshot_is_not_retried_automatically() {
        let mut panel = MemoryPanel::new();
        panel.set_dump(|_| Err(io::Error::other("no paper")));
        panel.take_first();
        while panel.is_taking() {
            std::thread::yield_now();
            panel.update();
        }
        let problem = panel.problem.clone().unwrap_or_default();
        assert!(problem.contains("no paper"), "{problem}");
        panel.take_first();
        assert!(!panel.is_taking());
    }
}
