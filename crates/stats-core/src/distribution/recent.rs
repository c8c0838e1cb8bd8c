//! The recent samples of a histogram.

use std::collections::VecDeque;
use std::time::Duration;

use crate::backend::current_run;
use crate::{Distribution, SeriesId, snapshot};

/// The number of steps in which a window slides over its own length.
const STEPS: u32 = 10;

/// The samples that a histogram recorded in the last few seconds, while the histogram itself keeps
/// those of the whole run.
///
/// It keeps up to a dozen snapshots, one for each tenth of the window, and subtracts the oldest
/// from the newest. That takes 16 bytes for each bucket that ever had samples, in each snapshot,
/// regardless of the number of samples. Counts and sum are exact; minimum and maximum are known to
/// within their bucket, unless they are the extremes of the whole run.
///
/// The caller passes the time, in seconds since any fixed moment, so that a run can be
/// reproducible.
///
/// ```
/// use std::time::Duration;
/// use stats_core::{RecentDistribution, histogram};
///
/// let sizes = histogram("net/packet-size");
/// let mut recent = RecentDistribution::new(sizes.id(), Duration::from_secs(10));
/// for second in 0..60 {
///     sizes.record(second);
///     recent.update(f64::from(second));
/// }
/// # if stats_core::ENABLED {
/// assert_eq!(sizes.snapshot().count(), 60);
/// assert_eq!(recent.distribution().count(), 10);
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct RecentDistribution {
    id: SeriesId,
    window_secs: f64,
    /// Snapshots and their times, oldest first. The oldest is from the beginning of the window or
    /// from before it.
    snapshots: VecDeque<(f64, Distribution)>,
    newest: Distribution,
    /// The number of the run that the snapshots belong to.
    run: u32,
}

impl RecentDistribution {
    /// Creates a window over the last `window` of a histogram, which fills from now on. For any
    /// other series it stays empty.
    #[must_use]
    pub fn new(id: SeriesId, window: Duration) -> Self {
        // Before the snapshot: if a run begins in between, the next update notices it.
        let run = current_run();
        let newest = snapshot(id).unwrap_or_default();
        let snapshots = VecDeque::from([(f64::NEG_INFINITY, newest.clone())]);
        Self {
            id,
            window_secs: window.as_secs_f64(),
            snapshots,
            newest,
            run,
        }
    }

    /// Takes a snapshot, at a time in seconds that never goes back. Call it in every frame, or as
    /// often as the distribution is read.
    pub fn update(&mut self, now_secs: f64) {
        let run = current_run();
        let now = snapshot(self.id).unwrap_or_default();
        // A new run began: samples of the previous one do not count.
        if std::mem::replace(&mut self.run, run) != run || now.count() < self.newest.count() {
            self.snapshots.clear();
            self.snapshots
                .push_back((f64::NEG_INFINITY, Distribution::new(now.precision())));
        }
        let step_secs = self.window_secs / f64::from(STEPS);
        if self
            .snapshots
            .back()
            .is_none_or(|(taken_secs, _)| now_secs - taken_secs >= step_secs)
        {
            self.snapshots.push_back((now_secs, now.clone()));
        }
        // Rounding must not keep a snapshot for one step too long.
        let begin_secs = now_secs - self.window_secs + 1e-9 * step_secs;
        while self
            .snapshots
            .get(1)
            .is_some_and(|(taken_secs, _)| *taken_secs <= begin_secs)
        {
            self.snapshots.pop_front();
        }
        self.newest = now;
    }

    /// Returns the samples recorded from the beginning of the window to the last
    /// [`update`](Self::update).
    ///
    /// The window is as long as requested, or up to a tenth longer if the updates do not come at
    /// each tenth.
    #[must_use]
    pub fn distribution(&self) -> Distribution {
        self.snapshots.front().map_or_else(
            || self.newest.clone(),
            |(_, oldest)| self.newest.since(oldest),
        )
    }
}
