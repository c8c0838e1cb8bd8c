//! The series that moved together with another one, ranked, to answer `together`.
//!
//! Each series is compared with the subject over the same frames, those that are visible or selected,
//! by its [rank correlation](stats_analysis::correlation). A round compares all series over fixed
//! frames, a few in each pass. The values come from the search for hitches, which keeps those of all
//! series in the last frames. Frames that it drops during a round are unknown from then on.
//!
//! Among many series, some are similar by chance. So a series is listed only if chance would make
//! *any* of the compared ones as similar less often than once in twenty searches.

use std::ops::Range;

use stats_analysis::correlation::{Correlation, Correlator, MAX_FRAMES, MIN_FRAMES};
use stats_analysis::format::whole_text;
use stats_analysis::sort::sort_by;
use stats_core::source::Listed;
use stats_core::{SeriesId, Source};

use crate::data::allowance::Allowance;
use crate::data::listing::{going_on, list_or_all};
use crate::data::recent::{Columns, GROUP, Recent};

/// The maximum number of series in the list.
const LISTED: usize = 100;
/// How often chance may put a series into the list.
const MAX_CHANCE: f64 = 0.05;
/// So many frames are few: the text says that they prove nothing.
const FEW: usize = 300;
/// The number of frames that are compared in a unit of allowance.
const FRAMES_IN_A_UNIT: usize = 2;
/// A round begins again if the frames moved by this part of their number.
const MOVED_PART: u64 = 4;

/// The search for series that moved with the subject.
#[derive(Debug, Default)]
pub(crate) struct Together {
    subject: Option<String>,
    /// The frames of the round that runs, and its subject.
    round: Option<(Range<u64>, SeriesId)>,
    /// The frames of the last complete round.
    frames: Option<Range<u64>>,
    columns: Columns,
    correlator: Correlator,
    values: Vec<f64>,
    /// The series of the current group that are not compared yet, and the number after the group.
    group: Vec<SeriesId>,
    next: u32,
    /// The number of series that were compared in this round.
    compared: usize,
    new: Vec<(SeriesId, Correlation)>,
    found: Vec<(SeriesId, Correlation)>,
    note: String,
}

impl Together {
    /// Searches for the series that moved with the one at a path.
    pub(crate) fn ask(&mut self, path: &str) {
        if self.subject.as_deref() != Some(path) {
            *self = Self {
                subject: Some(path.to_owned()),
                note: "comparing…".to_owned(),
                ..Self::default()
            };
        }
    }

    /// Forgets the subject and what moved with it.
    pub(crate) fn rest(&mut self) {
        if self.subject.is_some() || !self.note.is_empty() {
            *self = Self::default();
        }
    }

    pub(crate) fn subject(&self) -> Option<&str> {
        self.subject.as_deref()
    }

    /// Returns the series that moved with the subject, the most similar first.
    pub(crate) fn found(&self) -> &[(SeriesId, Correlation)] {
        &self.found
    }

    /// Returns how many were found among how many, in how many frames, or why none can be.
    pub(crate) fn note(&self) -> &str {
        &self.note
    }

    /// Continues to compare all series in `frames`, unless an `obstacle` prevents it. Returns whether
    /// the result is new.
    pub(crate) fn update(
        &mut self,
        source: &dyn Source,
        (recent, frames): (&Recent, Range<u64>),
        obstacle: Option<&str>,
        allowance: &mut Allowance,
    ) -> bool {
        if let Some(why) = obstacle {
            (self.round, self.frames) = (None, None);
            return self.give_up(why);
        }
        let Some(subject) = &self.subject else {
            return self.give_up("select a series first, or put the cursor on it");
        };
        if self.round.is_none() {
            if !self.is_outdated(&frames) {
                return false;
            }
            let begun = source
                .find(subject)
                .map(|id| self.begin(recent, frames, id));
            match begun {
                Some(Ok(())) => {}
                Some(Err(why)) => return self.give_up(&why),
                None => return self.give_up("it has no values yet"),
            }
        }
        let Some((frames, subject)) = self.round.clone() else {
            return false;
        };
        while allowance.has_left() {
            if let Some(id) = self.group.pop() {
                self.read(recent, id, &frames);
                if let Some(of) = self.correlator.with(&self.values) {
                    self.compared += 1;
                    if of.chance < MAX_CHANCE {
                        self.new.push((id, of));
                    }
                }
                allowance.spend(1 + self.values.len() / FRAMES_IN_A_UNIT);
            } else if self.take_group(source, subject) {
                allowance.spend(GROUP + self.values.len());
            } else {
                self.finish(frames);
                return true;
            }
        }
        false
    }

