//! Messages arrive as they are sent, and no bytes do harm.

use stats_core::timeline::LaneKind;
use stats_core::{Distribution, Mark, Precision, SeriesId, SeriesInfo, SeriesKind, Unit};
use stats_testing::{Random, rounds};

use super::VERSION;
use super::bytes::{Bytes, put_number, unzigzag, zigzag};
use super::column::{self, MAX_FRAMES, nanoseconds_in, rounded};
use super::distribution::Gained;
use super::scopes::{Call, FrameScopes, Lane, MAX_LANES, MAX_NS, MAX_SCOPES};
use super::to_game::{CLOCK, Hello, MAX_IDS, ToGame, Want};
use super::to_viewer::*;
use crate::token::Token;

/// Returns a value as games have them, or any bits.
fn value(random: &mut Random) -> f64 {
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

fn values(random: &mut Random, len: usize) -> Vec<f64> {
    match random.below(3) {
        0 => random.series(len),
        1 => vec![value(random); len],
        _ => (0..len).map(|_| value(random)).collect(),
    }
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn numbers_are_read_as_they_are_written() {
    let mut random = Random::new(1);
    for _ in 0..rounds(20_000) {
        let number = random.next() >> random.below(64);
        let mut out = Vec::new();
        put_number(&mut out, number);
        let mut bytes = Bytes::new(&out);
        assert_eq!((bytes.number(), bytes.end()), (Ok(number), Ok(())));
        assert!(Bytes::new(&out[..out.len() - 1]).number().is_err());
        assert_eq!(unzigzag(zigzag(number as i64)), number as i64);
    }
    assert!(Bytes::new(&[0xff; 11]).number().is_err());
    assert!(
        Bytes::new(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2])
            .number()
            .is_err()
    );
}

#[test]
fn a_column_has_the_same_bits_after_the_way() {
    let mut random = Random::new(2);
    for _ in 0..rounds(20_000) {
        let len = match random.below(4) {
            0 => random.index(MAX_FRAMES + 1),
            _ => random.index(8),
        };
        let (values, mut out, mut back) = (values(&mut random, len), Vec::new(), Vec::new());
        let form = column::encode(&values, &mut out);
        let mut bytes = Bytes::new(&out);
        assert_eq!(column::decode(form, len, &mut bytes, &mut back), Ok(()));
        assert_eq!((bits(&back), bytes.end()), (bits(&values), Ok(())));
        assert!(
            out.len() <= 8 * len.max(1),
            "never more than the values themselves"
        );
    }
}

#[test]
fn whole_numbers_and_nanoseconds_take_few_bytes() {
    let counts: Vec<f64> = (0..300).map(|frame| f64::from(1000 + frame % 7)).collect();
    let millis: Vec<f64> = (0..300)
        .map(|f| f64::from(16_000_000 + f * 37 % 5000) / 1e6)
        .collect();
    for (values, most) in [(counts, 1.1), (millis, 2.1), (vec![0.0; 300], 0.0)] {
        let mut out = Vec::new();
        column::encode(&values, &mut out);
        assert!(out.len() as f64 <= most * 300.0, "{} bytes", out.len());
    }
}

#[test]
fn a_rounded_time_differs_by_half_a_nanosecond_at_most_and_is_a_whole_number_of_them() {
    let mut random = Random::new(6);
    for (unit, seconds) in [
        (Unit::Seconds, 1.0),
        (Unit::Milliseconds, 1e-3),
        (Unit::Microseconds, 1e-6),
    ] {
        let steps = nanoseconds_in(unit).expect("it is a time");
        assert_eq!(steps, (1e9_f64 * seconds).round());
        for _ in 0..rounds(5_000) {
            let value = match random.below(4) {
                0 => value(&mut random),
                // Up to a day.
                _ => random.below(1 << 50) as f64 / (1_u64 << 50) as f64 * 86_400.0 / seconds,
            };
            let back = rounded(value, steps);
            if !value.is_finite() || value.abs() * steps > 1e15 {
                assert!(back.to_bits() == value.to_bits() || (back - value).abs() * steps <= 1.0);
                continue;
            }
            // What a float cannot tell apart comes on top.
            let most = 0.5 / steps + 2.0 * f64::EPSILON * value.abs();
            assert!((back - value).abs() <= most, "{value} {back}");
            assert_eq!(rounded(back, steps).to_bits(), back.to_bits());
            // Both are whole numbers: as floats, they would take eight bytes and more.
            let (next, mut out) = (rounded(back + 1.0 / steps, steps), Vec::new());
            column::encode(&[back, next], &mut out);
            assert!(out.len() <= 9, "{back}, {next}: {}", out.len());
        }
    }
    for unit in [Unit::Count, Unit::Bytes, Unit::Percent, Unit::Hertz] {
        assert_eq!(nanoseconds_in(unit), None);
    }
}

/// The frames of a block of the demo at 60 frames per second.
const BLOCK: usize = 3;

/// Reads frames of the demo: for each column its unit and its values.
fn demo() -> Vec<(Unit, Vec<f64>)> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../assets/samples/frames.csv"
    );
    let text = std::fs::read_to_string(path).expect("it is there");
    let mut lines = text.lines();
    let heads = lines.next().expect("it has a head").split(',').skip(1);
    let mut columns: Vec<_> = heads
        .map(|head| match head.rsplit_once(' ') {
            Some((_, symbol)) => Unit::from_symbol(symbol).expect("it is a unit"),
            None => Unit::Count,
        })
        .map(|unit| (unit, Vec::new()))
        .collect();
    for line in lines {
        let values = line.split(',').skip(1);
        for ((_, column), value) in columns.iter_mut().zip(values) {
            column.push(value.parse().unwrap_or(f64::NAN));
        }
    }
    columns
}

