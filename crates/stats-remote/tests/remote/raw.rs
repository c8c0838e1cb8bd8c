//! A client that sends what it likes.

use std::io::{Read, Write};
use std::net::TcpStream;

use stats_remote::{Remote, RemoteAddress};
use tungstenite::{Message, WebSocket};

use super::PATIENCE;

/// Connects, without a word.
pub(crate) fn connect(remote: &Remote) -> TcpStream {
    let address = remote.address();
    let stream = TcpStream::connect((address.host(), address.port())).expect("it listens");
    stream
        .set_read_timeout(Some(PATIENCE))
        .expect("it is not zero");
    stream
}

/// Sends a request for a WebSocket with some headers, and returns the status.
pub(crate) fn status_of(remote: &Remote, headers: &[(&str, &str)]) -> String {
    let mut stream = connect(remote);
    let mut text = "GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                    Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        .to_owned();
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    stream
        .write_all(format!("{text}\r\n").as_bytes())
        .expect("it reads");
    let mut status = [0; 12];
    stream.read_exact(&mut status).expect("it answers");
    String::from_utf8_lossy(&status[9..]).into_owned()
}

/// Opens a WebSocket.
pub(crate) fn open(remote: &Remote) -> WebSocket<TcpStream> {
    let url = format!("ws://{}/", remote.address().authority());
    let opened = tungstenite::client::client(url, connect(remote));
    opened.expect("it answers").0
}

/// Returns a greeting with a token of 32 digits.
pub(crate) fn hello(token: &str) -> Vec<u8> {
    let mut hello = b"\0stats\x04".to_vec();
    let digits = token.as_bytes().chunks(2);
    let bytes = digits.map(|two| u8::from_str_radix(&String::from_utf8_lossy(two), 16));
    hello.extend(bytes.map(|byte| byte.expect("they are digits")));
    // No name, and exact values.
    hello.extend([0, 0]);
    hello
}

pub(crate) fn token(address: &RemoteAddress) -> String {
    let text = address.to_string();
    let (_, token) = text.split_once('#').expect("it has a token");
    token.to_owned()
}

/// Opens a WebSocket and greets.
pub(crate) fn greet(remote: &Remote) -> WebSocket<TcpStream> {
    let mut socket = open(remote);
    let hello = hello(&token(remote.address()));
    socket.send(Message::binary(hello)).expect("it reads");
    socket
}

/// Returns the types of the messages until the connection ends, and the last reason that was given.
pub(crate) fn until_the_end(socket: &mut WebSocket<TcpStream>) -> (Vec<u8>, String) {
    let (mut types, mut reason) = (Vec::new(), String::new());
    while let Ok(Message::Binary(message)) = socket.read() {
        types.push(message[0]);
        if message[0] == BYE {
            // The length takes one or two bytes.
            let text = &message[1 + usize::from(message[1] >= 0x80) + 1..];
            reason = String::from_utf8_lossy(text).into_owned();
        }
    }
    (types, reason)
}

pub(crate) const WELCOME: u8 = 0;
pub(crate) const BYE: u8 = 8;
