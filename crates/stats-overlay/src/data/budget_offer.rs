//! Offers another frame budget to a program that is over its budget most of the time.
//!
//! Such a program would mark nearly every frame, and the marks would say nothing. The offer is made
//! while more than half of the frames of the last 5 s are over budget, and stays until less than a
//! third are. The offered budget is the lowest of [`FRIENDLY_MS`] that 9 in 10 of these frames stay
//! within. A dismissed offer returns only if the program has been within its budget since then, if
//! the budget changes, or if the offered budget more than doubles.

use stats_analysis::pace::{is_over, limit_ms};
use stats_core::FrameSlice;

use crate::data::throttle::Throttle;

/// The budgets that are offered, in milliseconds: the frame times of usual rates, then round
/// numbers. A program slower than the last gets no offer.
const FRIENDLY_MS: [f64; 14] = [
    1000.0 / 240.0,
    1000.0 / 144.0,
    1000.0 / 120.0,
    10.0,
    1000.0 / 60.0,
    20.0,
    25.0,
    1000.0 / 30.0,
    50.0,
    1000.0 / 15.0,
    100.0,
    200.0,
    500.0,
    1000.0,
];
/// The total time of the newest frames that are counted, in milliseconds.
const COUNTED_MS: f64 = 5000.0;
/// The minimum number of counted frames. With fewer, there is no offer.
const MIN_FRAMES: usize = 5;
/// The interval between two counts, in seconds.
const EVERY_SECS: f64 = 1.0;

/// An offered budget.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Offer {
    /// The median frame time, in milliseconds.
    pub(crate) typical_ms: f64,
    /// The budget, in milliseconds.
    pub(crate) budget_ms: f64,
}

/// The current offer, if any.
#[derive(Debug, Default)]
pub(crate) struct BudgetOffer {
    offer: Option<Offer>,
    /// The offered budget that was dismissed.
    dismissed_ms: Option<f64>,
    /// The budget at the last count.
    budget_ms: Option<f64>,
    counted: Throttle,
    /// Reused memory.
    times_ms: Vec<f64>,
}

impl BudgetOffer {
    /// Returns the offer to show.
    pub(crate) fn get(&self) -> Option<Offer> {
        self.offer
    }

    /// Withdraws the offer until the situation changes.
    pub(crate) fn dismiss(&mut self) {
        self.dismissed_ms = self.offer.take().map(|offer| offer.budget_ms);
    }

    /// Forgets everything. Call it before another source is read.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Counts the newest frames once a second, and whenever the budget has changed.
    pub(crate) fn update(
        &mut self,
        times_ms: FrameSlice<'_>,
        budget_ms: Option<f64>,
        now_secs: f64,
    ) {
        if budget_ms != self.budget_ms {
            self.clear();
            self.budget_ms = budget_ms;
        }
        if let Some(budget_ms) = budget_ms
            && self.counted.take(now_secs, EVERY_SECS)
        {
            self.count(times_ms, budget_ms);
        }
    }

    fn count(&mut self, times_ms: FrameSlice<'_>, budget_ms: f64) {
        self.times_ms.clear();
        let mut total_ms = 0.0;
        for time_ms in times_ms.iter().rev() {
            self.times_ms.push(time_ms);
            total_ms += time_ms;
            if total_ms >= COUNTED_MS {
                break;
            }
        }
        let count = self.times_ms.len();
        if total_ms < COUNTED_MS || count < MIN_FRAMES {
            self.offer = None;
            return;
        }
        let is_over = |time_ms: &&f64| is_over(**time_ms, budget_ms);
        let over = self.times_ms.iter().filter(is_over).count();
        if over * 3 < count {
            (self.offer, self.dismissed_ms) = (None, None);
        }
        if over * 2 > count || self.offer.is_some() {
            let offer = offer(&mut self.times_ms, self.offer);
            let is_news = |offer: &Offer| {
                self.dismissed_ms
                    .is_none_or(|dismissed_ms| offer.budget_ms > dismissed_ms * 2.0)
            };
            self.offer = offer.filter(is_news);
        }
    }
}

