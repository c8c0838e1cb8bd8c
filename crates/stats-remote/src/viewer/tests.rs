//! Games that send what they like.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use stats_core::{Mark, SeriesKind, Source, Unit};
use tungstenite::{Message, WebSocket};

use super::Link;
use super::link::{Answer, ConnectError, Event, WAITING_BYTES};
use super::source::RemoteSource;
use crate::address::RemoteAddress;
use crate::wire::listing::Entry;
use crate::wire::to_game::{CLOCK, ToGame};
use crate::wire::to_viewer::{
    List, ListWriter, MAX_MARKS, Marks, Past, ToViewer, Values, Welcome, encode_marks, encode_pong,
    encode_welcome,
};

/// How long anything may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) fn welcome(session: u8) -> Welcome {
    Welcome {
        session: [session; 16],
        program: "the game".to_owned(),
        process: 7,
        max_watches: 100,
    }
}

/// Lets a game greet the first viewer, and returns its address.
pub(super) fn game(
    play: impl FnOnce(WebSocket<TcpStream>) + Send + 'static,
) -> (RemoteAddress, thread::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it has an address");
    let address = format!("stats://{address}#{}", "0".repeat(32));
    let thread = thread::spawn(move || {
        let (stream, _) = listener.accept().expect("a viewer connects");
        stream
            .set_read_timeout(Some(PATIENCE))
            .expect("it is not zero");
        let mut socket = tungstenite::accept(stream).expect("it is a viewer");
        socket.read().expect("it greets");
        let message = encode_welcome(&welcome(0));
        socket.send(Message::binary(message)).expect("it reads");
        play(socket);
    });
    (address.parse().expect("it is an address"), thread)
}

pub(super) fn entry(path: String) -> Entry {
    Entry {
        id: 7,
        kind: SeriesKind::Counter,
        unit: Unit::Count,
        path,
        budget: None,
        description: None,
        unavailable: None,
        calls: None,
        self_time: None,
        parent: None,
        thread: None,
        is_wait: false,
        is_deferred: false,
    }
}

#[test]
fn a_second_greeting_ends_the_connection() {
    let (address, game) = game(|mut socket| {
        let message = encode_welcome(&welcome(1));
        let _ = socket.send(Message::binary(message));
        while socket.read().is_ok() {}
    });
    let link = Link::start(address).expect("a thread");
    let first = link.next(PATIENCE);
    assert!(matches!(first, Some(Event::Connected(_))), "{first:?}");
    let second = link.next(PATIENCE);
    assert!(
        matches!(second, Some(Event::Ended(ConnectError::NoGame(..)))),
        "{second:?}"
    );
    game.join().expect("it ends");
}

#[test]
fn a_connection_is_opened_without_waiting_for_the_game() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it has an address");
    let address = format!("stats://{address}#{}", "0".repeat(32));
    // Nobody accepts yet.
    let mut source = RemoteSource::open(&address.parse().expect("it is one")).expect("a thread");
    source.pump();
    assert_eq!(source.status().error, Some(ConnectError::Pending));
    assert_eq!(
        (source.frames(), source.find("a/path"), source.frame(0)),
        (0..0, None, None)
    );
    let game = thread::spawn(move || {
        let (stream, _) = listener.accept().expect("a viewer connects");
        let mut socket = tungstenite::accept(stream).expect("it is a viewer");
        socket.read().expect("it greets");
        let message = encode_welcome(&welcome(0));
        socket.send(Message::binary(message)).expect("it reads");
        while socket.read().is_ok() {}
    });
    let begun = Instant::now();
    while source.status().error.is_some() {
        assert_eq!(source.status().error, Some(ConnectError::Pending));
        assert!(begun.elapsed() < PATIENCE, "it takes too long");
        source.pump();
    }
    assert_eq!(source.status().program, "the game");
    drop(source);
    game.join().expect("it ends");
}

/// Answers to pings, more than the buffers of a connection have room for.
fn flood() -> Vec<u8> {
    [0x82, 2, 7, 0].repeat(1 << 18)
}

#[test]
fn a_game_that_sends_without_a_pause_is_heard_and_answered_and_left() {
    let (heard, pings) = mpsc::channel();
    let (address, game) = game(move |socket| {
        let mut writer = socket.get_ref().try_clone().expect("a handle");
        let writes = thread::spawn(move || {
            let (flood, begun) = (flood(), Instant::now());
            while writer.write_all(&flood).is_ok() {
                assert!(begun.elapsed() < PATIENCE, "the viewer stays");
            }
        });
        // The pings of the viewer, until it leaves.
        let mut reader = socket.get_ref();
        while let Ok(1..) = reader.read(&mut [0; 64]) {
            let _ = heard.send(());
        }
        writes.join().expect("it ends");
    });
    let mut source = RemoteSource::connect(&address).expect("it greets");
    let begun = Instant::now();
    // The first ping may be sent before anything arrives.
    let mut heard = 0;
    while heard < 2 || source.status().round_trip.is_none() {
        heard += pings.try_iter().count();
        assert!(begun.elapsed() < PATIENCE, "it takes too long");
        source.pump();
    }
    drop(source);
    game.join().expect("it ends");
}

