//! Baselines: the usual value of each series, and how far it varies.
//!
//! For the value x of a frame, with d = x − m and the limit l = 3 · max(s, floor):
//!
//! ```text
//! m += α · clamp(d, ±l)      the usual value
//! s += α · (min(|d|, l) − s) the scale: the mean distance from the usual value
//! r  = max(0.9995 r, |d|)    the record: the largest distance, half of it decays in 1,400 frames
//! α  = max(1/64, 1/(n + 1))  after n values
//! ```
//!
//! The floor is 20 µs, half a count or 1 KiB, and at least 1 % of the usual value. The first 16
//! values are not clamped, and their records decay within a few frames: they are distances from a
//! usual value that is not known yet.

/// The number of first values that are not clamped.
const UNCLAMPED: u32 = 16;
/// The number of values after which a series learns at the constant rate.
const YOUNG: u32 = 64;
/// With more series than this, the two halves learn in alternate frames.
const HALVED: usize = 32_000;
/// The factor by which a record decays in each frame.
const FORGET: f32 = 0.9995;
/// The same during the first frames of a series.
const FORGET_FIRST: f32 = 0.8;
/// The minimum floor, as a share of the usual value.
const PART: f32 = 0.01;

/// The estimates of all series, in one array for each kind of estimate, so that a frame is one pass
/// over contiguous numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Baselines {
    pub(super) usual: Vec<f32>,
    pub(super) scale: Vec<f32>,
    pub(super) record: Vec<f32>,
    /// 0 for a number without a series.
    floors: Vec<f32>,
    /// The series with few values, which learn separately: the number of each, and its count of
    /// values.
    young: Vec<(u32, u32)>,
    /// Their estimates before a frame. Kept to reuse its memory.
    young_before: Vec<[f32; 3]>,
    is_second_half: bool,
}

impl Baselines {
    pub(super) fn len(&self) -> usize {
        self.usual.len()
    }

    /// Adds a series, or changes its floor, which is positive.
    pub(super) fn set(&mut self, at: usize, floor: f32) {
        let len = self.len().max(at + 1);
        let Self {
            usual,
            scale,
            record,
            floors,
            ..
        } = self;
        for all in [&mut *usual, scale, record, floors] {
            all.resize(len, 0.0);
        }
        if floors[at] == 0.0 {
            // Values may have arrived for the number before it had a series.
            (usual[at], scale[at], record[at]) = (0.0, 0.0, 0.0);
            self.young.push((at as u32, 0));
        }
        self.floors[at] = floor;
    }

    /// Returns the distance beyond which a value is new: the record, but at least three scales and
    /// the floor.
    pub(super) fn reach(&self, at: usize) -> f64 {
        let floor = floor_of(self.floors[at], self.usual[at]);
        f64::from(self.record[at].max(3.0 * self.scale[at]).max(floor))
    }

    /// Learns the values of a frame; NaN stands for a missing value.
    pub(super) fn learn(&mut self, values: &[f64]) {
        let len = self.len().min(values.len());
        let half = len / 2;
        let is_halved = len > HALVED;
        let part = match (is_halved, self.is_second_half) {
            (false, _) => 0..len,
            (true, false) => 0..half,
            (true, true) => half..len,
        };
        self.is_second_half = is_halved && !self.is_second_half;
        // The pass would overwrite the estimates of young series, so they are saved first.
        let mut before = std::mem::take(&mut self.young_before);
        before.clear();
        before.extend(self.young.iter().map(|(at, _)| self.get(*at as usize)));
        let forget = if is_halved { FORGET * FORGET } else { FORGET };
        learn_all(
            &values[part.clone()],
            &mut self.usual[part.clone()],
            &mut self.scale[part.clone()],
            &mut self.record[part.clone()],
            &self.floors[part],
            forget,
        );
        let mut estimates = before.iter().copied();
        let Self {
            usual,
            scale,
            record,
            floors,
            young,
            ..
        } = self;
        young.retain_mut(|(at, values_seen)| {
            let estimate = estimates.next().unwrap_or_default();
            let number = *at as usize;
            let value = values.get(number).copied().unwrap_or(f64::NAN);
            let next = learn_young(estimate, value, floors[number], values_seen);
            [usual[number], scale[number], record[number]] = next;
            *values_seen < YOUNG
        });
        self.young_before = before;
    }

    fn get(&self, at: usize) -> [f32; 3] {
        [self.usual[at], self.scale[at], self.record[at]]
    }
}

fn floor_of(floor: f32, usual: f32) -> f32 {
    let part = PART * usual.abs();
    if part > floor { part } else { floor }
}

/// One pass without branches. Uses comparisons instead of `max` and `min`, which also check for
/// NaN.
fn learn_all(
    values: &[f64],
    usual: &mut [f32],
    scale: &mut [f32],
    record: &mut [f32],
    floor: &[f32],
    forget: f32,
) {
    const STEP: f32 = 1.0 / YOUNG as f32;
    let estimates = usual.iter_mut().zip(scale).zip(record);
    for (((value, floor), usual), (scale, record)) in values
        .iter()
        .zip(floor)
        .zip(estimates)
        .map(|(input, ((usual, scale), record))| ((input, usual), (scale, record)))
    {
        let value = *value as f32;
        let is_value = value.abs() < f32::INFINITY;
        let distance = if is_value { value - *usual } else { 0.0 };
        let step = if is_value { STEP } else { 0.0 };
        let floor = floor_of(*floor, *usual);
        let limit = 3.0 * if *scale > floor { *scale } else { floor };
        let above = if distance > limit { limit } else { distance };
        let clamped = if above < -limit { -limit } else { above };
        *usual += step * clamped;
        *scale += step * (clamped.abs() - *scale);
        let decayed = if is_value { forget * *record } else { *record };
        let distance = distance.abs();
        *record = if distance > decayed {
            distance
        } else {
            decayed
        };
    }
}

