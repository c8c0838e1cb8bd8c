//! The public functions that read the registry.

use std::ops::ControlFlow;

use super::registry::{Registry, change_catalog, read_catalog, with_registry};
use crate::live::counter;
use crate::source::Listed;
use crate::{Problem, SeriesId, SeriesInfo, Unit};

/// Returns a number that changes whenever [`for_each_series`] would list something different. One
/// load.
#[must_use]
pub fn generation() -> u64 {
    with_registry(Registry::generation)
}

/// Calls `visit` with every registered series, in the order of registration.
///
/// No lock is held during a call, so `visit` may register series; they are listed too.
pub fn for_each_series(visit: impl FnMut(SeriesInfo<'static>)) {
    list(Listed::All, &mut going_on(visit));
}

/// Returns a visitor that never breaks.
fn going_on<'a>(
    mut visit: impl FnMut(SeriesInfo<'a>),
) -> impl FnMut(SeriesInfo<'a>) -> ControlFlow<()> {
    move |info| {
        visit(info);
        ControlFlow::Continue(())
    }
}

/// Calls `visit` with registered series, in the order of registration or of their changes, until it
/// breaks. Returns the number of slots in use. No lock is held during a call.
pub(crate) fn list(
    series: Listed,
    visit: &mut dyn FnMut(SeriesInfo<'static>) -> ControlFlow<()>,
) -> u32 {
    if let Listed::Numbers(numbers) = &series
        && numbers.len() == 1
    {
        // Needs no list.
        if let Some(info) = change_catalog(|catalog| catalog.listed_in(numbers.start)) {
            let _ = visit(info);
        }
        return with_registry(Registry::slots);
    }
    let mut page = Vec::new();
    let (mut from, end, is_change) = match series {
        Listed::All => (0, u32::MAX, false),
        Listed::Numbers(numbers) => (numbers.start.into(), numbers.end, false),
        Listed::ChangedSince(since) => (since, u32::MAX, true),
    };
    while is_change || from < u64::from(end) {
        let next = change_catalog(|catalog| match is_change {
            true => catalog.changes(from, &mut page),
            false => catalog.list(from as u32..end, &mut page).into(),
        });
        if next == from || page.drain(..).try_for_each(&mut *visit).is_break() {
            break;
        }
        from = next;
    }
    with_registry(Registry::slots)
}

/// Calls `visit` with each series that was registered or described since [`generation`] was
/// `since`: with all of them for 0, with none for a generation in the future.
///
/// The cost depends only on the changes. A series may be visited more than once, each time in its
/// current state. No lock is held while `visit` runs.
pub fn for_each_change(since: u64, visit: impl FnMut(SeriesInfo<'static>)) {
    list(Listed::ChangedSince(since), &mut going_on(visit));
}

/// Returns the id of the series that is registered under a path; `None` if there is none. Hashes
/// the path and takes a lock.
///
/// Empty segments of the path are ignored, as they are at registration.
#[must_use]
pub fn find(path: &str) -> Option<SeriesId> {
    read_catalog(|catalog| catalog.find(path)).map(SeriesId::new)
}

/// Sets the budgets of series by their paths and units, for registered series and for those that
/// will be registered. `budget_of` returns the value above which a frame is over budget, in the
/// given unit, or `None` to keep the budget that the program registered, if any. A value that is
/// not finite counts as `None`. A second call replaces the budgets of the first.
///
/// The path `frame` stands for the duration of a frame, in milliseconds; [`frame_budget_ms`]
/// returns its budget.
///
/// This lets a file of budgets apply to a running program; [stats-config] reads such files.
/// `budget_of` is called for each series before it is listed the first time, and again if its unit
/// becomes known later, while a lock is held: registering or listing series in it would deadlock.
///
/// # Errors
///
/// `budget_of` returns a [`Problem`] if it cannot decide. The problem is added to [`problems`], and
/// `budget_of` is called once more for every series, because the budgets that it returned before
/// may depend on the same mistake. Another error counts as `None`.
///
/// ```
/// use stats_core::{Counter, Unit};
///
/// static BULLETS: Counter = Counter::new("combat/bullets").budget(100.0);
///
/// stats_core::set_budgets(|path, unit| {
///     let is_combat = path.starts_with("combat/") && unit == Unit::Count;
///     Ok(is_combat.then_some(500.0))
/// });
/// BULLETS.add(1);
/// # if stats_core::ENABLED {
/// stats_core::for_each_series(|series| {
///     if series.path == "combat/bullets" {
///         assert_eq!(series.budget, Some(500.0));
///     }
/// });
/// # }
/// ```
///
/// [stats-config]: https://crates.io/crates/stats-config
pub fn set_budgets(
    budget_of: impl FnMut(&str, Unit) -> Result<Option<f64>, Problem> + Send + 'static,
) {
    change_catalog(|catalog| catalog.set_budgets(Box::new(budget_of)));
}

/// Sets the budget of the series with exactly this path, now or once it is registered; `None` removes
/// it. The budget is in the unit of the series, and one that is not finite counts as `None`.
///
/// It replaces the one that the program declared and those of [`set_budgets`]: it is the budget that
/// a person sets by hand, as the overlay does. Sources on disk that ask [`budget_set_for`] use it,
/// too. The path of the [frame time](crate::FRAME_TIME) sets the budget of a frame.
///
/// Takes a lock. Does nothing without the feature `enabled`.
///
/// ```
/// static BULLETS: stats_core::Counter = stats_core::Counter::new("by-hand/bullets").budget(100.0);
///
/// BULLETS.add(1);
/// stats_core::set_budget("by-hand/bullets", Some(250.0));
/// let set = stats_core::ENABLED.then_some(250.0);
/// assert_eq!(stats_core::budget_set_for("by-hand/bullets"), set);
/// ```
pub fn set_budget(path: &str, budget: Option<f64>) {
    with_registry(|registry| registry.set_budget(path, budget));
}

/// Returns the budget that [`set_budget`] set for a path; `None` if it set none. Takes a lock. For
/// authors of a [`Source`](crate::Source) that has no live series.
#[must_use]
pub fn budget_set_for(path: &str) -> Option<f64> {
    read_catalog(|catalog| catalog.single_budget(path))
}

/// Returns a number that increases whenever [`set_budget`] changes a budget. A source that asks
/// [`budget_set_for`] adds it to its [generation](crate::Source::generation). Takes a few
/// nanoseconds, and no lock.
#[must_use]
pub fn budget_changes() -> u64 {
    with_registry(Registry::single_budget_changes)
}

/// Returns the budget of a frame in milliseconds that [`set_budgets`] or [`set_budget`] set; `None`
/// if they set none.
/// Takes a few nanoseconds, and no lock.
#[must_use]
pub fn frame_budget_ms() -> Option<f64> {
    with_registry(Registry::frame_budget_ms)
}

/// Returns the problems found so far, each once, oldest first, up to 256: mistakes at registration,
/// refused values, inexact totals, and limits that were reached.
#[must_use]
pub fn problems() -> Vec<Problem> {
    read_catalog(|catalog| catalog.problems().to_vec())
}

/// Reports a [`Problem::ReservedPath`]: the program asked for the path `given`, which the calling
/// source reserves for one of its own series, and the source registered `used` instead. For authors
/// of sources that turn the program's names into paths.
///
/// Reported once for each pair of paths. Takes a lock: call it when a name is first seen, not every
/// frame. Does nothing without the feature `enabled`.
pub fn report_reserved_path(given: &str, used: &str) {
    change_catalog(|catalog| catalog.report_reserved_path(given, used));
}

/// Reports a [`Problem::OverLimit`]: the calling source keeps at most `limit` names apart, and
/// counts further ones in the series at `path`. For authors of sources that turn the program's
/// names into paths.
///
/// Reported once for each path. Takes a lock: call it when a name is first refused, not every
/// frame. Does nothing without the feature `enabled`.
pub fn report_over_limit(path: &str, limit: usize) {
    change_catalog(|catalog| catalog.report_over_limit(path, limit));
}

/// Returns the number of sets of cells: the largest number of threads that ever counted at the
/// same time. Sets are reused and never freed.
///
/// A set takes 8 KiB for each 1024 series that its threads touched. The function visits all of
/// them, which takes about a nanosecond for each 8 KiB. The series `stats/cell-block-sets` has the
/// same number for each frame.
#[must_use]
pub fn cell_block_sets() -> usize {
    counter::block_sets(with_registry(Registry::slots))
}
