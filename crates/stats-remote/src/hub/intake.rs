//! Reads the records of the game, and collects frames into blocks.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use stats_core::Mark;

use crate::feed::record::{DEFERRED, FRAME, MARK, NEWEST, PAST, TABLE, parts};
use crate::wire::to_game::CLOCK;
use crate::wire::to_viewer::{Column, MAX_BLOCK_FRAMES, MAX_BLOCK_VALUES, Past};
use crate::words::WordReader;

/// The frames that a block waits for: more take fewer bytes, and arrive later. A game with a higher
/// rate gets larger blocks, those of one look.
const BLOCK_FRAMES: usize = 3;

/// How long a block waits for further frames.
const PATIENCE: Duration = Duration::from_millis(50);

/// What arrived from the game.
pub(crate) enum Arrival {
    Block(Block),
    /// Values of earlier frames, for every viewer of the series.
    Deferred(Past),
    /// The answer to a viewer.
    Past(u32, Past),
    Newest(Vec<(u32, f64)>),
}

/// Consecutive frames, each column of which is encoded once for all viewers.
pub(crate) struct Block {
    pub(crate) first_frame: u64,
    pub(crate) frames: usize,
    pub(crate) starts_secs: Column,
    pub(crate) durations_ms: Column,
    pub(crate) columns: BTreeMap<u32, Column>,
}

/// The hub's end of the queue from the game.
pub(crate) struct Intake {
    words: WordReader,
    table: Vec<u32>,
    open: OpenBlock,
    pub(crate) marks: MarkList,
}

#[derive(Default)]
struct OpenBlock {
    first_frame: u64,
    began: Option<Instant>,
    starts_secs: Vec<f64>,
    durations_ms: Vec<f64>,
    columns: Vec<Vec<f64>>,
}

/// All marks, and when each of them changed.
#[derive(Default)]
pub(crate) struct MarkList {
    /// One more with each change.
    pub(crate) version: u64,
    pub(crate) marks: Vec<(Mark, u64)>,
}

impl Intake {
    pub(crate) fn new(words: WordReader) -> Self {
        Self {
            words,
            table: Vec::new(),
            open: OpenBlock::default(),
            marks: MarkList::default(),
        }
    }

    /// Reads all records that are complete.
    pub(crate) fn read(&mut self, now: Instant, mut visit: impl FnMut(Arrival)) {
        while self.words.len() > 0 {
            self.record(now, &mut visit);
            self.words.give_back();
        }
        let is_enough = self.open.starts_secs.len() >= BLOCK_FRAMES;
        let is_due = |began| is_enough || now.saturating_duration_since(began) >= PATIENCE;
        if self.open.began.is_some_and(is_due) {
            self.end_block(&mut visit);
        }
    }

    fn record(&mut self, now: Instant, visit: &mut impl FnMut(Arrival)) {
        let (kind, number) = parts(self.words.take());
        match kind {
            TABLE => {
                self.end_block(visit);
                self.table = (0..number).map(|_| self.words.take() as u32).collect();
            }
            FRAME => self.frame(number, now, visit),
            DEFERRED => {
                let series = self.words.take() as u32;
                let first_frame = self.words.take();
                visit(Arrival::Deferred(Past {
                    series,
                    first_frame,
                    is_done: false,
                    values: self.floats(number),
                    durations_ms: Vec::new(),
                }));
            }
            PAST => {
                let viewer_and_series = self.words.take();
                let series = viewer_and_series as u32;
                let (first_frame, is_done) = (self.words.take(), self.words.take() != 0);
                let values = self.floats(number);
                let is_clock = series == CLOCK;
                let past = Past {
                    series,
                    first_frame,
                    is_done,
                    values,
                    durations_ms: self.floats(if is_clock { number } else { 0 }),
                };
                visit(Arrival::Past((viewer_and_series >> 32) as u32, past));
            }
            NEWEST => {
                let pair = |_| (self.words.take() as u32, f64::from_bits(self.words.take()));
                let values = (0..number).map(pair).collect();
                visit(Arrival::Newest(values));
            }
            MARK => self.mark(number),
            _ => {}
        }
    }

    fn floats(&mut self, count: usize) -> Vec<f64> {
        (0..count)
            .map(|_| f64::from_bits(self.words.take()))
            .collect()
    }

