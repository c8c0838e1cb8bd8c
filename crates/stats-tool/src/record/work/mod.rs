//! Whether the runs of a program did the same work.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use stats_analysis::format::count_text;
use stats_capture::{CaptureFile, Column, RecordedKind};
use stats_config::Pattern;
use stats_core::Source;

use crate::failure::{Failure, Outcome};

/// The folders whose series count what the system, the GPU or other threads do. They differ between
/// runs that do the same work.
const NOT_WORK: [&str; 6] = [
    "frame/", "gpu/", "machine/", "memory/", "process/", "stats/",
];

/// The units of times.
const TIMES: [&str; 5] = ["ns", "µs", "us", "ms", "s"];

/// The work of several runs of a program, compared with that of the first run.
#[derive(Debug)]
pub(super) struct Work {
    runs: usize,
    /// The series that count work in any run.
    counters: BTreeSet<String>,
    /// The series that differ.
    differing: BTreeSet<String>,
    first: Option<Difference>,
    /// The number of frames that all runs have.
    frames: u64,
    /// The frames that were lost in any run.
    lost: BTreeSet<u64>,
    /// A run that has more frames than another one.
    longer: Option<[(PathBuf, u64); 2]>,
    /// The patterns that leave out no series of any run.
    unused: Vec<Pattern>,
}

/// A series that has another value than in the first run.
#[derive(Debug)]
struct Difference {
    frame: u64,
    path: String,
    /// The files of the first run and of the other one, with the values.
    runs: [(PathBuf, f64); 2],
}

impl Work {
    /// Compares the captures of runs. Leaves out the series that match `except`.
    pub(super) fn of(captures: &[PathBuf], except: &[Pattern]) -> Result<Self, Failure> {
        let mut work = Self {
            runs: captures.len(),
            counters: BTreeSet::new(),
            differing: BTreeSet::new(),
            first: None,
            frames: 0,
            lost: BTreeSet::new(),
            longer: None,
            unused: except.to_vec(),
        };
        let Some((first, others)) = captures.split_first() else {
            return Ok(work);
        };
        let run = CaptureFile::open(first)?;
        work.frames = run.frames().end;
        for other in others {
            work.compare([first, other], [&run, &CaptureFile::open(other)?], except)?;
        }
        Ok(work)
    }

    fn compare(
        &mut self,
        files: [&Path; 2],
        runs: [&CaptureFile; 2],
        except: &[Pattern],
    ) -> Result<(), Failure> {
        let paths = || runs.iter().flat_map(|run| counters(run, &[]));
        (self.unused).retain(|pattern| !paths().any(|path| pattern.matches(path)));
        let ends = runs.map(|run| run.frames().end);
        let end = ends[0].min(ends[1]);
        self.frames = self.frames.min(end);
        if ends[0] != ends[1] && self.longer.is_none() {
            self.longer = Some([0, 1].map(|at| (files[at].to_owned(), ends[at])));
        }
        let is_recorded = |frame: &u64| runs.iter().all(|run| run.frame(*frame).is_some());
        let (recorded, lost): (Vec<u64>, Vec<u64>) = (0..end).partition(is_recorded);
        self.lost.extend(lost);
        let counted = runs.iter().flat_map(|run| counters(run, except));
        for path in counted.collect::<BTreeSet<&str>>() {
            self.counters.insert(path.to_owned());
            let values = [Values::read(runs[0], path)?, Values::read(runs[1], path)?];
            let differs = |frame: &u64| {
                let [one, other] = [0, 1].map(|at| values[at].at(*frame));
                // An unknown value is no difference.
                one != other && !one.is_nan() && !other.is_nan()
            };
            let Some(frame) = recorded.iter().copied().find(differs) else {
                continue;
            };
            self.differing.insert(path.to_owned());
            // Of several series that differ in a frame, the first by name.
            let earliest = self.first.as_ref().map(|first| (first.frame, &*first.path));
            if earliest.is_none_or(|earliest| (frame, path) < earliest) {
                self.first = Some(Difference {
                    frame,
                    path: path.to_owned(),
                    runs: [0, 1].map(|at| (files[at].to_owned(), values[at].at(frame))),
                });
            }
        }
        Ok(())
    }