    /// Returns whether the frames moved or changed since the last round.
    fn is_outdated(&self, frames: &Range<u64>) -> bool {
        self.frames.as_ref().is_none_or(|before| {
            let by = (before.start.abs_diff(frames.start)).max(before.end.abs_diff(frames.end));
            by * MOVED_PART > frames.end.saturating_sub(frames.start)
        })
    }

    /// Begins a round with the newest of the frames, as far as they are kept.
    fn begin(&mut self, recent: &Recent, frames: Range<u64>, id: SeriesId) -> Result<(), String> {
        self.frames = Some(frames.clone());
        self.columns.forget();
        let start = frames
            .start
            .max(frames.end.saturating_sub(MAX_FRAMES as u64));
        let (mut first, mut end) = (frames.end, start);
        for (frame, value) in self.columns.of(recent, id.number(), start..frames.end) {
            if !value.is_nan() {
                first = first.min(frame);
            }
            end = frame + 1;
        }
        let frames = first..end.max(first);
        let count = frames.end - frames.start;
        if count == 0 {
            return Err("no values of it are kept in these frames".to_owned());
        }
        if count < MIN_FRAMES as u64 {
            let (count, least) = (whole_text(count as f64), whole_text(MIN_FRAMES as f64));
            return Err(format!("{count} frames are too few: show {least} or more"));
        }
        self.columns.forget();
        self.read(recent, id, &frames);
        if !self.correlator.begin(&self.values) {
            return Err("it does not change in these frames".to_owned());
        }
        self.new.clear();
        self.group.clear();
        (self.next, self.compared) = (0, 0);
        self.round = Some((frames, id));
        Ok(())
    }

    /// Reads the values of a series in the frames of a round; NaN for unknown ones.
    fn read(&mut self, recent: &Recent, id: SeriesId, frames: &Range<u64>) {
        self.values.clear();
        (self.values).resize((frames.end - frames.start) as usize, f64::NAN);
        for (frame, value) in self.columns.of(recent, id.number(), frames.clone()) {
            self.values[(frame - frames.start) as usize] = value;
        }
    }

    /// Lists the next series. Returns false after the last one.
    fn take_group(&mut self, source: &dyn Source, subject: SeriesId) -> bool {
        if self.next == u32::MAX {
            return false;
        }
        let end = self.next.saturating_add(GROUP as u32);
        let part = Listed::Numbers(self.next..end);
        let group = &mut self.group;
        let last = list_or_all(
            source,
            part,
            &mut going_on(|info| {
                if info.id != subject && info.unavailable.is_none() {
                    group.push(info.id);
                }
            }),
        );
        // A source that lists no part has listed all.
        self.next = last.map_or(u32::MAX, |_| end);
        last.is_none_or(|last| end < last) || !self.group.is_empty()
    }

    /// Ranks what was found in a round.
    fn finish(&mut self, frames: Range<u64>) {
        let compared = self.compared;
        self.new
            .retain(|(_, of)| of.chance_of(compared) < MAX_CHANCE);
        let size = |of: &Correlation| of.coefficient.abs();
        sort_by(&mut self.new, |a, b| {
            size(&b.1).total_cmp(&size(&a.1)).then(a.0.cmp(&b.0))
        });
        self.new.truncate(LISTED);
        std::mem::swap(&mut self.new, &mut self.found);
        self.round = None;
        let count = (frames.end - frames.start) as usize;
        let few = if count < FEW {
            "; few are no proof"
        } else {
            ""
        };
        self.note = format!(
            "{} of {} moved with it in {} frames{few}",
            whole_text(self.found.len() as f64),
            whole_text(compared as f64),
            whole_text(count as f64),
        );
    }

