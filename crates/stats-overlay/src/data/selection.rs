//! The selected series: their paths, watches, colors and short names.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

use stats_core::source::Listed;
use stats_core::{FrameSlice, SeriesId, SeriesInfo, SeriesKind, Source, Unit, Watch};

use crate::data::listing::{companion_kind, companion_path, going_on, list_or_all, recorder_of};
use crate::data::names::short_names;
use crate::data::recent::{Columns, Recent};
pub use stats_core::FRAME_TIME;

use stats_analysis::pace::limit;
use stats_ui::palette::preferred_slot;

/// The number of series that can be selected in one pane.
///
/// Each selected series has a history (32 KiB with the recorder's 4,096 frames), so without a
/// limit, selecting a folder of thousands of series by mistake could use up the game's memory.
pub const MAX_SELECTED: usize = 256;

/// The properties of a selected series in the listing. They may change later.
#[derive(Clone, Debug, Default, PartialEq)]
struct Facts {
    unit: Unit,
    budget: Option<f64>,
    unavailable: String,
    /// `None` until it is known.
    kind: Option<SeriesKind>,
}

impl Facts {
    /// Returns what is known of a path before a series is found under it.
    fn of_path(path: &str) -> Self {
        let mut facts = Self::default();
        if path == FRAME_TIME {
            facts.unit = Unit::Milliseconds;
            facts.kind = Some(SeriesKind::FrameTime);
        }
        facts
    }

    fn is_of(&self, info: &SeriesInfo<'_>) -> bool {
        self.unit == info.unit
            && self.budget == info.budget
            && self.unavailable == info.unavailable.unwrap_or_default()
            && self.kind == Some(info.kind)
    }
}

/// One selected series.
#[derive(Debug)]
pub(crate) struct SelectedSeries {
    pub(crate) path: String,
    /// The shortest name that differs from those of the other selected series.
    pub(crate) name: String,
    /// Its color, as an index into the palette: the preferred one until `Panes::assign_colors`.
    pub(crate) slot: usize,
    /// `None` while no series has this path.
    pub(crate) id: Option<SeriesId>,
    pub(crate) watch: Option<Watch>,
    facts: Facts,
}

impl SelectedSeries {
    /// Returns whether the series is the clock of the source, which some views always show.
    pub(crate) fn is_clock(&self) -> bool {
        self.path == FRAME_TIME
    }

    /// Returns whether the values are durations of whole frames: of the source, or of one of the
    /// runs in it.
    pub(crate) fn is_frame_time(&self) -> bool {
        self.facts.kind == Some(SeriesKind::FrameTime)
    }

    pub(crate) fn is_missing(&self) -> bool {
        self.id.is_none()
    }

    /// Returns whether the series is a histogram, whose value of a frame is the sum of its samples.
    pub(crate) fn is_histogram(&self) -> bool {
        self.facts.kind == Some(SeriesKind::Histogram)
    }

    /// Returns the name of the values of frames, which views of frames show.
    pub(crate) fn frame_name(&self) -> Cow<'_, str> {
        if self.is_histogram() {
            format!("sum of {}", self.name).into()
        } else {
            self.name.as_str().into()
        }
    }

    /// Returns why the series has no values; empty if it has some.
    pub(crate) fn unavailable(&self) -> &str {
        &self.facts.unavailable
    }

    /// Returns the whole history of the series in a source; empty if it has none, or if the series
    /// is unavailable.
    pub(crate) fn history<'a>(&self, source: &'a dyn Source) -> FrameSlice<'a> {
        match &self.watch {
            // An unavailable series reports 0 in every frame, which would look like a measured
            // value.
            _ if !self.unavailable().is_empty() => FrameSlice::default(),
            Some(watch) => source.history(watch, usize::MAX),
            None => FrameSlice::default(),
        }
    }

    pub(crate) fn unit(&self) -> Unit {
        self.facts.unit
    }

    /// Returns the value above which a frame is over the budget.
    pub(crate) fn limit(&self) -> Option<f64> {
        let kind = self.facts.kind?;
        self.budget().map(|budget| limit(kind, budget))
    }

    pub(crate) fn budget(&self) -> Option<f64> {
        self.facts.budget.filter(|budget| budget.is_finite())
    }
}

