//! Runs: begins one for all histograms, and reads the run under way.

use super::histogram;
use super::registry::{Registry, for_each_series, with_registry};
use crate::{Distribution, Report, SeriesId, SeriesInfo, SeriesKind};

/// Begins a run and reports the one that ends. From now on every histogram describes only the
/// samples that follow.
///
/// Each sample is in exactly one run, however many threads record at the same time. Sum, mean and
/// deviation of a run lose no digits to earlier runs.
///
/// A sample that is recorded at this very moment belongs to either run. If it is too late for the
/// report of its own run, it appears in the next report: its value is then known to within the
/// rounding of the sum of all samples ever recorded, and the minimum and maximum of that run may be
/// known only to within their bucket. If threads record while the report is made, the report has as
/// many bucket counts as samples arrived in time, taken evenly from all buckets.
///
/// Takes a lock for each histogram and allocates: it copies all buckets that hold samples, in
/// linear time. Calls from several threads wait for one another.
pub fn begin_run() -> Report {
    let mut ended = histogram::begin_run(usize::from(with_registry(Registry::histograms)));
    Report::of(|visit| {
        for_each_series(|info| {
            let number = histogram_number(info.id).and_then(|number| number.checked_sub(1));
            if let Some(run) = number.and_then(|at| ended.get_mut(at)) {
                visit(info, std::mem::take(run));
            }
        });
    })
}

/// Returns the number of the histogram with an id; `None` for all other series.
fn histogram_number(id: SeriesId) -> Option<usize> {
    let slot = id.number();
    let is_histogram = with_registry(|registry| registry.kind(slot)) == Some(SeriesKind::Histogram);
    is_histogram.then(|| usize::from(with_registry(|registry| registry.histogram(slot))))
}

/// Returns what a histogram recorded in the run under way; `None` if the id is not a histogram's.
#[must_use]
pub fn snapshot(id: SeriesId) -> Option<Distribution> {
    histogram_number(id).map(histogram::snapshot)
}

/// Calls `visit` with every histogram and what it recorded in the run under way, in the order of
/// registration.
pub fn for_each_histogram(mut visit: impl FnMut(SeriesInfo<'static>, Distribution)) {
    for_each_series(|info| {
        if let Some(distribution) = snapshot(info.id) {
            visit(info, distribution);
        }
    });
}
