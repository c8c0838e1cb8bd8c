//! The overlay's insight, either here or on the thread that ranks frames.
//!
//! To rank many series, the insight moves to a thread and back. Skipping the few frames that end in
//! between costs less than a lock or a second copy of all values.

use stats_analysis::insight::Insight;
use stats_ui::job::Job;

/// Up to this many series, not counting calls and self times, are ranked on the calling thread,
/// within a quarter of a millisecond.
const AT_ONCE: usize = 2048;

/// An insight that is available, except while it ranks frames on another thread.
#[derive(Debug)]
pub(super) enum Engine {
    Here(Box<Insight>),
    Away(Job<Box<Insight>>),
}

impl Default for Engine {
    fn default() -> Self {
        Self::Here(Box::new(Insight::compact()))
    }
}

/// The state of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// It accepts frames.
    Here,
    /// It is ranking, and accepts no frames.
    Away,
    /// It has just finished.
    Back,
    /// It panicked, and was replaced by an empty one.
    New,
}

impl Engine {
    /// Checks whether the thread has finished.
    pub(super) fn poll(&mut self) -> Progress {
        let Self::Away(job) = self else {
            return Progress::Here;
        };
        match job.poll() {
            None => Progress::Away,
            Some(Ok(insight)) => {
                *self = Self::Here(insight);
                Progress::Back
            }
            Some(Err(_)) => {
                *self = Self::default();
                Progress::New
            }
        }
    }

    /// Returns the insight, unless it is ranking.
    pub(super) fn get(&mut self) -> Option<&mut Insight> {
        match self {
            Self::Here(insight) => Some(insight),
            Self::Away(_) => None,
        }
    }

    /// Like [`get`](Self::get), to look something up.
    pub(super) fn insight(&self) -> Option<&Insight> {
        match self {
            Self::Here(insight) => Some(insight),
            Self::Away(_) => None,
        }
    }

    /// Ranks the noticed frames. `series` is the number of series. If there are few, ranks at once;
    /// otherwise, ranks on another thread.
    pub(super) fn rank(&mut self, series: usize) {
        let Self::Here(insight) = self else { return };
        if series <= AT_ONCE {
            return insight.rank_noticed();
        }
        let mut insight = std::mem::replace(insight, Box::new(Insight::new()));
        *self = Self::Away(Job::start(None, move || {
            let _memory = stats_core::own_memory("stats-overlay");
            insight.rank_noticed();
            insight
        }));
    }
}