/// Returns the slot of a path's color in a pane: that of its graph there, or else `otherwise`.
pub(crate) fn slot_of(selected: &[SelectedSeries], path: &str, otherwise: usize) -> usize {
    let here = selected.iter().find(|selected| selected.path == path);
    here.map_or(otherwise, |selected| selected.slot)
}

/// Returns a new revision, greater than all earlier ones.
fn new_revision() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    // Relaxed: each number must be returned once, and nothing else is published with it.
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A set of selected series, in the order in which they were selected.
#[derive(Debug)]
pub(crate) struct Selection {
    selected: Vec<SelectedSeries>,
    /// The generation of the listing in which missing series were last looked up.
    resolved_in: Option<u64>,
    /// The generation of the listing from which facts were last read.
    facts_of: Option<u64>,
    /// Changes with every change of the selection, and is unique among all selections. Everything
    /// derived from the selection is computed again only when it changes.
    revision: u64,
}

impl Selection {
    /// Selects the frame time alone.
    pub(crate) fn new() -> Self {
        let mut selection = Self::empty();
        selection.set(FRAME_TIME, true);
        selection
    }

    pub(crate) fn empty() -> Self {
        Self {
            selected: Vec::new(),
            resolved_in: None,
            facts_of: None,
            revision: new_revision(),
        }
    }

