use std::collections::BTreeMap;

use stats_core::Recorder;

use super::block::{BLOCK_FRAMES, BLOCK_MS};
use super::record::{BLOCK, TABLE, VALUES, parts};
use super::{Command, Feed};
use crate::wire::to_game::{CLOCK, Want};
use crate::words::{WordReader, words};

#[test]
fn the_requests_of_a_viewer_that_left_are_dropped() {
    let ((out, _hub), (mut commands, obeyed)) = (words(64), words(64));
    let mut feed = Feed::new(out, obeyed, 1);
    let wanted = |viewer, from| {
        let (series, to) = (CLOCK, from + 1);
        (viewer, Want { series, from, to })
    };
    for (viewer, want) in [wanted(0, 5), wanted(1, 6), wanted(0, 7)] {
        assert!(Command::Want { viewer, want }.write(&mut commands));
    }
    assert!(Command::Forget { viewer: 0 }.write(&mut commands));
    feed.obey(&mut Recorder::new());
    assert_eq!(feed.wants, [wanted(1, 6)]);
}

/// Reads all records, and checks those of blocks: each has the values of its frames, in order and
/// without a gap.
struct Checked {
    words: WordReader,
    /// The first frame whose value of a series must be known.
    since: BTreeMap<u32, u64>,
    table: Vec<u32>,
    /// The first frame, the number of frames, and the number of series that arrived.
    block: (u64, usize, usize),
    next: Option<u64>,
    gaps: usize,
}

impl Checked {
    /// Returns the number of values.
    fn read(&mut self, recorder: &Recorder) -> usize {
        let mut values = 0;
        while self.words.len() > 0 {
            let (kind, number) = parts(self.words.take());
            match kind {
                TABLE => {
                    let (_, _, next) = self.block;
                    assert_eq!(next, self.table.len(), "the block before is complete");
                    self.table = (0..number).map(|_| self.words.take() as u32).collect();
                    self.block.2 = number;
                }
                BLOCK => {
                    let first = self.words.take();
                    assert_eq!(
                        self.block.2,
                        self.table.len(),
                        "the block before is complete"
                    );
                    if self.next.replace(first + number as u64) != Some(first) {
                        self.gaps += 1;
                    }
                    for of in [
                        |frame: stats_core::Frame| frame.start_secs,
                        |frame: stats_core::Frame| frame.duration_ms,
                    ] {
                        for index in first..first + number as u64 {
                            let value = f64::from_bits(self.words.take());
                            assert_eq!(recorder.frame(index).map(of), Some(value));
                        }
                    }
                    self.block = (first, number, 0);
                }
                VALUES => {
                    let (first, frames, next) = self.block;
                    for at in next..next + number {
                        for index in first..first + frames as u64 {
                            let value = f64::from_bits(self.words.take());
                            let series = self.table[at];
                            let is_unknown = value.is_nan() && index < self.since[&series];
                            let is_right = value == expected(series, index);
                            assert!(is_right || is_unknown, "{series}, {index}: {value}");
                            values += 1;
                        }
                    }
                    self.block.2 += number;
                }
                other => panic!("a record of kind {other}"),
            }
            self.words.give_back();
        }
        values
    }
}

/// The value that the test gives to a series in a frame.
fn expected(series: u32, frame: u64) -> f64 {
    f64::from(series) * 1000.0 + frame as f64
}

#[test]
fn each_frame_is_sent_once_in_even_parts_whatever_the_frame_rate_and_the_watches() {
    let mut random = stats_testing::Random::new(11);
    for frame_ms in [0.5, 4.0, 1000.0 / 60.0, 34.0, 200.0] {
        let ((out, hub), (mut commands, obeyed)) = (words(1 << 14), words(1 << 10));
        let mut feed = Feed::new(out, obeyed, 64);
        let gauges: Vec<_> = (0..60)
            .map(|n| stats_core::gauge(&format!("feed/{n}")))
            .collect();
        let ids: Vec<u32> = (0..60)
            .filter_map(|n| Some(stats_core::find(&format!("feed/{n}"))?.number()))
            .collect();
        let mut recorder = Recorder::new();
        let mut checked = Checked {
            words: hub,
            since: BTreeMap::new(),
            table: Vec::new(),
            block: (0, 0, 0),
            next: None,
            gaps: 0,
        };
        let mut watched = Vec::new();
        let mut now = 0.0;
        for frame in 0..600_u64 {
            for (gauge, id) in gauges.iter().zip(&ids) {
                gauge.set(expected(*id, frame));
            }
            now += frame_ms / 1000.0;
            recorder.end_frame_at(now);
            // Now and then, viewers come and go, and a frame is not published.
            let is_new = frame < 400 && random.below(40) == 0;
            if is_new && watched.len() < 60 {
                for series in ids.iter().skip(watched.len()).take(7).copied() {
                    watched.push(series);
                    let is_deferred = false;
                    assert!(
                        Command::Watch {
                            series,
                            is_deferred
                        }
                        .write(&mut commands)
                    );
                }
            } else if is_new {
                checked.since.clear();
                for series in watched.drain(..) {
                    assert!(Command::Unwatch { series }.write(&mut commands));
                }
            }
            if random.below(20) == 0 && frame < 500 {
                continue;
            }
            for series in &watched {
                checked.since.entry(*series).or_insert(frame + 1);
            }
            feed.publish(&mut recorder);
            let values = checked.read(&recorder);
            if frame > 520 {
                // No frame copies more than its share.
                let block = (BLOCK_MS / frame_ms).round().clamp(1.0, BLOCK_FRAMES) as usize;
                let share = watched.len().div_ceil(block) * block;
                assert!(
                    values <= share,
                    "{values} of {share} in a frame of {frame_ms} ms"
                );
            }
        }
        assert_eq!(checked.gaps, 1, "the first block");
        let unsent = recorder.frames().end - checked.next.expect("frames were sent");
        assert!(unsent <= BLOCK_FRAMES as u64, "{unsent}");
    }
}

/// Ends frames of 16 ms.
fn play(recorder: &mut Recorder, frames: u64) {
    for _ in 0..frames {
        let end = recorder.frames().end;
        recorder.end_frame_at(0.016 * (end + 1) as f64);
    }
}

#[test]
fn frames_that_the_recorder_does_not_have_are_left_out() {
    let ((out, mut hub), (_commands, obeyed)) = (words(1 << 10), words(64));
    let mut feed = Feed::new(out, obeyed, 1);
    let mut small = Recorder::with_history(4);
    let mut long = Recorder::new();
    play(&mut long, 200);
    for step in 0..40_u64 {
        // Often more frames than it keeps, and now and then those of another recorder.
        play(&mut small, step % 9);
        let is_other = step % 10 == 9;
        let recorder = if is_other { &mut long } else { &mut small };
        feed.publish(recorder);
        while hub.len() > 0 {
            let (kind, number) = parts(hub.take());
            match kind {
                TABLE => assert_eq!(number, 0),
                BLOCK => {
                    let first = hub.take();
                    assert!(recorder.frames().contains(&first), "{step}: {first}");
                    for _ in 0..2 * number {
                        assert!(!f64::from_bits(hub.take()).is_nan(), "{step}: {first}");
                    }
                }
                other => panic!("a record of kind {other}"),
            }
            hub.give_back();
        }
    }
}
