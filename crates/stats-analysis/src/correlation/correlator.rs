//! Compares one series with others.

use super::ranks::Order;

/// The greatest lag, in frames.
pub const MAX_LAG: usize = 8;

/// The smallest number of frames that are compared. Fewer say nothing about a relation.
pub const MIN_FRAMES: usize = 60;

/// The greatest number of frames that are compared.
pub const MAX_FRAMES: usize = 4096;

/// The number of lags that are compared.
const LAGS: usize = 2 * MAX_LAG + 1;

/// The number of frames over which series are compared with themselves, so that smooth ones count as
/// fewer frames.
const AUTOCORRELATED: usize = 64;

/// How a series moved with the subject.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Correlation {
    /// Spearman's rank correlation, −1 to 1. It is negative if one falls while the other rises.
    pub coefficient: f64,
    /// The number of frames by which the series follows the subject; negative if the subject follows it.
    pub lag: i32,
    /// The number of frames that were compared.
    pub frames: usize,
    /// A bound for the probability that an unrelated series is as similar at any lag, 0 to 1.
    pub chance: f64,
}

impl Correlation {
    /// Returns the bound for the best of `comparisons` results, 0 to 1.
    #[must_use]
    pub fn chance_of(&self, comparisons: usize) -> f64 {
        (self.chance * comparisons as f64).min(1.0)
    }
}

/// Compares a subject with one series after another. Allocates only for more frames than before.
#[derive(Debug, Default)]
pub struct Correlator {
    subject: Vec<f64>,
    /// The ranks of the subject's own frames, and how they resemble themselves.
    ranks: Ranked,
    /// The ranks of the subject in the frames in which both are known.
    own: Ranked,
    other: Ranked,
    order: Order,
    /// The values of both series in the frames in which both are known.
    pairs: [Vec<f64>; 2],
}

/// The ranks of a window, as deviations from their mean.
#[derive(Debug, Default)]
struct Ranked {
    deviations: Vec<f64>,
    squares: f64,
}

impl Ranked {
    /// Subtracts the mean. Returns whether the values differ.
    fn center(&mut self) -> bool {
        let mean = self.deviations.iter().sum::<f64>() / self.deviations.len() as f64;
        self.deviations.iter_mut().for_each(|rank| *rank -= mean);
        self.squares = self.deviations.iter().map(|d| d * d).sum();
        self.squares > 0.0
    }

    fn correlation(&self, other: &Self) -> f64 {
        let pairs = self.deviations.iter().zip(&other.deviations);
        let sum: f64 = pairs.map(|(a, b)| a * b).sum();
        let r = sum / (self.squares * other.squares).sqrt();
        r.clamp(-1.0, 1.0)
    }

    /// Returns how the series resembles itself some frames later.
    fn autocorrelation(&self, frames: usize) -> f64 {
        let later = self.deviations.iter().skip(frames);
        let sum: f64 = self.deviations.iter().zip(later).map(|(a, b)| a * b).sum();
        sum / self.squares
    }
}

impl Correlator {
    /// Begins with another subject: its values in consecutive frames, NaN if unknown. Of more than
    /// [`MAX_FRAMES`], the newest count. Returns whether it can move with anything: it has at least
    /// [`MIN_FRAMES`], and they differ.
    pub fn begin(&mut self, subject: &[f64]) -> bool {
        let newest = subject.len().saturating_sub(MAX_FRAMES);
        self.subject.clear();
        self.subject.extend_from_slice(&subject[newest..]);
        self.order.sort(&self.subject);
        if self.subject.len() < MIN_FRAMES {
            return false;
        }
        let core = MAX_LAG..self.subject.len() - MAX_LAG;
        self.order
            .rank(&self.subject, core, &mut self.ranks.deviations);
        if self.is_known() {
            return self.ranks.center();
        }
        let mut known = self.subject.iter().filter(|value| !value.is_nan());
        let first = known.next();
        known.any(|value| Some(value) != first)
    }

    /// Returns whether each value of the subject is known.
    fn is_known(&self) -> bool {
        self.subject.iter().all(|value| !value.is_nan())
    }

