//! Runs: begins one for all series, and reads the current one.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::counter::{self, Spot, is_exact};
use super::histogram;
use super::late;
use super::refusals::{refused_samples, report_inexact};
use super::registry::own_series::{LATE_DROPPED, OWN_SERIES, PROBLEMS, REFUSED};
use super::registry::{Registry, for_each_series, read_catalog, with_registry};
use crate::{Distribution, Report, ReportTotal, SeriesId, SeriesInfo, SeriesKind};

/// The totals at the beginning of the current run, by slot. A slot beyond them began at 0.
type Begun = Vec<f64>;

/// Returns what the current run began with. While it is held, no other thread begins a run, so all
/// that is read belongs to the same one.
fn begun() -> MutexGuard<'static, Begun> {
    static BEGUN: Mutex<Begun> = Mutex::new(Vec::new());
    BEGUN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins a run and reports the one that ends. From now on, every histogram contains only samples
/// recorded after the call, and reports contain only what counters and timers counted after it.
/// Levels and gauges keep their values.
///
/// Each sample is in exactly one run, even if several threads record at the same time. Sum, mean
/// and deviation of a run are as precise as if there had been no earlier runs.
///
/// Recorders are not affected. Each add to a counter or timer is in exactly one run, too.
///
/// # While other threads record
///
/// A sample that is recorded during the call belongs to either run. A sample that is too late for
/// the report of its own run appears in the next report.
///
/// - Count, sum and mean of a run are always those of the same samples. The counts of all runs add
///   up to the number of samples, and the sums to their sum.
/// - A late sample is known as the difference of two sums: exactly if all samples are whole numbers
///   (and sums stay below 2⁵³), and otherwise to within the rounding of the sum of all samples ever
///   recorded. If that rounding exceeds 0.05 % of the difference, the mean of the run is clamped to
///   the run's minimum and maximum.
/// - Several late samples of one thread are known only by their sum. Each is assumed to equal their
///   mean, so the deviation of their run may be too small.
/// - Buckets are read after sums. If `n` samples arrive in between, `n` samples are carried over to
///   the next run, taken evenly from all buckets. A bucket, and therefore a quantile, may then
///   describe a sample of the neighboring run.
/// - The minimum and the maximum enclose the mean and all buckets of the run. With a late sample,
///   or with a bucket that describes a sample of the neighboring run, they may follow from the mean
///   or from the outermost bucket instead of from the samples themselves.
///
/// # Cost
///
/// Takes a lock for each histogram and allocates: it copies all buckets that have samples, and
/// reads the totals of all counters and timers. The cost is linear in their number. This function
/// and [`report()`](crate::report()) wait for calls of either from other threads.
pub fn begin_run() -> Report {
    let mut begun = begun();
    let mut ended = histogram::begin_run(usize::from(read_catalog(|catalog| catalog.histograms())));
    let totals = |visit: &mut dyn FnMut(ReportTotal)| {
        let mut next = begun.clone();
        for_each_total_since(&begun, &mut next, visit);
        *begun = next;
    };
    let distributions = |visit: &mut dyn FnMut(SeriesInfo<'static>, Distribution)| {
        for_each_series(|info| {
            let number = histogram_number(info.id).and_then(|number| number.checked_sub(1));
            if let Some(run) = number.and_then(|at| ended.get_mut(at)) {
                visit(info, std::mem::take(run));
            }
        });
    };
    Report::of(totals, distributions)
}

/// Returns the report of the current run.
pub(crate) fn report() -> Report {
    let begun = begun();
    Report::of(
        |visit| for_each_total_since(&begun, &mut Vec::new(), visit),
        |visit| for_each_histogram(visit),
    )
}