/// Returns the bytes of a value of the demo if all series are watched, or each of which a number is a
/// multiple of `every`.
fn demo_bytes(is_rounded: bool, every: u32) -> f64 {
    let demo = demo();
    let (mut bytes, mut values) = (0, 0);
    for block in 0..demo[0].1.len() / BLOCK {
        let frames = block * BLOCK..(block + 1) * BLOCK;
        let columns = demo.iter().map(|(unit, column)| {
            let column = &column[frames.clone()];
            match nanoseconds_in(*unit).filter(|_| is_rounded) {
                Some(steps) => Column::rounded(column, steps),
                None => Column::new(column),
            }
        });
        let columns: Vec<Column> = columns.collect();
        let series = (0..).zip(&columns[2..]);
        let series = series.filter(|(id, _)| id % every == 0);
        values += series.clone().count() * BLOCK;
        let clock = [&columns[0], &columns[1]];
        let first = frames.start as u64;
        let message = encode_values(block as u64, first, BLOCK, clock, series);
        assert!(ToViewer::decode(&message).is_ok());
        bytes += message.len();
    }
    bytes as f64 / values as f64
}

#[test]
fn a_value_of_the_demo_takes_less_than_a_byte_and_a_half() {
    for (is_rounded, every, most) in [
        (false, 1, 1.4),
        (true, 1, 1.35),
        (false, 7, 2.0),
        (true, 7, 2.0),
    ] {
        let bytes = demo_bytes(is_rounded, every);
        println!("{is_rounded} {every} {bytes}");
        assert!(bytes <= most, "{is_rounded}, {every}: {bytes}");
    }
}

