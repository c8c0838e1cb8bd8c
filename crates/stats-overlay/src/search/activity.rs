//! The recent behavior of every series, to answer `changed`, `spiking`, `over-budget` and `zero`.
//!
//! The search arms a survey of the source while a query contains such a word. `changed` and `zero`
//! need the newest values a few times a second. `over-budget` needs the values of each frame, which
//! takes a few nanoseconds and 12 bytes per series. `spiking` takes them from the search for
//! hitches.

use stats_analysis::correlation::Correlation;
use stats_core::source::{Survey, SurveyValue};
use stats_core::{SeriesId, Source};

use crate::baseline::moved::Change;
use crate::data::allowance::Allowance;
use crate::data::listing::Listing;
use crate::search::query::{Query, Word};
use crate::search::spiking::Spiking;

/// "Lately" covers one second, and at least this many frames.
const LATELY_FRAMES: u64 = 60;
const LATELY_MS: f64 = 1000.0;
/// The maximum number of frames between two requests for a survey. The survey would otherwise end.
const KEPT_FRAMES: u64 = 60;
/// The values of a frame that are read and learned in a unit of the allowance.
const SERIES_IN_A_UNIT: usize = 16;

/// The behavior that a survey has reported for every series so far.
#[derive(Debug, Default)]
pub(crate) struct Activity {
    /// Indexed by the number of the series id, like the budgets.
    series: Vec<Lately>,
    /// The values above which series are over their budgets, while the query contains
    /// `over-budget`; infinite for series without a budget.
    budgets: Vec<f64>,
    /// The spikes, while the query contains `spiking`.
    pub(crate) spiking: Spiking,
    /// The series that moved out of the bands of the baseline, in the order of their ranks.
    moved: Vec<(SeriesId, Change)>,
    /// The series that moved together with another one, in the order of their ranks.
    pub(crate) together: Vec<(SeriesId, Correlation)>,
    /// Whether the source supports surveys; `None` before the first query.
    can_tell: Option<bool>,
    first_frame: u64,
    /// The end of the learned frames.
    end: u64,
    /// The end of the source's frames at the last call. If it is beyond `end`, there was no time for those
    /// in between.
    newest_end: u64,
    /// The current frame when the survey was last requested.
    asked: u64,
    lately: u64,
}

/// The recent behavior of one series. Frames are counted from 1 at the survey's first frame; 0
/// means none.
#[derive(Clone, Copy, Debug, Default)]
struct Lately {
    changed: u32,
    over: u32,
    is_known: bool,
    is_zero: bool,
}

impl Activity {
    /// Forgets every survey, because no query needs it. The source stops surveying by itself.
    pub(crate) fn stop(&mut self) {
        if self.can_tell.is_some() {
            *self = Self {
                moved: std::mem::take(&mut self.moved),
                together: std::mem::take(&mut self.together),
                ..Self::default()
            };
        }
    }

    /// Returns the series that moved, in the order of their ranks.
    pub(crate) fn moved(&self) -> &[(SeriesId, Change)] {
        &self.moved
    }

    /// Replaces the series that moved. Returns whether they or their order changed.
    pub(crate) fn set_moved(&mut self, moved: &[(SeriesId, Change)]) -> bool {
        let ids = |moved: &[(SeriesId, Change)]| moved.iter().map(|&(id, _)| id).collect();
        let before: Vec<SeriesId> = ids(&self.moved);
        self.moved = moved.to_vec();
        before != ids(moved)
    }

    /// Returns whether the source supports surveys; `true` while unknown.
    pub(crate) fn can_tell(&self) -> bool {
        self.can_tell != Some(false)
    }

    /// Returns whether a frame has ended since the survey started.
    pub(crate) fn has_begun(&self) -> bool {
        self.end > self.first_frame
    }

    /// Returns whether frames that ended before the last call are not learned yet.
    pub(crate) fn is_behind(&self, query: &Query) -> bool {
        self.end < self.newest_end && query.asks(Word::OverBudget)
    }

