//! What is usual for each series in each of two kinds of frames.

use super::moment::Moment;
use super::structure::{Place, Structure};
use super::usual::UsualValues;

/// The number of frames of a kind over which its means are taken, and after which they are used.
const REMEMBERED: f32 = 32.0;
const KNOWN: f32 = 8.0;

/// The mean of each series in frames of one kind, and its mean distance from that.
#[derive(Clone, Debug, Default)]
struct Kind {
    frames: f32,
    frame_ms: f32,
    series: Vec<(f32, f32)>,
}

impl Kind {
    fn learn(&mut self, frame_ms: f64, values: &[f64]) {
        if self.series.len() < values.len() {
            self.series.resize(values.len(), (f32::NAN, 0.0));
        }
        self.frames = (self.frames + 1.0).min(REMEMBERED);
        let is_first = self.frames == 1.0;
        self.frame_ms += (frame_ms as f32 - self.frame_ms) / self.frames;
        for ((mean, scale), value) in self.series.iter_mut().zip(values) {
            let value = *value as f32;
            if is_first || !mean.is_finite() {
                (*mean, *scale) = (value, 0.0);
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

    /// Compares a moment with frames of its kind: the one whose scopes took about as long, or else
    /// the longer one. Leaves out `deferred` series, whose values come some frames later.
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
