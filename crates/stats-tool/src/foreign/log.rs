//! A run under construction, from the log of another program.

use std::path::Path;
use std::time::SystemTime;

use chrono::{DateTime, NaiveDateTime, SecondsFormat, Utc};
use stats_capture::{Better, Ended, MarkKind, MarkRecord, RecordedKind, Run, SeriesRecord};
use stats_core::Frame;

use super::Refusal;
use super::names::Paths;
use crate::failure::Failure;

/// The latest start of a frame, in seconds, and the longest duration, in milliseconds.
const MAX_SECS: f64 = 1e9;

/// A run from the log of another program.
#[derive(Debug)]
pub(crate) struct Log {
    /// The description of the run.
    pub(crate) run: Run,
    pub(crate) frames: Vec<Frame>,
    /// The series, with a value for each frame; NaN for unknown ones.
    pub(crate) series: Vec<(SeriesRecord, Vec<f64>)>,
    /// The marks, in the order of frames.
    pub(crate) marks: Vec<MarkRecord>,
    /// The single scopes; empty if the log has none.
    pub(crate) timeline: Timeline,
    /// What was chosen, and what was left out.
    pub(crate) said: Vec<String>,
    paths: Paths,
}

/// The scopes of a run, call by call.
#[derive(Debug, Default)]
pub(crate) struct Timeline {
    /// The names of the threads.
    pub(crate) threads: Vec<String>,
    /// The paths of the series of scopes.
    pub(crate) paths: Vec<String>,
    /// The scopes, in the order of frames.
    pub(crate) scopes: Vec<Scope>,
    /// The number of scopes that are missing.
    pub(crate) lost: u64,
}

/// A scope that ran in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scope {
    pub(crate) frame: u64,
    /// The position of its thread.
    pub(crate) thread: u32,
    pub(crate) depth: u32,
    /// The position of its path.
    pub(crate) path: u32,
    /// Since the first frame began.
    pub(crate) begin_ns: i64,
    pub(crate) end_ns: i64,
}

impl Log {
    /// Creates a run without frames. `from` is the program that wrote the log.
    pub(crate) fn new(from: &str) -> Self {
        let mut run = Run::default();
        run.ended = Ended::Clean;
        run.labels.insert("imported".to_owned(), from.to_owned());
        Self {
            run,
            frames: Vec::new(),
            series: Vec::new(),
            marks: Vec::new(),
            timeline: Timeline::default(),
            said: Vec::new(),
            paths: Paths::default(),
        }
    }

    /// Adds frames by their starts in seconds and their durations in milliseconds. The first start
    /// becomes 0.
    ///
    /// Refuses times that no clock has.
    pub(crate) fn set_frames(
        &mut self,
        starts_secs: &[f64],
        durations_ms: &[f64],
    ) -> Result<(), Refusal> {
        let first = starts_secs.first().copied().unwrap_or(0.0);
        let is_time = |(start, ms): (&f64, &f64)| {
            (start - first).abs() < MAX_SECS && (0.0..=MAX_SECS).contains(ms)
        };
        if let Some(frame) = starts_secs
            .iter()
            .zip(durations_ms)
            .position(|times| !is_time(times))
        {
            return Err(Refusal::new(format!(
                "frame {frame} begins at {} s and takes {} ms, which no clock measures; check that it is the right file",
                starts_secs[frame] - first,
                durations_ms[frame]
            )));
        }
        let frames = starts_secs.iter().zip(durations_ms).zip(0..);
        self.frames = frames
            .map(|((start_secs, duration_ms), index)| Frame {
                index,
                start_secs: start_secs - first,
                duration_ms: *duration_ms,
            })
            .collect();
        Ok(())
    }

    /// Adds samples by their times in seconds. The first time becomes 0. Samples are frames that take no
    /// time, because nothing is known about the frames between them. The frame times that were sampled
    /// are a gauge.
    pub(crate) fn set_samples(
        &mut self,
        times_secs: &[f64],
        frame_times_ms: &[f64],
        step_ms: f64,
    ) -> Result<(), Refusal> {
        self.set_frames(times_secs, &vec![0.0; times_secs.len()])?;
        self.label("sampled", format!("every {step_ms:.0} ms"));
        self.said.push(format!(
            "sampled every {step_ms:.0} ms, so nothing is known about single frames"
        ));
        self.add(
            "sampled/frame time",
            RecordedKind::Gauge,
            "ms",
            frame_times_ms.to_vec(),
        );
        Ok(())
    }

    /// Adds frames, or samples if there is a time between these.
    pub(crate) fn set_rows(
        &mut self,
        starts_secs: &[f64],
        durations_ms: &[f64],
        step_ms: Option<f64>,
    ) -> Result<(), Refusal> {
        match step_ms {
            Some(step_ms) => self.set_samples(starts_secs, durations_ms, step_ms),
            None => self.set_frames(starts_secs, durations_ms),
        }
    }

    /// Adds a label if it has a text.
    pub(crate) fn label(&mut self, name: &str, text: impl Into<String>) {
        let text = text.into();
        if !text.trim().is_empty() {
            self.run.labels.insert(name.to_owned(), text);
        }
    }

    /// Adds a series. Returns its record, to complete it.
    pub(crate) fn add(
        &mut self,
        path: &str,
        kind: RecordedKind,
        unit: &str,
        mut values: Vec<f64>,
    ) -> &mut SeriesRecord {
        // A conversion may have overflowed.
        let infinite = values.iter_mut().filter(|value| value.is_infinite());
        infinite.for_each(|value| *value = f64::NAN);
        let mut record = SeriesRecord::default();
        record.path = self.paths.take(path);
        (record.kind, record.unit) = (kind, unit.to_owned());
        if matches!(kind, RecordedKind::Timer | RecordedKind::TimerSelf) {
            record.better = Better::Lower;
        }
        self.series.push((record, values));
        let last = self.series.len() - 1;
        &mut self.series[last].0
    }

