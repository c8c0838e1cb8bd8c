//! What every series did lately: the answers to `changed`, `spiking`, `over-budget` and `zero`.
//!
//! The search arms a survey of the source while a query contains such a word. Each frame of the
//! survey teaches one baseline per series.

use stats_core::source::SurveyValue;
use stats_core::{SeriesId, Source};

use crate::data::listing::Listing;
use crate::search::baseline::Baseline;
use crate::search::query::Word;

/// "Lately" covers one second, and at least this many frames.
const LATELY_FRAMES: u64 = 60;
const LATELY_MS: f64 = 1000.0;

/// What a survey has reported about every series so far.
#[derive(Debug, Default)]
pub(crate) struct Activity {
    /// Indexed by the number of the series id.
    series: Vec<Lately>,
    /// Whether the source supports surveys; `None` before the first query.
    can_tell: Option<bool>,
    first_frame: u64,
    /// The current frame at the last read of the survey.
    end: u64,
    lately: u64,
}

/// One series. Frames are counted from 1 at the survey's first frame; 0 means none.
#[derive(Clone, Copy, Debug)]
struct Lately {
    budget: f64,
    usual: Baseline,
    known: u32,
    changed: u32,
    over: u32,
    spiked: u32,
    is_zero: bool,
}

const NOTHING: Lately = Lately {
    budget: f64::INFINITY,
    usual: Baseline::NEW,
    known: 0,
    changed: 0,
    over: 0,
    spiked: 0,
    is_zero: false,
};

impl Activity {
    /// Forgets everything when no query needs it. The source stops surveying by itself.
    pub(crate) fn stop(&mut self) {
        if self.can_tell.is_some() {
            *self = Self::default();
        }
    }

    /// Whether the source supports surveys; `true` while unknown.
    pub(crate) fn can_tell(&self) -> bool {
        self.can_tell != Some(false)
    }

    /// Whether a frame has ended since the survey started.
    pub(crate) fn has_begun(&self) -> bool {
        self.end > self.first_frame
    }

    /// Learns the newest frame's values; does nothing if no frame has ended since the last call. If
    /// several frames ended, only the newest is seen, except that changes in any of them count.
    /// Takes a few nanoseconds per series.
    pub(crate) fn learn(&mut self, source: &mut dyn Source, listing: &Listing) {
        let end = source.frames().end;
        if self.can_tell.is_none() {
            (self.first_frame, self.end) = (end, end);
            self.can_tell = Some(source.survey(&mut |_, _| {}));
            self.learn_budgets(listing);
        } else if self.can_tell == Some(true) && end > self.end {
            self.end = end;
            let first = self.first_frame;
            let number = |frame: u64| {
                frame
                    .saturating_sub(first)
                    .saturating_add(1)
                    .min(u64::from(u32::MAX)) as u32
            };
            let series = &mut self.series;
            source.survey(&mut |id, now| {
                let at = id.number() as usize;
                if at >= series.len() {
                    series.resize(at + 1, NOTHING);
                }
                series[at].learn(
                    number(end - 1),
                    now,
                    now.last_change
                        .filter(|&frame| frame >= first)
                        .map_or(0, number),
                );
            });
        }
    }

    /// Keeps the survey armed without learning from it.
    pub(crate) fn keep(&mut self, source: &mut dyn Source) {
        source.survey(&mut |_, _| {});
    }

    /// Copies the budgets from a listing that changed.
    pub(crate) fn learn_budgets(&mut self, listing: &Listing) {
        if self.can_tell != Some(true) {
            return;
        }
        for entry in listing.entries() {
            let at = entry.id.number() as usize;
            if at >= self.series.len() {
                self.series.resize(at + 1, NOTHING);
            }
            self.series[at].budget = entry.budget.unwrap_or(f64::INFINITY);
        }
    }

    /// Computes how many frames "lately" covers now.
    pub(crate) fn measure(&mut self, source: &dyn Source) {
        let times_ms = source.frame_times(usize::MAX);
        let (mut frames, mut total_ms) = (0, 0.0);
        for time_ms in times_ms.iter().rev() {
            if total_ms >= LATELY_MS {
                break;
            }
            total_ms += time_ms;
            frames += 1;
        }
        self.lately = frames.max(LATELY_FRAMES);
    }

    /// Whether a word is true of a series; `None` while unknown.
    pub(crate) fn holds(&self, word: Word, id: SeriesId) -> Option<bool> {
        let series = self
            .series
            .get(id.number() as usize)
            .filter(|series| series.known > 0)?;
        let newest = self.end - self.first_frame;
        let lately = |frame: u32| frame > 0 && u64::from(frame) + self.lately > newest;
        Some(match word {
            Word::Changed => lately(series.changed),
            Word::OverBudget => lately(series.over),
            Word::Spiking => lately(series.spiked),
            Word::Zero => series.is_zero,
        })
    }
}

impl Lately {
    #[inline]
    fn learn(&mut self, frame: u32, now: SurveyValue, changed: u32) {
        self.known = frame;
        self.changed = changed;
        self.is_zero = now.value == 0.0;
        if now.value > self.budget {
            self.over = frame;
        }
        if self.usual.learn(now.value) {
            self.spiked = frame;
        }
    }
}