    fn frame(&mut self, values: usize, now: Instant, visit: &mut impl FnMut(Arrival)) {
        let index = self.words.take();
        if index != self.open.first_frame + self.open.starts_secs.len() as u64 {
            self.end_block(visit);
        }
        if self.open.began.is_none() {
            self.open.began = Some(now);
            self.open.first_frame = index;
            self.open.columns.resize_with(values, Vec::new);
        }
        self.open
            .starts_secs
            .push(f64::from_bits(self.words.take()));
        self.open
            .durations_ms
            .push(f64::from_bits(self.words.take()));
        for at in 0..values {
            let value = f64::from_bits(self.words.take());
            if let Some(column) = self.open.columns.get_mut(at) {
                column.push(value);
            }
        }
        // A viewer reads no larger message. The clock has two columns.
        let frames = self.open.starts_secs.len();
        let is_last = (frames + 1) * (values + 2) > MAX_BLOCK_VALUES;
        if frames == MAX_BLOCK_FRAMES || is_last {
            self.end_block(visit);
        }
    }

    fn end_block(&mut self, visit: &mut impl FnMut(Arrival)) {
        if self.open.began.take().is_none() {
            return;
        }
        let open = std::mem::take(&mut self.open);
        let columns = open.columns.iter().map(|column| Column::new(column));
        visit(Arrival::Block(Block {
            first_frame: open.first_frame,
            frames: open.starts_secs.len(),
            starts_secs: Column::new(&open.starts_secs),
            durations_ms: Column::new(&open.durations_ms),
            columns: self.table.iter().copied().zip(columns).collect(),
        }));
    }

    fn mark(&mut self, len: usize) {
        let [position, total, begin, end, is_point] = std::array::from_fn(|_| self.words.take());
        let mut name = Vec::new();
        while name.len() < len {
            name.extend_from_slice(&self.words.take().to_le_bytes());
        }
        name.truncate(len);
        let name = String::from_utf8_lossy(&name).into_owned();
        let list = &mut self.marks;
        list.version += 1;
        let mark = (Mark::new(name, begin..end, is_point != 0), list.version);
        list.marks.truncate(total as usize);
        match list.marks.get_mut(position as usize) {
            Some(place) => *place = mark,
            None => list.marks.push(mark),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::record::head;
    use crate::wire::to_viewer::{MAX_SERIES, ToViewer, encode_values};
    use crate::words::words;
    use stats_testing::Random;

    #[test]
    fn a_viewer_can_read_each_block_however_many_series_are_watched() {
        let mut random = Random::new(3);
        for series in [1, 1022, 2000, MAX_SERIES] {
            let (mut game, hub) = words(1 << 19);
            let mut intake = Intake::new(hub);
            game.put(head(TABLE, series));
            (0..series).for_each(|id| game.put(id as u64));
            game.end_record();
            let frames = (MAX_BLOCK_FRAMES + BLOCK_FRAMES) as u64;
            for frame in 0..frames {
                assert!(game.has_room(4 + series));
                game.put(head(FRAME, series));
                game.put(frame);
                // Values that no form of a column makes smaller.
                (0..2 + series).for_each(|_| game.put(random.below(u64::MAX)));
                game.end_record();
            }
            let mut next = 0;
            intake.read(Instant::now(), |arrival| {
                let Arrival::Block(block) = arrival else {
                    return;
                };
                let clock = [&block.starts_secs, &block.durations_ms];
                let columns = block.columns.iter().map(|(id, column)| (*id, column));
                let (first, frames) = (block.first_frame, block.frames);
                let message = encode_values(u64::MAX, first, frames, clock, columns);
                let values = match ToViewer::decode(&message) {
                    Ok(ToViewer::Values(values)) => values,
                    other => panic!("{series} series in {frames} frames: {other:?}"),
                };
                assert_eq!((values.first_frame, values.series.len()), (next, series));
                next += block.frames as u64;
            });
            assert_eq!(next, frames, "{series}");
        }
    }
    #[test]
    fn a_viewer_refuses_a_block_with_a_value_too_many() {
        // Values that take no bytes.
        let column = Column::new(&[0.0; MAX_BLOCK_FRAMES]);
        let is_read = |series: usize| {
            let columns = (0..series as u32).map(|id| (id, &column));
            let clock = [&column, &column];
            ToViewer::decode(&encode_values(0, 0, MAX_BLOCK_FRAMES, clock, columns)).is_ok()
        };
        let most = MAX_BLOCK_VALUES / MAX_BLOCK_FRAMES;
        assert!(is_read(most) && !is_read(most + 1));
    }
}
