//! The values of all series in the last frames, while panes are on screen.
//!
//! They explain frames that were not noticed when they ended. They give a newly selected series a
//! history. Baseline A uses them for the series that are in no pane. They are stored as changes, in
//! chunks (`recent/chunk.rs`).

use std::collections::VecDeque;
use std::ops::Range;

use stats_analysis::insight::FrameValues;
use stats_core::{FrameSlice, SeriesId, Source, Watch};

use crate::data::aftermath::Aftermath;
use chunk::{Chunk, Records, Row};

mod chunk;

pub(crate) use chunk::GROUP;

/// The maximum memory of the chunks: a fixed part, and a part for each series, in bytes.
const MAX_BYTES: usize = 3 << 19;
const MAX_BYTES_EACH: usize = 24;
/// A chunk ends when its changes take this part of the maximum.
const CHUNK_PART: usize = 16;
/// The maximum number of frames that are kept, and in a chunk.
const MAX_FRAMES: usize = 4096;
const MAX_CHUNK_FRAMES: usize = 512;

/// The changes of all series in the last frames.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    /// Oldest first.
    chunks: VecDeque<Chunk>,
    /// The values of the newest frame, as they are stored.
    newest: Vec<f64>,
    /// Values that are kept while no panes are on screen.
    pub(crate) aftermath: Aftermath,
    /// The memory of a chunk that was dropped, for the next one.
    spare: Chunk,
}

impl Recent {
    /// Keeps a frame. Drops the oldest frames if there are too many. `still` says which groups have
    /// the values of the frame before; a group that is not in it may have changed.
    pub(crate) fn take(&mut self, frame: u64, ms: f64, values: &[f64], still: &[bool]) {
        self.begin_chunk_if_full();
        if self.newest.len() < values.len() {
            let more = values.len() - self.newest.len();
            self.newest.reserve_exact(more + values.len() / 16);
            self.newest.resize(values.len(), f64::NAN);
        }
        let Some(chunk) = self.chunks.back_mut() else {
            return;
        };
        // The first frame of a chunk has all values.
        let is_next = chunk.rows.last().is_some_and(|row| row.frame + 1 == frame);
        let mut still = if is_next { still } else { &[] }.iter();
        // The last groups may no longer be surveyed.
        let mut groups = values.chunks(GROUP);
        for (group, newest) in (0_u16..).zip(self.newest.chunks_mut(GROUP)) {
            let values = groups.next().unwrap_or_default();
            if !still.next().is_some_and(|is_still| *is_still) {
                chunk.add_changes(group, values, newest);
            }
        }
        let end = chunk.records.len() as u32;
        chunk.rows.push(Row { frame, ms, end });
        self.drop_oldest();
    }

    /// Forgets all frames, and frees their memory.
    pub(crate) fn clear(&mut self) {
        (self.chunks, self.newest) = Default::default();
        self.spare = Chunk::default();
    }

    /// Returns whether no frame is kept.
    pub(crate) fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Returns the number of series that have values. Their numbers are below it.
    pub(crate) fn series(&self) -> usize {
        self.newest.len()
    }

    /// Returns a copy of the kept frames in a range.
    pub(crate) fn part(&self, frames: Range<u64>) -> Self {
        let mut part = Self::default();
        self.visit(frames, &mut |frame, values| {
            part.take(frame, values.ms, values.values, &[]);
        });
        part
    }

    /// Returns the number of kept frames in a range.
    pub(crate) fn count(&self, frames: Range<u64>) -> usize {
        let rows = self.chunks.iter().flat_map(|chunk| &chunk.rows);
        rows.filter(|row| frames.contains(&row.frame)).count()
    }

