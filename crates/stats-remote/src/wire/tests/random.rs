//! Random values and messages.

use stats_core::timeline::LaneKind;
use stats_core::{Distribution, Mark, Precision, SeriesId, SeriesInfo, SeriesKind, Unit};
use stats_testing::Random;

use crate::token::Token;
use crate::wire::column::MAX_FRAMES;
use crate::wire::distribution::Gained;
use crate::wire::scopes::{Call, FrameScopes, Lane, MAX_LANES, MAX_NS};
use crate::wire::to_game::{CLOCK, Hello, ToGame, Want};
use crate::wire::to_viewer::*;

/// Returns a value as games have them, or any bits.
pub(super) fn value(random: &mut Random) -> f64 {
    match random.below(8) {
        0 => 0.0,
        1 => -0.0,
        2 => f64::NAN,
        3 => random.below(1000) as f64,
        4 => random.below(1_000_000) as f64 / 1e6,
        5 => (random.below(1 << 55) as f64 - (1_u64 << 54) as f64) / 1e3,
        6 => random.value(),
        _ => f64::from_bits(random.next()),
    }
}

pub(super) fn values(random: &mut Random, len: usize) -> Vec<f64> {
    match random.below(3) {
        0 => random.series(len),
        1 => vec![value(random); len],
        _ => (0..len).map(|_| value(random)).collect(),
    }
}

pub(super) fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn ids(random: &mut Random) -> Vec<u32> {
    let few = |random: &mut Random| match random.below(3) {
        // Runs, and the largest ids.
        0 => random.below(60) as u32,
        1 => u32::MAX - random.below(60) as u32,
        _ => random.next() as u32,
    };
    (0..random.below(50)).map(|_| few(random)).collect()
}

pub(super) fn to_game(random: &mut Random) -> ToGame {
    match random.below(8) {
        0 => ToGame::Hello(Hello::new(
            Token::new([random.next() as u8; 16]),
            "a viewer",
            random.below(2) == 0,
        )),
        1 => ToGame::Watch(
            ids(random)
                .into_iter()
                .map(|id| (id, id % 2 == 0))
                .collect(),
        ),
        2 => ToGame::Unwatch(ids(random)),
        3 => ToGame::Rows(ids(random)),
        4 => {
            let (from, to) = (random.next(), random.next());
            let series = ids(random).into_iter().chain([CLOCK]);
            ToGame::Want(series.map(|series| Want { series, from, to }).collect())
        }
        5 => ToGame::Ack(random.next()),
        6 => ToGame::Histograms(ids(random)),
        _ => ToGame::Ping(random.next()),
    }
}

fn path(random: &mut Random) -> String {
    let names = ["ai", "net", "physics", "\u{e4}\u{f6}", "x"];
    let segments: Vec<_> = (0..1 + random.below(4))
        .map(|_| names[random.index(5)])
        .collect();
    segments.join("/")
}

/// Returns a message, and what it should be read as; `None` if that is not compared here.
pub(super) fn to_viewer(random: &mut Random) -> (Vec<u8>, Option<ToViewer>) {
    let frames = random.below(1 << 50);
    match random.below(13) {
        0 => {
            let welcome = Welcome {
                session: [random.next() as u8; 16],
                program: path(random),
                process: random.next() as u32,
                max_watches: random.next(),
            };
            (encode_welcome(&welcome), Some(ToViewer::Welcome(welcome)))
        }
        1 => (list(random), None),
        2 => {
            let len = random.index(MAX_BLOCK_FRAMES + 1);
            let mut ids = ids(random);
            ids.sort_unstable();
            ids.dedup();
            let series: Vec<_> = ids.into_iter().map(|id| (id, random.series(len))).collect();
            let (starts_secs, durations_ms) = (random.series(len), random.series(len));
            let block = random.next();
            let columns: Vec<_> = series.iter().map(|(id, v)| (*id, Column::new(v))).collect();
            let clock = [&Column::new(&starts_secs), &Column::new(&durations_ms)];
            let columns = columns.iter().map(|(id, column)| (*id, column));
            let message = encode_values(block, frames, len, clock, columns);
            let values = Values {
                block,
                first_frame: frames,
                starts_secs,
                durations_ms,
                series,
            };
            (message, Some(ToViewer::Values(values)))
        }
        3 => {
            let len = random.index(MAX_FRAMES + 1);
            let is_clock = len > 0 && random.below(2) == 0;
            let past = Past {
                series: if is_clock {
                    CLOCK
                } else {
                    random.next() as u32
                },
                first_frame: frames,
                is_done: random.below(2) == 0,
                values: random.series(len),
                durations_ms: random.series(if is_clock { len } else { 0 }),
            };
            (encode_past(&past), Some(ToViewer::Past(past)))
        }
        4 => {
            let newest: Vec<_> = ids(random)
                .into_iter()
                .map(|id| (id, random.value()))
                .collect();
            (encode_newest(&newest), Some(ToViewer::Newest(newest)))
        }
        5 => {
            let begin = random.below(1 << 40);
            let end = if random.below(2) == 0 {
                u64::MAX
            } else {
                begin + 1
            };
            let mark = Mark::new(path(random), begin..end, random.below(2) == 0);
            let at = random.index(9);
            let messages = encode_marks(10, [(at, &mark)].into_iter());
            let marks = Marks {
                total: 10,
                marks: vec![(at, mark)],
            };
            (messages[0].clone(), Some(ToViewer::Marks(marks)))
        }
        6 => {
            let ids = ids(random);
            (encode_refused(&ids), Some(ToViewer::Refused(ids)))
        }
        7 => {
            let number = random.next();
            let secs = (random.below(2) == 0).then(|| random.below(1 << 40) as f64 / 1e6);
            (
                encode_pong(number, secs),
                Some(ToViewer::Pong(number, secs)),
            )
        }
        8 => {
            let name = path(random);
            (encode_thread(&name), Some(ToViewer::Thread(name)))
        }
        9 => {
            let lanes: Vec<_> = (0..random.below(9)).map(|_| lane(random)).collect();
            let message = encode_lanes(lanes.iter()).into_iter().next();
            let none = vec![11, 0];
            (message.unwrap_or(none), Some(ToViewer::Lanes(lanes)))
        }
        10 => {
            let frame = frame_scopes(random);
            (encode_scopes(&frame), Some(ToViewer::Scopes(frame)))
        }
        11 => {
            let gained = gained(random);
            (encode_gained(&gained), Some(ToViewer::Gained(gained)))
        }
        _ => {
            let reason = path(random);
            (encode_bye(&reason), Some(ToViewer::Bye(reason)))
        }
    }
}

