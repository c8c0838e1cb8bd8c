//! Reads the records of the game, and collects the parts of a block.

use stats_core::Mark;
use std::collections::BTreeMap;

use crate::feed::record::{BLOCK, DEFERRED, MARK, NEWEST, PAST, TABLE, VALUES, parts};
use crate::wire::to_game::CLOCK;
use crate::wire::to_viewer::{Column, Past};
use crate::words::WordReader;

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
    /// The block whose parts arrive.
    open: Option<OpenBlock>,
    pub(crate) marks: MarkList,
}

struct OpenBlock {
    first_frame: u64,
    starts_secs: Vec<f64>,
    durations_ms: Vec<f64>,
    /// The columns of the first series of the table.
    columns: Vec<Column>,
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
            open: None,
            marks: MarkList::default(),
        }
    }

    /// Reads all records that are complete.
    pub(crate) fn read(&mut self, mut visit: impl FnMut(Arrival)) {
        while self.words.len() > 0 {
            self.record(&mut visit);
            self.words.give_back();
        }
    }

    fn record(&mut self, visit: &mut impl FnMut(Arrival)) {
        let (kind, number) = parts(self.words.take());
        match kind {
            TABLE => {
                self.open = None;
                self.table = (0..number).map(|_| self.words.take() as u32).collect();
            }
            BLOCK => {
                self.open = Some(OpenBlock {
                    first_frame: self.words.take(),
                    starts_secs: self.floats(number),
                    durations_ms: self.floats(number),
                    columns: Vec::new(),
                });
                self.end_block(visit);
            }
            VALUES => {
                let frames = self.open.as_ref().map_or(0, |open| open.starts_secs.len());
                let columns = (0..number).map(|_| Column::new(&self.floats(frames)));
                let columns: Vec<_> = columns.collect();
                if let Some(open) = &mut self.open {
                    open.columns.extend(columns);
                }
                self.end_block(visit);
            }
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

    /// Passes the block on if it is complete.
    fn end_block(&mut self, visit: &mut impl FnMut(Arrival)) {
        let is_complete = |open: &mut OpenBlock| open.columns.len() >= self.table.len();
        let Some(open) = self.open.take_if(is_complete) else {
            return;
        };
        visit(Arrival::Block(Block {
            first_frame: open.first_frame,
            frames: open.starts_secs.len(),
            starts_secs: Column::new(&open.starts_secs),
            durations_ms: Column::new(&open.durations_ms),
            columns: self.table.iter().copied().zip(open.columns).collect(),
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
    use crate::wire::to_viewer::{
        MAX_BLOCK_FRAMES, MAX_BLOCK_VALUES, MAX_SERIES, ToViewer, encode_values,
    };
    use crate::words::{WordWriter, words};
    use stats_testing::Random;

    /// Writes a block of random values, whose series come in parts.
    fn write_block(game: &mut WordWriter, random: &mut Random, first: u64, parts: &[usize]) {
        let mut put = |game: &mut WordWriter, head: u64, words: usize| {
            assert!(game.has_room(1 + words));
            game.put(head);
            // Values that no form of a column makes smaller.
            (0..words).for_each(|_| game.put(random.below(u64::MAX)));
        };
        put(game, head(BLOCK, FRAMES), 0);
        game.put(first);
        (0..2 * FRAMES).for_each(|_| game.put(1.5_f64.to_bits()));
        game.end_record();
        for series in parts {
            put(game, head(VALUES, *series), series * FRAMES);
            game.end_record();
        }
    }

    fn write_table(game: &mut WordWriter, series: usize) {
        game.put(head(TABLE, series));
        (0..series).for_each(|id| game.put(id as u64));
        game.end_record();
    }

    /// The frames of a block.
    const FRAMES: usize = 8;

    #[test]
    fn a_viewer_can_read_each_block_however_many_series_are_watched() {
        let mut random = Random::new(3);
        for series in [0, 1, 1022, 2000, MAX_SERIES] {
            let (mut game, hub) = words(1 << 19);
            let mut intake = Intake::new(hub);
            write_table(&mut game, series);
            let half = series / 2;
            for block in 0..3 {
                let first = block * FRAMES as u64;
                let parts = [half, series - half];
                let parts: Vec<_> = parts.into_iter().filter(|part| *part > 0).collect();
                write_block(&mut game, &mut random, first, &parts);
            }
            let mut next = 0;
            intake.read(|arrival| {
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
            assert_eq!(next, 3 * FRAMES as u64, "{series}");
        }
    }

    #[test]
    fn a_block_without_all_its_series_is_left_out() {
        let mut random = Random::new(4);
        let (mut game, hub) = words(1 << 12);
        let mut intake = Intake::new(hub);
        write_table(&mut game, 5);
        write_block(&mut game, &mut random, 0, &[2, 3]);
        write_block(&mut game, &mut random, 8, &[2]);
        write_block(&mut game, &mut random, 16, &[2, 3]);
        write_block(&mut game, &mut random, 24, &[4]);
        write_table(&mut game, 1);
        write_block(&mut game, &mut random, 32, &[1]);
        let mut found = Vec::new();
        intake.read(|arrival| {
            if let Arrival::Block(block) = arrival {
                found.push((block.first_frame, block.columns.len()));
            }
        });
        assert_eq!(found, [(0, 5), (16, 5), (32, 1)]);
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
