//! A minimal HTTP server for a page of metrics: each connection has one request, without a body.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use stats_core::OwnProcess;

use crate::host::Hosts;
use crate::request::{MAX_REQUEST, Request};
use crate::response::Response;

/// The maximum number of connections. A further one closes the oldest, so that clients that read no
/// answer do not block others.
const MAX_CONNECTIONS: usize = 8;

/// How long to wait for a client to send or to accept the next bytes.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long to wait after the system refused a connection or a thread, which may have reached a
/// limit.
const PAUSE: Duration = Duration::from_millis(100);

/// What is answered.
pub(crate) struct Answers {
    /// The names by which the server may be asked.
    pub(crate) hosts: Hosts,
    /// Returns the response for a path without its query.
    pub(crate) answer: Box<dyn Fn(&str) -> Response + Send + Sync>,
}

/// Listens until it is dropped, which ends all connections.
pub(crate) struct Listener {
    address: SocketAddr,
    is_closed: Arc<AtomicBool>,
    /// `None` only while it is dropped.
    thread: Option<OwnProcess<JoinHandle<()>>>,
}

impl Listener {
    /// Listens on an address. Port 0 chooses a free port.
    pub(crate) fn start(address: SocketAddr, answers: Answers) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let is_closed = Arc::new(AtomicBool::new(false));
        let (closed, answers) = (Arc::clone(&is_closed), Arc::new(answers));
        let accept = move || {
            accept(
                || listener.accept().map(|(stream, _)| stream),
                &closed,
                &answers,
            );
        };
        let thread = thread::Builder::new().name("stats-openmetrics".to_owned());
        Ok(Self {
            address,
            is_closed,
            thread: Some(OwnProcess::new(thread.spawn(accept)?)),
        })
    }

    /// Returns the address, with the port that was chosen.
    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // In a child of `fork`: the parent listens.
        let Some(thread) = self.thread.take().and_then(OwnProcess::take) else {
            return;
        };
        // Release: the thread reads it after it accepted the connection below.
        self.is_closed.store(true, Ordering::Release);
        // Wakes the thread. If that fails, the thread ends at the next connection.
        let is_woken = TcpStream::connect_timeout(&self.address, Duration::from_secs(1)).is_ok();
        if is_woken {
            let _ = thread.join();
        }
    }
}

/// Accepts connections, each on a thread of its own, until the listener is closed.
fn accept(
    mut next: impl FnMut() -> io::Result<TcpStream>,
    is_closed: &AtomicBool,
    answers: &Arc<Answers>,
) {
    let _memory = stats_core::own_memory("stats-openmetrics");
    let mut connections = VecDeque::new();
    loop {
        let stream = next();
        if is_closed.load(Ordering::Acquire) {
            return;
        }
        let connection = stream.and_then(|stream| Connection::start(stream, answers));
        let Ok(connection) = connection else {
            thread::sleep(PAUSE);
            continue;
        };
        connections.retain(|connection: &Connection| !connection.is_ended());
        if connections.len() == MAX_CONNECTIONS {
            connections.pop_front();
        }
        connections.push_back(connection);
    }
}

/// The connection of a client. Dropping it ends the connection.
struct Connection {
    /// Its thread owns it, and closes it.
    stream: Weak<TcpStream>,
    thread: Option<JoinHandle<()>>,
}

