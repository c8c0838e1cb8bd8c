//! The timers that took most of the newest second, for a HUD to which nothing is pinned.

use stats_analysis::insight::Insight;

/// The number of timers that are shown.
pub(crate) const TOP: usize = 3;
/// The shortest time between two rankings, in milliseconds.
const SECOND_MS: f64 = 1000.0;

/// A timer, and its mean self time per frame in the newest second.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TopTimer {
    pub(crate) path: String,
    pub(crate) mean_ms: f64,
    /// The number of its series.
    number: u32,
}

/// Sums up the self times of all timers that are not waits. Ranks them once a second, so that the
/// order does not flicker.
#[derive(Debug, Default)]
pub(crate) struct TopTimers {
    /// Whether the ranking is on screen. Otherwise, a frame costs nothing.
    pub(crate) is_wanted: bool,
    /// The series of the self time of each timer, and its sum.
    sums: Vec<(u32, f32)>,
    frames: u32,
    ms: f64,
    top: Vec<TopTimer>,
    /// The ranking of the second before, whose memory the next one reuses.
    before: Vec<TopTimer>,
    revision: u64,
}

impl TopTimers {
    /// Returns the timers with the largest self time, at most [`TOP`], the largest first.
    pub(crate) fn get(&self) -> &[TopTimer] {
        &self.top
    }

    /// Returns a number that changes with the ranking and its times.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// Takes a frame. [`rank_if_due`](Self::rank_if_due) follows.
    pub(super) fn take_frame(&mut self, frame_ms: f64, values: &[f64]) {
        if !self.is_wanted {
            if !self.sums.is_empty() {
                let revision = self.revision + 1;
                *self = Self::default();
                self.revision = revision;
            }
            return;
        }
        for (own, sum) in &mut self.sums {
            let value = values.get(*own as usize).copied();
            *sum += value.filter(|ms| ms.is_finite()).unwrap_or_default() as f32;
        }
        self.frames += 1;
        self.ms += frame_ms.max(0.0);
    }

    /// Ranks the timers at the end of a second, or lists them for the first one. `path_of` looks up
    /// the path of a series.
    pub(super) fn rank_if_due(
        &mut self,
        insight: &Insight,
        path_of: impl Fn(u32) -> Option<String>,
    ) {
        if !self.is_wanted {
            return;
        }
        if self.ms >= SECOND_MS && !self.sums.is_empty() {
            self.rank(insight, path_of);
        } else if !self.sums.is_empty() {
            return;
        }
        self.list(insight);
    }

    /// Begins a new second with the timers that are known now.
    fn list(&mut self, insight: &Insight) {
        let mut count = 0;
        insight.for_each_timer(|_, _| count += 1);
        self.sums.clear();
        self.sums.reserve_exact(count);
        insight.for_each_timer(|_, own| self.sums.push((own, 0.0)));
        (self.frames, self.ms) = (0, 0.0);
    }

    fn rank(&mut self, insight: &Insight, path_of: impl Fn(u32) -> Option<String>) {
        let mut best: [Option<(u32, f32)>; TOP] = [None; TOP];
        for &(own, sum) in self.sums.iter().filter(|(_, sum)| *sum > 0.0) {
            let place = best
                .iter()
                .position(|one| one.is_none_or(|(_, ms)| ms < sum));
            if let Some(place) = place {
                best[place..].rotate_right(1);
                best[place] = Some((own, sum));
            }
        }
        let mut timers = [None; TOP];
        insight.for_each_timer(|timer, own| {
            let is_it = |one: &Option<(u32, f32)>| one.is_some_and(|(best, _)| best == own);
            if let Some(place) = best.iter().position(is_it) {
                timers[place] = Some(timer);
            }
        });
        std::mem::swap(&mut self.top, &mut self.before);
        self.top.clear();
        let frames = f64::from(self.frames);
        let best = timers.into_iter().zip(best);
        for (number, (_, sum)) in best.filter_map(|(timer, one)| Some((timer?, one?))) {
            let known = self.before.iter_mut().find(|one| one.number == number);
            let path = known.map(|one| std::mem::take(&mut one.path));
            if let Some(path) = path.or_else(|| path_of(number)) {
                let mean_ms = f64::from(sum) / frames;
                self.top.push(TopTimer {
                    path,
                    mean_ms,
                    number,
                });
            }
        }
        self.revision += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_analysis::insight::Facts;
    use stats_core::{SeriesKind, Unit};
    use stats_testing::Random;

    #[test]
    fn the_largest_means_of_a_second_lead_and_waits_are_left_out() {
        let mut random = Random::new(9);
        let mut insight = Insight::compact();
        for number in 0..40 {
            let path = format!("timer/{number}");
            let mut facts = Facts::new(path, SeriesKind::Timer, Unit::Milliseconds);
            facts.is_wait = number % 7 == 3;
            insight.set_series(number, facts);
        }
        insight.take_frame(0, 10.0, &[0.0; 40]);
        let mut top = TopTimers::default();
        let play = |top: &mut TopTimers, values: &[f64]| {
            top.take_frame(10.0, values);
            top.rank_if_due(&insight, |number| Some(format!("timer/{number}")));
        };
        play(&mut top, &[1.0; 40]);
        assert!(top.get().is_empty(), "nobody asked");
        top.is_wanted = true;
        // The first frame lists the timers.
        play(&mut top, &[1.0; 40]);
        for second in 1..20 {
            let scale: Vec<f64> = (0..40).map(|_| random.below(1000) as f64 / 100.0).collect();
            let mut sums = vec![0.0; 40];
            for _ in 0..100 {
                let part = scale
                    .iter()
                    .map(|scale| scale * random.below(100) as f64 / 50.0);
                let values: Vec<f64> = part.collect();
                (sums.iter_mut().zip(&values)).for_each(|(sum, value)| *sum += value);
                play(&mut top, &values);
            }
            let mut expected: Vec<(usize, f64)> = sums.into_iter().enumerate().collect();
            expected.retain(|(number, _)| number % 7 != 3);
            expected.sort_by(|a, b| b.1.total_cmp(&a.1));
            let shown = top.get().iter().map(|one| one.path.clone());
            let paths = expected.iter().map(|(number, _)| format!("timer/{number}"));
            assert!(shown.eq(paths.take(TOP)), "{second}");
            for (one, (_, sum)) in top.get().iter().zip(&expected) {
                // The sums are in single precision.
                assert!((one.mean_ms - sum / 100.0).abs() < one.mean_ms * 1e-5);
            }
            assert_eq!(top.revision(), second, "once a second");
        }
        top.is_wanted = false;
        play(&mut top, &[1.0; 40]);
        assert!(top.get().is_empty());
    }
}