fn learn_young(
    [usual, scale, record]: [f32; 3],
    value: f64,
    floor: f32,
    values_seen: &mut u32,
) -> [f32; 3] {
    let value = value as f32;
    if !value.is_finite() {
        return [usual, scale, record];
    }
    if *values_seen == 0 {
        *values_seen = 1;
        return [value, 0.0, 0.0];
    }
    let distance = value - usual;
    let limit = if *values_seen < UNCLAMPED {
        f32::INFINITY
    } else {
        3.0 * scale.max(floor_of(floor, usual))
    };
    let step = (1.0 / (*values_seen + 1) as f32).max(1.0 / YOUNG as f32);
    let forget = if *values_seen < UNCLAMPED {
        FORGET_FIRST
    } else {
        FORGET
    };
    *values_seen += 1;
    [
        usual + step * distance.clamp(-limit, limit),
        scale + step * (distance.abs().min(limit) - scale),
        (forget * record).max(distance.abs()),
    ]
}

/// The baseline of a single quantity that is not a series.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Baseline {
    estimate: [f32; 3],
    values_seen: u32,
}

impl Baseline {
    pub(super) fn usual(&self) -> f64 {
        self.estimate[0].into()
    }

    pub(super) fn scale(&self) -> f64 {
        self.estimate[1].into()
    }

    pub(super) fn record(&self) -> f64 {
        self.estimate[2].into()
    }

    pub(super) fn values_seen(&self) -> u32 {
        self.values_seen
    }

    /// Learns a duration. It cannot set a record above `max_record`.
    pub(super) fn learn(&mut self, ms: f64, max_record: f64) {
        self.estimate = learn_young(self.estimate, ms, 0.02, &mut self.values_seen);
        self.estimate[2] = self.estimate[2].min(max_record as f32);
        self.values_seen = self.values_seen.min(1 << 20);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    /// The rule of the module, one series and one frame at a time.
    fn by_the_rule(values: &[f64], floor: f32) -> [f32; 3] {
        let [mut m, mut s, mut r] = [0.0_f32; 3];
        let known = values.iter().map(|x| *x as f32).filter(|x| x.is_finite());
        for (n, x) in known.enumerate() {
            if n == 0 {
                m = x;
                continue;
            }
            let d = x - m;
            let min_scale = floor.max(0.01 * m.abs());
            let l = if n < 16 {
                f32::INFINITY
            } else {
                3.0 * s.max(min_scale)
            };
            let a = (1.0 / (n + 1) as f32).max(1.0 / 64.0);
            m += a * d.clamp(-l, l);
            s += a * (d.abs().min(l) - s);
            r = (if n < 16 { 0.8 } else { 0.9995 } * r).max(d.abs());
        }
        [m, s, r]
    }

    #[test]
    fn estimates_follow_the_rule_for_series_of_any_age() {
        let mut random = Random::new(1);
        let mut all: Vec<Vec<f64>> = (0..37).map(|_| random.series(500)).collect();
        for series in &mut all {
            for value in series.iter_mut() {
                *value = match random.below(20) {
                    0 => f64::NAN,
                    _ => *value,
                };
            }
        }
        let mut baselines = Baselines::default();
        for frame in 0..500 {
            // A new series every ten frames.
            let known = all.len().min(1 + frame / 10);
            (0..known).for_each(|at| baselines.set(at, 0.5));
            let values: Vec<f64> = all[..known].iter().map(|series| series[frame]).collect();
            baselines.learn(&values);
        }
        for (at, series) in all.iter().enumerate() {
            let expected = by_the_rule(&series[at * 10..], 0.5);
            for (found, expected) in baselines.get(at).into_iter().zip(expected) {
                let is_close = (found - expected).abs() <= 1e-4 * expected.abs().max(1e-3);
                assert!(is_close, "{at}: {found} {expected}");
            }
        }
    }

    #[test]
    fn values_before_a_series_was_added_teach_it_nothing() {
        let mut baselines = Baselines::default();
        baselines.set(3, 0.5);
        (0..100).for_each(|_| baselines.learn(&[900.0; 4]));
        baselines.set(1, 0.5);
        (0..100).for_each(|_| baselines.learn(&[10.0; 4]));
        let expected = by_the_rule(&[10.0; 100], 0.5);
        for (found, expected) in baselines.get(1).into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-4, "{found} {expected}");
        }
    }

    #[test]
    fn halves_of_many_series_learn_in_turn() {
        let many = HALVED + 2;
        let mut baselines = Baselines::default();
        (0..many).for_each(|at| baselines.set(at, 0.5));
        for _ in 0..200 {
            baselines.learn(&vec![10.0; many]);
        }
        for _ in 0..300 {
            baselines.learn(&vec![14.0; many]);
        }
        for at in [0, many / 2 - 1, many / 2, many - 1] {
            assert!(
                (baselines.usual[at] - 13.0).abs() < 1.0,
                "{}",
                baselines.usual[at]
            );
        }
    }
}
