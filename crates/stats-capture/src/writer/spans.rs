//! Chooses the scopes to keep: those of all frames, or of the frames around hitches.
//!
//! A hitch is known only afterward, so the scopes of the last frames are kept, and dropped unless a
//! hitch is within three frames. Hitches are the frames that the insight will explain, and further
//! frames that are long beside those before them, such as at the beginning of a run.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use stats_core::SpanCollector;
use stats_core::timeline::LaneKind;

use super::columns::Columns;
use super::hitches::Hitches;
use super::span_file::complete_spans;
use super::span_lines::{SpanLines, SpanRow, remove_span_lines};
use crate::SpanFrames;
use crate::blocks::{Block, FrameRow};
use crate::span_lane::lane_text;

/// The number of frames before and after a hitch whose scopes are kept.
const AROUND: usize = 3;

/// A frame is compared with the mean of up to `PAST` frames before it, and at least `MIN_PAST`.
const PAST: usize = 60;
const MIN_PAST: usize = 10;

/// A frame is long if it takes more than 5/2 of that mean.
const LONG: i64 = 5;
const LONG_DIVISOR: i64 = 2;

/// The maximum number of scopes that wait for the end of their frame.
const MAX_EARLY: usize = 1 << 18;

/// The maximum number of scopes in a file: about 250 MB. An hour of 150 scopes in each of 60 frames
/// per second.
const MAX_SPANS: u64 = 1 << 25;

/// The maximum number of lanes whose names are remembered.
const MAX_LANES: usize = 1 << 12;

/// The maximum number of threads of one name whose scopes are kept apart.
const MAX_SAME_NAME: usize = 256;

/// Collects the scopes of a run as they end, and decides which frames keep theirs.
pub(super) struct Spans {
    collector: SpanCollector,
    /// `None` if the scopes of all frames are kept.
    hitches: Option<Hitches>,
    path: PathBuf,
    /// The undecided frames, after the frames with which they are compared.
    frames: VecDeque<Frame>,
    /// Scopes that ended after the last of these frames.
    early: Vec<Span>,
    /// The number of `frames` that are decided.
    decided: usize,
    /// The newest frame to be kept because of a hitch before it.
    keep_until: u64,
    /// The scopes that are kept; `None` until the first one.
    lines: Option<SpanLines>,
    written: u64,
    lost: u64,
    lanes: Lanes,
}

/// The names of lanes. A second thread of a name is called `name (2)`.
#[derive(Default)]
struct Lanes {
    /// By the number of the lane.
    names: HashMap<u64, Arc<str>>,
    /// The number of lanes of each name.
    of_name: HashMap<Arc<str>, usize>,
}

struct Frame {
    row: FrameRow,
    /// Whether the insight will explain it.
    is_noticed: bool,
    spans: Vec<Span>,
}

struct Span {
    slot: u32,
    thread: Arc<str>,
    kind: LaneKind,
    depth: u32,
    begin: Instant,
    end: Instant,
}

impl Spans {
    /// Begins collecting for a capture; `None` if no spans are wanted.
    pub(super) fn begin(span_frames: SpanFrames, path: PathBuf) -> Option<Self> {
        let collector = (span_frames != SpanFrames::None).then(SpanCollector::begin)??;
        Some(Self {
            collector,
            hitches: (span_frames == SpanFrames::Hitches).then(Hitches::new),
            path,
            frames: VecDeque::new(),
            early: Vec::new(),
            decided: 0,
            keep_until: 0,
            lines: None,
            written: 0,
            lost: 0,
            lanes: Lanes::default(),
        })
    }

    /// Takes the frames of a block, which the thread of this name ended, and the scopes that ended in
    /// them.
    pub(super) fn take(
        &mut self,
        block: &Block,
        frame_thread: Option<&str>,
        columns: &Columns,
    ) -> io::Result<()> {
        let frame = |row: &FrameRow, is_noticed| Frame {
            row: *row,
            is_noticed,
            spans: Vec::new(),
        };
        match &mut self.hitches {
            Some(hitches) => hitches.take(block, frame_thread, |_, row, is_noticed| {
                self.frames.push_back(frame(row, is_noticed));
            }),
            None => (self.frames).extend(block.frames.iter().map(|row| frame(row, false))),
        }
        self.collect();
        let undecided_to = self.frames.len().saturating_sub(AROUND);
        self.decide(undecided_to, columns)?;
        // Killing the program loses at most the scopes of one block.
        self.lines.as_mut().map_or(Ok(()), SpanLines::flush)
    }

    /// Completes the file if any scope was kept. Returns whether there is a file.
    pub(super) fn finish(mut self, columns: &Columns) -> io::Result<bool> {
        self.decide(self.frames.len(), columns)?;
        let Some(mut lines) = self.lines.take() else {
            return Ok(false);
        };
        lines.flush()?;
        drop(lines);
        let lost = self.lost + self.collector.lost();
        complete_spans(&self.path, lost).map(|_| true)
    }