#[test]
fn a_greeting_of_another_version_is_understood_up_to_its_token() {
    let hello = Hello::new(Token::new([5; 16]), "a viewer", true);
    let message = ToGame::Hello(hello).encode();
    let mut other = message.clone();
    // Behind the type and five letters.
    other[6] += 1;
    for len in 23..message.len() {
        let read = ToGame::decode(&other[..len]);
        let Ok(ToGame::Hello(hello)) = read else {
            panic!("{len}: {read:?}");
        };
        assert_eq!(hello.token, Token::new([5; 16]));
        assert_ne!(hello.version, VERSION);
        assert!(ToGame::decode(&message[..len]).is_err(), "{len}");
    }
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

fn to_game(random: &mut Random) -> ToGame {
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
fn to_viewer(random: &mut Random) -> (Vec<u8>, Option<ToViewer>) {
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

#[test]
fn messages_are_read_as_they_are_written() {
    let mut random = Random::new(3);
    for _ in 0..rounds(3_000) {
        let message = to_game(&mut random);
        assert_eq!(ToGame::decode(&message.encode()), Ok(message));
        let (bytes, expected) = to_viewer(&mut random);
        let read = ToViewer::decode(&bytes).expect("it is a message");
        assert!(expected.is_none_or(|expected| expected == read));
        assert!(bytes.len() <= MAX_MESSAGE);
    }
}

/// Bytes that are cut, changed, extended or random are a message, or are refused: nothing panics.
/// `scripts/test --night` gives each of the two decoders a million inputs.
#[test]
fn no_bytes_make_a_decoder_panic() {
    let mut random = Random::new(4);
    for _ in 0..rounds(20_000) {
        let mut bytes = match random.below(3) {
            0 => (0..random.index(60)).map(|_| random.next() as u8).collect(),
            1 => to_game(&mut random).encode(),
            _ => to_viewer(&mut random).0,
        };
        for _ in 0..random.below(4) {
            let at = random.index(bytes.len());
            match random.below(4) {
                0 => bytes.truncate(at),
                1 if !bytes.is_empty() => bytes[at] = random.next() as u8,
                2 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
                _ => bytes.insert(at, 0xff),
            }
        }
        let _ = (ToGame::decode(&bytes), ToViewer::decode(&bytes));
    }
}

#[test]
fn numbers_that_would_take_much_memory_are_refused() {
    let huge = |kind: u8, before: &[u8]| {
        let mut bytes = vec![kind];
        bytes.extend_from_slice(before);
        put_number(&mut bytes, u64::from(u32::MAX));
        bytes.extend_from_slice(&[0; 64]);
        bytes
    };
    for kind in [1, 2, 3, 7] {
        assert!(ToGame::decode(&huge(kind, &[])).is_err(), "{kind}");
    }
    for (kind, before) in [
        (1, &[1][..]),
        (2, &[0, 0]),
        (2, &[0, 0, 1, 0, 0]),
        (3, &[1, 0, 0]),
        (4, &[]),
        (5, &[]),
        (5, &[9]),
        (6, &[]),
        (8, &[]),
        (10, &[7, 0]),
        (11, &[]),
        (12, &[0, 0, 0]),
    ] {
        assert!(
            ToViewer::decode(&huge(kind, before)).is_err(),
            "{kind} {before:?}"
        );
    }
    // Short paths that repeat a long one.
    let (mut list, long) = (ListWriter::new(), "x/".repeat(2000));
    for id in 0..MAX_ENTRIES as u32 {
        let id = SeriesId::new(id);
        list.push(&SeriesInfo::new(id, &long, SeriesKind::Gauge, Unit::Count));
    }
    assert!(list.is_full());
    assert!(ToViewer::decode(&list.encode(true)).is_err());
}

/// Returns a frame of 5,000 scopes of a second thread and of this one, three inside each other, which take
/// all of it: most take microseconds, some hundreds of them.
fn full_frame(random: &mut Random) -> FrameScopes {
    let (mut scopes, frame_ns) = (Vec::new(), 16_666_667);
    for lane in 0..2 {
        let mut at = 0;
        while scopes.len() < 2500 * (usize::from(lane) + 1) {
            // The time of three scopes on one of two threads.
            let ns = (3 * frame_ns / 2500) / 2 + random.below(3 * frame_ns as u64 / 2500) as i64;
            for depth in 0..3 {
                let inside = ns / 20 * depth;
                scopes.push(Call {
                    lane,
                    series: 40 + random.below(200) as u32,
                    depth: depth as u8,
                    is_wait: false,
                    begin_ns: at + inside,
                    end_ns: Some(at + ns - inside),
                });
            }
            at += ns + random.below(300) as i64;
        }
    }
    FrameScopes {
        index: 1_000_000,
        duration_ns: frame_ns,
        lost: 0,
        scopes,
    }
}

#[test]
fn a_scope_takes_less_than_eight_bytes() {
    let mut random = Random::new(13);
    let (mut bytes, mut scopes) = (0, 0);
    for _ in 0..20 {
        let frame = full_frame(&mut random);
        let message = encode_scopes(&frame);
        (bytes, scopes) = (bytes + message.len(), scopes + frame.scopes.len());
        assert_eq!(ToViewer::decode(&message), Ok(ToViewer::Scopes(frame)));
    }
    let of_scope = bytes as f64 / scopes as f64;
    println!(
        "{of_scope} bytes a scope, {} KiB a second",
        of_scope * 5e3 * 60.0 / 1024.0
    );
    assert!(of_scope < 8.0, "{of_scope}");
}

#[test]
fn a_frame_with_the_most_scopes_fits_into_a_message() {
    let scopes = (0..MAX_SCOPES as u32).map(|at| Call {
        lane: (at % 2) as u16 * (MAX_LANES - 1) as u16,
        series: at % 2 * u32::MAX,
        depth: (at % 3 * 127) as u8,
        is_wait: true,
        begin_ns: if at % 2 == 0 { -MAX_NS } else { MAX_NS },
        end_ns: Some(MAX_NS),
    });
    let frame = FrameScopes {
        scopes: scopes.collect(),
        ..FrameScopes::default()
    };
    let message = encode_scopes(&frame);
    assert!(message.len() <= MAX_MESSAGE, "{}", message.len());
    assert!(ToViewer::decode(&message).is_ok());
}

/// A viewer adds up the times of scopes.
#[test]
fn times_of_scopes_far_from_their_frame_are_cut_or_refused() {
    let scope = |begin_ns, end_ns| Call {
        begin_ns,
        end_ns,
        ..Call::default()
    };
    let frame = |begin_ns, end_ns| FrameScopes {
        scopes: vec![scope(begin_ns, end_ns)],
        duration_ns: i64::MAX,
        ..FrameScopes::default()
    };
    let read = |frame: &FrameScopes| ToViewer::decode(&encode_scopes(frame));
    let cut = read(&frame(i64::MIN, Some(i64::MAX)));
    let expected = FrameScopes {
        duration_ns: MAX_NS,
        ..frame(-MAX_NS, Some(0))
    };
    assert_eq!(cut, Ok(ToViewer::Scopes(expected)));
    let bytes = |begin: i64, duration: i64| {
        let mut bytes = vec![12, 0, 0, 0, 1, 0, 0];
        put_number(&mut bytes, zigzag(begin));
        put_number(&mut bytes, duration as u64);
        ToViewer::decode(&bytes).is_ok()
    };
    assert!(bytes(0, MAX_NS) && bytes(-MAX_NS, MAX_NS));
    assert!(!bytes(1, MAX_NS) && !bytes(-MAX_NS - 1, 0) && !bytes(0, -1));
    assert!(!bytes(i64::MAX, i64::MAX) && !bytes(i64::MIN, 0));
}

/// A viewer adds to the frames of a mark. It may still be open, and has at least one frame.
#[test]
fn marks_of_no_frames_or_of_impossible_ones_are_refused() {
    let is_read = |frames: std::ops::Range<u64>| {
        let mark = Mark::new("level", frames.clone(), false);
        let messages = encode_marks(1, [(0, &mark)].into_iter());
        let marks = Marks {
            total: 1,
            marks: vec![(0, mark)],
        };
        let read = ToViewer::decode(&messages[0]);
        assert!(
            read.is_err() || read == Ok(ToViewer::Marks(marks)),
            "{frames:?}"
        );
        read.is_ok()
    };
    let last = (1 << 53) - 1;
    for frames in [0..1, 0..u64::MAX, last - 1..last, last..u64::MAX] {
        assert!(is_read(frames.clone()), "{frames:?}");
    }
    for (start, end) in [
        (0, 0),
        (7, 7),
        (8, 7),
        (0, last + 1),
        (0, u64::MAX - 1),
        (last + 1, u64::MAX),
        (u64::MAX, u64::MAX),
        (u64::MAX - 1, u64::MAX),
    ] {
        assert!(!is_read(start..end), "{start}..{end}");
    }
}

/// One more than the limit, each of a byte, so that the message has them all.
#[test]
fn a_message_with_one_item_too_many_is_refused() {
    let items = |kind: u8, before: &[u8], count: usize| {
        let mut bytes = vec![kind];
        bytes.extend_from_slice(before);
        put_number(&mut bytes, count as u64);
        bytes.resize(bytes.len() + count, 0);
        bytes
    };
    for (kind, before) in [(1, &[][..]), (2, &[]), (3, &[]), (4, &[0, 0]), (7, &[])] {
        assert!(
            ToGame::decode(&items(kind, before, MAX_IDS)).is_ok(),
            "{kind}"
        );
        assert!(
            ToGame::decode(&items(kind, before, MAX_IDS + 1)).is_err(),
            "{kind}"
        );
    }
    for (kind, before, most) in [(4, &[], MAX_SERIES), (6, &[], MAX_IDS)] {
        assert!(
            ToViewer::decode(&items(kind, before, most)).is_ok(),
            "{kind}"
        );
        assert!(
            ToViewer::decode(&items(kind, before, most + 1)).is_err(),
            "{kind}"
        );
    }
    // In a block, a run of ids, and the forms of columns of zeros.
    let block = |count: usize| {
        let mut bytes = vec![2, 0, 0, 1, 0, 0];
        put_number(&mut bytes, count as u64);
        bytes.push(1);
        put_number(&mut bytes, count as u64);
        bytes.resize(bytes.len() + count.div_ceil(2), 0);
        bytes
    };
    assert!(ToViewer::decode(&block(MAX_SERIES)).is_ok());
    assert!(ToViewer::decode(&block(MAX_SERIES + 1)).is_err());
    // Scopes take four bytes at least.
    let scopes = |count: usize| {
        let mut bytes = vec![12, 0, 0, 0];
        put_number(&mut bytes, count as u64);
        bytes.resize(bytes.len() + 4 * count, 0);
        bytes
    };
    assert!(ToViewer::decode(&scopes(MAX_SCOPES)).is_ok());
    assert!(ToViewer::decode(&scopes(MAX_SCOPES + 1)).is_err());
    let lanes = |count: usize| {
        let mut bytes = vec![11];
        put_number(&mut bytes, count as u64);
        bytes.resize(bytes.len() + 3 * count, 0);
        bytes
    };
    assert!(ToViewer::decode(&lanes(MAX_LANES)).is_ok());
    assert!(ToViewer::decode(&lanes(MAX_LANES + 1)).is_err());
    // Frames take no bytes if all values are 0.
    let frames = |count: usize| {
        let mut bytes = vec![2, 0, 0];
        put_number(&mut bytes, count as u64);
        bytes.extend_from_slice(&[0; 3]);
        bytes
    };
    assert!(ToViewer::decode(&frames(MAX_BLOCK_FRAMES)).is_ok());
    assert!(ToViewer::decode(&frames(MAX_BLOCK_FRAMES + 1)).is_err());
}
