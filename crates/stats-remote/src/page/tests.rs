//! Browsers and others that ask for the page.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use stats_testing::Folder;
use tungstenite::{Message, WebSocket};

use super::{Page, PageServer};
use crate::address::RemoteAddress;
use crate::options::RemoteOptions;
use crate::remote::Remote;
use crate::token::Token;
use crate::wire::to_game::{Hello, ToGame};
use crate::wire::to_viewer::{CREDIT, ToViewer};

/// How long anything may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// A page beside files that are no part of it.
fn page(name: &str) -> (Folder, Page) {
    let folder = Folder::new(name);
    let inside = folder.0.join("page");
    std::fs::create_dir(&inside).expect("the folder can be written");
    for (file, text) in [
        ("secret.js.gz", "secret"),
        ("page/index.html.gz", "the page"),
        ("page/page-1.js.gz", "the code"),
        ("page/page-1.wasm.gz", "the program"),
        ("page/secret.txt.gz", "secret"),
        ("page/secret.js", "secret"),
    ] {
        std::fs::write(folder.0.join(file), text).expect("the folder can be written");
    }
    let page = Page::read(&inside).expect("it is there");
    (folder, page)
}

fn serve(name: &str, game: RemoteAddress) -> PageServer {
    let (_folder, page) = page(name);
    let local = IpAddr::from(Ipv4Addr::LOCALHOST);
    PageServer::start(game, page, local, 0).expect("a port is free")
}

/// A game that listens, and its address.
fn game() -> (TcpListener, RemoteAddress) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it has an address");
    let address = format!("stats://{address}#{}", "5ec2e7".repeat(6).split_at(32).0);
    (listener, address.parse().expect("it is an address"))
}

fn connect(server: &PageServer) -> TcpStream {
    let stream = TcpStream::connect(server.listens_on()).expect("it listens");
    let patient = stream.set_read_timeout(Some(PATIENCE));
    patient.expect("it is not zero");
    stream
}

/// Sends a request, and returns the response.
fn ask(server: &PageServer, target: &str, headers: &[(&str, &str)]) -> String {
    let mut stream = connect(server);
    let lines = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"));
    let head = format!("GET {target} HTTP/1.1\r\n{}\r\n", lines.collect::<String>());
    stream.write_all(head.as_bytes()).expect("it reads");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("it answers");
    response
}

fn status(response: &str) -> &str {
    response.get(9..12).unwrap_or(response)
}

/// Opens a WebSocket through a server.
fn open(server: &PageServer) -> WebSocket<TcpStream> {
    let url = format!("ws://{}/", server.listens_on());
    let opened = tungstenite::client::client(url, connect(server));
    opened.expect("it answers").0
}

/// Opens a WebSocket through a server, and sends the greeting of a page that knows the token.
fn greet(server: &PageServer, game: &RemoteAddress) -> WebSocket<TcpStream> {
    let mut socket = open(server);
    let hello = ToGame::Hello(Hello::new(game.token, "a browser", false));
    let sent = socket.send(Message::binary(hello.encode()));
    sent.expect("it reads");
    socket
}

