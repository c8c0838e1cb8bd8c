//! Two captures as one source.

use std::ops::{ControlFlow, Range};

use stats_capture::{CaptureFile, ReadError};
use stats_core::source::{Listed, WatchList};
use stats_core::{
    Distribution, FRAME_TIME, Frame, FrameSlice, Mark, SeriesId, SeriesInfo, Source, Watch,
};

use super::alignment::Alignment;
use crate::view::placed;

/// Two captures on one axis. The series of the first capture are named `A/…`, and those of the
/// second `B/…`. The frames of both are [aligned](Alignment) by marks. The frame time of the source
/// is that of the first run.
pub(in crate::view) struct Pair {
    runs: [CaptureFile; 2],
    alignment: Alignment,
    /// The frame times of both runs by place; NaN in a gap.
    frame_times: [Vec<f64>; 2],
    /// When the frame at each place begins, in seconds.
    starts_secs: Vec<f64>,
    marks: Vec<Mark>,
    watched: WatchList<Vec<f64>>,
}

/// The names of the runs.
const NAMES: [&str; 2] = ["A", "B"];

impl Pair {
    /// The paths of the frame times of both runs.
    pub(super) const FRAME_TIMES: [&'static str; 2] = ["A/frame time", "B/frame time"];

    /// Puts two captures side by side.
    pub(super) fn new(a: CaptureFile, b: CaptureFile) -> Self {
        let runs = [a, b];
        let frames = [runs[0].frames(), runs[1].frames()];
        let alignment = Alignment::new(frames, [runs[0].marks(), runs[1].marks()]);
        let frame_times = [0, 1].map(|run| {
            let times = runs[run].frame_times(usize::MAX);
            by_place(&alignment, run, times)
        });
        let mut now_secs = 0.0;
        // A place on the common axis takes as long as the longer of its two frames.
        let starts_secs = (0..alignment.end() as usize)
            .map(|place| {
                let begins_secs = now_secs;
                now_secs += frame_times[0][place].max(frame_times[1][place]).max(0.0) / 1e3;
                begins_secs
            })
            .collect();
        Self {
            marks: marks(&alignment, &runs),
            alignment,
            frame_times,
            starts_secs,
            watched: WatchList::default(),
            runs,
        }
    }

    /// Returns the errors that left series empty.
    pub(super) fn errors(&self) -> impl Iterator<Item = &ReadError> {
        self.runs.iter().flat_map(CaptureFile::errors)
    }

    /// Returns the run and the series that an id belongs to. The first id is that of the frame time
    /// of the first run. After it, the ids of the two runs alternate.
    fn of(&self, id: SeriesId) -> (usize, SeriesId) {
        match id.number().checked_sub(1) {
            Some(number) => (number as usize % 2, SeriesId::new(number / 2)),
            None => (0, self.runs[0].find(FRAME_TIME).unwrap_or(id)),
        }
    }

    /// Returns the end of the numbers in use.
    fn end(&self) -> u32 {
        let series = self.runs.iter().map(|run| run.series().len() as u32 + 1);
        1 + 2 * series.max().unwrap_or(0)
    }

    fn id(run: usize, id: SeriesId) -> SeriesId {
        SeriesId::new(1 + 2 * id.number() + run as u32)
    }
}

impl Source for Pair {
    fn generation(&self) -> u64 {
        self.runs[0].generation()
    }

