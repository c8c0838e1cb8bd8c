//! Games with clocks of the test's own, whose frames arrive when it says so.

use std::ops::{ControlFlow, Range};
use std::time::Instant;

use stats_core::source::{Listed, Survey, SurveyValue, WatchList};
use stats_core::{
    FRAME_TIME, Frame, FrameSlice, Mark, SeriesId, SeriesInfo, SeriesKind, Source, Unit, Watch,
};
use stats_testing::Random;

use super::joined::{Joined, Member};

/// The series of each game.
const SERIES: [(&str, SeriesKind); 4] = [
    (FRAME_TIME, SeriesKind::FrameTime),
    ("packets", SeriesKind::Counter),
    ("players", SeriesKind::Gauge),
    ("tick", SeriesKind::Timer),
];

#[derive(Default)]
struct Game {
    /// All frames, and how many of them, and of the values, arrived.
    frames: Vec<Frame>,
    values: Vec<Vec<f64>>,
    arrived: [usize; 2],
    first: u64,
    marks: Vec<Mark>,
    clock: Option<(f64, f64)>,
    watches: WatchList<usize>,
    surveyed: Vec<f64>,
}

/// A late value of a frame before, in each survey.
const LATE: (SeriesId, SurveyValue) = (SeriesId::new(3), SurveyValue::new(7.0, Some(1)));

impl Game {
    /// Makes frames of these durations in milliseconds, from 0 on its clock.
    fn new(durations_ms: &[f64], offset_secs: f64) -> Self {
        let mut start_secs = 0.0;
        let mut frames = Vec::new();
        for (index, duration_ms) in (0..).zip(durations_ms) {
            frames.push(Frame {
                index,
                start_secs,
                duration_ms: *duration_ms,
            });
            start_secs += duration_ms / 1e3;
        }
        let values = (0..SERIES.len()).map(|series| {
            let value = |frame: &Frame| match series {
                0 => frame.duration_ms,
                _ => (frame.index + 1) as f64 * [0.0, 1.0, 10.0, 0.5][series],
            };
            frames.iter().map(value).collect()
        });
        Self {
            values: values.collect(),
            arrived: [frames.len(); 2],
            frames,
            clock: Some((offset_secs, 0.001)),
            ..Self::default()
        }
    }

    fn end_secs(&self, frame: usize) -> f64 {
        let frame = self.frames[frame];
        frame.start_secs + frame.duration_ms / 1e3 + self.clock.map_or(0.0, |clock| clock.0)
    }
}

impl Member for Game {
    fn pump(&mut self) {}

    fn clock(&self, _: Instant) -> Option<(f64, f64)> {
        self.clock
    }
}

impl Source for Game {
    fn generation(&self) -> u64 {
        1
    }

    fn list(
        &self,
        series: Listed,
        visit: &mut dyn FnMut(SeriesInfo<'_>) -> ControlFlow<()>,
    ) -> Option<u32> {
        let numbers = match series {
            Listed::All => 0..u32::MAX,
            Listed::Numbers(numbers) => numbers,
            _ => return None,
        };
        for (number, (path, kind)) in (0..).zip(SERIES) {
            if numbers.contains(&number) {
                let id = SeriesId::new(number);
                let _ = visit(SeriesInfo::new(id, path, kind, Unit::Count));
            }
        }
        Some(SERIES.len() as u32)
    }

    fn find(&self, path: &str) -> Option<SeriesId> {
        let at = SERIES.iter().position(|(known, _)| *known == path)?;
        Some(SeriesId::new(at as u32))
    }

    fn watch(&mut self, id: SeriesId) -> Watch {
        self.watches.watch(id, || id.number() as usize)
    }

    fn history(&self, watch: &Watch, frames: usize) -> FrameSlice<'_> {
        let series = *self.watches.get(watch).expect("it is watched");
        let known = &self.values[series][self.first as usize..self.arrived[1]];
        let begin = known.len().saturating_sub(frames);
        FrameSlice::new(self.first + begin as u64, &known[begin..], &[])
    }

    fn peek(&mut self, _: SeriesId) -> Option<f64> {
        None
    }

    fn frames(&self) -> Range<u64> {
        self.first..self.arrived[0] as u64
    }

    fn frame(&self, index: u64) -> Option<Frame> {
        let frame = self.frames.get(index as usize)?;
        self.frames().contains(&index).then_some(*frame)
    }

