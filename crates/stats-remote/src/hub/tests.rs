//! The thread at a time that a test determines.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};

use tungstenite::protocol::Role;
use tungstenite::{Message, WebSocket};

use super::*;
use crate::wire::to_game::Want;
use crate::wire::to_viewer::ToViewer;

/// How long anything may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// A thread that looks when it is told to, always at the same time.
struct Bench {
    serving: Serving,
    address: SocketAddr,
    now: Instant,
}

impl Bench {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it has an address");
        listener.set_nonblocking(true).expect("it may not block");
        let hub = Hub {
            shared: Arc::default(),
            listeners: vec![listener],
            rules: Rules::default(),
            token: Token::new([7; 16]),
            welcome: Welcome {
                session: [0; 16],
                program: String::new(),
                process: 0,
                max_watches: 8,
            },
            max_watches: 8,
        };
        let now = Instant::now();
        let serving = Serving::new(hub, now);
        Self {
            serving,
            address,
            now,
        }
    }

    fn look(&mut self) {
        self.serving.look(self.now);
    }

    /// Looks until a condition holds.
    fn until(&mut self, mut is_done: impl FnMut(&mut Self) -> bool) {
        let begun = Instant::now();
        while !is_done(self) {
            assert!(begun.elapsed() < PATIENCE, "it takes too long");
            self.look();
            thread::yield_now();
        }
    }

    /// Connects, without a word.
    fn client(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_nonblocking(true).expect("it may not block");
        stream
    }

    /// Connects, and returns both ends. The thread does not know them.
    fn pair(&self) -> (TcpStream, Viewer) {
        let client = self.client();
        let begun = Instant::now();
        loop {
            if let Ok((stream, _)) = self.serving.hub.listeners[0].accept() {
                let viewer = Viewer::new(stream, 5, self.now);
                return (client, viewer.expect("it is open"));
            }
            assert!(begun.elapsed() < PATIENCE, "it takes too long");
        }
    }

    /// Sends a head, and returns the status of the answer.
    fn ask(&mut self, client: &mut TcpStream, host: &str) -> String {
        client.write_all(head(host).as_bytes()).expect("it is open");
        let mut answer = Vec::new();
        self.until(|_| {
            let mut byte = [0; 1];
            while !answer.ends_with(b"\r\n\r\n") && matches!(client.read(&mut byte), Ok(1)) {
                answer.push(byte[0]);
            }
            answer.ends_with(b"\r\n\r\n")
        });
        String::from_utf8_lossy(&answer[9..12]).into_owned()
    }

    /// Connects a viewer.
    fn viewer(&mut self) -> WebSocket<TcpStream> {
        let mut client = self.client();
        assert_eq!(self.ask(&mut client, "localhost"), "101");
        let mut viewer = WebSocket::from_raw_socket(client, Role::Client, None);
        let hello = Hello::new(self.serving.hub.token, "", false);
        send(&mut viewer, &ToGame::Hello(hello));
        self.until(|_| matches!(received(&mut viewer), Some(ToViewer::Welcome(_))));
        viewer
    }

    fn waiting(&self) -> usize {
        let link = self.serving.link.as_ref();
        link.map_or(0, |link| link.waiting.len())
    }
}

