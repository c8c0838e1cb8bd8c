//! Recordings of all versions, built byte by byte.

use stats_capture::{CaptureFile, RecordedKind};
use stats_testing::Folder;

use super::super::log::write;
use super::super::testing::{durations, fuzz, paths, read, refused, starts, values};

/// A scope: name, begin and end in microseconds since the first frame, and the scopes in it.
struct Call(&'static str, i64, i64, Vec<Call>);

/// When the first frame begins, in nanoseconds.
const BEGIN_NS: i64 = 1_754_660_609_545_096_612;

/// The names of version 4, by number from 1.
const NAMES: [&str; 4] = ["frame", "draw", "a/b", "load"];

fn number(number: u64) -> Vec<u8> {
    match number {
        0..=250 => vec![number as u8],
        _ => [&[253][..], &number.to_le_bytes()].concat(),
    }
}

fn signed(ns: i64) -> Vec<u8> {
    number(((ns << 1) ^ (ns >> 63)) as u64)
}

fn text(text: &str) -> Vec<u8> {
    [number(text.len() as u64), text.into()].concat()
}

fn at(us: i64) -> i64 {
    BEGIN_NS + us * 1_000
}

fn stream(calls: &[Call], version: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    for Call(name, begin, end, inner) in calls {
        bytes.push(b'(');
        let begin = at(*begin).to_le_bytes();
        if version == 4 {
            let number = NAMES.iter().position(|known| known == name);
            let number = number.map_or(99, |at| at as u32 + 1);
            bytes.extend([&number.to_le_bytes()[..], &begin].concat());
        } else {
            let short = |text: &str| [&[text.len() as u8], text.as_bytes()].concat();
            bytes.extend([&begin[..], &short(name), &short("main.rs:7")].concat());
        }
        bytes.extend([4, b'd', b'a', b't', b'a']);
        let inner = stream(inner, version);
        bytes.extend((inner.len() as u64).to_le_bytes());
        bytes.extend(inner);
        bytes.push(b')');
        bytes.extend(at(*end).to_le_bytes());
    }
    bytes
}

/// The streams of threads: name, when it was first seen, and its scopes.
fn streams(threads: &[(&str, i64, &[Call])], version: u8) -> Vec<u8> {
    let mut bytes = number(threads.len() as u64);
    for (name, since, calls) in threads {
        bytes.extend([&[1][..], &signed(*since), &text(name)].concat());
        let stream = stream(calls, version);
        bytes.extend([number(stream.len() as u64), stream].concat());
        bytes.extend([number(1), number(1), signed(0), signed(0)].concat());
    }
    bytes
}

/// A frame of a version, from and to microseconds. `compression` is that of version 3 and 4.
fn frame(
    version: u8,
    compression: u8,
    index: u64,
    [begin, end]: [i64; 2],
    threads: &[(&str, i64, &[Call])],
) -> Vec<u8> {
    let part = |bytes: &[u8]| [&(bytes.len() as u32).to_le_bytes()[..], bytes].concat();
    let streams = streams(threads, version);
    let zstd = |bytes: &[u8]| zstd::encode_all(bytes, 3).expect("bytes");
    let range = [signed(at(begin)), signed(at(end))].concat();
    let header = [b'P', b'F', b'D', b'0' + version];
    if version == 1 {
        let all = [number(index), streams, range, number(9), number(9)].concat();
        return [&header[..], &part(&zstd(&all))].concat();
    }
    let numbers = [number(index), range, number(9), number(9)].concat();
    let packed = match compression {
        0 => streams,
        // One sequence of literals.
        1 => {
            let rest = streams.len() - 15;
            let mut block = (streams.len() as u32).to_le_bytes().to_vec();
            block.push(0xF0);
            block.extend(std::iter::repeat_n(255, rest / 255));
            block.push((rest % 255) as u8);
            block.extend(streams);
            block
        }
        _ => zstd(&streams),
    };
    let mut bytes = [&header[..], &part(&numbers)].concat();
    bytes.extend((packed.len() as u32).to_le_bytes());
    if version >= 3 {
        bytes.push(compression);
    }
    bytes.extend(packed);
    if version == 4 {
        let mut names = number(NAMES.len() as u64);
        for (at, name) in (1..).zip(NAMES) {
            names.extend([&[1][..], &number(at)].concat());
            match name {
                // A function has no name of its own.
                "frame" => names.extend([&[0][..], &text(name)].concat()),
                _ => names.extend([&[1][..], &text(name), &text("function")].concat()),
            }
            names.extend([text("main.rs"), number(7)].concat());
        }
        bytes.extend(part(&names));
    }
    bytes
}

/// Two frames with scopes on three threads, of which two have the same name.
fn recording(version: u8, compression: u8) -> Vec<u8> {
    let call = |name, begin, end| Call(name, begin, end, Vec::new());
    let main = |from: i64, draw: i64| {
        let draws = vec![
            call("draw", from + 1_000, from + 1_000 + draw),
            call("draw", from + 6_000, from + 6_500),
            call("a/b", from + 7_000, from + 7_250),
        ];
        [Call("frame", from, from + 9_000, draws)]
    };
    let worker = [call("load", 2_000, 3_000)];
    let other = [call("load", 2_500, 4_000), call("else", 4_000, 5_000)];
    let first: &[(&str, i64, &[Call])] = &[
        ("main", 1, &main(0, 2_000)),
        ("pool", 2, &worker),
        ("pool", 3, &other),
    ];
    let second: &[(&str, i64, &[Call])] = &[("main", 1, &main(30_000, 4_000))];
    let frames = [
        // The slowest frames come first, and again among the most recent ones.
        frame(version, compression, 5, [30_000, 40_000], second),
        frame(version, compression, 2, [0, 10_000], first),
        frame(version, compression, 5, [30_000, 40_000], second),
    ];
    [&b"PUF0"[..], &frames.concat()].concat()
}

#[test]
fn the_scopes_of_every_version_are_timers_by_call_path() {
    for (version, compression) in [
        (1, 2),
        (2, 2),
        (3, 0),
        (3, 1),
        (3, 2),
        (4, 0),
        (4, 1),
        (4, 2),
    ] {
        let log = read(recording(version, compression));
        assert_eq!(
            (durations(&log), starts(&log)),
            (vec![10.0, 10.0], vec![0.0, 30.0])
        );
        let indices: Vec<_> = log.frames.iter().map(|frame| frame.index).collect();
        assert_eq!(indices, [0, 3]);
        let path = |name: &str| format!("puffin/main/frame{name}");
        for (path, expected) in [
            (path(""), [9.0, 9.0]),
            (path("/self"), [6.25, 4.25]),
            (path("/calls"), [1.0, 1.0]),
            (path("/draw"), [2.5, 4.5]),
            (path("/draw/calls"), [2.0, 2.0]),
            (path("/draw/self"), [2.5, 4.5]),
            (path("/a%2Fb"), [0.25, 0.25]),
            // The workers of a pool add up.
            ("puffin/pool/load".to_owned(), [2.5, 0.0]),
            ("puffin/pool/load/calls".to_owned(), [2.0, 0.0]),
        ] {
            assert_eq!(values(&log, &path), expected.map(Some), "{version} {path}");
        }
        let unknown = if version == 4 { "unknown" } else { "else" };
        assert!(
            paths(&log).contains(&&*format!("puffin/pool/{unknown}")),
            "{:?}",
            paths(&log)
        );
        assert_eq!(log.said, ["puffin: 2 frames, 5 call paths"]);
        let record = |path: &str| {
            let found = log.series.iter().find(|(record, _)| record.path == path);
            &found.expect("a series").0
        };
        let draw = record("puffin/main/frame/draw");
        assert_eq!(
            (draw.kind, draw.parent.as_deref(), draw.thread.as_deref()),
            (RecordedKind::Timer, Some("puffin/main/frame"), Some("main"))
        );
        let own = record("puffin/main/frame/draw/self");
        assert_eq!(
            (own.kind, own.of.as_deref(), own.thread.as_deref()),
            (
                RecordedKind::TimerSelf,
                Some("puffin/main/frame/draw"),
                Some("main")
            )
        );
        assert_eq!(log.timeline.threads, ["main", "pool", "pool (2)"]);
        assert_eq!(log.timeline.scopes.len(), 4 + 3 + 4);
    }
}

#[test]
fn the_scopes_are_beside_the_capture() {
    let folder = Folder::new("foreign-puffin-scopes");
    let file = folder.0.join("run.parquet");
    write(&read(recording(4, 1)), &file).expect("a temporary file");
    let capture = CaptureFile::open(&file).expect("a capture");
    let scopes = capture.scopes().expect("it has scopes");
    assert_eq!((scopes.scopes, scopes.lost), (11, 0));
    let mut capture = capture;
    let timeline = stats_core::Source::timeline(&mut capture, &[0..4]).expect("a timeline");
    let count = |frame| {
        let lanes = timeline.frame(frame).expect("it has scopes").lanes();
        lanes.map(|(_, scopes)| scopes.len()).collect::<Vec<_>>()
    };
    assert_eq!((count(0), count(3)), (vec![4, 1, 2], vec![4]));
}

#[test]
fn frames_of_which_nearly_all_are_missing_are_numbered_anew() {
    let folder = Folder::new("foreign-puffin-missing");
    let file = folder.0.join("run.parquet");
    for (last, is_numbered_anew) in [(60_030, false), (70_000, true), (u64::MAX - 1, true)] {
        let frames = [0, last].map(|index| frame(4, 0, index, [0, 10_000], &[]));
        let log = read([&b"PUF0"[..], &frames.concat()].concat());
        let anew = "nearly all frames between these are missing, so these are numbered anew";
        assert_eq!(log.said.iter().any(|said| said == anew), is_numbered_anew);
        // So the capture can be read.
        write(&log, &file).expect("a temporary file");
        let capture = CaptureFile::open(&file).expect("a capture");
        let expected = if is_numbered_anew { 2 } else { last + 1 };
        assert_eq!(stats_core::Source::frames(&capture), 0..expected);
    }
}

#[test]
fn a_frame_that_is_cut_off_is_left_out() {
    let mut bytes = recording(4, 1);
    for cut in [0, 3, 5] {
        bytes.truncate(bytes.len() - cut);
        // The frame that is left out is also among the first ones.
        let log = read(&bytes);
        assert_eq!(durations(&log), [10.0, 10.0]);
        assert_eq!(log.said.len(), 1 + usize::from(cut > 0), "{:?}", log.said);
    }
}

#[test]
fn damaged_scopes_cost_themselves() {
    let call = Call("frame", 0, 9_000, Vec::new());
    let good = frame(
        4,
        0,
        1,
        [0, 10_000],
        &[("main", 1, std::slice::from_ref(&call))],
    );
    let mut bytes = [&b"PUF0"[..], &good].concat();
    // The sign of the end of the scope.
    let end = bytes
        .iter()
        .rposition(|byte| *byte == b')')
        .expect("it ends");
    bytes[end] = b'x';
    let log = read(&bytes);
    assert_eq!((durations(&log), paths(&log).len()), (vec![10.0], 0));
    let damaged = "the scopes of 1 frame or thread are damaged; those before the damage count";
    assert_eq!(log.said[1], damaged);
    // A scope that ends before it begins.
    let back = Call("frame", 9_000, 0, Vec::new());
    let bytes = frame(4, 0, 1, [0, 10_000], &[("main", 1, &[back])]);
    assert_eq!(read([&b"PUF0"[..], &bytes].concat()).said[1], damaged);
}

#[test]
fn deep_scopes_are_in_the_self_time_of_those_around_them() {
    let mut call = Call("draw", 100, 101, Vec::new());
    for depth in 0..200 {
        call = Call("draw", 99 - depth, 102 + depth, vec![call]);
    }
    let bytes = frame(4, 0, 1, [0, 10_000], &[("main", 1, &[call])]);
    let log = read([&b"PUF0"[..], &bytes].concat());
    assert_eq!(log.said[0], "puffin: 1 frame, 64 call paths");
    assert!(
        log.said[1].starts_with("scopes inside 64 others"),
        "{:?}",
        log.said
    );
    let deepest = format!("puffin/main{}", "/draw".repeat(64));
    let total = values(&log, &deepest);
    assert_eq!(values(&log, &format!("{deepest}/self")), total);
}

#[test]
fn other_versions_and_impossible_sizes_are_refused() {
    assert!(refused(b"PUF0PFD9").contains("version of puffin"));
    assert!(refused(b"PUF0").contains("no complete frame"));
    assert!(refused(b"PUF0PFD4\xFF\xFF\xFF\xFF").contains("impossible size"));
    assert!(refused(b"PUF0PFD1\x01\0\0\0\xFF").contains("a frame of it is damaged"));
}

#[test]
fn changed_recordings_are_read_or_refused() {
    for (version, compression) in [(1, 2), (3, 0), (4, 0), (4, 1)] {
        fuzz(recording(version, compression), 7 + u64::from(version));
    }
}