    /// Learns the values of the newest frame if a word of the query depends on the values of each
    /// frame. Does nothing if no frame has ended since the last call. If several frames ended, the
    /// newest one is learned, and each one before it whose values the source has. When the allowance
    /// is used up, the next pass goes on with them. While the views are paused, later frames are not
    /// learned.
    pub(crate) fn learn(
        &mut self,
        source: &mut dyn Source,
        listing: &Listing,
        (query, is_paused): (&Query, bool),
        allowance: &mut Allowance,
    ) {
        let is_rest = is_paused && self.is_behind(query);
        let end = match is_rest {
            true => self.newest_end,
            false => source.frames().end,
        };
        self.newest_end = end;
        if self.can_tell.is_none() {
            (self.first_frame, self.end, self.asked) = (end, end, end);
            self.can_tell = Some(source.survey().is_some());
            self.learn_budgets(listing, query);
            return;
        }
        if self.can_tell != Some(true) || end <= self.end {
            return;
        }
        let since = std::mem::replace(&mut self.end, end);
        if query.asks(Word::OverBudget) {
            self.asked = end;
            let first = since.max(end.saturating_sub(KEPT_FRAMES));
            for frame in first..end - u64::from(!is_rest) {
                if !allowance.has_left() {
                    self.end = frame;
                    return;
                }
                let series = self.learn_frame(source.survey_of(frame), frame);
                allowance.spend(1 + series / SERIES_IN_A_UNIT);
            }
            if !is_rest {
                self.learn_newest(source);
            }
        } else if end < self.asked + KEPT_FRAMES {
            return;
        } else {
            self.keep(source);
        }
        self.asked = end;
    }

    fn learn_newest(&mut self, source: &mut dyn Source) {
        self.learn_frame(source.survey(), self.newest_end.saturating_sub(1));
    }

    /// Notes which series changed, are zero, or are above their budgets in a frame. Returns their number.
    fn learn_frame(&mut self, survey: Option<Survey<'_>>, frame: u64) -> usize {
        let first = self.first_frame;
        let number = |frame: u64| {
            let number = frame.saturating_sub(first).saturating_add(1);
            u32::try_from(number).unwrap_or(u32::MAX)
        };
        let Self {
            series, budgets, ..
        } = self;
        let (newest, mut count) = (number(frame), 0);
        for (id, surveyed) in survey.iter().flat_map(Survey::iter) {
            let SurveyValue {
                value, last_change, ..
            } = surveyed;
            let budget = budgets.get(id.number() as usize);
            let series = at(series, id, Lately::default());
            series.is_known = true;
            let last_change = last_change.filter(|&frame| frame >= first);
            series.changed = series.changed.max(last_change.map_or(0, number));
            series.is_zero = value == 0.0;
            if budget.is_some_and(|&budget| value > budget) {
                series.over = series.over.max(newest);
            }
            count += 1;
        }
        count
    }

    /// Keeps the survey armed without learning from it.
    pub(crate) fn keep(&mut self, source: &mut dyn Source) {
        source.survey();
    }

    /// Copies the budgets from a listing that changed, if the query depends on them.
    pub(crate) fn learn_budgets(&mut self, listing: &Listing, query: &Query) {
        self.budgets.clear();
        if self.can_tell == Some(true) && query.asks(Word::OverBudget) {
            for (id, budget) in listing.limits() {
                *at(&mut self.budgets, id, f64::INFINITY) = budget;
            }
        }
    }

