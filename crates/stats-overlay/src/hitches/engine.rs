//! The insight of an overlay: at hand, or on a thread that ranks.

use stats_analysis::insight::Insight;
use stats_ui::job::Job;

/// Up to this many series are ranked at once, within a quarter of a millisecond. With them come
/// calls and self times.
const AT_ONCE: usize = 2048;

/// An insight that is at hand, except while it ranks frames on another thread.
#[derive(Debug)]
pub(super) enum Engine {
    Here(Box<Insight>),
    Away(Job<Box<Insight>>),
}

impl Default for Engine {
    fn default() -> Self {
        Self::Here(Box::default())
    }
}

/// What an engine does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// It takes frames.
    Here,
    /// It ranks, and takes none.
    Away,
    /// It has just finished.
    Back,
    /// It panicked, and knows nothing any more.
    New,
}

impl Engine {
    /// Looks whether the thread has finished.
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

    /// Ranks the frames that were noticed, among this many series: at once if they are few, or else
    /// on another thread.
    pub(super) fn rank(&mut self, series: usize) {
        let Self::Here(insight) = self else { return };
        if series <= AT_ONCE {
            return insight.rank_noticed();
        }
        let mut insight = std::mem::take(insight);
        *self = Self::Away(Job::start(None, move || {
            insight.rank_noticed();
            insight
        }));
    }
}
