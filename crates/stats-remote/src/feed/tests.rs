use std::collections::BTreeMap;

use stats_core::Recorder;

use super::record::{FRAME, TABLE, THREAD, parts};
use super::{Command, Feed};
use crate::own_series::SKIPPED;
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

/// Reads all records, and checks that frames come in order, each with its values.
struct Checked {
    words: WordReader,
    /// The first frame whose value of a series must be known.
    since: BTreeMap<u32, u64>,
    table: Vec<u32>,
    next: Option<u64>,
    /// The frames that did not come, except those before the first.
    missing: u64,
}

impl Checked {
    fn read(&mut self, recorder: &Recorder) {
        while self.words.len() > 0 {
            let (kind, number) = parts(self.words.take());
            match kind {
                TABLE => self.table = (0..number).map(|_| self.words.take() as u32).collect(),
                FRAME => {
                    assert_eq!(number, self.table.len());
                    let index = self.words.take();
                    let next = self.next.replace(index + 1).unwrap_or(index);
                    assert!(next <= index, "{next}, {index}");
                    self.missing += index - next;
                    let frame = recorder.frame(index).expect("the recorder has it");
                    for expected in [frame.start_secs, frame.duration_ms] {
                        assert_eq!(f64::from_bits(self.words.take()), expected);
                    }
                    self.words.take();
                    for series in &self.table {
                        let value = f64::from_bits(self.words.take());
                        let since = self.since.get(series);
                        let is_unknown = value.is_nan() && since.is_none_or(|since| index < *since);
                        let is_right = value == expected(*series, index);
                        assert!(is_right || is_unknown, "{series}, {index}: {value}");
                    }
                }
                THREAD => _ = self.words.take_text(number),
                other => panic!("a record of kind {other}"),
            }
            self.words.give_back();
        }
    }
}

/// The value that the test gives to a series in a frame.
fn expected(series: u32, frame: u64) -> f64 {
    f64::from(series) * 1000.0 + frame as f64
}

#[test]
fn each_frame_is_sent_once_with_its_values_whatever_is_watched() {
    let mut random = stats_testing::Random::new(11);
    // A queue with room for all frames, and one without, of which the hub reads little.
    for (len, unread) in [(1 << 14, 0), (1 << 8, 8)] {
        let ((out, hub), (mut commands, obeyed)) = (words(len), words(1 << 10));
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
            next: None,
            missing: 0,
        };
        let skipped = recorder.watch(SKIPPED.id());
        let mut watched = Vec::new();
        for frame in 0..600_u64 {
            for (gauge, id) in gauges.iter().zip(&ids) {
                gauge.set(expected(*id, frame));
            }
            recorder.end_frame_at(0.016 * (frame + 1) as f64);
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
            if random.below(10) >= unread {
                checked.read(&recorder);
            }
        }
        checked.read(&recorder);
        assert_eq!(checked.missing > 0, unread > 0, "{}", checked.missing);
        assert_eq!(checked.next, Some(recorder.frames().end));
        // Other tests may count, too.
        recorder.end_frame();
        let counted: f64 = recorder.history(&skipped, usize::MAX).iter().sum();
        assert!(counted >= checked.missing as f64, "{counted}");
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
                FRAME => {
                    let index = hub.take();
                    let frame = recorder.frame(index).expect("the recorder has it");
                    for expected in [frame.start_secs, frame.duration_ms] {
                        assert_eq!(f64::from_bits(hub.take()), expected, "{step}: {index}");
                    }
                    hub.take();
                }
                THREAD => _ = hub.take_text(number),
                other => panic!("a record of kind {other}"),
            }
            hub.give_back();
        }
    }
}
