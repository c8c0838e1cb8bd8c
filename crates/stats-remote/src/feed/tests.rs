use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use stats_core::limits::{MAX_MARKS, PEEK_FRAMES};
use stats_core::timeline::LaneKind;
use stats_core::{MarkEvent, Recorder, SeriesId, Span, are_spans_collected, record_span, timer};

use super::record::{FRAME, LANE, MARK, PAST, SCOPES, TABLE, THREAD, parts};
use super::scopes::{RESERVE, ScopeFeed};
use super::{Command, Feed};
use crate::own_series::SKIPPED;
use crate::wire::to_game::{self, CLOCK, Want};
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
    // A queue with room for all frames; then one with less room, from which the hub reads little.
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
            feed.obey(&mut recorder);
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

/// A game with marks, and what the hub was sent of them.
struct Marked {
    feed: Feed,
    hub: WordReader,
    recorder: Recorder,
    sent: Vec<(String, Range<u64>)>,
}

impl Marked {
    fn new() -> Self {
        let ((out, hub), (_commands, obeyed)) = (words(1 << 12), words(64));
        Self {
            feed: Feed::new(out, obeyed, 1),
            hub,
            recorder: Recorder::new(),
            sent: Vec::new(),
        }
    }

    fn mark(&mut self, name: &str) {
        self.recorder.mark(name, MarkEvent::Point);
    }

    /// Plays frames until the hub has all marks as they are.
    fn settle(&mut self, frames: usize) {
        let all = self.recorder.marks().iter();
        let all: Vec<_> = all
            .map(|mark| (mark.name.clone(), mark.frames.clone()))
            .collect();
        for _ in 0..frames {
            play(&mut self.recorder, 1);
            self.feed.publish(&mut self.recorder);
            while self.hub.len() > 0 {
                self.read();
            }
            if self.sent == all {
                return;
            }
        }
        let wrong = self
            .sent
            .iter()
            .zip(&all)
            .filter(|(sent, mark)| sent != mark);
        panic!("{} of {} marks are wrong", wrong.count(), all.len());
    }

    fn read(&mut self) {
        let (kind, number) = parts(self.hub.take());
        match kind {
            TABLE => assert_eq!(number, 0),
            FRAME => (0..4).for_each(|_| _ = self.hub.take()),
            THREAD => _ = self.hub.take_text(number),
            MARK => {
                let [at, marks, begin, end, _] = std::array::from_fn(|_| self.hub.take());
                self.sent.resize(marks as usize, Default::default());
                self.sent[at as usize] = (self.hub.take_text(number), begin..end);
            }
            other => panic!("a record of kind {other}"),
        }
        self.hub.give_back();
    }
}

#[test]
fn marks_of_a_frame_that_take_the_place_of_others_are_sent_again() {
    let mut game = Marked::new();
    play(&mut game.recorder, 100);
    game.mark("a");
    game.mark("b");
    game.settle(10);
    // It comes before them, and one has the place and the frame of the other.
    game.recorder.mark_frames("level", 50..60);
    game.settle(10);
    for many in 0..32 {
        game.mark(&format!("line {many}"));
    }
    while game.recorder.marks().len() < MAX_MARKS {
        play(&mut game.recorder, 1);
        game.mark("later");
    }
    game.settle(2000);
    // The oldest one leaves the list, and all others move.
    game.mark("one more");
    game.settle(2000);
}

/// What the hub was sent of the scopes of a series. Those of other tests, in other threads, are in the same
/// frames.
struct OfSeries {
    series: SeriesId,
    /// The number of its scopes in each frame.
    known: BTreeMap<u64, usize>,
    /// The errors of the clock of a lane, one after the other.
    errors_ns: Vec<u64>,
}

impl OfSeries {
    fn new(series: SeriesId) -> Self {
        Self {
            series,
            known: BTreeMap::new(),
            errors_ns: Vec::new(),
        }
    }