    /// Assigns the scopes to the frames in which they ended. Scopes of frames that have not arrived
    /// wait.
    fn collect(&mut self) {
        let mut lane: Option<(u64, Arc<str>)> = None;
        let mut spans = std::mem::take(&mut self.early);
        self.collector.take(|span| {
            let known = lane.take().filter(|(number, _)| *number == span.lane);
            let (_, thread) =
                lane.insert(known.unwrap_or_else(|| (span.lane, self.lanes.name(&span))));
            spans.push(Span {
                slot: span.id.number(),
                thread: Arc::clone(thread),
                kind: span.kind,
                depth: span.depth,
                begin: span.begin,
                end: span.end,
            });
        });
        for span in spans {
            let is_before = |frame: &Frame| frame.row.ended < span.end;
            let at = self.frames.partition_point(is_before);
            match self.frames.get_mut(at) {
                None if self.early.len() < MAX_EARLY => self.early.push(span),
                Some(frame) if at >= self.decided => frame.spans.push(span),
                // Another profiler delivered the span too late, or too many wait because no frame
                // ends.
                _ => self.lost += 1,
            }
        }
    }

    /// Decides about the frames up to `end`, and writes the scopes of those that are kept.
    fn decide(&mut self, end: usize, columns: &Columns) -> io::Result<()> {
        while self.decided < end {
            let at = self.decided;
            let next = at..(at + AROUND + 1).min(self.frames.len());
            if next.clone().any(|at| self.is_hitch(at)) {
                let frame = self.frames[at].row.frame;
                self.keep_until = self.keep_until.max(frame);
            }
            if self.is_hitch(at) {
                self.keep_until = self.frames[at].row.frame + AROUND as u64;
            }
            let spans = std::mem::take(&mut self.frames[at].spans);
            let row = self.frames[at].row;
            if self.hitches.is_none() || row.frame <= self.keep_until && self.keep_until > 0 {
                self.write(&row, spans, columns)?;
            }
            self.decided += 1;
        }
        // Keep the past frames with which later ones are compared.
        let gone = self.decided.saturating_sub(PAST);
        self.frames.drain(..gone);
        self.decided -= gone;
        Ok(())
    }

    fn is_hitch(&self, at: usize) -> bool {
        self.frames[at].is_noticed || self.is_long(at)
    }

    fn is_long(&self, at: usize) -> bool {
        let past = at.saturating_sub(PAST)..at;
        if past.len() < MIN_PAST {
            return false;
        }
        let count = past.len() as i64;
        let durations = past.map(|at| self.frames[at].row.duration_ns);
        let sum = durations.fold(0_i64, i64::saturating_add);
        self.frames[at].row.duration_ns > sum / count * LONG / LONG_DIVISOR
    }

    fn write(&mut self, row: &FrameRow, spans: Vec<Span>, columns: &Columns) -> io::Result<()> {
        for span in spans {
            let Some(path) = columns.path(span.slot).filter(|_| self.written < MAX_SPANS) else {
                self.lost += 1;
                continue;
            };
            self.written += 1;
            let lines = match &mut self.lines {
                Some(lines) => lines,
                None => self.lines.insert(SpanLines::create(&self.path)?),
            };
            let end_ns = row.start_ns + row.duration_ns;
            lines.add(
                [&span.thread, &lane_text(span.kind), path],
                SpanRow {
                    frame: row.frame as i64,
                    depth: span.depth as i32,
                    begin_ns: end_ns - nanoseconds(row.ended, span.begin),
                    end_ns: end_ns - nanoseconds(row.ended, span.end),
                    ..SpanRow::default()
                },
            );
        }
        Ok(())
    }
}

impl Lanes {
    /// Returns the name of the lane of a scope.
    fn name(&mut self, span: &stats_core::Span<'_>) -> Arc<str> {
        if let Some(known) = self.names.get(&span.lane) {
            return Arc::clone(known);
        }
        if self.names.len() >= MAX_LANES {
            *self = Self::default();
        }
        let count = self.of_name.entry(span.thread.into()).or_default();
        *count = (*count + 1).min(MAX_SAME_NAME);
        let name: Arc<str> = match *count {
            1 => span.thread.into(),
            count => format!("{} ({count})", span.thread).into(),
        };
        self.names.insert(span.lane, Arc::clone(&name));
        name
    }
}

impl Drop for Spans {
    fn drop(&mut self) {
        if self.lines.take().is_some() {
            // The file could not be completed, for example because the disk is full.
            remove_span_lines(&self.path);
        }
    }
}

/// Returns the time from `from` to `to`; negative if `to` is earlier.
fn nanoseconds(to: Instant, from: Instant) -> i64 {
    let ahead = to.saturating_duration_since(from).as_nanos() as i64;
    ahead - from.saturating_duration_since(to).as_nanos() as i64
}
