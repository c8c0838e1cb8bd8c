//! Reads the records of the game, and collects frames into blocks.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use stats_core::Mark;
use stats_core::timeline::LaneKind;

use super::game_clock::GameClock;
use crate::feed::record::{
    DEFERRED, FRAME, LANE, MARK, NEWEST, PAST, SCOPES, TABLE, THREAD, parts,
};
use crate::wire::scopes::{Call, FrameScopes, Lane};
use crate::wire::to_game::CLOCK;
use crate::wire::to_viewer::{MAX_BLOCK_VALUES, Past};
use crate::words::WordReader;

/// The largest number of frames in a block.
const BLOCK_FRAMES: usize = 8;

/// How much time the frames of a block take, to the nearest frame: more take fewer bytes, and arrive
/// later.
const BLOCK_MS: f64 = 50.0;

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
    Lane(Lane),
    /// The scopes of a frame, for a viewer.
    Scopes(u32, FrameScopes),
}

/// Consecutive frames.
pub(crate) struct Block {
    pub(crate) first_frame: u64,
    pub(crate) starts_secs: Vec<f64>,
    pub(crate) durations_ms: Vec<f64>,
    pub(crate) series: BTreeMap<u32, Vec<f64>>,
}

/// The hub's end of the queue from the game.
pub(crate) struct Intake {
    words: WordReader,
    table: Vec<u32>,
    /// The block to which frames are added; `None` if the last one is complete.
    open: Option<OpenBlock>,
    pub(crate) marks: MarkList,
    /// The thread that ends the frames; empty before the game said so.
    pub(crate) thread: String,
    pub(super) clock: GameClock,
}

struct OpenBlock {
    first_frame: u64,
    began: Instant,
    starts_secs: Vec<f64>,
    durations_ms: Vec<f64>,
    columns: Vec<Vec<f64>>,
}

impl OpenBlock {
    fn new(first_frame: u64, series: usize, began: Instant) -> Self {
        Self {
            first_frame,
            began,
            starts_secs: Vec::new(),
            durations_ms: Vec::new(),
            columns: vec![Vec::new(); series],
        }
    }

    fn frames(&self) -> usize {
        self.starts_secs.len()
    }

    fn is_complete(&self) -> bool {
        let ms: f64 = self.durations_ms.iter().sum();
        let last_ms = self.durations_ms.last().copied().unwrap_or_default();
        // A viewer reads no larger message. The clock has two columns.
        let is_last = (self.frames() + 1) * (self.columns.len() + 2) > MAX_BLOCK_VALUES;
        is_last || self.frames() >= BLOCK_FRAMES || ms + last_ms / 2.0 >= BLOCK_MS
    }
}

/// All marks, and when each of them changed.
#[derive(Default)]
pub(crate) struct MarkList {
    /// One more with each change.
    pub(crate) version: u64,
    pub(crate) marks: Vec<(Mark, u64)>,
}

impl Intake {
    /// Frames end at nanoseconds since `epoch`.
    pub(crate) fn new(words: WordReader, epoch: Instant) -> Self {
        Self {
            words,
            table: Vec::new(),
            open: None,
            marks: MarkList::default(),
            thread: String::new(),
            clock: GameClock::new(epoch),
        }
    }

    /// Reads all records that are complete.
    pub(crate) fn read(&mut self, now: Instant, mut visit: impl FnMut(Arrival)) {
        while self.words.len() > 0 {
            self.record(now, &mut visit);
            self.words.give_back();
        }
        let is_due = |open: &OpenBlock| now.saturating_duration_since(open.began) >= PATIENCE;
        if self.open.as_ref().is_some_and(is_due) {
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
            FRAME => self.frame(now, visit),
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
            LANE => visit(Arrival::Lane(self.lane(number))),
            SCOPES => {
                let viewer = self.words.take() as u32;
                visit(Arrival::Scopes(viewer, self.scopes(number)));
            }
            THREAD => self.thread = self.words.take_text(number),
            _ => {}
        }
    }

    fn floats(&mut self, count: usize) -> Vec<f64> {
        (0..count)
            .map(|_| f64::from_bits(self.words.take()))
            .collect()
    }

    fn lane(&mut self, len: usize) -> Lane {
        let [lane, kind, ns] = std::array::from_fn(|_| self.words.take());
        Lane {
            number: lane as u16,
            kind: match kind {
                1 => LaneKind::OtherProfiler,
                2 => LaneKind::Gpu { off_by_ns: None },
                3 => LaneKind::Gpu {
                    off_by_ns: Some(ns),
                },
                _ => LaneKind::Thread,
            },
            name: self.words.take_text(len),
        }
    }

    fn scopes(&mut self, count: usize) -> FrameScopes {
        let [index, duration_ns, lost] = std::array::from_fn(|_| self.words.take());
        let scopes = (0..count).map(|_| {
            let [begin, end, rest] = std::array::from_fn(|_| self.words.take());
            Call {
                lane: (rest >> 32) as u16,
                series: rest as u32,
                depth: (rest >> 48) as u8,
                is_wait: rest >> 56 & 1 == 1,
                begin_ns: begin as i64,
                end_ns: (rest >> 57 & 1 == 0).then_some(end as i64),
            }
        });
        FrameScopes {
            scopes: scopes.collect(),
            index,
            duration_ns: duration_ns as i64,
            lost,
        }
    }