    /// Returns the frames that are new or have more of its scopes, each with the number of them, and how
    /// many requests were answered.
    fn read(&mut self, hub: &mut WordReader) -> (Vec<(u64, usize)>, usize) {
        let (mut frames, mut answered) = (Vec::new(), 0);
        while hub.len() > 0 {
            let (kind, number) = parts(hub.take());
            match kind {
                LANE => {
                    let [_, _, error_ns] = std::array::from_fn(|_| hub.take());
                    if hub.take_text(number) == "a GPU" {
                        self.errors_ns.push(error_ns);
                    }
                }
                SCOPES => {
                    assert_eq!(hub.take(), 3, "the viewer");
                    let [frame, _, _] = std::array::from_fn(|_| hub.take());
                    let scopes = (0..number).map(|_| {
                        let [_, _, rest] = std::array::from_fn(|_| hub.take());
                        SeriesId::new(rest as u32)
                    });
                    let scopes = scopes.filter(|series| *series == self.series).count();
                    if self.known.insert(frame, scopes) != Some(scopes) {
                        frames.push((frame, scopes));
                    }
                }
                PAST => {
                    assert_eq!(hub.take(), 3 << 32 | u64::from(to_game::SCOPES));
                    (0..2).for_each(|_| _ = hub.take());
                    answered += 1;
                }
                other => panic!("a record of kind {other}"),
            }
            hub.give_back();
        }
        (frames, answered)
    }
}

/// Lets only one test collect scopes at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn a_lane_is_sent_again_only_if_the_error_of_its_clock_changes_by_a_tenth() {
    let _alone = alone();
    let (mut out, mut hub) = words(1 << 17);
    let (mut feed, mut recorder) = (ScopeFeed::default(), Recorder::new());
    let of_test = timer("feed/pass");
    let mut sent = OfSeries::new(of_test.id());
    let mut publish = |frame: u64, from| {
        let (series, to) = (to_game::SCOPES, u64::MAX);
        feed.want(3, Want { series, from, to });
        feed.publish(&mut out, &mut recorder, frame);
        let now = Instant::now();
        let kind = LaneKind::Gpu {
            off_by_ns: Some(100_000 + 100 * frame),
        };
        record_span(Span::new(of_test.id(), "a GPU", 0, now, now).with_kind(kind));
        recorder.end_frame();
        sent.read(&mut hub).0.last().map(|(frame, _)| *frame)
    };
    let mut from = 0;
    for frame in 0..250 {
        from = publish(frame, from).map_or(from, |newest| newest + 1);
    }
    assert!(from > 240, "{from}");
    let errors = &sent.errors_ns;
    // By 24 µs, in steps of a tenth, of about 10 µs.
    assert_eq!(errors.len(), 3, "{errors:?}");
    let is_tenth = |two: &[u64]| two[1] - two[0] > two[0] / 10;
    assert!(errors.windows(2).all(is_tenth), "{errors:?}");
}

#[test]
fn requests_of_a_viewer_without_an_answer_end_a_call() {
    let _alone = alone();
    let (mut out, mut hub) = words(1 << 17);
    let (mut feed, mut recorder) = (ScopeFeed::default(), Recorder::new());
    let mut sent = OfSeries::new(timer("feed/nothing").id());
    recorder.end_frame();
    let mut answered = |feed: &mut ScopeFeed| {
        feed.publish(&mut out, &mut recorder, 0);
        sent.read(&mut hub).1
    };
    let series = to_game::SCOPES;
    for from in 0..64 {
        let to = if from % 2 == 0 { u64::MAX } else { from + 1 };
        feed.want(3, Want { series, from, to });
    }
    let calls: Vec<usize> = (0..3).map(|_| answered(&mut feed)).collect();
    assert_eq!(calls, [32, 32, 0]);
}