    /// Visits the kept frames in a range, oldest first.
    pub(crate) fn visit(&self, frames: Range<u64>, visit: &mut dyn FnMut(u64, FrameValues<'_>)) {
        let mut values = Vec::new();
        for chunk in self.chunks_in(&frames) {
            values.clear();
            values.resize(self.newest.len(), f64::NAN);
            chunk.read(0, &mut |row, records| {
                for record in records {
                    let at = usize::from(record.group) * GROUP;
                    record.apply(&mut values[at..]);
                }
                if frames.contains(&row.frame) {
                    let (ms, values) = (row.ms, &*values);
                    visit(row.frame, FrameValues { ms, values });
                }
            });
        }
    }

    /// Visits the kept frames from `first` on, oldest first, but at most the frames of one chunk. Passes the
    /// duration of each in milliseconds, and the values that changed in it. All known values
    /// count as changed in the first frame of a chunk. Returns whether it visited any.
    pub(crate) fn visit_changes(
        &self,
        first: u64,
        visit: &mut dyn FnMut(u64, f64, Records<'_>),
    ) -> bool {
        let chunk = self.chunks_in(&(first..u64::MAX)).next();
        if let Some(chunk) = chunk {
            chunk.read(first, &mut |row, records| visit(row.frame, row.ms, records));
        }
        chunk.is_some()
    }

    /// Replaces `columns` by the kept frames in a range and the values of a group of series in
    /// them. Unknown values are NaN.
    fn read_group(&self, group: u16, frames: &Range<u64>, columns: &mut Columns) {
        columns.frames.clear();
        columns.values.clear();
        for chunk in self.chunks_in(frames) {
            let mut values = [f64::NAN; GROUP];
            chunk.read(0, &mut |row, records| {
                for record in records {
                    if record.group == group {
                        record.apply(&mut values);
                    }
                }
                if frames.contains(&row.frame) {
                    columns.frames.push(row.frame);
                    columns.values.extend_from_slice(&values);
                }
            });
        }
    }

    /// Replaces the contents of `past` with the values of a series, given by its number, in the
    /// frames before `end`. Returns the first of these frames. Unknown values are NaN; the first
    /// value is always known.
    pub(crate) fn past(
        &self,
        number: u32,
        end: u64,
        columns: &mut Columns,
        past: &mut Vec<f64>,
    ) -> u64 {
        past.clear();
        let before = self.aftermath.values_of(number);
        let first_kept = (self.chunks.front()).map_or(end, |chunk| chunk.rows[0].frame);
        let before = before.filter(|(frame, _)| *frame < first_kept);
        let kept = columns.of(self, number, 0..end);
        let known = before.chain(kept).filter(|(_, value)| !value.is_nan());
        let mut first = end;
        for (frame, value) in known {
            if past.is_empty() {
                first = frame;
            }
            past.resize((frame - first) as usize, f64::NAN);
            past.push(value);
        }
        past.resize(end.saturating_sub(first) as usize, f64::NAN);
        first
    }

    /// Watches a series from now on. Its history begins with the values that are kept.
    pub(super) fn watch(
        &self,
        source: &mut dyn Source,
        id: SeriesId,
        columns: &mut Columns,
    ) -> Watch {
        let mut past = Vec::new();
        let first = self.past(id.number(), source.frames().end, columns, &mut past);
        source.watch_with_past(id, FrameSlice::new(first, &past, &[]))
    }

    fn chunks_in(&self, frames: &Range<u64>) -> impl Iterator<Item = &Chunk> {
        let frames = frames.clone();
        self.chunks.iter().filter(move |chunk| {
            let (first, last) = (chunk.rows.first(), chunk.rows.last());
            first.is_some_and(|row| row.frame < frames.end)
                && last.is_some_and(|row| row.frame >= frames.start)
        })
    }

    /// Begins a chunk if there is none, or the newest one is full.
    fn begin_chunk_if_full(&mut self) {
        let max = self.max_bytes() / CHUNK_PART;
        let is_full = |chunk: &Chunk| {
            let first = chunk.rows.first().map_or(0, |row| row.end as usize);
            chunk.rows.len() >= MAX_CHUNK_FRAMES || chunk.records.len() - first >= max
        };
        if self.chunks.back().is_none_or(is_full) {
            let mut chunk = std::mem::take(&mut self.spare);
            chunk.rows.clear();
            chunk.records.clear();
            self.chunks.push_back(chunk);
            self.newest.fill(f64::NAN);
        }
    }

    /// Drops the oldest chunks while the frames take too much memory, or are too many.
    fn drop_oldest(&mut self) {
        let mut bytes: usize = self.chunks.iter().map(Chunk::bytes).sum();
        let mut frames: usize = self.chunks.iter().map(|chunk| chunk.rows.len()).sum();
        let max = self.max_bytes();
        while self.chunks.len() > 1
            && let Some(oldest) = self.chunks.front()
            && (bytes > max || frames - oldest.rows.len() >= MAX_FRAMES)
        {
            (bytes, frames) = (bytes - oldest.bytes(), frames - oldest.rows.len());
            self.spare = self.chunks.pop_front().unwrap_or_default();
        }
    }

    fn max_bytes(&self) -> usize {
        MAX_BYTES + MAX_BYTES_EACH * self.newest.len()
    }
}

/// The values of the group of series that was read last.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    /// The group and the frames that were asked for.
    read: Option<(u16, Range<u64>)>,
    frames: Vec<u64>,
    /// The values of the group in each frame.
    values: Vec<f64>,
}

impl Columns {
    /// Returns the kept frames in a range and the values of a series in them, oldest first. Unknown
    /// values are NaN. The other series of its group are then read without a search.
    pub(crate) fn of(
        &mut self,
        recent: &Recent,
        number: u32,
        frames: Range<u64>,
    ) -> impl Iterator<Item = (u64, f64)> {
        let (group, at) = (number as usize / GROUP, number as usize % GROUP);
        let read = Some((group as u16, frames));
        if self.read != read {
            if let Some((group, frames)) = &read {
                let (group, frames) = (*group, frames.clone());
                recent.read_group(group, &frames, self);
            }
            self.read = read;
        }
        let values = self.values.chunks_exact(GROUP).map(move |row| row[at]);
        self.frames.iter().copied().zip(values)
    }