    /// Selects these paths, in this order, each once.
    pub(crate) fn of<'a>(paths: impl IntoIterator<Item = &'a str>) -> Self {
        let mut selection = Self::empty();
        paths.into_iter().for_each(|path| selection.set(path, true));
        selection
    }

    /// Shares the watches of the series that `other` has already found.
    pub(crate) fn join(&mut self, other: &Self) {
        for selected in &mut self.selected {
            if !selected.is_missing() {
                continue;
            }
            let mut held = other.selected.iter();
            if let Some(held) = held.find(|held| held.path == selected.path) {
                (selected.id, selected.watch) = (held.id, held.watch.clone());
                selected.facts = held.facts.clone();
            }
        }
    }

    /// Sets the color of every series to the slot that `slot` returns for its path.
    pub(crate) fn color(&mut self, slot: &mut dyn FnMut(&str) -> usize) {
        for selected in &mut self.selected {
            selected.slot = slot(&selected.path);
        }
    }

    pub(crate) fn selected(&self) -> &[SelectedSeries] {
        &self.selected
    }

    /// Returns the paths of all selected series, in the order in which they were selected.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.selected.iter().map(|selected| selected.path.as_str())
    }

    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    pub(crate) fn contains(&self, path: &str) -> bool {
        self.selected.iter().any(|selected| selected.path == path)
    }

    /// Returns the watch of a selected series.
    pub(crate) fn watch_of(&self, id: SeriesId) -> Option<Watch> {
        self.of_id(id)?.watch.clone()
    }

    /// Returns the path of a selected series.
    pub(crate) fn path_of(&self, id: SeriesId) -> Option<&str> {
        Some(&self.of_id(id)?.path)
    }

    fn of_id(&self, id: SeriesId) -> Option<&SelectedSeries> {
        self.selected
            .iter()
            .find(|selected| selected.id == Some(id))
    }

    /// Selects or deselects a path, whether or not a series has it. Does nothing if it is empty, or
    /// if [`MAX_SELECTED`] paths are selected already.
    pub(crate) fn set(&mut self, path: &str, on: bool) {
        let held = self
            .selected
            .iter()
            .position(|selected| selected.path == path);
        match held {
            Some(at) if !on => {
                self.selected.remove(at);
            }
            None if on && !path.is_empty() && self.selected.len() < MAX_SELECTED => {
                self.selected.push(SelectedSeries {
                    path: path.to_owned(),
                    name: String::new(),
                    slot: preferred_slot(path),
                    id: None,
                    watch: None,
                    facts: Facts::of_path(path),
                });
                self.resolved_in = None;
            }
            _ => return,
        }
        self.revision = new_revision();
        self.rename();
    }

    /// Starts the histories of selected series that are now registered, with their `recent` values.
    /// Renames paths of older versions. Looks up only missing series, and only if the listing or
    /// the selection changed. Allocates nothing if it finds no series.
    pub(crate) fn resolve(&mut self, source: &mut dyn Source, recent: &Recent) {
        let generation = source.generation();
        if self.resolved_in == Some(generation) {
            return;
        }
        self.resolved_in = Some(generation);
        let (mut renamed, mut columns) = (false, Columns::default());
        for selected in &mut self.selected {
            if !selected.is_missing() {
                continue;
            }
            let Some((id, unit, path)) = find(source, &selected.path) else {
                continue;
            };
            if let Some(unit) = unit {
                selected.facts.unit = unit;
            }
            selected.id = Some(id);
            selected.watch = Some(recent.watch(source, id, &mut columns));
            self.facts_of = None;
            self.revision = new_revision();
            renamed |= path != selected.path;
            selected.path = path;
        }
        if renamed {
            let mut seen = HashSet::new();
            self.selected
                .retain(|selected| seen.insert(selected.path.clone()));
            self.rename();
        }
    }

    /// Reads units, budgets and reasons again if the listing changed. Reads them at once for a
    /// series that was just found; otherwise, waits until it is `due`, because some sources can
    /// only list all series.
    pub(crate) fn read_facts(&mut self, source: &dyn Source, due: bool) {
        let generation = source.generation();
        if self.facts_of == Some(generation) || (self.facts_of.is_some() && !due) {
            return;
        }
        self.facts_of = Some(generation);
        let ids = self.selected.iter().filter_map(|selected| selected.id);
        let mut ids: Vec<SeriesId> = ids.collect();
        ids.sort_unstable();
        for_each_of(source, &ids, &mut |info| {
            for selected in &mut self.selected {
                // The user sets the budget of the frame time.
                let own = selected.facts.budget;
                let is_frame_time = info.kind == SeriesKind::FrameTime;
                let mut info = info;
                info.budget = if is_frame_time { own } else { info.budget };
                let facts = || Facts {
                    unit: info.unit,
                    budget: info.budget,
                    unavailable: info.unavailable.unwrap_or_default().to_owned(),
                    kind: Some(info.kind),
                };
                if selected.id == Some(info.id) && !selected.facts.is_of(&info) {
                    selected.facts = facts();
                    self.revision = new_revision();
                }
            }
        });
    }

    /// Sets the budget of the frame time.
    pub(crate) fn set_frame_budget(&mut self, budget_ms: Option<f64>) {
        for selected in &mut self.selected {
            if selected.is_frame_time() && selected.facts.budget != budget_ms {
                selected.facts.budget = budget_ms;
                self.revision = new_revision();
            }
        }
    }

    /// Forgets everything about one source, before another one is drawn.
    pub(crate) fn detach(&mut self) {
        for selected in &mut self.selected {
            selected.id = None;
            selected.watch = None;
            selected.facts = Facts::of_path(&selected.path);
        }
        self.resolved_in = None;
        self.facts_of = None;
        self.revision = new_revision();
    }

    fn rename(&mut self) {
        let names = short_names(&self.paths().collect::<Vec<_>>());
        for (selected, name) in self.selected.iter_mut().zip(names) {
            selected.name = name;
        }
    }
}

/// Finds the series of a path, its unit and its current path. The current path of calls, samples
/// and self times depends on whether another series has it. A source does not find them by their
/// path, and does not list them by themselves, so their timer or histogram is looked up.
pub(crate) fn find(source: &dyn Source, path: &str) -> Option<(SeriesId, Option<Unit>, String)> {
    if let Some(id) = source.find(path) {
        // The unit is read later, with the other facts.
        return Some((id, None, path.to_owned()));
    }
    let recorder_path = recorder_of(path)?;
    let recorder = source.find(recorder_path)?;
    let mut found = None;
    for_each_of(source, &[recorder], &mut |info| {
        let Some(kind) = companion_kind(path, info.kind) else {
            return;
        };
        let (companion, unit) = match kind {
            SeriesKind::TimerSelf => (info.self_time, info.unit),
            _ => (info.calls, Unit::Count),
        };
        found = companion.map(|id| (id, unit, kind));
    });
    let (id, unit, kind) = found?;
    let is_taken = |path: &str| source.find(path).is_some();
    Some((
        id,
        Some(unit),
        companion_path(recorder_path, kind, is_taken),
    ))
}