    /// Adds a point.
    pub(crate) fn point(&mut self, name: &str, frame: u64) {
        let mut mark = MarkRecord::default();
        (mark.name, mark.kind) = (name.to_owned(), MarkKind::Point);
        (mark.begin, mark.end) = (frame, Some(frame + 1));
        self.marks.push(mark);
    }

    /// Sets when the run began: from a date in the name of the file, as `2024-01-31T12:34:56` or
    /// `2024-01-31_12-34-56`, or else from the time of the file, which is its end.
    pub(crate) fn set_started_at(&mut self, file: &Path) {
        let name = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let from_name = date_in(&name).map(|date| date.and_utc());
        let started = from_name.or_else(|| {
            let modified = std::fs::metadata(file)
                .and_then(|file| file.modified())
                .ok()?;
            let ended: DateTime<Utc> = SystemTime::into(modified);
            let secs = self.frames.last().map_or(0.0, |last| last.start_secs);
            ended.checked_sub_signed(chrono::TimeDelta::milliseconds((secs * 1e3) as i64))
        });
        if let Some(started) = started {
            self.run.started_at = started.to_rfc3339_opts(SecondsFormat::Millis, true);
        }
    }
}

/// Returns when frames begin that follow each other without a gap, in seconds.
pub(crate) fn consecutive(durations_ms: &[f64]) -> Vec<f64> {
    let mut end_secs = 0.0;
    let mut starts_secs = Vec::with_capacity(durations_ms.len());
    for ms in durations_ms {
        starts_secs.push(end_secs);
        end_secs += ms / 1e3;
    }
    starts_secs
}

/// Returns when frames began, in seconds. Where that is not known, as in a row that was cut off, a frame
/// began when the one before it ended. `None` if it is not known of the first frame.
pub(super) fn without_gaps(mut starts_secs: Vec<f64>, durations_ms: &[f64]) -> Option<Vec<f64>> {
    starts_secs.first().filter(|first| !first.is_nan())?;
    for at in 1..starts_secs.len() {
        let before = starts_secs[at - 1];
        // As in a row that was cut off.
        let is_torn =
            starts_secs[at] < before && starts_secs.get(at + 1).is_none_or(|next| *next >= before);
        if starts_secs[at].is_nan() || is_torn {
            starts_secs[at] = before + durations_ms[at - 1] / 1e3;
        }
    }
    Some(starts_secs)
}

/// Returns the date and time in a name, whatever separates their digits.
pub(crate) fn date_in(name: &str) -> Option<NaiveDateTime> {
    let digits: Vec<(usize, u32)> = name
        .char_indices()
        .filter_map(|(at, char)| Some((at, char.to_digit(10)?)))
        .collect();
    digits.windows(14).find_map(|digits| {
        // No letters but a T between them, and no gap of more than one character.
        let is_close = digits.windows(2).all(|pair| {
            let between = &name[pair[0].0 + 1..pair[1].0];
            matches!(between, "" | "-" | "_" | "T" | ":" | "." | " ")
        });
        let number = |range: std::ops::Range<usize>| {
            digits[range]
                .iter()
                .fold(0, |sum, (_, digit)| sum * 10 + digit)
        };
        let date =
            chrono::NaiveDate::from_ymd_opt(number(0..4) as i32, number(4..6), number(6..8))?;
        let is_recent = is_close && (2000..2200).contains(&number(0..4));
        is_recent.then(|| date.and_hms_opt(number(8..10), number(10..12), number(12..14)))?
    })
}

/// Writes a run as a capture, and its scopes beside it.
pub(crate) fn write(log: &Log, file: &Path) -> Result<(), Failure> {
    let failure = |error: stats_capture::CaptureError| {
        Failure::writing(file)(std::io::Error::other(error.to_string()))
    };
    stats_capture::write(file, &log.run, &log.frames, &log.series, &log.marks).map_err(failure)?;
    let timeline = &log.timeline;
    if timeline.scopes.is_empty() {
        return Ok(());
    }
    let scopes = timeline
        .scopes
        .iter()
        .map(|scope| stats_capture::ScopeRecord {
            frame: scope.frame,
            thread: &timeline.threads[scope.thread as usize],
            depth: scope.depth,
            path: &timeline.paths[scope.path as usize],
            begin_ns: scope.begin_ns,
            end_ns: scope.end_ns,
        });
    stats_capture::write_scopes(file, scopes, timeline.lost).map_err(failure)
}

#[cfg(test)]
mod tests {
    use super::date_in;

    #[test]
    fn a_date_is_found_in_the_name_of_a_file() {
        for (name, expected) in [
            ("PresentMon-2019-09-29T145423", Some("2019-09-29 14:54:23")),
            ("GAME_2024-01-31_12-34-56", Some("2024-01-31 12:34:56")),
            (
                "CapFrameX-Judgment.exe-2022-12-14T163430",
                Some("2022-12-14 16:34:30"),
            ),
            ("run 12345678901234", None),
            ("2024-13-31_12-34-56", None),
            ("run", None),
        ] {
            let found = date_in(name).map(|date| date.to_string());
            assert_eq!(found.as_deref(), expected, "{name}");
        }
    }
}