/// Each session leaves its marks to the next one.
#[test]
fn the_marks_of_all_sessions_are_bounded_and_the_newest_stay() {
    let (address, game) = game(|mut socket| while socket.read().is_ok() {});
    let mut source = RemoteSource::connect(&address).expect("it greets");
    for session in 1..5 {
        let marks = (0..MAX_MARKS).map(|at| (at, Mark::new("level", 3..4, true)));
        let total = MAX_MARKS;
        let marks = marks.collect();
        source.take(ToViewer::Marks(Marks { total, marks }), &mut None);
        source.begin(welcome(session));
        assert_eq!(source.marks().len(), MAX_MARKS);
        let newest = source.marks().last().expect("it has marks");
        assert_eq!(newest.name, "new session");
        assert_eq!(source.marks()[MAX_MARKS - 2].name, "level");
    }
    // The marks of a game are those that a decoder accepts.
    let mark = Mark::new("level", 3..4, true);
    let message = &encode_marks(1, [(0, &mark)].into_iter())[0];
    let message = ToViewer::decode(message).expect("it is a message");
    source.take(message, &mut None);
    assert_eq!(source.marks().len(), MAX_MARKS + 1);
    assert!(source.frame(u64::MAX).is_none());
    drop(source);
    game.join().expect("it ends");
}

#[test]
fn a_row_that_each_frame_reads_has_its_value_however_long_a_frame_takes() {
    let (address, game) = game(|mut socket| while socket.read().is_ok() {});
    let mut source = RemoteSource::connect(&address).expect("it greets");
    let entries = vec![entry("a".to_owned())];
    let list = List {
        is_complete: true,
        entries,
    };
    source.take(ToViewer::List(list), &mut None);
    let id = source.find("a").expect("it is listed");
    assert_eq!(source.peek(id), None);
    source.pump();
    source.take(ToViewer::Newest(vec![(7, 2.5)]), &mut None);
    for _ in 0..3 {
        assert_eq!(source.peek(id), Some(2.5));
        // A frame that takes a second.
        let row = source.rows.get_mut(&id.number()).expect("it was read");
        row.asked -= Duration::from_secs(1);
        source.pump();
    }
    source.pump();
    assert!(source.rows.is_empty(), "nobody reads it any more");
    drop(source);
    game.join().expect("it ends");
}

/// Few bytes for many: paths that repeat those before them.
fn listing() -> Vec<u8> {
    let mut writer = ListWriter::new();
    let entry = entry("x".repeat(2000));
    while !writer.is_full() {
        writer.push(&entry.info());
    }
    writer.encode(true)
}

#[test]
fn what_waits_to_be_taken_in_has_a_bounded_size_whatever_a_game_sends() {
    const MESSAGES: usize = 120;
    let message = listing();
    let decoded = Event::Message(
        ToViewer::decode(&message).expect("it is a listing"),
        Instant::now(),
    );
    let size = decoded.bytes();
    assert!(message.len() * 50 < size && size * MESSAGES > 2 * WAITING_BYTES);
    let (address, game) = game(move |mut socket| {
        for _ in 0..MESSAGES {
            socket
                .send(Message::binary(message.clone()))
                .expect("it reads");
        }
        while socket.read().is_ok() {}
    });
    let link = Link::start(address).expect("a thread");
    let begun = Instant::now();
    // Messages wait until there is no room for another one.
    while link.waiting_bytes() + size <= WAITING_BYTES {
        assert!(begun.elapsed() < PATIENCE, "it takes too long");
        thread::yield_now();
    }
    for at in 0..=MESSAGES {
        assert!(link.waiting_bytes() <= WAITING_BYTES);
        let event = link.next(PATIENCE);
        let is_next = match &event {
            Some(Event::Connected(_)) => at == 0,
            Some(Event::Message(ToViewer::List(_), _)) => at > 0,
            _ => false,
        };
        assert!(is_next, "{at}");
    }
    assert_eq!(link.waiting_bytes(), 0);
    drop(link);
    game.join().expect("it ends");
}

