//! Whoever may not watch the game does not, and can do no harm.

use std::io::{Read, Write};
use std::net::IpAddr;

use stats_remote::{ConnectError, Remote, RemoteAddress, RemoteOptions, RemoteSource};
use tungstenite::Message;

use super::raw::{BYE, WELCOME, connect, greet, hello, open, status_of, token, until_the_end};

fn start() -> Remote {
    let mut options = RemoteOptions::default();
    options.port = 0;
    options.hosts.push("stats.example".to_owned());
    options.origins.push("https://stats.example".to_owned());
    Remote::start(options).expect("a port is free")
}

#[test]
fn only_a_loopback_address_is_listened_on_unless_an_option_names_another() {
    let remote = start();
    let host: IpAddr = remote.address().host().parse().expect("it is an address");
    assert!(host.is_loopback());
}

/// The rules themselves are tested in `http`.
#[test]
fn names_and_origins_of_others_are_refused_with_and_without_each_other() {
    let remote = start();
    let own = remote.address().authority();
    let origin = format!("http://{own}");
    for (expected, headers) in [
        ("101", &[("Host", &own[..]), ("Origin", &origin)][..]),
        ("101", &[("Host", "stats.example")]),
        (
            "101",
            &[("Host", &own), ("Origin", "https://stats.example")],
        ),
        ("400", &[]),
        ("403", &[("Host", "evil.example")]),
        ("403", &[("Host", &own), ("Origin", "http://evil.example")]),
    ] {
        assert_eq!(status_of(&remote, headers), expected, "{headers:?}");
    }
}

#[test]
fn without_the_token_nothing_is_sent() {
    let remote = start();
    let right = token(remote.address());
    for digit in ['0', '1']
        .into_iter()
        .filter(|digit| !right.ends_with(*digit))
    {
        let wrong = format!("{}{digit}", &right[..right.len() - 1]);
        let mut socket = open(&remote);
        socket
            .send(Message::binary(hello(&wrong)))
            .expect("it reads");
        let (types, reason) = until_the_end(&mut socket);
        assert_eq!(types, [BYE]);
        assert!(reason.contains("the token is wrong"), "{reason}");
    }
    // Other messages before the greeting get nothing, either.
    let mut socket = open(&remote);
    socket.send(Message::binary(vec![6, 1])).expect("it reads");
    assert_eq!(until_the_end(&mut socket).0, [BYE]);
}

#[test]
fn a_viewer_of_another_version_is_told_both() {
    let remote = start();
    let mut socket = open(&remote);
    let mut hello = hello(&token(remote.address()));
    hello[6] = 99;
    socket.send(Message::binary(hello)).expect("it reads");
    let (types, reason) = until_the_end(&mut socket);
    assert_eq!(types, [BYE]);
    assert!(
        reason.contains("version 4 ") && reason.contains("viewer 99"),
        "{reason}"
    );
}

#[test]
fn whoever_sends_no_head_or_no_greeting_is_disconnected() {
    let remote = start();
    let (mut silent, mut slow, mut ungreeted) = (connect(&remote), connect(&remote), open(&remote));
    slow.write_all(b"GET / HTTP/1.1\r\nHost: ")
        .expect("it reads");
    let mut rest = Vec::new();
    assert!(silent.read_to_end(&mut rest).is_ok() && rest.is_empty());
    assert!(slow.read_to_end(&mut rest).is_ok() && rest.is_empty());
    assert_eq!(until_the_end(&mut ungreeted).0, []);
}

#[test]
fn a_head_or_a_message_that_is_too_long_ends_the_connection() {
    let remote = start();
    let mut stream = connect(&remote);
    let head = format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(9 << 10));
    let mut answer = Vec::new();
    let sent = stream.write_all(head.as_bytes());
    let read = sent.and_then(|()| stream.read_to_end(&mut answer));
    assert!(read.is_err() || answer.starts_with(b"HTTP/1.1 431"));
    let mut socket = greet(&remote);
    // It may end before all is written.
    let _ = socket.send(Message::binary(vec![3; (64 << 10) + 1]));
    let (types, _) = until_the_end(&mut socket);
    assert!(types.iter().all(|of| *of != BYE), "{types:?}");
}

