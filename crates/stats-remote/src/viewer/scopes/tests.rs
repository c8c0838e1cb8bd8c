//! Games whose answers a test gives to the viewer.

use std::sync::mpsc::{self, Receiver};

use stats_core::Source;

use super::super::tests::game;
use super::*;
use crate::wire::to_game::CLOCK;
use crate::wire::to_viewer::{Past, ToViewer, Values};

/// The first frame that a viewer has, and those before it that a view wants.
const FIRST: u64 = 60_000;
const WANTED: Range<u64> = FIRST - 40..FIRST;

/// A viewer that has a frame and wants scopes of others, and the frames whose scopes it asks for.
struct Viewer {
    source: RemoteSource,
    asks: Receiver<Range<u64>>,
}

impl Viewer {
    fn new() -> Self {
        let (asked, asks) = mpsc::channel();
        let (address, _) = game(move |mut socket| {
            while let Ok(message) = socket.read() {
                let Ok(ToGame::Want(wants)) = ToGame::decode(&message.into_data()) else {
                    continue;
                };
                for want in wants.iter().filter(|want| want.series == SCOPES) {
                    let _ = asked.send(want.from..want.to);
                }
            }
        });
        let source = RemoteSource::connect(&address).expect("it greets");
        let mut viewer = Self { source, asks };
        let values = Values {
            block: 1,
            first_frame: FIRST,
            starts_secs: vec![1000.0],
            durations_ms: vec![60.0],
            series: Vec::new(),
        };
        viewer.source.take(ToViewer::Values(values), &mut None);
        viewer.answer(CLOCK, FIRST);
        assert_eq!(viewer.source.frames(), FIRST..FIRST + 1);
        viewer
    }

    fn answer(&mut self, series: u32, first_frame: u64) {
        let past = Past {
            series,
            first_frame,
            values: Vec::new(),
            durations_ms: Vec::new(),
            is_done: true,
        };
        self.source.take(ToViewer::Past(past), &mut None);
    }

    /// Asks as a view does, so long after the last request, and returns what arrives at the game.
    fn asks_after(&mut self, time: Duration) -> Range<u64> {
        self.asks_for(std::slice::from_ref(&WANTED), time)
    }

    fn asks_for(&mut self, wanted: &[Range<u64>], time: Duration) -> Range<u64> {
        self.source.timeline(wanted).expect("it has one");
        let scopes = &mut self.source.scopes;
        let sent = [
            scopes.sent.as_mut(),
            scopes.on_the_way.as_mut().map(|(at, _)| at),
        ];
        sent.into_iter().flatten().for_each(|at| *at -= time);
        self.source.pump();
        let patience = Duration::from_secs(60);
        self.asks.recv_timeout(patience).expect("it asks")
    }
}

const NEWEST: Range<u64> = FIRST + 1..u64::MAX;

#[test]
fn frames_of_the_past_have_their_turn_however_long_an_answer_takes() {
    let mut viewer = Viewer::new();
    let (mut asked, mut newest) = (Vec::new(), 0);
    for turn in 0..6 {
        let frames = viewer.asks_after(2 * EVERY);
        if frames == NEWEST {
            newest += 1;
            viewer.answer(SCOPES, FIRST + 1);
        } else {
            assert_eq!(turn % 2, 1, "{frames:?}");
            viewer.answer(SCOPES, frames.end);
            asked.extend(frames);
        }
    }
    asked.sort_unstable();
    assert!(asked.iter().copied().eq(WANTED), "{asked:?}");
    assert_eq!(newest, 3);
}

#[test]
fn frames_that_are_far_apart_are_asked_for_without_those_in_between() {
    let mut viewer = Viewer::new();
    let wanted = [FIRST - 20..FIRST, 100..105, 50_000..50_040];
    let mut asked = Vec::new();
    for turn in 0..14 {
        let frames = viewer.asks_for(&wanted, 2 * EVERY);
        match turn % 2 == 0 || frames == NEWEST {
            true => assert_eq!(frames, NEWEST),
            false => asked.extend(frames.clone()),
        }
        viewer.answer(SCOPES, frames.end.min(FIRST + 1));
    }
    asked.sort_unstable();
    let mut wanted: Vec<u64> = wanted.into_iter().flatten().collect();
    wanted.sort_unstable();
    assert_eq!(asked, wanted);
}

#[test]
fn frames_that_an_answer_did_not_reach_are_asked_for_again() {
    let mut viewer = Viewer::new();
    let mut missing: BTreeSet<u64> = WANTED.collect();
    for turn in 0..40 {
        let frames = viewer.asks_after(2 * EVERY);
        if frames == NEWEST {
            viewer.answer(SCOPES, FIRST + 1);
        } else if turn % 3 > 0 {
            // The first eight at most have room.
            let first = frames.end.min(frames.start + 8);
            viewer.answer(SCOPES, first);
            assert!((frames.start..first).all(|frame| missing.remove(&frame)));
        } else {
            // No answer comes.
            assert_eq!(viewer.asks_after(PATIENCE), NEWEST);
            viewer.answer(SCOPES, FIRST + 1);
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn frames_that_nobody_asked_for_are_not_kept() {
    let mut viewer = Viewer::new();
    assert_eq!(viewer.asks_after(EVERY), NEWEST);
    let far = [1 << 52, FIRST + 1 + MAX_FRAMES];
    for index in far.into_iter().chain((0..=FIRST + 1).rev()) {
        let frame = FrameScopes {
            index,
            ..FrameScopes::default()
        };
        viewer.source.take(ToViewer::Scopes(frame), &mut None);
    }
    let timeline = viewer.source.timeline(&[]).expect("it has one");
    let kept = timeline.frames().map(|frame| frame.index());
    assert!(kept.eq(FIRST - LATE_FRAMES..FIRST + 2));
}