/// Messages of all types, with lengths that are too large in all places.
#[test]
fn a_length_is_checked_before_memory_is_taken() {
    let mut decoded = 0;
    for first in 0..=16_u8 {
        for (begin, tail) in (0..8).flat_map(|begin| (0..32).map(move |tail| (begin, tail))) {
            for length in [
                &[0xff, 0xff, 0x7f][..],
                &[0xff, 0xff, 0xff, 0xff, 0x0f],
                &[7],
            ] {
                let mut message = vec![0; begin + 1];
                message[0] = first;
                message.extend_from_slice(length);
                message.resize(message.len() + tail, 0);
                let Ok(message) = ToViewer::decode(&message) else {
                    continue;
                };
                decoded += 1;
                let bytes = Event::Message(message, Instant::now()).bytes();
                assert!(bytes < 1 << 16, "{first} {begin} {tail}: {bytes}");
            }
        }
    }
    assert!(decoded > 20, "the right ones are read: {decoded}");
}

/// A block of one frame, as the first of a game that has run for 1000 seconds.
fn late_block() -> Values {
    Values {
        block: 1,
        first_frame: 60_000,
        starts_secs: vec![1000.0],
        durations_ms: vec![10.0],
        series: Vec::new(),
    }
}

#[test]
fn the_clock_of_a_game_is_right_before_its_frames_are_shown() {
    let (address, game) = game(|mut socket| while socket.read().is_ok() {});
    let mut source = RemoteSource::connect(&address).expect("it greets");
    let start = source.epoch;
    let heard = start + Duration::from_secs(3);
    source.take_answer(Answer {
        sent: heard - Duration::from_millis(2),
        heard,
        game_secs: Some(1000.0),
    });
    source.heard = heard;
    source.take(ToViewer::Values(late_block()), &mut None);
    assert!(source.frames().is_empty(), "the frames before may follow");
    let (offset_secs, error_secs) = source.clock_offset(start).expect("it arrived");
    assert!(
        (offset_secs - (2.999 - 1000.0)).abs() < 1e-6,
        "{offset_secs}"
    );
    assert!((error_secs - 0.001).abs() < 1e-6, "{error_secs}");
    // Nothing that is shown is late.
    source.pump();
    assert_eq!(source.status().behind_secs, 0.0);
    // The game has nothing before these frames.
    source.take(
        ToViewer::Past(Past {
            series: CLOCK,
            first_frame: 60_000,
            values: Vec::new(),
            durations_ms: Vec::new(),
            is_done: true,
        }),
        &mut None,
    );
    assert_eq!(source.frames(), 60_000..60_001);
    source.pump();
    assert!(source.status().behind_secs < 900.0);
    drop(source);
    game.join().expect("it ends");
}

#[test]
fn when_the_viewer_looks_has_no_part_in_the_clock() {
    let (address, game) = game(|mut socket| {
        // A ping, and the answer with a time of the game.
        let ping = loop {
            let message = socket.read().expect("it pings").into_data();
            if let Ok(ToGame::Ping(number)) = ToGame::decode(&message) {
                break number;
            }
        };
        let message = encode_pong(ping, Some(1000.0));
        socket.send(Message::binary(message)).expect("it reads");
        while socket.read().is_ok() {}
    });
    let mut source = RemoteSource::connect(&address).expect("it greets");
    let begun = Instant::now();
    while source.link.waiting_bytes() == 0 {
        assert!(begun.elapsed() < PATIENCE, "it takes too long");
        thread::yield_now();
    }
    // The answer was heard before this moment, although the viewer takes it in later.
    let heard = source.epoch.elapsed().as_secs_f64();
    thread::sleep(Duration::from_millis(20));
    source.pump();
    let (offset_secs, error_secs) = source.clock_offset(source.epoch).expect("it arrived");
    // The drift meanwhile, which is in the error.
    let drift_secs = source.epoch.elapsed().as_secs_f64() * 1e-4;
    assert!(
        offset_secs + error_secs <= heard - 1000.0 + drift_secs + 1e-6,
        "{offset_secs} {error_secs} {heard}"
    );
    drop(source);
    game.join().expect("it ends");
}

#[test]
fn what_is_refused_counts_once_and_while_it_is_watched() {
    let (address, game) = game(|mut socket| while socket.read().is_ok() {});
    let mut source = RemoteSource::connect(&address).expect("it greets");
    let list = List {
        is_complete: true,
        entries: vec![entry("a".to_owned())],
    };
    source.take(ToViewer::List(list), &mut None);
    let id = source.find("a").expect("it is listed");
    source.take(ToViewer::Refused(vec![7, 8]), &mut None);
    source.pump();
    assert_eq!(source.status().refused, 0, "nobody watches it");
    for _ in 0..2 {
        let watch = source.watch(id);
        source.pump();
        for _ in 0..2 {
            source.take(ToViewer::Refused(vec![7]), &mut None);
            source.pump();
            assert_eq!(source.status().refused, 1);
            assert!(source.refused().eq([id]));
        }
        drop(watch);
        source.pump();
        assert_eq!((source.status().refused, source.refused().count()), (0, 0));
    }
    drop(source);
    game.join().expect("it ends");
}
