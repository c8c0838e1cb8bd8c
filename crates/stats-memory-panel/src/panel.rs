//! The memory view: snapshots, filters, and the tree.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use egui::{Context, Id, Style, Ui};

use super::facets::Facets;
use super::filter::{Changes, Filter};
use super::job::Job;
use super::kept::{Kept, Snapshots};
use super::list::RowList;
use super::snapshot::MemorySnapshot;
use super::take::{Dump, Taken, panicked_text};
use super::tree::{Levels, MemoryTree, Order, SortBy};
use stats_ui::instant::Instant;
use stats_ui::theme::Theme;

/// The tree of fewer allocations is made within the frame, which takes some milliseconds; of more,
/// beside it.
const IN_PLACE: u64 = 10_000;

/// Counts panels: what they draw has ids of its own in each.
static PANELS: AtomicU64 = AtomicU64::new(0);

/// The memory view as a panel of any egui program: snapshots, one of them shown, or compared with
/// another.
///
/// ```
/// # fn example(ui: &mut egui::Ui) -> std::io::Result<()> {
/// use stats_memory_panel::{MemoryPanel, MemorySnapshot};
///
/// let mut panel = MemoryPanel::new(); // once
/// panel.add("before", MemorySnapshot::read(std::fs::File::open("memory-1.csv")?)?);
/// panel.add("after", MemorySnapshot::read(std::fs::File::open("memory-2.csv")?)?);
/// panel.compare_newest();
/// panel.ui(ui); // once in every frame
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct MemoryPanel {
    pub(super) number: u64,
    /// Where it is drawn: one panel can be drawn in several places of a frame.
    pub(super) id: Id,
    began: Instant,
    pub(super) dump: Option<Dump>,
    pub(super) snapshots: Snapshots,
    pub(super) levels: Levels,
    pub(super) filter: Filter,
    pub(super) list: RowList,
    pub(super) taking: Option<Taking>,
    /// Why the last snapshot could not be taken.
    pub(super) problem: Option<String>,
    /// The tree that is being made, and of what.
    building: Option<(Request, Job<MemoryTree>)>,
    /// What the tree is of.
    built: Option<Request>,
    /// Whether the filters are shown; `None` while the user did not choose: where there is room.
    pub(super) shows_filters: Option<bool>,
    /// Whether there is room for them.
    pub(super) has_room: bool,
    /// Whether the keyboard is to go into the field for names.
    pub(super) focus_name: bool,
    /// The style of the widgets where no overlay gives it, and the theme that it was made for.
    style: Option<(Theme, Arc<Style>)>,
}

/// A snapshot that is being taken.
#[derive(Debug)]
pub(super) struct Taking {
    job: Job<io::Result<Taken>>,
    compare: bool,
    /// When it was begun, in seconds since the panel was made.
    at_secs: u64,
}

/// What a tree is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Request {
    shown: u32,
    before: Option<u32>,
    levels: Levels,
    filter: Filter,
}

impl Default for MemoryPanel {
    fn default() -> Self {
        Self::new()
    }
}

impl MemoryPanel {
    /// A panel without snapshots.
    #[must_use]
    pub fn new() -> Self {
        Self {
            // Only a number that no other panel has: nothing is ordered by it.
            number: PANELS.fetch_add(1, Ordering::Relaxed),
            id: Id::NULL,
            began: Instant::now(),
            dump: None,
            snapshots: Snapshots::default(),
            levels: Levels::default(),
            filter: Filter::default(),
            list: RowList::default(),
            taking: None,
            problem: None,
            building: None,
            built: None,
            shows_filters: None,
            has_room: true,
            focus_name: false,
            style: None,
        }
    }

    /// Adds a snapshot and shows it. Of more than 16 the oldest goes that is neither shown nor
    /// compared with.
    ///
    /// The tree of a large one is made beside the frames, and shown when it is done.
    pub fn add(&mut self, name: &str, snapshot: MemorySnapshot) {
        let facets = Facets::of(&snapshot);
        self.keep(name, snapshot, facets);
    }

    /// Compares the snapshot that was added last with the one before it, the largest growth first.
    /// With fewer than two it does nothing.
    pub fn compare_newest(&mut self) {
        if let [.., before, now] = self.snapshots.list() {
            let (before, now) = (before.number, now.number);
            self.snapshots.show(now);
            self.compare_with(Some(before));
        }
    }