/// The rules themselves are tested in `http`.
#[test]
fn names_and_origins_of_others_get_neither_a_file_nor_the_game() {
    let (listener, address) = game();
    listener.set_nonblocking(true).expect("it is a socket");
    let server = serve("page-hosts", address);
    let own = server.listens_on().to_string();
    let origin = format!("http://{own}");
    let upgrade = [
        ("Upgrade", "websocket"),
        ("Connection", "Upgrade"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    for (expected, headers) in [
        ("200", &[("Host", &own[..]), ("Origin", &origin)][..]),
        ("400", &[]),
        ("403", &[("Host", "evil.example")]),
        ("403", &[("Host", &own), ("Origin", "http://evil.example")]),
    ] {
        for target in ["/", "/page-1.js", "/page-1.wasm"] {
            let response = ask(&server, target, headers);
            assert_eq!(status(&response), expected, "{target} {headers:?}");
        }
        if expected != "200" {
            let headers = [headers, &upgrade].concat();
            assert_eq!(
                status(&ask(&server, "/", &headers)),
                expected,
                "{headers:?}"
            );
        }
    }
    assert!(listener.accept().is_err(), "the game was asked");
}

#[test]
fn nothing_but_the_files_of_the_page_can_be_asked_for() {
    let server = serve("page-files", game().1);
    let own = [("Host", "localhost")];
    for (target, body) in [
        ("/", "the page"),
        ("/?rounded", "the page"),
        ("/page-1.js", "the code"),
        ("/page-1.wasm", "the program"),
    ] {
        let response = ask(&server, target, &own);
        assert!(response.ends_with(&format!("\r\n\r\n{body}")), "{response}");
    }
    for target in [
        "",
        "index.html",
        "/index.html",
        "/page-1.js.gz",
        "/page-1.js?x",
        "/page-1.js?rounded",
        "/?x",
        "?rounded",
        "/secret.js",
        "/secret.txt",
        "/../secret.js",
        "/%2e%2e/secret.js",
        "/..%2fsecret.js",
        "/..\\secret.js",
        "//secret.js",
        "/page/../secret.js",
        "/./page-1.js",
        "/etc/passwd",
        "file:///etc/passwd",
        "http://localhost/",
    ] {
        let response = ask(&server, target, &own);
        assert_eq!(status(&response), "404", "{target}");
        assert!(!response.contains("secret"), "{response}");
    }
}

#[test]
fn responses_have_the_headers_of_the_page_and_no_token() {
    let server = serve("page-headers", game().1);
    let own = [("Host", "localhost")];
    let digits = server.address(server.listens_on().ip());
    let (place, token) = digits.split_once('#').expect("it has a token");
    assert_eq!(place, format!("http://{}/", server.listens_on()));
    assert_eq!(token.len(), 32);
    for (target, kind, cached) in [
        ("/", "text/html; charset=utf-8", "no-cache"),
        ("/page-1.js", "text/javascript; charset=utf-8", "immutable"),
        ("/page-1.wasm", "application/wasm", "immutable"),
    ] {
        let response = ask(&server, target, &own);
        assert!(!response.contains(token) && !response.contains("Access-Control"));
        for header in [
            &format!("Content-Type: {kind}\r\n")[..],
            "Content-Encoding: gzip\r\n",
            "Content-Length: ",
            "script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
            "X-Frame-Options: DENY\r\n",
            "X-Content-Type-Options: nosniff\r\n",
            "Referrer-Policy: no-referrer\r\n",
            cached,
        ] {
            assert!(response.contains(header), "{header}: {response}");
        }
    }
    assert!(!format!("{server:?}").contains(token));
    let mut stream = connect(&server);
    let post = "POST / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    stream.write_all(post.as_bytes()).expect("it reads");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("it answers");
    assert_eq!(status(&response), "405");
}

#[test]
fn a_page_exchanges_messages_with_the_game() {
    let options = RemoteOptions {
        port: 0,
        program: Some("the game".to_owned()),
        ..RemoteOptions::default()
    };
    let remote = Remote::start(options).expect("a port is free");
    let server = serve("page-relay", remote.address().clone());
    let mut socket = greet(&server, remote.address());
    let mut hear = || {
        let message = socket.read().expect("it answers").into_data();
        ToViewer::decode(&message).expect("it is a message")
    };
    let ToViewer::Welcome(welcome) = hear() else {
        panic!("it is not welcome");
    };
    assert_eq!(welcome.program, "the game");
    let ping = ToGame::Ping(42).encode();
    socket.send(Message::binary(ping)).expect("it reads");
    loop {
        let message = socket.read().expect("it stays").into_data();
        if let Ok(ToViewer::Pong(42, _)) = ToViewer::decode(&message) {
            break;
        }
    }
    // The end of the game is that of the page's connection, and so is the end of the server.
    let mut other = open(&server);
    drop(remote);
    while socket.read().is_ok() {}
    drop(server);
    while other.read().is_ok() {}
}

#[test]
fn the_game_sees_a_request_of_the_server_and_not_of_the_page() {
    let (listener, address) = game();
    let server = serve("page-request", address.clone());
    let hello = ToGame::Hello(Hello::new(address.token, "a browser", false)).encode();
    let page = thread::spawn(move || {
        let mut stream = connect(&server);
        let own = server.listens_on();
        let head = format!(
            "GET / HTTP/1.1\r\nHost: {own}\r\nOrigin: http://{own}\r\nCookie: secret\r\nX: secret\r\n\
             Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).expect("it reads");
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).expect("it answers");
        // A binary message whose mask is zero.
        let mut message = vec![0x82, 0x80 | hello.len() as u8, 0, 0, 0, 0];
        message.extend(hello);
        stream.write_all(&message).expect("it reads");
        (answer, server, stream)
    });
    let (mut stream, _) = listener.accept().expect("the server connects");
    let mut head = Vec::new();
    while crate::http::head::end_of_head(&head).is_none() {
        let mut byte = [0];
        stream.read_exact(&mut byte).expect("it asks");
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let key = head
        .lines()
        .find_map(|line| line.strip_prefix("Sec-WebSocket-Key: "));
    let accepted = crate::http::head::acceptance(key.expect("it has a key"));
    stream.write_all(accepted.as_bytes()).expect("it reads");
    let (answer, _server, _page) = page.join().expect("it is answered");
    assert_eq!(&answer, b"HTTP/1.1 101");
    let host = format!("Host: {}\r\n", address.authority());
    assert!(head.contains(&host), "{head}");
    for other in ["Origin", "Cookie", "secret", &address.token.to_string()] {
        assert!(!head.contains(other), "{other} in {head}");
    }
}

#[test]
fn whoever_does_not_send_the_token_never_reaches_the_game() {
    let (listener, address) = game();
    listener.set_nonblocking(true).expect("it is a socket");
    let server = serve("page-token", address.clone());
    let mut silent = open(&server);
    let mut wrong = *address.token.bytes();
    wrong[15] ^= 1;
    let wrong = Token::new(wrong);
    let binary = |message: ToGame| Message::binary(message.encode());
    for (message, reason) in [
        (
            binary(ToGame::Hello(Hello::new(wrong, "", false))),
            "the token is wrong",
        ),
        (binary(ToGame::Ping(1)), "begin with a greeting"),
        (Message::binary(vec![]), "begin with a greeting"),
        (Message::binary(vec![0; 1000]), "begin with a greeting"),
        (
            Message::text(address.token.to_string()),
            "begin with a greeting",
        ),
        (Message::Ping(Default::default()), "begin with a greeting"),
    ] {
        let mut socket = open(&server);
        socket.send(message).expect("it reads");
        let answer = socket.read().expect("it answers").into_data();
        let Ok(ToViewer::Bye(why)) = ToViewer::decode(&answer) else {
            panic!("it says nothing: {answer:?}");
        };
        assert!(why.contains(reason), "{why}");
        assert!(!why.contains(&address.token.to_string()), "{why}");
    }
    // A greeting that is too long ends the connection, and so does silence for seconds.
    let mut long = open(&server);
    let _ = long.send(Message::binary(vec![0; 64 << 10]));
    while long.read().is_ok() {}
    while silent.read().is_ok() {}
    assert!(listener.accept().is_err(), "the game was asked");
}

#[test]
fn a_page_hears_why_no_game_answers() {
    // The system gives this port to nobody who asks for any.
    let address = "stats://127.0.0.1:1#0123456789abcdef0123456789abcdef".parse();
    let address: RemoteAddress = address.expect("it is an address");
    let server = serve("page-no-game", address.clone());
    let mut socket = greet(&server, &address);
    let message = socket.read().expect("it answers").into_data();
    let Ok(ToViewer::Bye(why)) = ToViewer::decode(&message) else {
        panic!("it says nothing: {message:?}");
    };
    assert!(why.contains(&address.authority()), "{why}");
    assert!(why.contains("STATS_REMOTE=1"), "{why}");
    assert!(!why.contains(&address.token.to_string()), "{why}");
    assert!(matches!(socket.read(), Ok(Message::Close(None))));
}

#[test]
fn a_page_that_does_not_read_holds_up_the_game_and_fills_no_memory() {
    const MORE: usize = 256 << 20;
    let (listener, address) = game();
    let server = serve("page-stuck", address.clone());
    let game = thread::spawn(move || {
        let (stream, _) = listener.accept().expect("the server connects");
        let mut socket = tungstenite::accept(stream).expect("it is a viewer");
        let stream = socket.get_mut();
        let patient = stream.set_write_timeout(Some(Duration::from_secs(2)));
        patient.expect("it is not zero");
        let (part, mut sent) = ([0; 64 << 10], 0);
        while sent < MORE && stream.write_all(&part).is_ok() {
            sent += part.len();
        }
        sent
    });
    let stuck = greet(&server, &address);
    let sent = game.join().expect("it ends");
    // More than the credit of a game, so that the buffers of the system do not matter.
    assert!(sent < MORE && CREDIT < 64, "{sent} bytes were taken");
    drop(stuck);
}

#[test]
fn whoever_sends_no_head_or_one_without_an_end_is_disconnected() {
    let server = serve("page-heads", game().1);
    let (mut silent, mut slow, mut long) = (connect(&server), connect(&server), connect(&server));
    slow.write_all(b"GET / HTTP/1.1\r\nHost: ")
        .expect("it reads");
    let head = format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(9 << 10));
    let mut answer = Vec::new();
    let sent = long.write_all(head.as_bytes());
    let read = sent.and_then(|()| long.read_to_end(&mut answer));
    assert!(read.is_err() || answer.starts_with(b"HTTP/1.1 431"));
    for stream in [&mut silent, &mut slow] {
        let mut rest = Vec::new();
        assert!(stream.read_to_end(&mut rest).is_ok() && rest.is_empty());
    }
}

#[test]
fn there_are_only_so_many_connections_and_places_are_given_back() {
    const MAX: usize = super::server::MAX_CONNECTIONS;
    let (listener, address) = game();
    let server = serve("page-many", address.clone());
    // A game that says nothing, so that each connection stays.
    let game = thread::spawn(move || {
        let accept = |_| {
            let (stream, _) = listener.accept().expect("the server connects");
            tungstenite::accept(stream).expect("it is a viewer")
        };
        (0..MAX).map(accept).collect::<Vec<_>>()
    });
    let pages: Vec<_> = (0..MAX).map(|_| greet(&server, &address)).collect();
    let game = game.join().expect("it ends");
    let ask = || {
        let mut stream = connect(&server);
        // It may end before the request was read.
        let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        let mut response = Vec::new();
        let _ = stream.read_to_end(&mut response);
        String::from_utf8_lossy(&response).into_owned()
    };
    assert_eq!(ask(), "");
    drop((pages, game));
    let begun = Instant::now();
    while status(&ask()) != "200" {
        assert!(begun.elapsed() < PATIENCE, "no place is given back");
    }
}
