//! The clock of a capture, and the mapping from its rows to frames.

use std::ops::Range;

use stats_core::{Frame, FrameSlice};

use crate::ReadError;

/// The maximum number of missing frames: this many per row, plus this many. A file with more is
/// refused, because nearly all of its memory would be gaps.
const MISSING: (u64, u64) = (16, 1 << 16);

/// The clock of a capture. Dropped frames have no row.
#[derive(Debug)]
pub(super) struct Frames {
    first: u64,
    /// By frame; NaN for a dropped one.
    starts_secs: Vec<f64>,
    durations_ms: Vec<f64>,
    /// The number of rows.
    rows: usize,
    /// The frame of each row; `None` if no frame was dropped.
    of_rows: Option<Vec<u64>>,
}

impl Frames {
    /// Creates the clock from a file's columns: frames, starts and durations in nanoseconds.
    /// `column` reads one of them; one at a time is in memory.
    pub(super) fn read(
        column: impl Fn(usize) -> Result<Vec<i64>, ReadError>,
        damaged: impl Fn(String) -> ReadError,
    ) -> Result<Self, ReadError> {
        let mut clock = Self::of_rows(column(0)?).map_err(&damaged)?;
        let rows = clock.rows();
        let read = |at, scale: f64| {
            let numbers = column(at)?;
            if numbers.len() != rows {
                let what = "the columns of the clock differ in length";
                return Err(damaged(what.into()));
            }
            // Reuses the memory of the numbers.
            let values = numbers.into_iter().map(|ns| ns as f64 / scale).collect();
            Ok(clock.by_frame(values))
        };
        let (starts_secs, durations_ms) = (read(1, 1e9)?, read(2, 1e6)?);
        clock.starts_secs = starts_secs;
        clock.durations_ms = durations_ms;
        Ok(clock)
    }

    /// Creates a clock whose starts and durations are missing. The error says what is wrong with
    /// the frames.
    fn of_rows(frames: Vec<i64>) -> Result<Self, String> {
        let rows = frames.len() as u64;
        if frames.windows(2).any(|pair| pair[0] >= pair[1]) || frames.first() < Some(&0) && rows > 0
        {
            return Err("the frames are not in order".into());
        }
        let (Some(first), Some(last)) = (frames.first(), frames.last()) else {
            return Ok(Self {
                first: 0,
                starts_secs: Vec::new(),
                durations_ms: Vec::new(),
                rows: 0,
                of_rows: None,
            });
        };
        let (first, frames_count) = (*first as u64, (last - first) as u64 + 1);
        if frames_count - rows > rows * MISSING.0 + MISSING.1 {
            return Err("nearly all frames are missing".into());
        }
        Ok(Self {
            first,
            starts_secs: Vec::new(),
            durations_ms: Vec::new(),
            rows: frames.len(),
            of_rows: (frames_count != rows)
                .then(|| frames.into_iter().map(|frame| frame as u64).collect()),
        })
    }

    /// Returns the number of rows.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Turns values by row into values by frame; NaN for dropped frames.
    pub(super) fn by_frame(&self, rows: Vec<f64>) -> Vec<f64> {
        let Some(of_rows) = &self.of_rows else {
            return rows;
        };
        let frames = of_rows.last().map_or(0, |last| last - self.first + 1);
        let mut values = vec![f64::NAN; frames as usize];
        for (frame, value) in of_rows.iter().zip(rows) {
            values[(frame - self.first) as usize] = value;
        }
        values
    }

    /// Returns the first frame.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// Returns the indices of the frames.
    pub(super) fn range(&self) -> Range<u64> {
        self.durations_ms().frames()
    }

    /// Returns a frame; `None` if it was dropped or does not exist.
    pub(super) fn frame(&self, index: u64) -> Option<Frame> {
        let at = usize::try_from(index.checked_sub(self.first)?).ok()?;
        let duration_ms = *self.durations_ms.get(at)?;
        (!duration_ms.is_nan()).then_some(Frame {
            index,
            start_secs: self.starts_secs[at],
            duration_ms,
        })
    }

    /// Returns the durations.
    pub(super) fn durations_ms(&self) -> FrameSlice<'_> {
        FrameSlice::new(self.first, &self.durations_ms, &[])
    }
}

#[cfg(test)]
mod tests {
    use super::Frames;
    use crate::ReadError;

    fn new(frames: &[i64], starts: &[i64], durations: &[i64]) -> Result<Frames, ReadError> {
        let columns = [frames, starts, durations];
        let damaged = |what| ReadError::Damaged {
            path: "run.parquet".into(),
            what,
        };
        Frames::read(|at| Ok(columns[at].to_vec()), damaged)
    }

    #[test]
    fn dropped_frames_are_gaps() {
        let frames = new(&[3, 4, 7], &[0, 10, 40], &[10, 10, 10]).unwrap();
        assert_eq!((frames.rows(), frames.range()), (3, 3..8));
        let values = frames.by_frame(vec![1.0, 2.0, 3.0]);
        assert_eq!(values[..2], [1.0, 2.0]);
        assert!(values[2].is_nan() && values[3].is_nan());
        assert_eq!(values[4..], [3.0]);
        assert!(frames.frame(5).is_none() && frames.frame(2).is_none());
        assert_eq!(frames.frame(7).unwrap().start_secs, 40e-9);
    }

    #[test]
    fn a_clock_that_contradicts_itself_is_refused() {
        let bad = |frames: &[i64], starts: &[i64]| new(frames, starts, starts);
        assert!(bad(&[1, 1], &[0, 0]).is_err());
        assert!(bad(&[-1, 0], &[0, 0]).is_err());
        assert!(bad(&[0, 1], &[0]).is_err());
        assert!(bad(&[0, i64::MAX], &[0, 0]).is_err());
        assert_eq!(bad(&[], &[]).unwrap().range(), 0..0);
    }
}
