//! What is usual for each series in each of two kinds of frames.

use super::moment::Moment;
use super::structure::{Place, Structure};
use super::usual::UsualValues;

/// The number of frames of a kind over which its means are taken.
const REMEMBERED: f32 = 32.0;
/// The number of frames of a kind after which its means are used.
const KNOWN: f32 = 8.0;

/// The number of series with usual values for each kind: those that were registered first. It bounds the
/// time of a frame. Other series have one usual value for all frames.
const SERIES: usize = 32_768;

/// The mean of each series in frames of one kind, and its mean distance from that.
#[derive(Clone, Debug, Default)]
struct Kind {
    frames: f32,
    frame_ms: f32,
    series: Vec<(f32, f32)>,
}

impl Kind {
    fn learn(&mut self, frame_ms: f64, values: &[f64]) {
        let values = &values[..values.len().min(SERIES)];
        if self.series.len() < values.len() {
            self.series.resize(values.len(), (f32::NAN, 0.0));
        }
        self.frames = (self.frames + 1.0).min(REMEMBERED);
        let is_first = self.frames == 1.0;
        self.frame_ms += (frame_ms as f32 - self.frame_ms) / self.frames;
        for ((mean, scale), value) in self.series.iter_mut().zip(values) {
            let value = *value as f32;
            if is_first || !mean.is_finite() {
                // A series that appears later may be far from its first value, until it is known.
                (*mean, *scale) = (value, if is_first { 0.0 } else { value.abs() });
            } else if value.is_finite() {
                let far = value - *mean;
                *mean += far / self.frames;
                *scale += (far.abs() - *scale) / self.frames;
            }
        }
    }
}

/// The shorter and the longer kind of frames, if there are [two](super::trigger).
#[derive(Clone, Debug, Default)]
pub(super) struct OfKinds([Kind; 2]);

impl OfKinds {
    /// Takes the values of a usual frame. `is_longer` is `None` if all frames are of one kind.
    pub(super) fn learn(&mut self, is_longer: Option<bool>, frame_ms: f64, values: &[f64]) {
        let Self(kinds) = self;
        match is_longer {
            Some(is_longer) => kinds[usize::from(is_longer)].learn(frame_ms, values),
            // Keeps the memory.
            None => kinds.iter_mut().for_each(|kind| kind.frames = 0.0),
        }
    }

    /// Compares a moment with frames of its kind: the one whose scopes are nearer, or the longer one if
    /// both are equally near. Leaves out `deferred` series, whose values come some frames later.
    pub(super) fn compare(
        &self,
        moment: &mut Moment,
        (structure, deferred): (&Structure, &[u32]),
        usual_values: &UsualValues,
    ) {
        let Self([shorter, longer]) = self;
        if shorter.frames < KNOWN || longer.frames < KNOWN {
            return;
        }
        let on_frame = structure.timers.iter();
        let on_frame = on_frame.filter(|timer| timer.place == Place::Frame);
        let nearer_ms = on_frame.map(|timer| {
            let at = timer.own_series();
            let value = moment.value(at) as f32;
            let far = |kind: &Kind| {
                kind.series
                    .get(at)
                    .map_or(0.0, |(mean, _)| (value - mean).abs())
            };
            let nearer_ms = far(shorter) - far(longer);
            if nearer_ms.is_finite() {
                nearer_ms
            } else {
                0.0
            }
        });
        let is_longer = nearer_ms.sum::<f32>() >= 0.0;
        let kind = if is_longer { longer } else { shorter };
        moment.usual_ms = kind.frame_ms.into();
        let both = shorter.series.iter().zip(&longer.series).zip(&kind.series);
        for (at, ((of_shorter, of_longer), of_kind)) in both.enumerate() {
            // Other series are the same in both kinds.
            let differs = (of_shorter.0 - of_longer.0).abs() > of_shorter.1 + of_longer.1;
            if differs && deferred.binary_search(&(at as u32)).is_err() {
                moment.compare_with(at, *of_kind, usual_values.floor(at));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_that_appears_later_differs_between_the_kinds_once_it_is_known() {
        let mut kinds = OfKinds::default();
        let mut differs_after = None;
        for round in 0..400 {
            // The first value is far from all later ones.
            let new = |usual: f64| match round {
                ..100 => f64::NAN,
                100 => 9.0,
                _ => usual,
            };
            kinds.learn(Some(false), 10.0, &[1.0, new(1.0)]);
            kinds.learn(Some(true), 20.0, &[2.0, new(3.0)]);
            let OfKinds([shorter, longer]) = &kinds;
            let [one, other] = [shorter, longer].map(|kind| kind.series[1]);
            if (one.0 - other.0).abs() > one.1 + other.1 {
                differs_after = differs_after.or(Some(round));
                assert!(
                    (one.0 - 1.0).abs() < 0.5 && (other.0 - 3.0).abs() < 0.5,
                    "{round}"
                );
            }
        }
        assert!(
            differs_after.is_some_and(|round| round < 300),
            "{differs_after:?}"
        );
    }

    #[test]
    fn a_frame_takes_a_bounded_number_of_series() {
        let mut kinds = OfKinds::default();
        kinds.learn(Some(true), 10.0, &vec![1.0; 3 * SERIES]);
        assert_eq!(kinds.0[1].series.len(), SERIES);
    }
}