    fn frame_times(&self, _: usize) -> FrameSlice<'_> {
        FrameSlice::new(0, &self.values[0][..self.arrived[0]], &[])
    }

    fn marks(&self) -> &[Mark] {
        &self.marks
    }

    fn survey_of(&mut self, frame: u64) -> Option<Survey<'_>> {
        let at = usize::try_from(frame).ok()?;
        let values = self.values.iter().map(|values| values.get(at).copied());
        self.surveyed = values.collect::<Option<_>>()?;
        // All changed in the frame, but for the levels.
        let change = frame as u32;
        let changes = match change {
            3 => &[3, 3, u32::MAX, 3],
            _ => &[u32::MAX; 4],
        };
        let survey = Survey::new(&self.surveyed, changes, self.arrived[0] as u64);
        Some(survey.with_earlier(std::slice::from_ref(&LATE)))
    }

    fn frame_thread(&self) -> Option<&str> {
        Some("main")
    }
}

fn joined(client: Game, server: Game) -> Joined<Game> {
    Joined::new(vec![
        ("client".to_owned(), client),
        ("server".to_owned(), server),
    ])
}

fn watch(joined: &mut Joined<Game>, path: &str) -> Watch {
    let id = joined.find(path).expect("it is listed");
    joined.watch(id)
}

fn values(joined: &Joined<Game>, watch: &Watch) -> Vec<(u64, f64)> {
    let window = joined.history(watch, usize::MAX);
    let known = window.frames().zip(window.iter());
    known.filter(|(_, value)| !value.is_nan()).collect()
}

#[test]
fn a_frame_has_the_sum_or_the_last_of_the_ticks_that_ended_in_it() {
    // The clock of the server is ten seconds ahead.
    let client = Game::new(&[10.0; 6], 0.0);
    let server = Game::new(&[6.0, 7.0, 6.0, 25.0, 4.0, 100.0], -10.0);
    let mut server = server;
    for frame in &mut server.frames {
        frame.start_secs += 10.0;
    }
    let mut joined = joined(client, server);
    let paths = [
        "server/packets",
        "server/players",
        "server/tick",
        "server/frame time",
        "client/packets",
    ];
    let watches = paths.map(|path| watch(&mut joined, path));
    joined.pump();
    // Ticks end at 6, 13, 19, 44, 48 and 148 ms.
    let expected: [&[(u64, f64)]; 5] = [
        &[(0, 1.0), (1, 5.0), (4, 9.0)],
        &[(0, 10.0), (1, 30.0), (4, 50.0)],
        &[(0, 0.5), (1, 2.5), (4, 4.5)],
        &[(0, 6.0), (1, 7.0), (4, 25.0)],
        &[(0, 1.0), (1, 2.0), (2, 3.0), (3, 4.0), (4, 5.0), (5, 6.0)],
    ];
    for (watch, expected) in watches.iter().zip(expected) {
        assert_eq!(values(&joined, watch), expected);
    }
    let own = joined.watch(SeriesId::new(0));
    assert_eq!(values(&joined, &own).len(), 6);
    assert_eq!((joined.frames(), joined.frame(6)), (0..6, None));
    let said = joined.clocks();
    assert_eq!(said, "clocks ±2.0 ms");
    joined.games[1].clock = Some((-10.0, 0.005));
    joined.pump();
    assert_eq!(joined.clocks(), "clocks ±6.0 ms, more than half a frame");
    joined.games[1].clock = None;
    joined.pump();
    assert_eq!(joined.clocks(), "the clocks are not known yet");
}

