//! The timeline of a capture: the scopes of the frames that a reader asks for.

use std::collections::{BTreeMap, HashMap};
use std::mem::{Discriminant, discriminant};
use std::ops::Range;
use std::path::{Path, PathBuf};

use stats_core::SeriesId;
use stats_core::limits::{LATE_FRAMES, TIMELINE_BYTES};
use stats_core::timeline::{LaneKind, NewScope, Timeline, join_ranges};

use super::frames::Frames;
use super::listing::Listing;
use super::span_file::SpanFile;
use crate::ReadError;
use crate::paths::{JOURNAL, behind_links, spans_of};
use crate::span_lane::lane_kind;
use crate::span_rows::SpanRows;

/// The number of frames on each side that are read as well, so that panning reads seldom.
const MORE_FRAMES: u64 = 128;

/// Because times are rounded, a frame may begin up to this long before the end of the previous frame.
const ROUNDING_NS: i64 = 1_000;

/// The scopes of a capture that are in memory.
#[derive(Debug)]
pub(super) struct SpanTimeline {
    file: SpanFile,
    timeline: Timeline,
    /// In order, with frames between them that were not read.
    read: Vec<Range<u64>>,
}

/// A scope.
struct Row {
    lane: u64,
    depth: i32,
    series: SeriesId,
    is_wait: bool,
    begin_ns: i64,
    end_ns: i64,
}

/// Rows by frame.
type Rows = BTreeMap<u64, Vec<Row>>;

/// The lanes of the rows, by the text that identifies them.
#[derive(Default)]
struct Lanes {
    numbers: HashMap<(Vec<u8>, Discriminant<LaneKind>), u64>,
    names: Vec<(String, LaneKind)>,
    /// The lane of the previous row, which the next row usually has, too.
    recent: ((Vec<u8>, Vec<u8>), u64),
}

impl SpanTimeline {
    /// Opens the scopes of a capture; `None` if it has none.
    pub(super) fn open(capture: &Path) -> Result<Option<Self>, ReadError> {
        let mut capture: PathBuf = behind_links(capture);
        if capture.extension().is_some_and(|end| end == JOURNAL) {
            capture.set_extension("");
        }
        let file = SpanFile::open(spans_of(&capture))?;
        Ok(file.map(|file| Self {
            file,
            timeline: Timeline::new(4 * TIMELINE_BYTES, usize::MAX),
            read: Vec::new(),
        }))
    }

    pub(super) fn file(&self) -> &SpanFile {
        &self.file
    }

    pub(super) fn timeline(&mut self) -> &mut Timeline {
        &mut self.timeline
    }

    fn has_read(&self, wanted: &Range<u64>) -> bool {
        let is_in = |read: &Range<u64>| read.start <= wanted.start && wanted.end <= read.end;
        self.read.iter().any(is_in)
    }

    /// Reads frames, unless they are in memory. A damaged row group is left out.
    pub(super) fn read(
        &mut self,
        wanted: &[Range<u64>],
        frames: &Frames,
        listing: &Listing,
    ) -> Result<(), ReadError> {
        let held = wanted.iter().map(|range| within(range, &frames.range()));
        let held: Vec<Range<u64>> = held.filter(|range| !range.is_empty()).collect();
        if held.iter().all(|range| self.has_read(range)) {
            return Ok(());
        }
        let more = |range: &Range<u64>| {
            let begin = range.start.saturating_sub(MORE_FRAMES);
            within(
                &(begin..range.end.saturating_add(MORE_FRAMES)),
                &frames.range(),
            )
        };
        self.read = held.iter().map(more).collect();
        join_ranges(&mut self.read);
        self.timeline.clear();
        let (rows, lanes, result) = self.rows(listing);
        let mut before_end = i64::MIN;
        for (frame, mut rows) in rows {
            if let Some(time_ns) = frames.frame(frame).map(time_ns) {
                before_end = self.add_frame((frame, time_ns), before_end, &mut rows, &lanes);
            }
        }
        self.timeline.settle();
        result
    }

    /// Reads the rows of the frames to read, by frame, and their lanes.
    fn rows(&self, listing: &Listing) -> (Rows, Lanes, Result<(), ReadError>) {
        // Scopes that end later may cross these frames.
        let late = |range: &Range<u64>| range.start..range.end.saturating_add(LATE_FRAMES);
        let rows_of: Vec<Range<u64>> = self.read.iter().map(late).collect();
        let (mut rows, mut lanes, mut result) = (Rows::new(), Lanes::default(), Ok(()));
        let mut known = HashMap::new();
        let mut series = |path: &[u8]| {
            if let Some(series) = known.get(path) {
                return *series;
            }
            let id = std::str::from_utf8(path).ok();
            let id = id.and_then(|path| listing.find(path));
            let is_wait = |id| listing.get(id).is_some_and(|series| series.wait);
            let series = id.map(|id| (id, is_wait(id)));
            known.insert(path.to_vec(), series);
            series
        };
        for (group, of_group) in self.file.groups() {
            let overlaps = rows_of.iter().any(|rows_of| {
                of_group.end > rows_of.start as i64
                    && u64::try_from(of_group.start).is_ok_and(|start| start < rows_of.end)
            });
            if !overlaps && of_group != (i64::MIN..i64::MAX) {
                continue;
            }
            match self.file.read(group) {
                Ok(new) => take(&new, &rows_of, &mut lanes, &mut rows, &mut series),
                Err(error) => result = Err(error),
            }
        }
        (rows, lanes, result)
    }