/// Returns the offer for these frames. Keeps the budget of the previous offer `before` while it
/// still fits.
fn offer(times_ms: &mut [f64], before: Option<Offer>) -> Option<Offer> {
    times_ms.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| times_ms.get((times_ms.len() as f64 * share) as usize);
    let (&typical_ms, &most_ms) = (at(0.5)?, at(0.9)?);
    let fits = |budget_ms: f64| most_ms <= limit_ms(budget_ms);
    let before = before
        .map(|before| before.budget_ms)
        .filter(|&before_ms| fits(before_ms) && typical_ms > before_ms * 0.6);
    let budget_ms = before.or_else(|| FRIENDLY_MS.into_iter().find(|&friendly| fits(friendly)))?;
    Some(Offer {
        typical_ms,
        budget_ms,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    const BUDGET: Option<f64> = Some(1000.0 / 60.0);

    /// Counts 600 frames of these times.
    fn counted(of: &mut BudgetOffer, budget_ms: Option<f64>, time: impl FnMut(u32) -> f64) {
        let times_ms: Vec<f64> = (0..600).map(time).collect();
        of.counted.reset();
        of.update(FrameSlice::new(1, &times_ms, &[]), budget_ms, 0.0);
    }

    fn budget_for(time: impl FnMut(u32) -> f64) -> Option<f64> {
        let mut of = BudgetOffer::default();
        counted(&mut of, BUDGET, time);
        of.get().map(|offer| offer.budget_ms)
    }

    #[test]
    fn a_program_that_is_over_budget_most_of_the_time_gets_an_offer() {
        assert_eq!(budget_for(|_| 44.0), Some(50.0));
        assert_eq!(budget_for(|_| 20.0), Some(20.0));
        assert_eq!(budget_for(|_| 21.0), Some(20.0), "within the tolerance");
        assert_eq!(budget_for(|_| 22.5), Some(25.0));
        assert_eq!(budget_for(|_| 30.0), Some(1000.0 / 30.0));
        assert_eq!(budget_for(|_| 900.0), Some(1000.0));
        assert_eq!(budget_for(|_| 1500.0), None);
        assert_eq!(budget_for(|_| 17.0), None, "not over");
        assert_eq!(
            budget_for(|frame| if frame % 5 < 2 { 44.0 } else { 12.0 }),
            None
        );
        assert_eq!(
            budget_for(|frame| if frame % 5 < 3 { 44.0 } else { 12.0 }),
            Some(50.0)
        );
        assert_eq!(
            budget_for(|frame| if frame % 20 == 0 { 300.0 } else { 44.0 }),
            Some(50.0),
            "a frame in twenty does not decide"
        );
    }

    #[test]
    fn nine_in_ten_frames_meet_an_accepted_budget_which_ends_the_offer() {
        let mut random = Random::new(61);
        for _ in 0..500 {
            let (base, noise) = (2.0 + random.below(600) as f64, 1 + random.below(300));
            let times: Vec<f64> = (0..600)
                .map(|_| base + random.below(noise) as f64 / 3.0)
                .collect();
            let mut of = BudgetOffer::default();
            counted(&mut of, BUDGET, |frame| times[frame as usize]);
            let Some(offer) = of.get() else { continue };
            let over = |&&time_ms: &&f64| is_over(time_ms, offer.budget_ms);
            assert!(offer.budget_ms > 1000.0 / 60.0);
            // The frames that fill five seconds are about as fast as all of them.
            assert!(times.iter().filter(over).count() <= 150, "{offer:?}");
            counted(&mut of, Some(offer.budget_ms), |frame| {
                times[frame as usize]
            });
            assert_eq!(of.get(), None);
        }
    }

    #[test]
    fn a_dismissed_offer_stays_away_until_the_situation_changes() {
        let mut of = BudgetOffer::default();
        let offered = |of: &mut BudgetOffer, budget_ms, ms: f64| {
            counted(of, budget_ms, |_| ms);
            of.get().map(|offer| offer.budget_ms)
        };
        assert_eq!(offered(&mut of, BUDGET, 44.0), Some(50.0));
        of.dismiss();
        for ms in [44.0, 60.0, 30.0, 44.0] {
            assert_eq!(offered(&mut of, BUDGET, ms), None);
        }
        assert_eq!(offered(&mut of, BUDGET, 150.0), Some(200.0), "much slower");
        of.dismiss();
        assert_eq!(offered(&mut of, BUDGET, 150.0), None);
        assert_eq!(offered(&mut of, BUDGET, 10.0), None, "within the budget");
        assert_eq!(offered(&mut of, BUDGET, 44.0), Some(50.0), "again");
        of.dismiss();
        assert_eq!(offered(&mut of, Some(20.0), 44.0), Some(50.0), "another");
        assert_eq!(offered(&mut of, None, 44.0), None);
    }

    #[test]
    fn an_offer_stays_the_same_while_it_fits() {
        let mut of = BudgetOffer::default();
        let mut random = Random::new(62);
        for _ in 0..200 {
            counted(&mut of, BUDGET, |_| 46.0 + random.below(900) as f64 / 100.0);
            assert_eq!(of.get().map(|offer| offer.budget_ms), Some(50.0));
        }
        // Between a third and a half of the frames.
        counted(
            &mut of,
            BUDGET,
            |frame| if frame % 5 < 2 { 44.0 } else { 12.0 },
        );
        assert!(of.get().is_some());
        counted(
            &mut of,
            BUDGET,
            |frame| if frame % 5 < 1 { 44.0 } else { 12.0 },
        );
        assert_eq!(of.get(), None);
    }

    #[test]
    fn frames_are_counted_once_a_second_and_for_five_seconds() {
        let mut of = BudgetOffer::default();
        let times_ms = [44.0; 600];
        let of_frames = |count| FrameSlice::new(1, &times_ms[..count], &[]);
        of.update(of_frames(100), BUDGET, 10.0);
        assert_eq!(of.get(), None, "4.4 s");
        of.update(of_frames(600), BUDGET, 10.9);
        assert_eq!(of.get(), None, "not again within the second");
        of.update(of_frames(600), BUDGET, 11.0);
        assert!(of.get().is_some());
        of.update(of_frames(0), BUDGET, 3.0);
        assert_eq!(of.get(), None, "the clock went back");
    }
}