    /// Forgets what was read, because other frames are kept now.
    pub(crate) fn forget(&mut self) {
        self.read = None;
    }
}

#[cfg(test)]
mod tests {
    use super::chunk::{GROWTH, kept};
    use super::*;
    use stats_testing::Random;

    /// Returns the frames that are kept, each as its duration and the values that are known.
    fn kept_in(recent: &Recent) -> Vec<(u64, f64, Vec<f64>)> {
        let mut all = Vec::new();
        recent.visit(0..u64::MAX, &mut |frame, values| {
            let known = values
                .values
                .iter()
                .copied()
                .filter(|value| !value.is_nan());
            all.push((frame, values.ms, known.collect()));
        });
        all
    }

    fn bytes(recent: &Recent) -> usize {
        let chunks = recent.chunks.iter().chain([&recent.spare]);
        chunks.map(Chunk::bytes).sum::<usize>() + recent.newest.capacity() * 8
    }

    #[test]
    fn the_last_frames_are_kept_while_series_are_added() {
        let mut recent = Recent::default();
        let value = |frame: u64, at: usize| (frame * 1000 + at as u64) as f64;
        let mut all: Vec<(u64, f64, Vec<f64>)> = Vec::new();
        for frame in 0..9000_u64 {
            let width = 1 + frame as usize / 300;
            let values: Vec<f64> = (0..width).map(|at| value(frame, at)).collect();
            recent.take(frame, frame as f64, &values, &[]);
            all.push((frame, frame as f64, values.clone()));
            if frame % 500 == 499 {
                let kept = kept_in(&recent);
                assert!(kept.len() >= MAX_FRAMES.min(all.len()), "{}", kept.len());
                assert!(kept.len() <= MAX_FRAMES + MAX_CHUNK_FRAMES);
                assert_eq!(kept, all[all.len() - kept.len()..]);
            }
        }
        assert_eq!(recent.count(8990..8993), 3);
        assert_eq!(recent.count(5..5), 0);
    }

    #[test]
    fn frames_and_columns_have_the_values_that_were_taken() {
        let mut random = Random::new(7);
        for width in [1, 63, 64, 65, 1000] {
            let (mut recent, mut all) = (Recent::default(), Vec::new());
            let mut values = vec![f64::NAN; width];
            let (mut taken, mut number) = (Vec::new(), 0);
            for _ in 0..1200 {
                // Only some groups change.
                let groups = random.below(1 << 16);
                let changing = values.chunks_mut(GROUP).enumerate();
                let changing = changing.filter(|(group, _)| groups >> (group % 16) & 1 == 0);
                for value in changing.flat_map(|(_, values)| values) {
                    *value = match random.below(12) {
                        0 => f64::NAN,
                        1 => 0.0,
                        2 => -0.0,
                        3 => random.below(1 << 53) as f64,
                        4 => -(random.below(1 << 20) as f64),
                        5 => random.below(1000) as f64 / 7.0,
                        6 => f64::INFINITY,
                        7 => 2_f64.powi(60),
                        _ => *value,
                    };
                }
                // A few series are not surveyed in some frames.
                let surveyed = width - random.below(2.min(width as u64)) as usize;
                let surveyed_values = &values[..surveyed];
                let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
                let before: &[f64] = &taken;
                let mut before = before.chunks(GROUP);
                let groups = surveyed_values.chunks(GROUP);
                // What is still since a frame that was not taken says nothing.
                let is_next = random.below(8) > 0;
                number += if is_next { 1 } else { 2 };
                let still: Vec<bool> = groups
                    .map(|values| before.next().is_some_and(|old| bits(old) == bits(values)))
                    .map(|is_still| is_still || !is_next)
                    .collect();
                recent.take(number, 1.0, surveyed_values, &still);
                taken = surveyed_values.to_vec();
                let mut stored: Vec<f64> = values.iter().map(|value| kept(*value)).collect();
                stored[surveyed..].fill(f64::NAN);
                all.push((number, stored));
            }
            let is_same = |a: f64, b: f64| a == b || a.is_nan() && b.is_nan();
            let kept = recent.count(0..u64::MAX);
            assert!(kept >= 300, "{kept} of {width}");
            let mut expected = all[all.len() - kept..].iter();
            recent.visit(0..u64::MAX, &mut |frame, values| {
                let (other, stored) = expected.next().unwrap();
                assert_eq!(frame, *other);
                let mut pairs = values.values.iter().zip(stored);
                assert!(pairs.all(|(a, b)| is_same(*a, *b)), "{frame}");
            });
            let (mut columns, frames) = (Columns::default(), 1200..1300);
            for number in 0..width {
                let column = columns.of(&recent, number as u32, frames.clone());
                let rows = all.iter().filter(|(frame, _)| frames.contains(frame));
                let rows = rows.map(|(frame, values)| (*frame, values[number]));
                let mut pairs = column.zip(rows);
                assert!(pairs.all(|(a, b)| a.0 == b.0 && is_same(a.1, b.1)));
            }
        }
    }