    /// Adds a frame and its scopes after the frame before it, which ends at `before_end`. Returns when
    /// this one ends.
    fn add_frame(
        &mut self,
        (frame, time_ns): (u64, Range<i64>),
        before_end: i64,
        rows: &mut [Row],
        lanes: &Lanes,
    ) -> i64 {
        // A host that gives the times of frames may let a frame begin before the previous one ends. In a
        // timeline, frames follow each other, so the frame and its scopes move to later times.
        let overlap_ns = before_end.saturating_sub(time_ns.start);
        let later_ns = if overlap_ns > ROUNDING_NS {
            overlap_ns
        } else {
            0
        };
        let begin = time_ns.start.saturating_add(later_ns);
        // Because of rounding, it may also begin a little early. A scope that ends at this point belongs to
        // the previous frame.
        let first = begin.max(before_end).saturating_add(1);
        let end = time_ns.end.saturating_add(later_ns).max(first);
        self.timeline.push_frame(frame, begin..end);
        for row in rows.iter_mut() {
            row.begin_ns = row.begin_ns.saturating_add(later_ns);
            row.end_ns = row.end_ns.saturating_add(later_ns);
        }
        let ends_ns = lanes.ends_ns(rows);
        for row in rows {
            let Some((name, kind)) = lanes.names.get(row.lane as usize) else {
                continue;
            };
            let ends_ns = ends_ns.get(&discriminant(kind)).copied();
            let moved_ns = ends_ns.map_or(0, |ends_ns| moved_ns(ends_ns, first, end));
            // A scope may be longer than its frame: a host may give times that are too short, and scopes of a
            // pause are in the frame after it. Such a scope keeps its length, and is open in no earlier frame.
            let end_ns = row.end_ns.saturating_add(moved_ns).clamp(first, end);
            let moved_ns = end_ns.saturating_sub(row.end_ns).max(moved_ns);
            let begin_ns = row.begin_ns.saturating_add(moved_ns);
            self.timeline.add(NewScope {
                lane: row.lane,
                lane_name: name,
                lane_kind: *kind,
                series: row.series,
                depth: row.depth.max(0) as u32,
                begin_ns: begin_ns.min(end_ns),
                end_ns: Some(end_ns),
                is_wait: row.is_wait,
            });
        }
        end
    }
}

fn within(range: &Range<u64>, all: &Range<u64>) -> Range<u64> {
    range.start.max(all.start)..range.end.min(all.end)
}

/// Returns by how much the scopes of a frame move together. A host that gives the times of frames may give
/// times that are too long, so that all scopes of a frame end before the frame begins. They then move until
/// the first scope ends where the frame begins, or until the last scope ends where the frame ends.
fn moved_ns((first_end, last_end): (i64, i64), first: i64, end: i64) -> i64 {
    if last_end >= first {
        return 0;
    }
    (first.saturating_sub(first_end)).min(end.saturating_sub(last_end))
}

/// Returns the series of a path, and whether it is a wait.
type FindSeries<'a> = dyn FnMut(&[u8]) -> Option<(SeriesId, bool)> + 'a;

/// Adds the rows of some frames.
fn take(
    new: &SpanRows,
    wanted: &[Range<u64>],
    lanes: &mut Lanes,
    rows: &mut Rows,
    series: &mut FindSeries<'_>,
) {
    for (at, frame) in new.frames.iter().enumerate() {
        let frame = u64::try_from(*frame).ok();
        let is_wanted = |frame: &u64| wanted.iter().any(|range| range.contains(frame));
        let Some(frame) = frame.filter(is_wanted) else {
            continue;
        };
        let Some((series, is_wait)) = series(new.paths[at].data()) else {
            continue;
        };
        let lane = new.lanes.get(at).map_or(&[][..], |lane| lane.data());
        rows.entry(frame).or_default().push(Row {
            lane: lanes.number(new.threads[at].data(), lane),
            depth: new.depths[at],
            series,
            is_wait,
            begin_ns: new.begins_ns[at],
            end_ns: new.ends_ns[at],
        });
    }
}

impl Lanes {
    fn number(&mut self, thread: &[u8], lane: &[u8]) -> u64 {
        let ((of_thread, of_lane), number) = &self.recent;
        if !self.names.is_empty() && of_thread == thread && of_lane == lane {
            return *number;
        }
        let key = (thread.to_vec(), lane.to_vec());
        let kind = lane_kind(&String::from_utf8_lossy(lane));
        // The possible error of the places of passes changes from frame to frame, but the lane stays the same.
        let identity = (thread.to_vec(), discriminant(&kind));
        let number = *self.numbers.entry(identity).or_insert_with(|| {
            self.names
                .push((String::from_utf8_lossy(thread).into_owned(), kind));
            self.names.len() as u64 - 1
        });
        self.recent = (key, number);
        number
    }

    /// Returns when the first and the last of some scopes end, for each kind of lane.
    fn ends_ns(&self, rows: &[Row]) -> HashMap<Discriminant<LaneKind>, (i64, i64)> {
        let mut ends_ns = HashMap::new();
        for row in rows {
            if let Some((_, kind)) = self.names.get(row.lane as usize) {
                let of_row = (row.end_ns, row.end_ns);
                let ends_ns: &mut (i64, i64) = ends_ns.entry(discriminant(kind)).or_insert(of_row);
                *ends_ns = (ends_ns.0.min(row.end_ns), ends_ns.1.max(row.end_ns));
            }
        }
        ends_ns
    }
}

/// Returns the time of a frame in nanoseconds since the capture began.
fn time_ns(frame: stats_core::Frame) -> Range<i64> {
    let begin = (frame.start_secs * 1e9).round() as i64;
    begin..begin.saturating_add((frame.duration_ms * 1e6).round() as i64)
}
