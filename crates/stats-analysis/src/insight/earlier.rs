//! Scopes that were open for several frames.

use std::collections::HashMap;

use super::confined::FITS;
use super::structure::Structure;

/// A time that exceeds the duration of the frame by this factor passed in earlier frames, too.
const LONGER: f64 = 1.25;
/// A timer on no known thread that was too long this often runs on several threads.
const OFTEN: u32 = 16;

/// Removes from the values of a frame what passed in earlier frames, so that it does not become
/// usual.
#[derive(Clone, Debug, Default)]
pub(super) struct Earlier {
    /// The remaining values of a frame, kept to reuse the memory.
    values: Vec<f64>,
    /// The number of the frame, and its duration.
    frame: u64,
    frame_ms: f64,
    /// The timers on no known thread that were too long: the newest frame in which they were, and
    /// how often they were.
    too_long: HashMap<u32, (u64, u32)>,
}

impl Earlier {
    /// Returns the values of the next frame without the time that passed before it. The time of a
    /// scope that was open for many frames is NaN, because its part in the frame is not known.
    ///
    /// The thread of a timer may not be known: before its first scope ends, in some files, and if
    /// there are several. On one thread, a time cannot be far too long in two consecutive frames,
    /// so such a timer runs on several threads, and its times are kept.
    pub(super) fn without<'a>(
        &'a mut self,
        structure: &Structure,
        values: &'a [f64],
        frame_ms: f64,
    ) -> &'a [f64] {
        self.frame += 1;
        self.values.clear();
        // A scope that is open in one more frame lasts at most as long as both.
        let most_ms = (frame_ms + std::mem::replace(&mut self.frame_ms, frame_ms)) / FITS;
        let value = |at: usize| values.get(at).copied().unwrap_or(f64::NAN);
        structure.for_each_longer(values, LONGER * frame_ms, |timer| {
            let ms = value(timer.series as usize);
            let is_certain = structure.is_on_frame(timer);
            if !is_certain && (ms <= most_ms || self.is_of_several_threads(timer.series)) {
                return;
            }
            if self.values.is_empty() {
                self.values.extend_from_slice(values);
            }
            for series in std::iter::once(timer.series).chain(timer.self_series()) {
                let ms = value(series as usize);
                if let Some(known) = self.values.get_mut(series as usize)
                    && ms > LONGER * frame_ms
                {
                    *known = if ms > most_ms { f64::NAN } else { frame_ms };
                }
            }
        });
        if self.values.is_empty() {
            values
        } else {
            &self.values
        }
    }

    /// Returns whether a timer on no known thread runs on several. It is too long in this frame.
    fn is_of_several_threads(&mut self, series: u32) -> bool {
        let (newest, count) = self.too_long.entry(series).or_default();
        let is_next = std::mem::replace(newest, self.frame) + 1 == self.frame && *count > 0;
        *count = if is_next { OFTEN } else { *count + 1 }.min(OFTEN);
        *count == OFTEN
    }
}