fn head(host: &str) -> String {
    format!(
        "GET / HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
}

fn send(viewer: &mut WebSocket<TcpStream>, message: &ToGame) {
    let sent = viewer.send(Message::binary(message.encode()));
    sent.expect("the system has room");
}

/// Returns the next message; `None` if there is none yet.
fn received(viewer: &mut WebSocket<TcpStream>) -> Option<ToViewer> {
    match viewer.read() {
        Ok(Message::Binary(message)) => ToViewer::decode(&message).ok(),
        _ => None,
    }
}

/// Returns whether the other end closed the connection. What it sent before is forgotten.
fn is_closed(client: &mut TcpStream) -> bool {
    loop {
        match client.read(&mut [0; 1024]) {
            Ok(1..) => {}
            Ok(0) => return true,
            Err(error) => return error.kind() != ErrorKind::WouldBlock,
        }
    }
}

#[test]
fn a_connection_too_many_is_closed_and_a_look_accepts_only_some() {
    let mut bench = Bench::new();
    let mut clients: Vec<_> = (0..3 * MAX_CONNECTIONS).map(|_| bench.client()).collect();
    bench.look();
    assert!(
        !is_closed(&mut clients[3 * MAX_CONNECTIONS - 1]),
        "it was not accepted"
    );
    bench.until(|_| clients[MAX_CONNECTIONS..].iter_mut().all(is_closed));
    assert_eq!(bench.serving.viewers.len(), MAX_CONNECTIONS);
    assert!(!clients[..MAX_CONNECTIONS].iter_mut().any(is_closed));
}

#[test]
fn what_follows_a_refused_head_is_no_head() {
    let mut bench = Bench::new();
    let mut client = bench.client();
    assert_eq!(bench.ask(&mut client, "evil.example"), "403");
    client
        .write_all(head("localhost").as_bytes())
        .expect("it is open");
    (0..10).for_each(|_| bench.look());
    assert_eq!(bench.serving.viewers.len(), 1, "it may still read why");
    bench.now += Duration::from_secs(1);
    bench.look();
    assert_eq!(bench.serving.viewers.len(), 0);
}

#[test]
fn after_five_wrong_tokens_the_right_one_is_refused_for_the_rest_of_the_second() {
    let mut bench = Bench::new();
    let (right, wrong) = (Token::new([7; 16]), Token::new([8; 16]));
    let mut is_greeted = |token, after_ms| {
        let (_client, mut viewer) = bench.pair();
        let now = bench.now + Duration::from_millis(after_ms);
        let hello = Hello::new(token, "", false);
        bench.serving.greet(&mut viewer, &hello, now);
        viewer.is_greeted
    };
    (0..4).for_each(|after_ms| assert!(!is_greeted(wrong, after_ms)));
    assert!(is_greeted(right, 10), "four were wrong");
    assert!(!is_greeted(wrong, 20));
    assert!(!is_greeted(right, 30) && !is_greeted(right, 999));
    assert!(is_greeted(right, 1000));
}

#[test]
fn rows_that_are_no_longer_wanted_leave_room_for_others() {
    let mut bench = Bench::new();
    let (_client, mut viewer) = bench.pair();
    let most = MAX_ROWS as u32;
    for begin in [0, most, most / 2, 3] {
        let ids: Vec<u32> = (begin..begin + most).collect();
        bench.serving.set_rows(&mut viewer, &ids);
        let wanted = ids.into_iter().collect::<BTreeSet<_>>();
        assert_eq!(viewer.rows, wanted);
        let counted = bench.serving.rows.iter().map(|(id, viewers)| {
            assert_eq!(*viewers, 1);
            *id
        });
        assert_eq!(counted.collect::<BTreeSet<_>>(), wanted);
    }
    let (_client, mut other) = bench.pair();
    bench.serving.set_rows(&mut other, &[0, 3, 4]);
    assert_eq!(other.rows, BTreeSet::from([3, 4]));
}

/// Sends requests for rows, each of which gives up those before, until a game that takes no command
/// has as many as may wait.
fn fill(bench: &mut Bench) -> WebSocket<TcpStream> {
    let mut viewer = bench.viewer();
    let most = MAX_ROWS as u32;
    for request in 0..40 {
        let begin = request % 2 * most;
        let rows = (begin..begin + most).collect();
        send(&mut viewer, &ToGame::Rows(rows));
    }
    send(&mut viewer, &ToGame::Ping(42));
    bench.until(|bench| bench.waiting() >= MAX_WAITING);
    viewer
}

#[test]
fn a_game_that_takes_no_command_has_a_limited_number_and_later_takes_all() {
    let mut bench = Bench::new();
    let mut viewer = fill(&mut bench);
    for _ in 0..100 {
        bench.look();
        assert!(bench.waiting() < MAX_WAITING + 2 * MAX_ROWS);
    }
    let offer = bench.serving.hub.shared.offer.lock();
    let offer = offer.expect("nobody panicked").take().flatten();
    let (mut game, mut recorder) = (offer.expect("somebody watches"), Recorder::new());
    bench.until(|_| {
        recorder.end_frame();
        game.obey(&mut recorder);
        game.publish(&mut recorder);
        matches!(received(&mut viewer), Some(ToViewer::Pong(42, _)))
    });
}

#[test]
fn viewers_of_a_game_that_takes_no_command_for_long_are_disconnected() {
    let mut bench = Bench::new();
    let _viewer = fill(&mut bench);
    bench.look();
    assert_eq!(bench.serving.viewers.len(), 1);
    bench.now += Duration::from_secs(31);
    bench.look();
    assert_eq!((bench.serving.viewers.len(), bench.serving.places), (0, 0));
    assert!(bench.serving.link.is_none(), "nothing waits");
}

#[test]
fn the_requests_of_a_viewer_that_leaves_are_dropped() {
    let mut bench = Bench::new();
    let _other = bench.viewer();
    let (_client, mut viewer) = bench.pair();
    let hello = Hello::new(bench.serving.hub.token, "", false);
    bench.serving.greet(&mut viewer, &hello, bench.now);
    viewer.want(Want {
        series: 0,
        from: 0,
        to: 1,
    });
    bench.serving.pass_on_wants(&mut viewer);
    bench.serving.leave(&mut viewer);
    let link = bench.serving.link.as_ref().expect("somebody watches");
    let last = link.waiting.back().copied();
    assert_eq!(last, Some(Command::Forget { viewer: 5 }));
}

#[test]
fn a_viewer_for_whom_too_much_waits_is_disconnected() {
    let bench = Bench::new();
    let (_client, mut viewer) = bench.pair();
    viewer.send(vec![0; 16 << 20]);
    assert!(viewer.write(bench.now).is_ok());
    viewer.send(vec![0]);
    assert!(viewer.write(bench.now).is_err());
}