    /// Draws it into what is left of `ui`, in the overlay's own look, dark or light as `ui` is.
    ///
    /// The arrow keys, Page up and down, Home, End and Enter are the panel's while the pointer is
    /// over it and nothing has the keyboard, and after a click on a row. Several panels may be
    /// drawn in one program, also from the same snapshots.
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
        inside.set_style(self.style(&theme));
        self.panel_ui(&mut inside, &theme, rect.shrink(6.0), false);
    }

    fn style(&mut self, theme: &Theme) -> Arc<Style> {
        match &self.style {
            Some((of, style)) if of == theme => Arc::clone(style),
            _ => {
                let style = theme.style();
                self.style = Some((*theme, Arc::clone(&style)));
                style
            }
        }
    }

    pub(super) fn is_comparison(&self) -> bool {
        self.snapshots.before_number().is_some()
    }

    /// The ordinals of the earlier snapshot, if two are compared, and of the snapshot on screen.
    pub fn shown(&self) -> (Option<u32>, Option<u32>) {
        (
            self.snapshots.before_number(),
            self.snapshots.shown_number(),
        )
    }

    /// The function that writes dumps, if one is set.
    pub fn dump(&self) -> Option<&Dump> {
        self.dump.as_ref()
    }

    /// Sets the function that writes dumps. Snapshots taken before are kept.
    pub fn set_dump(&mut self, dump: Dump) {
        self.dump = Some(dump);
    }

    /// Whether no snapshot was ever there, nor asked for.
    pub fn is_untouched(&self) -> bool {
        self.snapshots.list().is_empty() && self.taking.is_none() && self.problem.is_none()
    }

    /// Whether a snapshot is being taken.
    pub fn is_taking(&self) -> bool {
        self.taking.is_some()
    }

    /// Whether a tree is being made that is not shown yet.
    pub(super) fn is_building(&self) -> bool {
        self.building.is_some()
    }

    /// Begins to take a snapshot, and to compare what is shown with it, unless one is being taken.
    pub fn take(&mut self, compare: bool) {
        let Some(dump) = self.dump.as_ref().filter(|_| self.taking.is_none()) else {
            return;
        };
        let at_secs = self.began.elapsed().as_secs();
        self.problem = None;
        self.taking = Some(Taking {
            job: dump.take(),
            compare,
            at_secs,
        });
    }

    /// Shows one that was taken or read.
    fn keep(&mut self, name: &str, snapshot: MemorySnapshot, facets: Facets) {
        self.snapshots.add(name, snapshot, facets);
    }

    /// Compares what is shown with another snapshot, or with none any more.
    pub(super) fn compare_with(&mut self, number: Option<u32>) {
        self.snapshots.compare_with(number);
        self.settle_comparison();
    }

    /// Shows another snapshot.
    pub(super) fn show(&mut self, number: u32) {
        self.snapshots.show(number);
        self.settle_comparison();
    }

    /// What is sorted by and filtered for follows from whether anything is compared.
    fn settle_comparison(&mut self) {
        let by_change = matches!(
            self.list.order().by,
            SortBy::BytesChange | SortBy::CountChange
        );
        if self.is_comparison() {
            self.list.set_order(Order {
                by: SortBy::BytesChange,
                descending: true,
            });
        } else {
            self.filter.changes = Changes::All;
            if by_change {
                self.list.set_order(Order::default());
            }
        }
    }

    /// Takes in what was done beside the frame, and begins what is to be done now.
    pub(super) fn settle(&mut self, ctx: &Context) {
        self.finish_taking();
        self.finish_building();
        let request = self.request();
        if self.building.is_none()
            && request != self.built
            && let Some(request) = request
        {
            self.build(ctx, request);
            self.finish_building();
        }
        self.list.update();
    }

    /// Shows the snapshot that was being taken, once it is.
    pub fn finish_taking(&mut self) {
        let Some(done) = self.taking.as_ref().and_then(|taking| taking.job.poll()) else {
            return;
        };
        let Some(Taking {
            compare, at_secs, ..
        }) = self.taking.take()
        else {
            return;
        };
        match done {
            Ok(Ok((snapshot, facets))) => {
                let before = self.snapshots.shown_number();
                self.keep(
                    &format!("{}:{:02}", at_secs / 60, at_secs % 60),
                    snapshot,
                    facets,
                );
                if compare {
                    self.compare_with(before);
                }
            }
            Ok(Err(error)) => {
                self.problem = Some(format!(
                    "No snapshot: the dump could not be written: {error}"
                ))
            }
            Err(panicked) => {
                self.problem = Some(format!("No snapshot: {}", panicked_text(&panicked)))
            }
        }
    }

    fn request(&self) -> Option<Request> {
        let shown = self.snapshots.shown()?;
        // Without threads in a dump that level would be one row about nothing.
        let (available, levels) = (self.available_levels(), self.levels);
        let (threads, sizes) = (
            levels.threads && available.threads,
            levels.sizes && available.sizes,
        );
        let any = threads || levels.groups || levels.scopes || levels.names || sizes;
        let levels = Levels {
            threads,
            sizes,
            names: levels.names || !any,
            ..levels
        };
        Some(Request {
            shown: shown.number,
            before: self.snapshots.before_number(),
            levels,
            filter: self.filter.clone(),
        })
    }

    /// Whether anything that is looked at tells threads apart.
    pub(super) fn has_threads(&self) -> bool {
        self.looked_at().any(|kept| kept.facets.has_threads())
    }

    /// The levels that all that is looked at has: compared with a dump of tags, each thread and
    /// each size would be a new one.
    pub(super) fn available_levels(&self) -> Levels {
        // A dump of nothing is like any other.
        let all = |tells: fn(&Facets) -> bool| {
            self.looked_at()
                .all(|kept| kept.snapshot.entries() == 0 || tells(&kept.facets))
        };
        Levels {
            threads: all(Facets::has_threads),
            sizes: all(|facets| facets.has_sizes),
            ..Levels::default()
        }
    }

    /// What is shown, and what it is compared with.
    pub(super) fn looked_at(&self) -> impl Iterator<Item = &Kept> {
        [self.snapshots.shown(), self.snapshots.before()]
            .into_iter()
            .flatten()
    }

    /// Begins to make a tree; small ones are made at once.
    fn build(&mut self, ctx: &Context, request: Request) {
        let Some(shown) = self.snapshots.shown() else {
            return;
        };
        let now = Arc::clone(&shown.snapshot);
        let before = self
            .snapshots
            .before()
            .map(|kept| Arc::clone(&kept.snapshot));
        let allocations = now
            .allocations()
            .saturating_add(before.as_ref().map_or(0, |before| before.allocations()));
        let (levels, filter) = (request.levels, request.filter.clone());
        let work = move || MemoryTree::new(&now, before.as_deref(), levels, &filter);
        let job = if allocations <= IN_PLACE {
            Job::in_place(work)
        } else {
            Job::start(Some(ctx), work)
        };
        self.building = Some((request, job));
    }

    fn finish_building(&mut self) {
        let Some(done) = self.building.as_ref().and_then(|(_, job)| job.poll()) else {
            return;
        };
        let Some((request, _)) = self.building.take() else {
            return;
        };
        let was = self.built.replace(request);
        match done {
            Ok(tree) => {
                self.list.set_tree(tree);
                self.reveal(was.as_ref());
            }
            Err(panicked) => {
                self.problem = Some(format!("The tree could not be made: {}", panicked.0))
            }
        }
    }

    /// Opens what is looked for: the ways to what a filter leaves, the way to the largest growth
    /// where something else is compared than in the tree before, and the largest row of the first
    /// tree.
    fn reveal(&mut self, was: Option<&Request>) {
        let Some(request) = &self.built else { return };
        if request.filter == Filter::default() {
            self.list.leave_matches();
        } else if was
            .is_none_or(|was| (&was.filter, was.levels) != (&request.filter, request.levels))
        {
            self.list.reveal_matches();
        }
        let compares = request.before.is_some()
            && was.is_none_or(|was| (was.shown, was.before) != (request.shown, request.before));
        if compares {
            self.list.reveal_growth();
        } else if was.is_none() {
            self.list.reveal_first();
        }
    }
}
