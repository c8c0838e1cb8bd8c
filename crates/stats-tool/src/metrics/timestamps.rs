//! The quality of the clock that timed the frames.

use stats_capture::CaptureFile;
use stats_core::{Frame, Source};

/// The shortest time between two frames that is a gap, in seconds. Less is a rounding error.
const MIN_GAP_SECS: f64 = 1e-3;

/// What the times of a capture reveal about its clock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Timestamps {
    /// The largest step of which all durations are multiples, in nanoseconds; 0 without frames.
    pub(crate) step_ns: u64,
    /// The time that belongs to no frame, in seconds: the program was paused, or frames are lost.
    pub(crate) gap_secs: f64,
}

impl Timestamps {
    pub(super) fn of(capture: &CaptureFile) -> Self {
        Self::of_frames(capture.frames().filter_map(|at| capture.frame(at)))
    }

    fn of_frames(frames: impl Iterator<Item = Frame>) -> Self {
        let mut found = Self::default();
        let mut end_secs = None;
        for frame in frames {
            let ns = (frame.duration_ms * 1e6).round() as u64;
            found.step_ns = greatest_common_divisor(found.step_ns, ns);
            let gap_secs = end_secs.map_or(0.0, |end| frame.start_secs - end);
            if gap_secs > MIN_GAP_SECS {
                found.gap_secs += gap_secs;
            }
            end_secs = Some(frame.start_secs + frame.duration_ms / 1e3);
        }
        found
    }
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_divides_all_durations_and_gaps_are_between_frames() {
        let frames = |durations: &[(f64, f64)]| {
            let mut start_secs = 1.0;
            let mut frames = Vec::new();
            for (index, &(duration_ms, pause_secs)) in durations.iter().enumerate() {
                frames.push(Frame {
                    index: index as u64,
                    start_secs,
                    duration_ms,
                });
                start_secs += duration_ms / 1e3 + pause_secs;
            }
            Timestamps::of_frames(frames.into_iter())
        };
        let quantized = frames(&[(16.0, 0.0), (17.0, 2.5), (33.0, 0.0), (17.0, 0.0)]);
        assert_eq!(quantized.step_ns, 1_000_000);
        assert!((quantized.gap_secs - 2.5).abs() < 1e-9);
        let fine = frames(&[(16.000_001, 0.0), (16.5, 0.000_2), (3.0, 0.0)]);
        assert_eq!((fine.step_ns, fine.gap_secs), (1, 0.0));
        assert_eq!(frames(&[]), Timestamps::default());
    }
}
