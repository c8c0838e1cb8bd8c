//! Runs: begins one for all histograms, and reads what the run under way recorded.

use super::histogram;
use super::registry::{Registry, for_each_series, with_registry};
use crate::{Distribution, Report, SeriesId, SeriesInfo, SeriesKind};

/// Begins a run: from now on every histogram tells of what is recorded from here on. Reports the
/// run that ends.
///
/// Each sample is in exactly one run, however many threads record meanwhile, and sum, mean and
/// deviation of a run lose no digits to what came before it. A sample that is recorded at this very
/// moment belongs to either run: where it comes too late for the report of its own, the next tells
/// of it, to within the rounding of the sum of all samples ever; the least and the greatest of that
/// run may then be known to within their bucket alone. Where threads record while the report is
/// made, its buckets are those up to then, of which as many are told as samples came in time,
/// evenly from everywhere.
///
/// Takes a lock for each histogram, and allocates: it copies all buckets that were hit, in linear
/// time. Calls from several threads wait for each other.
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

/// Which histogram an id is of; `None` of any other series.
fn histogram_number(id: SeriesId) -> Option<usize> {
    let slot = id.number();
    let is_histogram = with_registry(|registry| registry.kind(slot)) == Some(SeriesKind::Histogram);
    is_histogram.then(|| usize::from(with_registry(|registry| registry.histogram(slot))))
}

/// What a histogram recorded during the run under way, by its id; `None` of any other series.
#[must_use]
pub fn snapshot(id: SeriesId) -> Option<Distribution> {
    histogram_number(id).map(histogram::snapshot)
}

/// Calls `visit` with every histogram and what it recorded during the run under way, in the order
/// of registration.
pub fn for_each_histogram(mut visit: impl FnMut(SeriesInfo<'static>, Distribution)) {
    for_each_series(|info| {
        if let Some(distribution) = snapshot(info.id) {
            visit(info, distribution);
        }
    });
}