#[test]
fn what_is_no_message_ends_the_connection() {
    let remote = start();
    for message in [&[9][..], &[], &[1, 5], &[6, 1, 1], b"\0stats"] {
        let mut socket = greet(&remote);
        socket
            .send(Message::binary(message.to_vec()))
            .expect("it reads");
        let (types, reason) = until_the_end(&mut socket);
        assert_eq!(types.last(), Some(&BYE), "{message:?}");
        assert!(reason.contains("does not understand"), "{reason}");
    }
    let mut socket = greet(&remote);
    socket.send(Message::text("{}")).expect("it reads");
    assert!(!until_the_end(&mut socket).0.contains(&BYE));
}

#[test]
fn too_many_messages_end_the_connection() {
    let remote = start();
    let mut socket = greet(&remote);
    let begun = std::time::Instant::now();
    // Nothing is answered, so that nothing waits for this side to read.
    while socket.send(Message::binary(vec![5, 0])).is_ok() {
        assert!(begun.elapsed() < super::PATIENCE, "it takes too long");
    }
}

#[test]
fn a_message_without_an_end_holds_up_neither_viewers_nor_the_end_of_the_game() {
    let remote = start();
    // It does not know the token.
    let mut endless = open(&remote);
    let part = [0, 0x80, 0, 0, 0, 0];
    endless
        .get_mut()
        .write_all(&[2, 0x80, 0, 0, 0, 0])
        .expect("it reads");
    let parts = part.repeat(10_000);
    let begun = std::time::Instant::now();
    let sender = std::thread::spawn(move || {
        while begun.elapsed() < 2 * super::PATIENCE && endless.get_mut().write_all(&parts).is_ok() {
        }
    });
    let message = greet(&remote).read().expect("it is welcome").into_data();
    assert_eq!(message[0], WELCOME);
    drop(remote);
    sender.join().expect("it ends");
    assert!(begun.elapsed() < 2 * super::PATIENCE, "it was cut off");
}

#[test]
fn a_ninth_viewer_is_refused_and_the_others_stay() {
    let remote = start();
    let mut viewers: Vec<_> = (0..8).map(|_| greet(&remote)).collect();
    for viewer in &mut viewers {
        let message = viewer.read().expect("it is welcome").into_data();
        assert_eq!(message[0], WELCOME);
    }
    let mut ninth = greet(&remote);
    let (types, reason) = until_the_end(&mut ninth);
    assert_eq!(types, [BYE]);
    assert!(reason.contains("8 viewers"), "{reason}");
    for viewer in &mut viewers {
        viewer.send(Message::binary(vec![6, 42])).expect("it reads");
        while viewer.read().expect("it stays").into_data()[..] != [7, 42] {}
    }
}

#[test]
fn a_viewer_says_what_is_wrong_and_what_to_do() {
    let remote = start();
    let text = remote.address().to_string();
    let wrong = format!("{}{}", &text[..text.len() - 32], "0".repeat(32));
    let error = |text: &str| {
        let address: RemoteAddress = text.parse().expect("it is an address");
        RemoteSource::connect(&address).expect_err("it is wrong")
    };
    let refused = error(&wrong);
    assert!(matches!(&refused, ConnectError::Refused(_)), "{refused}");
    assert!(
        refused
            .to_string()
            .contains("Copy the address that the game prints now")
    );
    // Another server.
    let other = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = other.local_addr().expect("it has an address").port();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = other.accept().expect("somebody connects");
        let _ = stream.read(&mut [0; 1024]);
        let _ = stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\nno\n");
    });
    let address = format!("stats://127.0.0.1:{port}#{}", "0".repeat(32));
    let no_game = error(&address);
    assert!(matches!(no_game, ConnectError::NoGame(..)), "{no_game}");
    server.join().expect("it ends");
    let nobody = error(&address);
    assert!(nobody.to_string().contains("STATS_REMOTE=1"), "{nobody}");
    assert!(matches!(nobody, ConnectError::NoAnswer(..)));
}