fn lane(random: &mut Random) -> Lane {
    let off_by_ns = (random.below(2) == 0).then(|| random.next());
    let kinds = [
        LaneKind::Thread,
        LaneKind::OtherProfiler,
        LaneKind::Gpu { off_by_ns },
    ];
    Lane {
        number: random.index(MAX_LANES) as u16,
        name: path(random),
        kind: kinds[random.index(3)],
    }
}

fn frame_scopes(random: &mut Random) -> FrameScopes {
    let time = |random: &mut Random| {
        let most = 1 << random.below(42);
        random.below(2 * most) as i64 - most as i64
    };
    let scopes = (0..random.below(40)).map(|_| {
        let begin_ns = time(random);
        let end_ns = (random.below(4) > 0).then(|| begin_ns + random.below(1 << 30) as i64);
        Call {
            lane: random.index(3) as u16,
            series: random.next() as u32 >> random.below(32),
            depth: random.next() as u8,
            is_wait: random.below(2) == 0,
            begin_ns,
            end_ns,
        }
    });
    FrameScopes {
        scopes: scopes.collect(),
        index: random.below(1 << 53),
        duration_ns: random.below(MAX_NS as u64) as i64,
        lost: random.below(1 << 32),
    }
}

fn gained(random: &mut Random) -> Gained {
    let mut now = Distribution::new(Precision::ThreeDigits);
    for _ in 0..random.index(60) {
        now.record(random.value());
    }
    Gained::since(random.next() as u32, None, &now).remove(0)
}

/// Returns a listing after it was checked that it is read as it was written.
fn list(random: &mut Random) -> Vec<u8> {
    let kinds = [
        SeriesKind::Counter,
        SeriesKind::Timer,
        SeriesKind::FrameTime,
    ];
    let (paths, mut list) = (
        (0..random.below(60)).map(|_| path(random)),
        ListWriter::new(),
    );
    let paths: Vec<String> = paths.collect();
    let mut infos = Vec::new();
    for (id, path) in paths.iter().enumerate() {
        let unit = [Unit::Bytes, Unit::Custom("sheep"), Unit::Count][random.index(3)];
        let kind = kinds[random.index(3)];
        let mut info = SeriesInfo::new(SeriesId::new(id as u32), path, kind, unit);
        let mut is = || random.below(2) == 0;
        info.budget = is().then_some(16.7);
        info.description = is().then_some("what it is");
        info.unavailable = is().then_some("why not");
        info.calls = is().then_some(SeriesId::new(7));
        info.self_time = is().then_some(SeriesId::new(8));
        info.parent = is().then_some(SeriesId::new(9));
        info.thread = is().then_some("main");
        (info.is_wait, info.is_deferred) = (is(), is());
        list.push(&info);
        infos.push(info);
    }
    let message = list.encode(true);
    let Ok(ToViewer::List(read)) = ToViewer::decode(&message) else {
        panic!("it is a listing");
    };
    assert!(read.is_complete);
    let read: Vec<_> = read.entries.iter().map(|entry| entry.info()).collect();
    assert_eq!(read, infos);
    message
}