    /// Returns how a series moved with the subject, at the lag at which the two are most similar.
    /// Of equally good lags, the shortest counts. `values` are its values in the frames of the
    /// subject. `None` if one of the two does not change, or if fewer than [`MIN_FRAMES`] less
    /// twice the lag are known of both.
    ///
    /// Takes about 100 ns for each frame, and five times that if some values are unknown.
    pub fn with(&mut self, values: &[f64]) -> Option<Correlation> {
        let values = &values[values.len().checked_sub(self.subject.len())?..];
        if self.subject.len() < MIN_FRAMES {
            return None;
        }
        let is_known = self.is_known() && values.iter().all(|value| !value.is_nan());
        if is_known {
            self.order.sort(values);
        }
        // By the length of the lag, so that the shortest of equal ones remains.
        let lags = (0..LAGS as i32).map(|at| if at % 2 == 0 { at / 2 } else { -(at + 1) / 2 });
        let mut best: Option<(f64, i32)> = None;
        for lag in lags {
            let r = match is_known {
                true => self.at_lag(values, lag),
                false => self.of_known(values, lag),
            };
            if let Some(r) = r
                && best.is_none_or(|(before, _)| r.abs() > before.abs() + 1e-12)
            {
                best = Some((r, lag));
            }
        }
        let (coefficient, lag) = best?;
        // The ranks at the best lag, for the number of frames that count.
        let own = if is_known {
            self.at_lag(values, lag);
            &self.ranks
        } else {
            self.of_known(values, lag);
            &self.own
        };
        let frames = self.other.deviations.len();
        Some(Correlation {
            coefficient,
            lag,
            frames,
            chance: chance(coefficient, own, &self.other),
        })
    }

    /// Returns the rank correlation at a lag, if all values are known.
    fn at_lag(&mut self, values: &[f64], lag: i32) -> Option<f64> {
        let begin = MAX_LAG.checked_add_signed(lag as isize)?;
        let window = begin..begin + values.len() - 2 * MAX_LAG;
        self.order.rank(values, window, &mut self.other.deviations);
        let is_changing = self.other.center() && self.ranks.squares > 0.0;
        is_changing.then(|| self.ranks.correlation(&self.other))
    }

    /// Returns the rank correlation at a lag over the frames in which both are known.
    fn of_known(&mut self, values: &[f64], lag: i32) -> Option<f64> {
        let begin = MAX_LAG.checked_add_signed(lag as isize)?;
        let [own, other] = &mut self.pairs;
        own.clear();
        other.clear();
        let subject = &self.subject[MAX_LAG..self.subject.len() - MAX_LAG];
        let pairs = subject.iter().zip(&values[begin..]);
        let known = pairs.filter(|(a, b)| !a.is_nan() && !b.is_nan());
        known.for_each(|(a, b)| {
            own.push(*a);
            other.push(*b);
        });
        if own.len() < MIN_FRAMES - 2 * MAX_LAG {
            return None;
        }
        for (values, ranked) in [(own, &mut self.own), (other, &mut self.other)] {
            self.order.sort(values);
            let all = 0..values.len();
            self.order.rank(values, all, &mut ranked.deviations);
            if !ranked.center() {
                return None;
            }
        }
        Some(self.own.correlation(&self.other))
    }
}

/// Returns the bound of chance for two series of ranks with a coefficient.
fn chance(coefficient: f64, own: &Ranked, other: &Ranked) -> f64 {
    let frames = other.deviations.len();
    let of = |counted: f64| {
        // So few frames cannot tell a coefficient from 1.
        let r = coefficient.abs().min(1.0 - 1.0 / counted);
        let z = r.atanh() * ((counted - 3.0).max(0.0) / 1.06).sqrt();
        (LAGS as f64 * (-z * z / 2.0).exp()).min(1.0)
    };
    // Frames that resemble each other only make it more likely.
    let least = of(frames as f64);
    if least >= 1.0 {
        return least;
    }
    let lags = 1..AUTOCORRELATED.min(frames / 4);
    let both = |k| own.autocorrelation(k) * other.autocorrelation(k);
    let alike: f64 = lags.map(both).sum();
    of(frames as f64 / (1.0 + 2.0 * alike).max(1.0))
}
