//! What every series did lately, learnt from a survey for as long as the search asks for it.

use stats_core::source::SurveyValue;
use stats_core::{SeriesId, Source};

use crate::data::listing::Listing;
use crate::search::baseline::Baseline;
use crate::search::query::Word;

/// "Lately" is a second, and at least so many frames.
const LATELY_FRAMES: u64 = 60;
const LATELY_MS: f64 = 1000.0;

/// What a survey told of all series, frame by frame.
#[derive(Debug, Default)]
pub(crate) struct Activity {
    /// By the number of the id.
    series: Vec<Lately>,
    /// Whether the source can tell; `None` while it was not asked.
    can_tell: Option<bool>,
    first_frame: u64,
    /// The frame under way when the survey was read last.
    end: u64,
    lately: u64,
}

/// One series. Frames are counted from 1 at the first of the survey; 0 is none.
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
    /// Forgets everything: nobody asks any more. The source stops by itself.
    pub(crate) fn stop(&mut self) {
        if self.can_tell.is_some() {
            *self = Self::default();
        }
    }

    /// Whether the source can tell what all series do; `true` while that is not known.
    pub(crate) fn can_tell(&self) -> bool {
        self.can_tell != Some(false)
    }

    /// Whether a frame has ended since the survey began.
    pub(crate) fn has_begun(&self) -> bool {
        self.end > self.first_frame
    }

    /// Learns what the newest frame brought; nothing where none has ended since. Of several frames
    /// between two calls only the newest is seen, but for changes. Some nanoseconds for each
    /// series.
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

    /// Learns nothing, but has the source go on.
    pub(crate) fn keep(&mut self, source: &mut dyn Source) {
        source.survey(&mut |_, _| {});
    }

    /// Takes over the budgets of a listing that changed.
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

    /// Finds out how many frames "lately" is by now.
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

    /// Whether a word holds of a series; `None` while that is not known.
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

#[cfg(all(test, feature = "enabled"))]
mod tests {
    use super::*;
    use stats_core::{Recorder, counter};

    #[test]
    #[ignore = "a measurement"]
    fn cost_of_learning_from_100_000() {
        let counters: Vec<_> = (0..100_000)
            .map(|number| counter(&format!("activity-cost/{number}")))
            .collect();
        let mut recorder = Recorder::new();
        let listing = Listing::read(&recorder);
        let mut activity = Activity::default();
        let mut times: Vec<[std::time::Duration; 2]> = (0..100_u64)
            .map(|frame| {
                counters
                    .iter()
                    .enumerate()
                    .for_each(|(at, counter)| counter.add(frame * 7919 % (at as u64 % 13 + 1)));
                let start = std::time::Instant::now();
                recorder.end_frame();
                let pushed = start.elapsed();
                activity.learn(&mut recorder, &listing);
                [pushed, start.elapsed() - pushed]
            })
            .collect();
        times.sort();
        println!("end_frame: {:?}, learn: {:?}", times[50][0], times[50][1]);
    }
}
