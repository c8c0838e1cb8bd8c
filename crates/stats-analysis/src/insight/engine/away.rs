//! The frames since the times are far from usual.

use super::super::trigger::Trigger;
use super::super::usual::UsualValues;

/// The newest frames, as long as their times are far from usual. If these times become usual, so do
/// the values of all series.
#[derive(Clone, Debug, Default)]
pub(super) struct Away {
    /// The sum of each series over these frames, without the first one.
    sums: Vec<f32>,
    /// The number of these frames.
    frames: u32,
}

impl Away {
    /// Takes the values of a frame that was judged. Restarts the usual values at a new level.
    pub(super) fn take(
        &mut self,
        values: &[f64],
        trigger: &Trigger,
        usual_values: &mut UsualValues,
    ) {
        let has_new_level = trigger.has_new_level();
        if !trigger.is_away() && !has_new_level {
            if self.frames > 0 {
                *self = Self::default();
            }
            return;
        }
        self.frames += 1;
        // Most long frames are single ones, which need no sums. So the first one is left out.
        if self.frames == 2 {
            self.sums = vec![0.0; values.len()];
        }
        // A value that is unknown in any frame makes the sum unknown.
        for (sum, value) in self.sums.iter_mut().zip(values) {
            *sum += *value as f32;
        }
        if has_new_level {
            let frames = (self.frames - 1) as f32;
            usual_values.restart(self.sums.iter().map(|sum| sum / frames));
            *self = Self::default();
        }
    }
}