    fn list(
        &self,
        series: Listed,
        visit: &mut dyn FnMut(SeriesInfo<'_>) -> ControlFlow<()>,
    ) -> Option<u32> {
        let is_known = |since| since >= self.generation();
        match series {
            Listed::All => {}
            Listed::ChangedSince(since) if is_known(since) => return Some(self.end()),
            Listed::ChangedSince(_) => {}
            _ => return None,
        }
        let mut flow = visit(SeriesInfo::frame_time(SeriesId::new(0)));
        for (run, name) in NAMES.iter().enumerate() {
            if flow.is_break() {
                break;
            }
            self.runs[run].list(Listed::All, &mut |info| {
                let path = format!("{name}/{}", info.path);
                let mut placed = placed(info, &path, |id| Self::id(run, id));
                placed.budget = stats_core::budget_set_for(&path).or(info.budget);
                flow = visit(placed);
                flow
            });
        }
        Some(self.end())
    }

    fn find(&self, path: &str) -> Option<SeriesId> {
        if path == FRAME_TIME {
            return Some(SeriesId::new(0));
        }
        let (name, path) = path.split_once('/')?;
        let run = NAMES.iter().position(|known| *known == name)?;
        Some(Self::id(run, self.runs[run].find(path)?))
    }

    fn watch(&mut self, id: SeriesId) -> Watch {
        let (run, of_run) = self.of(id);
        let (file, alignment) = (&mut self.runs[run], &self.alignment);
        self.watched.watch(id, || {
            let watch = file.watch(of_run);
            by_place(alignment, run, file.history(&watch, usize::MAX))
        })
    }

    fn history(&self, watch: &Watch, frames: usize) -> FrameSlice<'_> {
        let values = self.watched.get(watch).map_or(&[][..], Vec::as_slice);
        newest(values, frames)
    }

    fn peek(&mut self, id: SeriesId) -> Option<f64> {
        let (run, id) = self.of(id);
        self.runs[run].peek(id)
    }

    fn frames(&self) -> Range<u64> {
        0..self.alignment.end()
    }

    fn frame(&self, index: u64) -> Option<Frame> {
        let at = usize::try_from(index).ok()?;
        let start_secs = *self.starts_secs.get(at)?;
        let durations = [0, 1].map(|run| self.frame_times[run][at]);
        let duration_ms = durations.into_iter().find(|ms| !ms.is_nan())?;
        Some(Frame {
            index,
            start_secs,
            duration_ms,
        })
    }

    fn frame_times(&self, frames: usize) -> FrameSlice<'_> {
        newest(&self.frame_times[0], frames)
    }

    fn marks(&self) -> &[Mark] {
        &self.marks
    }

    fn distribution(&self, id: SeriesId) -> Option<Distribution> {
        let (run, id) = self.of(id);
        self.runs[run].distribution(id)
    }
}

fn newest(values: &[f64], frames: usize) -> FrameSlice<'_> {
    let begin = values.len().saturating_sub(frames);
    FrameSlice::new(begin as u64, &values[begin..], &[])
}

/// Returns values by their place on the axis; NaN in gaps.
fn by_place(alignment: &Alignment, run: usize, values: FrameSlice<'_>) -> Vec<f64> {
    let at = |place| values.at(alignment.frame(run, place)?);
    (0..alignment.end())
        .map(|place| at(place).unwrap_or(f64::NAN))
        .collect()
}

/// Returns the marks of both runs. A mark that both runs have at the same place becomes one mark.
/// The names of other marks include the run.
fn marks(alignment: &Alignment, runs: &[CaptureFile; 2]) -> Vec<Mark> {
    let placed = |run: usize| {
        runs[run].marks().iter().map(move |mark| {
            let begin = alignment.place(run, mark.frames.start);
            let end = match mark.is_open() {
                true => u64::MAX,
                // The place after the last frame, not the place of the next frame: there may be a
                // gap between them.
                false => alignment.place(run, mark.frames.end.max(1) - 1) + 1,
            };
            (mark.name.as_str(), begin..end, mark.is_point)
        })
    };
    let (of_a, of_b): (Vec<_>, Vec<_>) = (placed(0).collect(), placed(1).collect());
    let mut marks: Vec<Mark> = Vec::new();
    for (own, other, name) in [(&of_a, &of_b, NAMES[0]), (&of_b, &of_a, NAMES[1])] {
        let shared: std::collections::HashSet<_> = other.iter().collect();
        for mark in own {
            let (of, frames, is_point) = mark;
            match shared.contains(mark) {
                true if name == NAMES[0] => marks.push(Mark::new(*of, frames.clone(), *is_point)),
                true => {}
                false => marks.push(Mark::new(
                    format!("{name}: {of}"),
                    frames.clone(),
                    *is_point,
                )),
            }
        }
    }
    marks.sort_by_key(|mark| mark.frames.start);
    marks
}