#[test]
fn each_tick_is_counted_once_in_its_frame_in_whatever_order_things_arrive() {
    let mut random = Random::new(46);
    let mut frames = 0;
    for round in 0..60 {
        let durations = |random: &mut Random| {
            // In less time than a frame waits.
            let usual = 1 + random.below(4);
            let ms = |_| (1 + random.below(2 * usual)) as f64;
            (0..200).map(ms).collect::<Vec<_>>()
        };
        let offsets = [random.below(100) as f64, random.below(100) as f64 - 50.0];
        let mut client = Game::new(&durations(&mut random), offsets[0]);
        let server_durations = durations(&mut random);
        let mut server = Game::new(&server_durations, offsets[1]);
        // They overlap: the clock of the server says so.
        let shift = offsets[0] - offsets[1] + (random.below(400) as f64 - 200.0) / 1e3;
        server
            .frames
            .iter_mut()
            .for_each(|frame| frame.start_secs += shift);
        (client.arrived, server.arrived) = ([0; 2], [0; 2]);
        let mut joined = joined(client, server);
        let packets = watch(&mut joined, "server/packets");
        let mut read = Vec::new();
        for _ in 0..400 {
            for game in 0..2 {
                let game = &mut joined.games[game];
                let more = random.index(3);
                game.arrived[0] = (game.arrived[0] + more).min(game.frames.len());
                let late = game.arrived[0] - game.arrived[1];
                game.arrived[1] += random.index(late + 1);
            }
            joined.pump();
            // What was read does not change.
            let now = values(&joined, &packets);
            assert!(now.starts_with(&read), "{round}");
            read = now;
        }
        for game in &mut joined.games {
            game.arrived = [game.frames.len(); 2];
        }
        joined.pump();
        let (client, server) = (&joined.games[0], &joined.games[1]);
        // Only frames after whose end a tick is known to have ended are complete.
        let last = server.end_secs(server.frames.len() - 1);
        let begin = client.frames[0].start_secs + offsets[0];
        let mut expected = Vec::new();
        let mut next = (0..server.frames.len()).find(|tick| server.end_secs(*tick) > begin);
        for frame in 0..client.frames.len() {
            let end = client.end_secs(frame);
            if end >= last {
                break;
            }
            let mut sum = None;
            while let Some(tick) = next.filter(|tick| server.end_secs(*tick) <= end) {
                sum = Some(sum.unwrap_or(0.0) + server.values[1][tick]);
                next = Some(tick + 1);
            }
            expected.extend(sum.map(|sum| (frame as u64, sum)));
        }
        let found = values(&joined, &packets);
        assert!(found.starts_with(&expected), "{round}");
        frames += expected.len();
    }
    assert!(frames > 2000, "{frames}");
}

#[test]
fn a_game_that_sends_nothing_holds_up_the_others_for_two_seconds() {
    let client = Game::new(&[100.0; 50], 0.0);
    // Ticks end in the middle of frames.
    let mut server = Game::new(&[100.0; 50], -0.05);
    server.arrived = [10; 2];
    let mut joined = joined(client, server);
    let packets = watch(&mut joined, "server/packets");
    joined.pump();
    let window = joined.history(&packets, usize::MAX);
    // Frames end every 100 ms, the newest after 5 s.
    assert_eq!(window.first_frame(), 0);
    assert!((28..=30).contains(&window.len()), "{:?}", window.frames());
    assert_eq!((window.at(8), window.at(20)), (Some(9.0), None));
    // What arrives later belongs to its own frame, and is left out if that was read already.
    let read = joined.history(&packets, usize::MAX).frames().end;
    joined.games[1].arrived = [50; 2];
    joined.pump();
    let expected = (0..10).chain(read..49).map(|at| (at, (at + 1) as f64));
    let mut found = values(&joined, &packets);
    found.truncate(10 + (49 - read) as usize);
    assert!(found.iter().copied().eq(expected), "{found:?}");
}

#[test]
fn memory_is_that_of_the_frames_of_the_first_game() {
    let (client, server) = (Game::new(&[10.0; 3000], 0.0), Game::new(&[10.0; 3000], 0.0));
    let mut joined = joined(client, server);
    let packets = watch(&mut joined, "server/packets");
    for end in 1..=3000_usize {
        for game in &mut joined.games {
            game.arrived = [end; 2];
            game.first = end.saturating_sub(50) as u64;
        }
        joined.pump();
        let window = joined.history(&packets, usize::MAX);
        assert!(window.len() <= 50 && window.frames().end + 1 >= end as u64);
    }
}