    fn give_up(&mut self, why: &str) -> bool {
        let is_new = self.note != why || !self.found.is_empty();
        if is_new {
            self.found.clear();
            why.clone_into(&mut self.note);
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Paths;
    use stats_testing::Random;

    /// Keeps frames of series. Their ids have even numbers.
    fn kept(series: usize, frames: u64, mut value: impl FnMut(usize, u64) -> f64) -> Recent {
        let mut recent = Recent::default();
        for frame in 0..frames {
            let of_series = (0..series).flat_map(|at| [value(at, frame), f64::NAN]);
            let values: Vec<f64> = of_series.collect();
            recent.take(frame, 16.0, &values, &[]);
        }
        recent
    }

    fn source(series: usize) -> Paths {
        Paths::of(&(0..series).map(|at| format!("s/{at}")).collect::<Vec<_>>())
    }

    /// Searches in passes of a few units. Returns the number of passes.
    fn run(together: &mut Together, source: &Paths, recent: &Recent, frames: Range<u64>) -> usize {
        for pass in 1..1_000_000 {
            let mut allowance = Allowance::of_units(2048);
            if together.update(source, (recent, frames.clone()), None, &mut allowance) {
                return pass;
            }
        }
        panic!("it never ends");
    }

    #[test]
    fn a_partner_is_found_among_many_series_over_several_passes() {
        let mut random = Random::new(31);
        let mut subject = [0.0; 300];
        let recent = kept(1000, 300, |at, frame| {
            let noise = random.below(1 << 16) as f64;
            match at {
                7 => subject[frame as usize] = noise,
                // Three frames later, and with noise.
                600 if frame >= 3 => return 100.0 * subject[frame as usize - 3] + noise,
                // Constant.
                8 | 999 => return 5.0,
                _ => {}
            }
            noise
        });
        let (source, mut together) = (source(1000), Together::default());
        together.ask("s/7");
        let passes = run(&mut together, &source, &recent, 0..300);
        assert!(passes > 20, "{passes}");
        let [(id, of)] = together.found() else {
            panic!("{:?}", together.found())
        };
        assert_eq!((id.number() / 2, of.lag), (600, 3));
        assert_eq!(together.note(), "1 of 997 moved with it in 300 frames");
        // The same frames are not compared again, and others are.
        let mut allowance = Allowance::of_units(2048);
        assert!(!together.update(&source, (&recent, 0..300), None, &mut allowance));
        run(&mut together, &source, &recent, 200..300);
        assert_eq!(
            together.note(),
            "1 of 997 moved with it in 100 frames; few are no proof"
        );
        // In the other direction, it came before.
        together.ask("s/600");
        run(&mut together, &source, &recent, 0..300);
        let [(id, of)] = together.found() else {
            panic!("{:?}", together.found())
        };
        assert_eq!((id.number() / 2, of.lag), (7, -3));
    }

    #[test]
    fn frames_that_are_dropped_during_a_round_are_unknown() {
        let mut random = Random::new(32);
        let mut values: Vec<Vec<f64>> = Vec::new();
        for _ in 0..600 {
            let first = random.below(1 << 20) as f64;
            values.push(vec![first, random.below(1 << 20) as f64, -first]);
        }
        let all = kept(3, 600, |at, frame| values[frame as usize][at]);
        let late = all.part(200..600);
        let (source, mut together) = (source(3), Together::default());
        together.ask("s/0");
        let mut allowance = Allowance::of_units(1);
        assert!(!together.update(&source, (&all, 0..600), None, &mut allowance));
        together.columns.forget();
        run(&mut together, &source, &late, 0..600);
        let [(id, of)] = together.found() else {
            panic!("{:?}", together.found())
        };
        assert_eq!((id.number() / 2, of.coefficient, of.lag), (2, -1.0, 0));
        assert_eq!(of.frames, 600 - 200 - 8);
    }

    #[test]
    fn a_search_without_an_answer_says_why() {
        let recent = kept(3, 100, |at, frame| if at == 1 { 2.0 } else { frame as f64 });
        let source = source(4);
        let note = |path: Option<&str>, frames: Range<u64>| {
            let mut together = Together::default();
            if let Some(path) = path {
                together.ask(path);
            }
            run(&mut together, &source, &recent, frames);
            assert!(together.found().is_empty());
            together.note().to_owned()
        };
        assert!(note(None, 0..100).starts_with("select a series first"));
        assert_eq!(
            note(Some("s/0"), 50..100),
            "50 frames are too few: show 60 or more"
        );
        assert_eq!(
            note(Some("s/1"), 0..100),
            "it does not change in these frames"
        );
        assert_eq!(
            note(Some("s/3"), 0..100),
            "no values of it are kept in these frames"
        );
        assert_eq!(note(Some("s/9"), 0..100), "it has no values yet");
        // Both only rise: that is no relation.
        let of_ramps = note(Some("s/0"), 0..100);
        assert_eq!(
            of_ramps,
            "0 of 1 moved with it in 100 frames; few are no proof"
        );
        // An obstacle ends a search, which begins again after it.
        let mut together = Together::default();
        together.ask("s/0");
        run(&mut together, &source, &recent, 0..100);
        let mut update = |obstacle, units| {
            let mut allowance = Allowance::of_units(units);
            let is_new = together.update(&source, (&recent, 0..100), obstacle, &mut allowance);
            (is_new, together.note().to_owned())
        };
        assert_eq!(update(Some("off"), 2048), (true, "off".to_owned()));
        assert_eq!(update(Some("off"), 2048), (false, "off".to_owned()));
        assert_eq!(update(None, 100_000), (true, of_ramps));
    }
}
