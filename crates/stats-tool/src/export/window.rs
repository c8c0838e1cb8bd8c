//! The exported frames and series.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use stats_capture::{CaptureFile, SeriesRecord};
use stats_core::{Frame, Source};

use super::scopes::{self, Scope};
use crate::failure::Failure;
use crate::input::read_series;
use crate::pattern::pattern;
use crate::progress::Progress;

/// The scale of times, which are stored in nanoseconds.
const NANOSECOND: f64 = 1e-6;

/// A part of a run: some frames, and some series.
pub(super) struct Window<'a> {
    pub(super) capture: &'a CaptureFile,
    pub(super) frames: Range<u64>,
    /// The series, in the order of registration, and their values in these frames.
    pub(super) series: Vec<Values<'a>>,
    /// The scopes of these frames by thread, if they were read.
    pub(super) scopes: BTreeMap<String, Vec<Scope>>,
}

/// The values of a series in a window.
pub(super) struct Values<'a> {
    pub(super) record: &'a SeriesRecord,
    first_frame: u64,
    values: Vec<f64>,
}

impl<'a> Window<'a> {
    /// Reads a part of a capture: the frames `A..B`, or all without `frames`; and the series that
    /// match any of `globs`, or all if there are none.
    pub(super) fn of(
        capture: &'a CaptureFile,
        frames: Option<&str>,
        globs: &[String],
    ) -> Result<Self, Failure> {
        let all = capture.frames();
        let frames = frames.map_or(Ok(all.clone()), |text| parse_range(text, &all))?;
        let is_wanted = wanted(globs)?;
        let mut series = Vec::new();
        let wanted = capture.series().iter();
        let wanted: Vec<_> = wanted.filter(|record| is_wanted(&record.path)).collect();
        let (is_any, mut progress) = (!wanted.is_empty(), Progress::new("reading", wanted.len()));
        for record in wanted {
            progress.step();
            let Ok(column) = read_series(capture, &record.path)? else {
                continue;
            };
            let values = column.slice().within(frames.clone());
            series.push(Values {
                record,
                first_frame: values.first_frame(),
                values: values.iter().collect(),
            });
        }
        if !is_any && !globs.is_empty() {
            return Err(Failure::Usage(format!(
                "no series matches {}; `stats report --format markdown` lists them all",
                globs.join(" or ")
            )));
        }
        Ok(Self {
            capture,
            frames,
            series,
            scopes: BTreeMap::new(),
        })
    }

    /// Reads the scopes beside the capture whose paths match any of `globs`, or all if there are
    /// none.
    pub(super) fn read_scopes(&mut self, file: &Path, globs: &[String]) -> Result<(), Failure> {
        let is_wanted = wanted(globs)?;
        self.scopes = scopes::read(file, &self.frames, is_wanted)?;
        Ok(())
    }

    /// Returns the values of a series; `None` if it is not exported.
    pub(super) fn find(&self, path: &str) -> Option<&Values<'a>> {
        self.series.iter().find(|values| values.record.path == path)
    }

    /// Returns the frames that were not dropped.
    pub(super) fn frames(&self) -> impl Iterator<Item = Frame> + '_ {
        self.frames
            .clone()
            .filter_map(|frame| self.capture.frame(frame))
    }
}

impl Values<'_> {
    /// Returns the value of a frame; `None` if it is not known.
    pub(super) fn at(&self, frame: u64) -> Option<f64> {
        let at = usize::try_from(frame.checked_sub(self.first_frame)?).ok()?;
        let value = self
            .values
            .get(at)
            .copied()
            .filter(|value| !value.is_nan())?;
        // A time is a whole number of nanoseconds. Rounding removes the error of the scale, so that
        // its milliseconds print with at most six decimals.
        Some(match self.record.scale {
            NANOSECOND => (value * 1e6).round() / 1e6,
            _ => value,
        })
    }
}

/// Returns whether a path matches any of `globs`; every path does if there are none.
fn wanted(globs: &[String]) -> Result<impl Fn(&str) -> bool, Failure> {
    let patterns = globs.iter().map(|glob| pattern("--series", glob));
    let patterns: Vec<_> = patterns.collect::<Result<_, _>>()?;
    Ok(move |path: &str| patterns.is_empty() || patterns.iter().any(|one| one.matches(path)))
}

/// Parses `A..B` and clamps it to the frames of the capture. Either end may be missing.
fn parse_range(text: &str, all: &Range<u64>) -> Result<Range<u64>, Failure> {
    let parse = |number: &str, default| match number.trim() {
        "" => Some(default),
        number => number.parse().ok(),
    };
    let range = text.split_once("..").and_then(|(begin, end)| {
        let range = parse(begin, all.start)?..parse(end, all.end)?;
        (range.start < range.end).then_some(range)
    });
    let range = range.ok_or_else(|| {
        Failure::Usage(format!(
            "--frames {text:?} is not a range of frames; write two numbers such as 100..200, the first one smaller"
        ))
    })?;
    let range = range.start.max(all.start)..range.end.min(all.end);
    if range.is_empty() {
        return Err(Failure::Usage(format!(
            "--frames {text:?} contains none of the run's frames, which are {}..{}",
            all.start, all.end
        )));
    }
    Ok(range)
}

#[cfg(test)]
mod tests {
    use super::parse_range;

    #[test]
    fn a_range_is_clamped_to_the_recorded_frames() {
        let parse = |text| parse_range(text, &(10..100));
        for (text, expected) in [
            ("20..30", 20..30),
            ("..30", 10..30),
            ("90..", 90..100),
            ("..", 10..100),
            ("0..1000", 10..100),
        ] {
            assert_eq!(parse(text).unwrap(), expected, "{text}");
        }
        for text in [
            "", "5", "30..20", "a..b", "20..20", "-1..5", "0..5", "100..", "1...5",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
