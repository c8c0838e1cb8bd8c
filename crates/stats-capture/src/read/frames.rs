//! The clock of a capture, and the mapping from its rows to frames.

use std::ops::Range;

use stats_core::{Frame, FrameSlice};

use super::doubts;
use crate::ReadError;

/// The maximum number of missing frames: this many per row, plus this many. A file with more is
/// refused, because nearly all of its memory would be gaps.
const MISSING: (u64, u64) = (16, 1 << 16);

/// The numbers of a column of the clock, by row.
#[derive(Debug)]
pub(super) enum Ticks {
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Numbers; some have a fraction.
    Real(Vec<f64>),
}

impl Ticks {
    fn len(&self) -> usize {
        match self {
            Self::Whole(ticks) => ticks.len(),
            Self::Real(ticks) => ticks.len(),
        }
    }

    fn first(&self) -> Option<i64> {
        match self {
            Self::Whole(ticks) => ticks.first().copied(),
            Self::Real(ticks) => ticks.first().map(|first| *first as i64),
        }
    }

    /// Returns the numbers after `origin` in units of this many ticks. Reuses the memory.
    fn into_units(self, origin: i64, ticks: f64) -> Vec<f64> {
        match self {
            Self::Whole(all) => {
                let after = all.into_iter().map(|tick| tick.saturating_sub(origin));
                after.map(|tick| tick as f64 / ticks).collect()
            }
            Self::Real(all) => {
                let after = all.into_iter().map(|tick| tick - origin as f64);
                after.map(|tick| tick / ticks).collect()
            }
        }
    }
}

/// The clock of a capture. Dropped frames have no row.
#[derive(Debug)]
pub(super) struct Frames {
    first: u64,
    /// By frame; NaN for a dropped one.
    starts_secs: Vec<f64>,
    durations_ms: Vec<f64>,
    rows: usize,
    /// The frame of each row; `None` if no frame was dropped.
    of_rows: Option<Vec<u64>>,
}

impl Frames {
    /// Creates the clock from a file's columns: frames, starts and durations in nanoseconds.
    /// `column` reads one of them; one at a time is in memory. Also returns a sentence for each
    /// implausibility. `is_own` is whether this crate wrote the file.
    pub(super) fn read(
        column: impl Fn(usize) -> Result<Ticks, ReadError>,
        wrong: impl Fn(String) -> ReadError,
        is_own: bool,
    ) -> Result<(Self, Vec<String>), ReadError> {
        let Ticks::Whole(frames) = column(0)? else {
            let what = "the column \"frame\" has fractions; number the frames 0, 1, 2 and so on";
            return Err(wrong(what.into()));
        };
        let mut clock = Self::of_rows(frames).map_err(&wrong)?;
        let rows = clock.rows();
        let read = |at| {
            let numbers = column(at)?;
            if numbers.len() != rows {
                let what = "the columns of the clock differ in length";
                return Err(wrong(what.into()));
            }
            Ok(numbers)
        };
        let starts = read(1)?;
        let (origin, doubt) = doubts::origin(starts.first());
        let starts_secs = starts.into_units(origin, 1e9);
        let durations_ms = read(2)?.into_units(0, 1e6);
        let mut found: Vec<String> = doubt.into_iter().collect();
        let frame_of = |row| clock.of_row(row);
        found.extend(doubts::of_clock(
            &starts_secs,
            &durations_ms,
            frame_of,
            is_own,
        ));
        clock.starts_secs = clock.by_frame(starts_secs);
        clock.durations_ms = clock.by_frame(durations_ms);
        Ok((clock, found))
    }

    /// Creates a clock whose starts and durations are missing. The error says what is wrong with
    /// the frames.
    fn of_rows(frames: Vec<i64>) -> Result<Self, String> {
        let rows = frames.len() as u64;
        let row_of = |row: usize, what: String| {
            Err(format!(
                "row {row} (counted from 0) {what}; number the frames in ascending order, from 0 on"
            ))
        };
        if let Some(first) = frames.first().filter(|first| **first < 0) {
            return row_of(0, format!("has the frame {first}"));
        }
        if let Some(row) = frames.windows(2).position(|pair| pair[0] >= pair[1]) {
            let (before, frame) = (frames[row], frames[row + 1]);
            let what = if before == frame {
                format!("has frame {frame} again")
            } else {
                format!("has frame {frame} after frame {before}")
            };
            return row_of(row + 1, what);
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
            return Err(format!(
                "nearly all frames are missing: {rows} rows have the frames {first} to {last}; number the frames 0, 1, 2 \
                 and so on"
            ));
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

    /// Returns the frame of a row.
    fn of_row(&self, row: usize) -> u64 {
        match &self.of_rows {
            Some(frames) => frames[row],
            None => self.first + row as u64,
        }
    }

    /// Returns how many frames between the first and the last have no row.
    pub(super) fn missing(&self) -> u64 {
        let range = self.range();
        range.end - range.start - self.rows as u64
    }

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

    pub(super) fn durations_ms(&self) -> FrameSlice<'_> {
        FrameSlice::new(self.first, &self.durations_ms, &[])
    }
}

#[cfg(test)]
mod tests {
    use super::{Frames, Ticks};
    use crate::ReadError;

    fn new(frames: &[i64], starts: &[i64], durations: &[i64]) -> Result<Frames, ReadError> {
        let columns = [frames, starts, durations];
        let damaged = |what| ReadError::Damaged {
            path: "run.parquet".into(),
            what,
        };
        let read = Frames::read(|at| Ok(Ticks::Whole(columns[at].to_vec())), damaged, true);
        Ok(read?.0)
    }

    #[test]
    fn dropped_frames_are_gaps() {
        let frames = new(&[3, 4, 7], &[0, 10, 40], &[10, 10, 10]).unwrap();
        assert_eq!((frames.rows(), frames.range()), (3, 3..8));
        assert_eq!(frames.missing(), 2);
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
        let text = |frames: &[i64]| bad(frames, frames).unwrap_err().to_string();
        for (frames, expected) in [
            (&[1, 1][..], "row 1 (counted from 0) has frame 1 again;"),
            (
                &[0, 3, 2],
                "row 2 (counted from 0) has frame 2 after frame 3;",
            ),
            (&[-1, 0], "row 0 (counted from 0) has the frame -1;"),
        ] {
            assert!(text(frames).contains(expected), "{}", text(frames));
        }
        assert!(bad(&[0, 1], &[0]).is_err());
        assert!(bad(&[0, i64::MAX], &[0, 0]).is_err());
        assert_eq!(bad(&[], &[]).unwrap().range(), 0..0);
    }
}