    /// Adds a frame to the block.
    fn frame(&mut self, now: Instant, visit: &mut impl FnMut(Arrival)) {
        let index = self.words.take();
        let is_next = |open: &OpenBlock| open.first_frame + open.frames() as u64 == index;
        if !self.open.as_ref().is_some_and(is_next) {
            self.end_block(visit);
        }
        let series = self.table.len();
        let open = self
            .open
            .get_or_insert_with(|| OpenBlock::new(index, series, now));
        let [start_secs, duration_ms] = [(); 2].map(|()| f64::from_bits(self.words.take()));
        open.starts_secs.push(start_secs);
        open.durations_ms.push(duration_ms);
        let ended_ns = self.words.take();
        self.clock.ended(ended_ns, start_secs + duration_ms / 1e3);
        for column in &mut open.columns {
            column.push(f64::from_bits(self.words.take()));
        }
        if open.is_complete() {
            self.end_block(visit);
        }
    }

    fn end_block(&mut self, visit: &mut impl FnMut(Arrival)) {
        let Some(open) = self.open.take() else {
            return;
        };
        visit(Arrival::Block(Block {
            first_frame: open.first_frame,
            starts_secs: open.starts_secs,
            durations_ms: open.durations_ms,
            series: self.table.iter().copied().zip(open.columns).collect(),
        }));
    }

    fn mark(&mut self, len: usize) {
        let [position, total, begin, end, is_point] = std::array::from_fn(|_| self.words.take());
        let name = self.words.take_text(len);
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
    use crate::hub::encoded::Encoded;
    use crate::wire::to_viewer::{Column, MAX_BLOCK_FRAMES, MAX_SERIES, ToViewer, encode_values};
    use crate::words::{WordWriter, words};
    use stats_testing::Random;

    /// Writes a frame of this duration whose values no form of a column makes smaller.
    fn write_frame(game: &mut WordWriter, random: &mut Random, index: u64, ms: f64, series: usize) {
        assert!(game.has_room(5 + series));
        game.put(head(FRAME, series));
        game.put(index);
        game.put((index as f64 * ms / 1e3).to_bits());
        game.put(ms.to_bits());
        game.put(index);
        (0..series).for_each(|_| game.put(random.below(u64::MAX)));
        game.end_record();
    }

    fn write_table(game: &mut WordWriter, series: usize) {
        game.put(head(TABLE, series));
        (0..series).for_each(|id| game.put(id as u64));
        game.end_record();
    }

    /// Returns the first frame, the frames and the series of each block that arrives.
    fn blocks(intake: &mut Intake, now: Instant) -> Vec<(u64, usize, usize)> {
        let mut blocks = Vec::new();
        intake.read(now, |arrival| {
            if let Arrival::Block(block) = arrival {
                blocks.push((
                    block.first_frame,
                    block.starts_secs.len(),
                    block.series.len(),
                ));
            }
        });
        blocks
    }

    #[test]
    fn a_viewer_can_read_each_block_however_many_series_are_watched() {
        let mut random = Random::new(3);
        for series in [0, 1, 1022, 2000, MAX_SERIES] {
            let (mut game, hub) = words(1 << 19);
            let mut intake = Intake::new(hub, Instant::now());
            write_table(&mut game, series);
            let frames = 3 * BLOCK_FRAMES as u64;
            for index in 0..frames {
                write_frame(&mut game, &mut random, index, 1.0, series);
            }
            let mut next = 0;
            intake.read(Instant::now() + PATIENCE, |arrival| {
                let Arrival::Block(block) = arrival else {
                    return;
                };
                let message = Encoded::new(&block, None).message(u64::MAX, |_| true);
                let values = match ToViewer::decode(&message) {
                    Ok(ToViewer::Values(values)) => values,
                    other => panic!("{series} series: {other:?}"),
                };
                assert_eq!((values.first_frame, values.series.len()), (next, series));
                next += block.starts_secs.len() as u64;
            });
            assert_eq!(next, frames, "{series}");
        }
    }

    #[test]
    fn a_block_has_the_frames_of_fifty_milliseconds() {
        let mut random = Random::new(4);
        for (ms, most) in [
            (0.0, 8),
            (1.0, 8),
            (5.0, 8),
            (8.0, 6),
            (1e3 / 60.0, 3),
            (1e3 / 30.0, 1),
            (200.0, 1),
        ] {
            let (mut game, hub) = words(1 << 12);
            let (mut intake, now) = (Intake::new(hub, Instant::now()), Instant::now());
            for index in 0..2 * most {
                write_frame(&mut game, &mut random, index, ms, 0);
            }
            let len = most as usize;
            assert_eq!(
                blocks(&mut intake, now),
                [(0, len, 0), (most, len, 0)],
                "{ms}"
            );
        }
    }

    #[test]
    fn a_block_ends_where_frames_are_missing_where_the_series_change_and_when_no_frame_comes() {
        let mut random = Random::new(5);
        let (mut game, hub) = words(1 << 12);
        let (mut intake, now) = (Intake::new(hub, Instant::now()), Instant::now());
        write_table(&mut game, 5);
        for index in [0, 1, 7] {
            write_frame(&mut game, &mut random, index, 1.0, 5);
        }
        write_table(&mut game, 2);
        write_frame(&mut game, &mut random, 8, 1.0, 2);
        assert_eq!(blocks(&mut intake, now), [(0, 2, 5), (7, 1, 5)]);
        assert_eq!(blocks(&mut intake, now + PATIENCE / 2), []);
        write_frame(&mut game, &mut random, 9, 1.0, 2);
        assert_eq!(blocks(&mut intake, now + PATIENCE), [(8, 2, 2)]);
        assert_eq!(blocks(&mut intake, now + 2 * PATIENCE), []);
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