    #[test]
    fn whole_values_are_exact_and_others_have_seven_digits() {
        for whole in [0.0, 1.0, -3.0, 16_777_217.0, 9_007_199_254_740_991.0] {
            assert_eq!(kept(whole), whole);
        }
        let mut random = Random::new(11);
        for exponent in -1074..1024 {
            let value = 2_f64.powi(exponent) * (1.0 + random.below(1 << 20) as f64 / 2e6);
            for value in [value, -value] {
                let error = (kept(value) - value).abs();
                assert!(error <= value.abs() * 1e-7, "{value:e} {:e}", kept(value));
                let mut recent = Recent::default();
                recent.take(0, 1.0, &[value], &[]);
                assert_eq!(kept_in(&recent), [(0, 1.0, vec![kept(value)])]);
            }
        }
        for value in [f64::MAX, f64::INFINITY, f64::NEG_INFINITY, 1e39, 1e-46] {
            assert_eq!(kept(value), value);
        }
    }

    #[test]
    fn the_past_of_a_series_begins_with_its_first_known_value() {
        let mut recent = Recent::default();
        for frame in [3, 4, 6] {
            let known = if frame == 3 { f64::NAN } else { frame as f64 };
            recent.take(frame, 1.0, &[0.0, known], &[]);
        }
        let mut past = Vec::new();
        let first = recent.past(1, 8, &mut Columns::default(), &mut past);
        assert_eq!((first, past.len()), (4, 4));
        assert_eq!((past[0], past[2]), (4.0, 6.0));
        assert!(past[1].is_nan() && past[3].is_nan());
        assert_eq!(recent.past(7, 8, &mut Columns::default(), &mut past), 8);
        assert_eq!(past, [0.0; 0]);
    }

    #[test]
    fn the_memory_is_bounded_however_many_series_change() {
        for (series, frames) in [(1, 9000), (1000, 1500), (100_000, 60)] {
            let (mut recent, mut random) = (Recent::default(), Random::new(5));
            let mut values = vec![0.0; series];
            for frame in 0..frames {
                values
                    .iter_mut()
                    .for_each(|value| *value = random.below(1 << 40) as f64);
                recent.take(frame, 1.0, &values, &[]);
                // A chunk has its first frame in addition, and the newest one some spare memory.
                let first = 3 * (8 + 1) * series + 2 * GROWTH;
                let newest = 9 * series;
                let max = recent.max_bytes() * (CHUNK_PART + 2) / CHUNK_PART + first + newest;
                assert!(bytes(&recent) <= max, "{series} {}", bytes(&recent));
            }
            assert!(recent.count(0..u64::MAX) >= 2);
        }
    }

    #[test]
    fn many_series_that_hardly_change_are_kept_for_many_frames() {
        let mut recent = Recent::default();
        let mut values = vec![1.0; 100_000];
        for frame in 0..1000 {
            values[frame * 97] += 1.0;
            recent.take(frame as u64, 1.0, &values, &[]);
        }
        assert_eq!(recent.count(0..u64::MAX), 1000);
    }
}