    /// Updates the known behavior. Call it before filtering the series by it.
    pub(crate) fn measure(&mut self, source: &mut dyn Source, query: &Query) {
        let needs_newest = query.asks(Word::Changed) || query.asks(Word::Zero);
        if needs_newest && (!query.asks(Word::OverBudget) || self.is_behind(query)) {
            self.learn_newest(source);
            self.asked = self.newest_end;
        }
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

    /// Returns whether a word applies to a series; `None` while unknown.
    pub(super) fn applies(&self, word: Word, id: SeriesId) -> Option<bool> {
        let number = id.number() as usize;
        if word == Word::Moved {
            return Some(self.moved.iter().any(|&(moved, _)| moved == id));
        }
        if word == Word::Together {
            return Some(self.together.iter().any(|&(other, _)| other == id));
        }
        if word == Word::Spiking {
            return (self.spiking.knows(id)).then(|| self.spiking.get(id).is_some());
        }
        let series = self.series.get(number).filter(|series| series.is_known)?;
        let newest = self.end - self.first_frame;
        let lately = |frame: u32| frame > 0 && u64::from(frame) + self.lately > newest;
        Some(match word {
            Word::Changed => lately(series.changed),
            Word::OverBudget => lately(series.over),
            Word::Zero | Word::Spiking | Word::Moved | Word::Together => series.is_zero,
        })
    }
}

/// Returns the item of an id. Adds the item if it is missing.
#[inline]
fn at<T: Clone>(items: &mut Vec<T>, id: SeriesId, new: T) -> &mut T {
    let at = id.number() as usize;
    if at >= items.len() {
        items.resize(at + 1, new);
    }
    &mut items[at]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::listing::tests::listing_of;
    use crate::testing::{Paths, Surveyed};

    #[test]
    fn frames_that_arrive_at_once_are_learned_in_order_as_far_as_a_pass_has_time() {
        let (mut activity, mut source) = (Activity::default(), Surveyed::default());
        source.paths = Paths::of(&["a"]);
        source.values = vec![0.0; 160];
        let (listing, query) = (listing_of(&["a"]), Query::new("over-budget"));
        let learn_if = |activity: &mut Activity, source: &mut Surveyed, units, is_paused| {
            let allowance = &mut Allowance::of_units(units);
            activity.learn(source, &listing, (&query, is_paused), allowance);
            std::mem::take(&mut source.asked)
        };
        let learn = |activity: &mut Activity, source: &mut Surveyed, units: usize| {
            learn_if(activity, source, units, false)
        };
        source.end_frames(10);
        learn(&mut activity, &mut source, 0);
        // Ten frames of eleven units each: the third ends beyond the allowance.
        source.end_frames(20);
        assert_eq!(learn(&mut activity, &mut source, 30), [10, 11, 12]);
        assert!(learn(&mut activity, &mut source, 0).is_empty());
        assert_eq!(learn(&mut activity, &mut source, 1), [13]);
        // A pause leaves out what ends later.
        source.end_frames(30);
        assert_eq!(learn_if(&mut activity, &mut source, 30, true), [14, 15, 16]);
        assert!(activity.is_behind(&query));
        let rest: Vec<u64> = (17..20).collect();
        assert_eq!(learn_if(&mut activity, &mut source, 99, true), rest);
        assert!(!activity.is_behind(&query));
        let rest: Vec<u64> = (20..30).collect();
        assert_eq!(learn(&mut activity, &mut source, usize::MAX), rest);
        assert!(learn(&mut activity, &mut source, usize::MAX).is_empty());
        // More than a second: the oldest are left out.
        source.end_frames(121);
        let newest: Vec<u64> = (61..121).collect();
        assert_eq!(learn(&mut activity, &mut source, usize::MAX), newest);
    }

    #[test]
    fn zero_is_of_the_newest_frame_also_while_there_is_no_time_for_those_before_it() {
        let (mut activity, mut source) = (Activity::default(), Surveyed::default());
        source.paths = Paths::of(&["a"]);
        let (listing, query) = (listing_of(&["a"]), Query::new("over-budget zero"));
        for end in [10, 20] {
            source.end_frames(end);
            let allowance = &mut Allowance::of_units(0);
            activity.learn(&mut source, &listing, (&query, false), allowance);
        }
        source.asked.clear();
        activity.measure(&mut source, &query);
        assert_eq!(source.asked, [19]);
    }
}