#[test]
fn scopes_are_collected_only_while_viewers_ask_and_each_frame_is_sent_once_unless_it_changes() {
    let _alone = alone();
    let (out, mut hub) = words(1 << 17);
    let (mut out, mut feed, mut recorder) = (out, ScopeFeed::default(), Recorder::new());
    let of_test = timer("feed/scope");
    let mut of_series = OfSeries::new(of_test.id());
    let mut scopes = |hub: &mut WordReader| of_series.read(hub);
    let from = |from| Want {
        series: to_game::SCOPES,
        from,
        to: u64::MAX,
    };
    let frame = |recorder: &mut Recorder| {
        drop(of_test.scope());
        recorder.end_frame();
    };
    frame(&mut recorder);
    assert!(!are_spans_collected() && !feed.is_active());
    feed.want(3, from(0));
    feed.publish(&mut out, &mut recorder, 0);
    assert!(are_spans_collected() && feed.is_active());
    assert_eq!(scopes(&mut hub), (Vec::new(), 1));
    // The newest frames come a few frames later, each once.
    let (mut sent, mut instants) = (Vec::new(), Vec::new());
    for step in 0..30 {
        instants.push(Instant::now());
        frame(&mut recorder);
        let next = sent.last().map_or(0, |(frame, _)| frame + 1);
        feed.want(3, from(next));
        feed.publish(&mut out, &mut recorder, step);
        let (new, answered) = scopes(&mut hub);
        assert_eq!(answered, 1);
        sent.extend(new);
    }
    let own: Vec<u64> = sent.iter().map(|(frame, _)| *frame).collect();
    assert!(own.iter().copied().eq(1..27), "{own:?}");
    assert!(sent.iter().all(|(_, scopes)| *scopes >= 1));
    // A scope of another profiler is known ten frames later.
    let late = instants[20];
    record_span(Span::new(of_test.id(), "other", 0, late, late));
    frame(&mut recorder);
    feed.want(3, from(27));
    feed.publish(&mut out, &mut recorder, 30);
    let (again, answered) = scopes(&mut hub);
    let frames: Vec<u64> = again.iter().map(|(frame, _)| *frame).collect();
    assert_eq!(answered, 1);
    assert!(matches!(frames[..], [20 | 21, 27]), "{frames:?}");
    let before = sent.iter().find(|(frame, _)| *frame == again[0].0);
    assert_eq!(before.map(|(_, scopes)| scopes + 1), Some(again[0].1));
    // Two seconds later, nobody has asked.
    feed.publish(&mut out, &mut recorder, 3_000_000_000);
    assert!(!feed.is_active());
    (0..=PEEK_FRAMES).for_each(|_| recorder.end_frame());
    assert!(!are_spans_collected());
    // Nor does a viewer that has left get an answer.
    feed.want(3, from(0));
    feed.forget(3);
    feed.publish(&mut out, &mut recorder, 4_000_000_000);
    assert_eq!(scopes(&mut hub), (Vec::new(), 0));
    (0..=PEEK_FRAMES).for_each(|_| recorder.end_frame());
    // A queue that nobody reads: what is left is for values.
    let (mut out, mut hub) = words(2 * RESERVE);
    let begin = recorder.frames().end;
    for step in 0..400 {
        // The frame that ended four frames before.
        feed.want(3, from((begin + step).saturating_sub(4)));
        (0..30).for_each(|_| drop(of_test.scope()));
        recorder.end_frame();
        feed.publish(&mut out, &mut recorder, 4_000_000_000);
        assert!(out.has_room(RESERVE - 64), "{step}");
    }
    let (first, _) = scopes(&mut hub);
    assert!(!first.is_empty());
    feed.publish(&mut out, &mut recorder, 4_000_000_000);
    let (then, mut answered) = scopes(&mut hub);
    assert!(first.is_sorted() && first.last() < then.first());
    for _ in 0..10 {
        feed.publish(&mut out, &mut recorder, 4_000_000_000);
        answered += scopes(&mut hub).1;
    }
    assert!(answered > 0);
}

#[test]
fn large_frames_that_change_again_and_again_hold_up_no_answer() {
    let _alone = alone();
    let (mut out, mut hub) = words(1 << 17);
    let (mut feed, mut recorder) = (ScopeFeed::default(), Recorder::new());
    let of_test = timer("feed/large");
    let mut of_series = OfSeries::new(of_test.id());
    let (mut instants, mut next) = (Vec::new(), 0);
    let (mut waited, mut longest) = (0, 0);
    for step in 0..90 {
        instants.push(Instant::now());
        (0..8200).for_each(|_| drop(of_test.scope()));
        for late in instants.iter().rev().skip(5).take(50) {
            record_span(Span::new(of_test.id(), "other", 0, *late, *late));
        }
        recorder.end_frame();
        // As a viewer: one request at a time.
        if waited == 0 {
            let (series, from, to) = (to_game::SCOPES, next, u64::MAX);
            feed.want(3, Want { series, from, to });
        }
        feed.publish(&mut out, &mut recorder, step);
        let (new, answers) = of_series.read(&mut hub);
        next = new
            .iter()
            .fold(next, |next, (frame, _)| next.max(frame + 1));
        longest = longest.max(waited);
        waited = if answers == 0 { waited + 1 } else { 0 };
    }
    assert!(longest < 40, "{longest}, {next}");
}
