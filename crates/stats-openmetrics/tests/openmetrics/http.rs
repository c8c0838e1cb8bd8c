//! A plain HTTP client.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Returns the head and the body of an answer; `None` if nothing listens.
pub(crate) fn request(address: SocketAddr, method: &str, path: &str) -> Option<(String, String)> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .ok()?;
    write!(
        stream,
        "{method} {path} HTTP/1.0\r\nHost: localhost\r\n\r\n"
    )
    .ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    Some((head.to_owned(), body.to_owned()))
}

/// Returns the body of the answer to `GET`.
pub(crate) fn get(address: SocketAddr, path: &str) -> Option<String> {
    let (head, body) = request(address, "GET", path)?;
    head.contains(" 200 ").then_some(body)
}