    /// Returns the outcome. Worse: the work differs. Unknown: nothing was compared, or frames were
    /// lost.
    pub(super) fn outcome(&self) -> Outcome {
        if self.first.is_some() || self.longer.is_some() {
            Outcome::Worse
        } else if self.counters.is_empty() || self.frames == 0 || !self.lost.is_empty() {
            Outcome::Unknown
        } else {
            Outcome::Fine
        }
    }

    /// Returns a sentence for each pattern that leaves out nothing, without a capital letter and a
    /// period.
    pub(super) fn warnings(&self) -> impl Iterator<Item = String> {
        self.unused.iter().map(|pattern| {
            format!("--except {pattern} leaves out nothing: it matches no counter of the runs")
        })
    }

    /// Returns the result as a sentence, without a capital letter and a period.
    pub(super) fn sentence(&self) -> String {
        let counters = count_text(self.counters.len() as u64, "counter", "counters");
        if let Some(first) = &self.first {
            let [one, other] = &first.runs;
            return format!(
                "frame {}: {} is {} in {} and {} in {}; {} of {counters} {}",
                first.frame,
                first.path,
                one.1,
                one.0.display(),
                other.1,
                other.0.display(),
                self.differing.len(),
                if self.differing.len() == 1 {
                    "differs"
                } else {
                    "differ"
                }
            );
        }
        if let Some([one, other]) = &self.longer {
            let frames = |end: u64| count_text(end, "frame", "frames");
            return format!(
                "{} has {}, but {} has {}; up to there, the work is the same",
                one.0.display(),
                frames(one.1),
                other.0.display(),
                frames(other.1)
            );
        }
        let frames = count_text(self.frames, "frame", "frames");
        if self.counters.is_empty() || self.frames == 0 {
            return format!(
                "the runs have {counters} and {frames} to compare; count the work of the program, and record it"
            );
        }
        let compared = count_text(self.counters.len() as u64, "counter is", "counters are");
        let compared = format!("{compared} the same in {} runs of {frames}", self.runs);
        if !self.lost.is_empty() {
            let lost = count_text(self.lost.len() as u64, "frame was", "frames were");
            return format!("{compared}, but {lost} not recorded; record again on an idle machine");
        }
        compared
    }
}

/// Returns the paths of the series of a run that count work.
fn counters<'a>(run: &'a CaptureFile, except: &[Pattern]) -> impl Iterator<Item = &'a str> {
    let is_work = |path: &str| {
        !NOT_WORK.iter().any(|folder| path.starts_with(folder))
            && !except.iter().any(|pattern| pattern.matches(path))
    };
    let series = run.series().iter();
    let counted = series.filter(|series| {
        let is_counted = matches!(
            series.kind,
            RecordedKind::Counter
                | RecordedKind::UpDownCounter
                | RecordedKind::TimerCalls
                | RecordedKind::HistogramSamples
        );
        is_counted && !TIMES.contains(&&*series.unit)
    });
    counted
        .map(|series| series.path.as_str())
        .filter(move |path| is_work(path))
}

/// The values of a counter. It is 0 before it exists.
struct Values {
    /// `None` if the run does not have the counter.
    column: Option<Column>,
    /// The first frame with a value.
    first: u64,
}

impl Values {
    fn read(run: &CaptureFile, path: &str) -> Result<Self, Failure> {
        let is_there = run.series().iter().any(|series| series.path == path);
        let column = is_there.then(|| run.read(path)).transpose()?;
        let first = column.as_ref().map_or(0, |column| {
            let values = column.slice();
            let unknown = values.iter().take_while(|value| value.is_nan()).count();
            values.first_frame() + unknown as u64
        });
        Ok(Self { column, first })
    }

    /// Returns the value of a frame; NaN if it is not known.
    fn at(&self, frame: u64) -> f64 {
        match &self.column {
            Some(column) if frame >= self.first => column.slice().at(frame).unwrap_or(f64::NAN),
            _ => 0.0,
        }
    }
}