#[test]
fn a_survey_has_the_values_of_the_first_game_in_a_frame_of_the_axis() {
    let client = Game::new(&[10.0, 10.0, 10.0, 40.0, 10.0], 0.0);
    let server = Game::new(&[25.0; 9], 0.0);
    let mut joined = joined(client, server);
    joined.pump();
    assert_eq!(joined.frame_thread(), Some("main"));
    assert_eq!(joined.clock_prefix(), "client/");
    let ids = [
        FRAME_TIME,
        "client/packets",
        "client/players",
        "client/tick",
    ]
    .map(|path| joined.find(path).expect("it is listed"));
    let survey = joined.survey_of(3).expect("it has ended");
    let expected = [
        (ids[3], LATE.1),
        (ids[0], SurveyValue::new(40.0, Some(3))),
        (ids[1], SurveyValue::new(4.0, Some(3))),
        (ids[2], SurveyValue::new(40.0, None)),
        (ids[3], SurveyValue::new(2.0, Some(3))),
    ];
    assert_eq!(survey.iter().collect::<Vec<_>>(), expected);
    assert!(joined.survey_of(5).is_none());
}

#[test]
fn a_part_of_the_listing_has_the_series_of_all_games_in_the_order_of_their_ids() {
    let mut joined = joined(Game::new(&[10.0], 0.0), Game::new(&[10.0], 0.0));
    joined.pump();
    let list = |series: Listed| {
        let mut listed = Vec::new();
        let end = joined.list(series, &mut |info| {
            listed.push((info.id, info.path.to_owned(), info.kind));
            ControlFlow::Continue(())
        });
        (listed, end)
    };
    let (mut all, end) = list(Listed::All);
    all.sort_by_key(|(id, ..)| *id);
    let end = end.expect("it can list them");
    for (start, until) in [
        (0, end),
        (0, u32::MAX),
        (0, 1),
        (1, 5),
        (3, 4),
        (4, 4),
        (9, 99),
    ] {
        let of_part = |id: SeriesId| (start..until).contains(&id.number());
        let expected: Vec<_> = all
            .iter()
            .filter(|(id, ..)| of_part(*id))
            .cloned()
            .collect();
        let found = list(Listed::Numbers(start..until));
        assert_eq!(found, (expected, Some(end)), "{start}..{until}");
    }
    let mut first = None;
    joined.list(Listed::Numbers(2..9), &mut |info| {
        assert_eq!(first.replace(info.id), None, "it goes on");
        ControlFlow::Break(())
    });
    assert_eq!(first, Some(SeriesId::new(2)));
}

#[test]
fn a_new_mark_of_the_first_game_is_known_at_once() {
    let mut joined = joined(Game::new(&[10.0; 50], 0.0), Game::new(&[10.0; 50], 0.0));
    joined.games[1].marks = vec![Mark::new("level", 20..21, true)];
    joined.pump();
    for at in 0..40 {
        let mark = Mark::new(format!("mark {at}"), at..at + 1, true);
        joined.games[0].marks.push(mark.clone());
        joined.pump();
        assert!(joined.marks().contains(&mark), "{at}");
        assert_eq!(joined.marks().len() as u64, at + 2);
        assert!(joined.marks().is_sorted_by_key(|mark| mark.frames.start));
    }
}

#[test]
fn names_are_unique_and_paths_and_marks_have_them() {
    let client = Game::new(&[10.0; 10], 0.0);
    let mut server = Game::new(&[10.0; 10], 0.0);
    server.marks = vec![
        Mark::new("level", 3..5, false),
        Mark::new("open", 6..u64::MAX, false),
        Mark::new("gone", 77..78, true),
    ];
    let mut joined = Joined::new(vec![
        ("a/game".to_owned(), client),
        ("a/game".to_owned(), server),
    ]);
    assert_eq!(joined.names(), ["a-game", "a-game 2"]);
    assert_eq!(joined.frame_time_of(1), "a-game 2/frame time");
    joined.pump();
    let marks: Vec<_> = joined
        .marks()
        .iter()
        .map(|mark| (&*mark.name, mark.frames.clone()))
        .collect();
    assert_eq!(
        marks,
        [("a-game 2: level", 3..5), ("a-game 2: open", 6..u64::MAX)]
    );
    let mut listed = Vec::new();
    let end = joined.list(Listed::All, &mut |info| {
        listed.push((info.id, info.path.to_owned()));
        ControlFlow::Continue(())
    });
    assert_eq!(listed.len(), 9);
    for (id, path) in listed {
        assert_eq!(joined.find(&path), Some(id), "{path}");
        assert!(end.is_some_and(|end| id.number() < end));
    }
    let since = Listed::ChangedSince(joined.generation());
    let nothing = joined.list(since, &mut |info| panic!("{info:?} did not change"));
    assert_eq!(nothing, end);
}