/// Returns the unit, the budget and the id of the series with a path, if it is listed by itself.
pub(crate) fn facts_of(source: &dyn Source, path: &str) -> Option<(Unit, Option<f64>, SeriesId)> {
    let id = source.find(path)?;
    let mut found = None;
    for_each_of(source, &[id], &mut |info| {
        found = Some((info.unit, info.budget, id));
    });
    found
}

/// Returns the path of the timer or histogram to which the series of a path belongs; `None` if it is
/// a series by itself, or if no series has the path.
pub(crate) fn recorder_with_companion<'a>(source: &dyn Source, path: &'a str) -> Option<&'a str> {
    let is_companion = source.find(path).is_none() && find(source, path).is_some();
    recorder_of(path).filter(|_| is_companion)
}

/// Calls `visit` with the listed series that have these ids, which are sorted. Walks the listing of
/// a source that cannot look up a series.
pub(super) fn for_each_of(
    source: &dyn Source,
    ids: &[SeriesId],
    visit: &mut dyn FnMut(SeriesInfo<'_>),
) {
    let mut visit = going_on(|info| {
        if ids.binary_search(&info.id).is_ok() {
            visit(info);
        }
    });
    for id in ids {
        let number = id.number();
        let one = Listed::Numbers(number..number.saturating_add(1));
        if list_or_all(source, one, &mut visit).is_none() {
            return;
        }
    }
}

#[cfg(test)]
impl Selection {
    /// Gives a selected series a unit, as the listing of a source does.
    pub(crate) fn set_unit(&mut self, path: &str, unit: Unit) {
        let all = self.selected.iter_mut();
        let of = all.filter(|selected| selected.path == path);
        of.for_each(|selected| selected.facts.unit = unit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selected_series_keep_their_order_and_are_bounded() {
        let mut selection = Selection::new();
        assert!(selection.contains(FRAME_TIME));
        selection.set("a/count", true);
        selection.set("b/count", true);
        selection.set("a/count", true);
        let names: Vec<&str> = selection
            .selected()
            .iter()
            .map(|selected| selected.name.as_str())
            .collect();
        assert_eq!(names, [FRAME_TIME, "a/count", "b/count"]);
        selection.set("a/count", false);
        assert_eq!(selection.selected()[1].name, "b/count");
        for number in 0..1000 {
            selection.set(&format!("many/{number}"), true);
        }
        assert_eq!(selection.selected().len(), MAX_SELECTED);
    }

    #[cfg(feature = "enabled")]
    #[test]
    fn samples_are_selected_by_their_path_and_a_histogram_has_no_calls() {
        let sizes = stats_core::histogram("selection/sizes");
        let mut recorder = stats_core::Recorder::new();
        let saved = ["selection/sizes/samples", "selection/sizes/calls"];
        let mut selection = Selection::of(saved);
        selection.resolve(&mut recorder, &Default::default());
        assert!(selection.paths().eq(saved));
        let ids = [0, 1].map(|at| selection.selected()[at].id);
        assert_eq!(ids, [Some(sizes.samples_id()), None]);
    }

    #[cfg(feature = "enabled")]
    #[test]
    fn self_times_are_selected_by_their_path() {
        let timer = stats_core::timer("selection/timer");
        let mut recorder = stats_core::Recorder::new();
        let saved = ["selection/timer/self", "selection/timer/calls"];
        let mut selection = Selection::of(saved);
        selection.resolve(&mut recorder, &Default::default());
        assert!(selection.paths().eq(saved));
        let ids = [0, 1].map(|at| selection.selected()[at].id);
        assert_eq!(ids, [timer.self_id(), timer.calls_id()].map(Some));
        selection.read_facts(&recorder, true);
        let units = [0, 1].map(|at| selection.selected()[at].unit());
        assert_eq!(units, [Unit::Milliseconds, Unit::Count]);
    }
}