/// Calls `visit` with what each counter and timer counted since the totals `begun`, and with the
/// value of each level and gauge. Writes the totals of counters and timers to `next`.
fn for_each_total_since(begun: &[f64], next: &mut Vec<f64>, visit: &mut dyn FnMut(ReportTotal)) {
    let mut since = |slot: u32, total: f64| {
        let at = slot as usize;
        if at >= next.len() {
            next.resize(at + 1, 0.0);
        }
        next[at] = total;
        counter::clamp(total - begun.get(at).copied().unwrap_or(0.0))
    };
    for_each_series(|info| {
        let slot = info.id.number();
        let (value, timed) = match info.kind {
            _ if info.is_deferred => return,
            SeriesKind::Counter => (since(slot, total(slot)), None),
            SeriesKind::Timer => {
                let [ms, calls, self_ms] = [0, 1, 2].map(|at| since(slot + at, total(slot + at)));
                (ms, Some((calls as u64, self_ms)))
            }
            SeriesKind::UpDownCounter => (counter::level(Spot::of(slot), total(slot)), None),
            // The longest call of a frame: the distribution of the calls has that of the run.
            SeriesKind::Gauge if read_catalog(|catalog| catalog.number(slot)) > 0 => return,
            SeriesKind::Gauge if OWN_SERIES.iter().all(|own| own.slot != slot) => {
                (counter::last_set(Spot::of(slot)), None)
            }
            _ => return,
        };
        if info.kind.is_per_frame() && value == 0.0 && timed.is_none_or(|(calls, _)| calls == 0) {
            return;
        }
        visit(ReportTotal {
            path: info.path.to_owned(),
            kind: info.kind,
            unit: info.unit,
            value,
            calls: timed.map(|(calls, _)| calls),
            self_ms: timed.map(|(_, self_ms)| self_ms),
        });
    });
}

/// Returns the total of a counter, of a series of a timer, or of a level.
fn total(slot: u32) -> f64 {
    match slot {
        REFUSED => refused_samples() as f64,
        PROBLEMS => with_registry(Registry::problem_count) as f64,
        LATE_DROPPED => late::dropped_values() as f64,
        _ => {
            let total = counter::total(Spot::of(slot));
            if !is_exact(total) {
                report_inexact(Spot::of(slot), None);
            }
            total
        }
    }
}

/// Returns the number of the current run, which [`begin_run`] changes.
pub(crate) fn current_run() -> u32 {
    histogram::current_run()
}

/// Returns the number of the histogram with an id; `None` for all other series.
fn histogram_number(id: SeriesId) -> Option<usize> {
    let slot = id.number();
    let is_histogram = read_catalog(|catalog| catalog.kind(slot)) == Some(SeriesKind::Histogram);
    is_histogram.then(|| usize::from(read_catalog(|catalog| catalog.number(slot))))
}

/// Returns the samples that a histogram has recorded in the current run; `None` if the id is not
/// that of a histogram.
#[must_use]
pub fn snapshot(id: SeriesId) -> Option<Distribution> {
    histogram_number(id).map(histogram::snapshot)
}

/// Returns the samples that a histogram has recorded in all runs; `None` if the id is not that of a
/// histogram. No bucket of a later snapshot has fewer samples, so the difference of two is exact.
///
/// Count, sum, mean and buckets are those of all samples. Minimum, maximum and deviation are exact
/// in the first two runs in which a thread records. Earlier samples of a thread then count as if
/// each were their mean, and the extremes enclose all buckets.
///
/// ```
/// let sizes = stats_core::histogram("net/packet-size");
/// sizes.record(60);
/// stats_core::begin_run();
/// sizes.record(1_400);
/// assert_eq!(stats_core::snapshot(sizes.id()).map(|run| run.count()), Some(1));
/// assert_eq!(stats_core::snapshot_of_all_runs(sizes.id()).map(|all| all.sum()), Some(1_460.0));
/// ```
#[must_use]
pub fn snapshot_of_all_runs(id: SeriesId) -> Option<Distribution> {
    histogram_number(id).map(histogram::snapshot_of_all_runs)
}

/// Calls `visit` with every histogram and the samples that it has recorded in the current run, in
/// the order of registration.
pub fn for_each_histogram(mut visit: impl FnMut(SeriesInfo<'static>, Distribution)) {
    for_each_series(|info| {
        if let Some(distribution) = snapshot(info.id) {
            visit(info, distribution);
        }
    });
}