impl Connection {
    fn start(stream: TcpStream, answers: &Arc<Answers>) -> io::Result<Self> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let stream = Arc::new(stream);
        let (weak, answers) = (Arc::downgrade(&stream), Arc::clone(answers));
        let thread = thread::Builder::new().name("stats-openmetrics".to_owned());
        let serve = move || {
            let _memory = stats_core::own_memory("stats-openmetrics");
            // A client that is gone needs no answer.
            let _ = serve(&stream, &answers);
        };
        Ok(Self {
            stream: weak,
            thread: Some(thread.spawn(serve)?),
        })
    }

    fn is_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // Its thread stops waiting for the client.
        if let Some(stream) = self.stream.upgrade() {
            let _ = stream.shutdown(Shutdown::Both);
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Answers the request of a client.
fn serve(mut stream: &TcpStream, answers: &Answers) -> io::Result<()> {
    let request = Request::read(stream)?;
    let method = &request.method[..];
    let response = match (request.refusal(&answers.hosts), method) {
        (Some(refusal), _) => refusal,
        (None, "GET" | "HEAD") => (answers.answer)(request.path()),
        _ => Response::error("405 Method Not Allowed", "Use GET."),
    };
    // Written at once, because the system may delay a second write.
    let mut text = format!(
        "HTTP/1.1 {}\r\nAllow: GET, HEAD\r\nConnection: close\r\nContent-Type: {}\r\n\
         Content-Length: {}\r\n\r\n",
        response.status,
        response.content_type,
        response.body.len()
    );
    if method != "HEAD" {
        text.push_str(&response.body);
    }
    stream.write_all(text.as_bytes())?;
    // The client closes the connection. If this side closed it while bytes of the client are
    // unread, the client could lose the answer.
    stream.shutdown(Shutdown::Write)?;
    io::copy(&mut stream.take(MAX_REQUEST), &mut io::sink())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn any_port() -> SocketAddr {
        "127.0.0.1:0".parse().expect("it is an address")
    }

    /// Answers with a short text; at `/large`, with more than the system buffers for a client.
    fn response(path: &str) -> Response {
        Response {
            status: "200 OK",
            content_type: "text/plain",
            body: match path {
                "/large" => "x".repeat(LARGE),
                _ => "small".to_owned(),
            },
        }
    }

    const LARGE: usize = 16 << 20;

    fn answers() -> Answers {
        Answers {
            hosts: Hosts::default(),
            answer: Box::new(response),
        }
    }

    fn ask(address: SocketAddr, path: &str) -> TcpStream {
        let mut client = TcpStream::connect(address).expect("it listens");
        // Shorter than the patience of the listener: nobody waits for another client.
        let patience = client.set_read_timeout(Some(PATIENCE / 2));
        patience.expect("it is not zero");
        write!(client, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("it reads");
        client
    }

    fn answer_of(mut client: TcpStream) -> String {
        let mut answer = String::new();
        client.read_to_string(&mut answer).expect("it answers");
        answer
    }

    #[test]
    fn clients_that_ask_nothing_or_read_no_answer_do_not_block_others() {
        let listener = Listener::start(any_port(), answers()).expect("a port is free");
        let mut clients = Vec::new();
        for _ in 0..2 * MAX_CONNECTIONS {
            clients.push(TcpStream::connect(listener.address()).expect("it listens"));
            clients.push(ask(listener.address(), "/large"));
            assert!(answer_of(ask(listener.address(), "/")).ends_with("\r\n\r\nsmall"));
        }
        drop(listener);
        for mut client in clients {
            // The end, or an error: the connection was ended.
            let read = io::copy(&mut client, &mut io::sink());
            assert!(read.unwrap_or(0) < LARGE as u64);
        }
    }

    #[test]
    fn a_large_answer_is_complete() {
        let listener = Listener::start(any_port(), answers()).expect("a port is free");
        let answer = answer_of(ask(listener.address(), "/large"));
        let (head, body) = answer.split_once("\r\n\r\n").expect("it has a head");
        assert!(head.contains(&format!("Content-Length: {LARGE}")));
        assert_eq!(body.len(), LARGE);
    }

    #[test]
    fn a_connection_that_the_system_refuses_does_not_end_the_listener() {
        let system = TcpListener::bind(any_port()).expect("a port is free");
        let address = system.local_addr().expect("it has an address");
        // The second one stands for the limit of open files.
        let mut refusals = vec![io::ErrorKind::ConnectionAborted, io::ErrorKind::Other];
        let next = move || match refusals.pop() {
            Some(refusal) => Err(refusal.into()),
            None => system.accept().map(|(stream, _)| stream),
        };
        let is_closed = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| accept(next, &is_closed, &Arc::new(answers())));
            assert!(answer_of(ask(address, "/")).ends_with("\r\n\r\nsmall"));
            is_closed.store(true, Ordering::Release);
            drop(TcpStream::connect(address));
        });
    }
}
