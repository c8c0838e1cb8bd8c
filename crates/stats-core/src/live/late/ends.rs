//! The ends of a recorder's last frames, as numbers of the sequence of deferred values.

use std::collections::VecDeque;

use crate::limits::LATE_FRAMES;

/// The number of frame ends to keep: those of the frames that may still get values, and the one
/// before.
const KEPT: usize = LATE_FRAMES as usize + 2;

/// Maps a stamp to its frame.
#[derive(Debug)]
pub(in crate::live) struct Ends {
    /// The frame that begins with the first of the numbers.
    first_frame: u64,
    /// The beginning of the first frame, then the end of each frame, in ascending order.
    numbers: VecDeque<u64>,
}

impl Ends {
    /// Creates the ends for a recorder that starts reading deferred values within the frame `frame`,
    /// which begins after `number`.
    pub(in crate::live) fn new(frame: u64, number: u64) -> Self {
        let mut numbers = VecDeque::with_capacity(KEPT + 1);
        numbers.push_back(number);
        Self {
            first_frame: frame,
            numbers,
        }
    }

    /// Ends the current frame.
    pub(in crate::live) fn push(&mut self, number: u64) {
        self.numbers.push_back(number);
        if self.numbers.len() > KEPT {
            self.numbers.pop_front();
            self.first_frame += 1;
        }
    }

    /// Returns the number that ended the newest frame.
    pub(in crate::live) fn newest(&self) -> u64 {
        self.numbers.back().copied().unwrap_or_default()
    }

    /// Returns the number up to which stamps are no longer waited for: they are [`LATE_FRAMES`]
    /// frames old.
    pub(in crate::live) fn horizon(&self) -> u64 {
        self.before_newest(LATE_FRAMES)
    }

    /// Returns the horizon before the newest frame ended.
    #[cfg(any(test, not(loom)))]
    pub(in crate::live) fn last_horizon(&self) -> u64 {
        self.before_newest(LATE_FRAMES + 1)
    }

    /// Returns the number that ended the frame `frames` before the newest one, or else the oldest
    /// number.
    fn before_newest(&self, frames: u64) -> u64 {
        let at = self.numbers.len().saturating_sub(1 + frames as usize);
        self.numbers.get(at).copied().unwrap_or_default()
    }

    /// Returns the frame of a number, which may be the current frame; `None` if it is before all
    /// frames that are kept.
    pub(in crate::live) fn frame_of(&self, number: u64) -> Option<u64> {
        let before = self.numbers.partition_point(|&end| end < number);
        Some(self.first_frame + before.checked_sub(1)? as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::{Ends, KEPT};
    use crate::limits::LATE_FRAMES;

    #[test]
    fn a_number_lies_in_one_frame_and_the_oldest_are_forgotten() {
        let (begun, first) = (7, 1000);
        let mut ends = Ends::new(begun, first);
        for pushed in 0..300_u64 {
            // Frame `begun + n` has the nine numbers after `first + 10 n`.
            let oldest = (pushed + 1).saturating_sub(KEPT as u64);
            for n in 0..=pushed {
                for within in [1, 9] {
                    let frame = ends.frame_of(first + 10 * n + within);
                    assert_eq!(frame, (n >= oldest).then_some(begun + n), "{n} of {pushed}");
                }
            }
            assert_eq!(ends.frame_of(first - 1), None);
            assert_eq!(ends.newest(), first + 10 * pushed);
            assert_eq!(
                ends.horizon(),
                first + 10 * pushed.saturating_sub(LATE_FRAMES)
            );
            assert_eq!(
                ends.last_horizon(),
                first + 10 * pushed.saturating_sub(LATE_FRAMES + 1)
            );
            ends.push(first + 10 * (pushed + 1));
        }
    }
}
