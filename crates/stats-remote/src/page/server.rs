//! The server of the page.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::files::Page;
use super::relay::relay;
use crate::address::RemoteAddress;
use crate::http::Rules;
use crate::http::head::{Denied, Head, MAX_HEAD, end_of_head, refusal};
use crate::http::listen::{listen, shown};
use crate::options::RemoteError;

/// The port of a [`PageServer`], behind those of games.
pub const DEFAULT_PAGE_PORT: u16 = 8776;

/// The most connections at a time: eight pages, and what they load.
pub(super) const MAX_CONNECTIONS: usize = 32;

/// The end of an address that asks for rounded times, as in that of a game.
const ROUNDED: &str = "?rounded";

/// How long the head of a request may take.
const HEAD: Duration = Duration::from_secs(5);

/// How long a response may take.
const RESPONSE: Duration = Duration::from_secs(120);

/// How long a client may take nothing of a response.
const STUCK: Duration = Duration::from_secs(10);

/// How often the thread looks for a connection, and how often while there is none.
const LOOK: Duration = Duration::from_millis(10);
const IDLE_LOOK: Duration = Duration::from_millis(50);

/// Hands out the page that shows a game in a browser, and connects the page with the game, until it is
/// dropped.
///
/// The page connects to this server alone, which passes its bytes on. The game needs no rule for it,
/// and can be elsewhere, behind a tunnel. A person opens the page by an [address](Self::address) with the
/// token after `#`, so it is not part of the request for the page, and no response has it. **The page
/// sends it when it connects, and nothing is encrypted**: on an address other than loopback, whoever
/// listens in the network reads the values and the token. Only a page that has sent the token is
/// connected with the game.
///
/// As a game does, it checks the headers of a request: `Host` must be `localhost` or the address at which
/// the request arrived, and `Origin` must be missing or its own. It refuses other requests.
pub struct PageServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    page: Page,
    game: RemoteAddress,
    rules: Rules,
    connections: AtomicUsize,
    is_closed: AtomicBool,
}

impl PageServer {
    /// Starts to listen on an address, at `port` or one of the next nine; 0 is any port. On a loopback
    /// address, it listens on that of the other protocol, too.
    ///
    /// # Errors
    ///
    /// Returns an error if the system refuses the address with each of the ports.
    pub fn start(
        game: RemoteAddress,
        page: Page,
        address: IpAddr,
        port: u16,
    ) -> Result<Self, RemoteError> {
        let first = SocketAddr::new(address, port);
        let failed = |error: io::Error| RemoteError::System(first, error.into());
        let listeners = listen(address, port).map_err(failed)?;
        let local = listeners[0].local_addr().map_err(failed)?;
        let shared = Arc::new(Shared {
            page,
            game,
            rules: Rules::default(),
            connections: AtomicUsize::new(0),
            is_closed: AtomicBool::new(false),
        });
        let of_thread = Arc::clone(&shared);
        let thread = thread::Builder::new().name("stats-page".to_owned());
        let thread = thread.spawn(move || of_thread.accept(&listeners));
        Ok(Self {
            address: SocketAddr::new(shown(local.ip()), local.port()),
            shared,
            thread: Some(thread.map_err(failed)?),
        })
    }

    /// Returns where it listens. For all addresses of the machine, it is the loopback address.
    #[must_use]
    pub const fn listens_on(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address of the page for a browser that reaches this machine as `host`, with the token
    /// of the game: do not log it where others read.
    #[must_use]
    pub fn address(&self, host: IpAddr) -> String {
        let place = SocketAddr::new(host, self.address.port());
        let rounded = if self.shared.game.is_rounded {
            ROUNDED
        } else {
            ""
        };
        format!("http://{place}/{rounded}#{}", self.shared.game.token)
    }
}

impl Drop for PageServer {
    fn drop(&mut self) {
        self.shared.is_closed.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for PageServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PageServer")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl Shared {
    fn accept(self: &Arc<Self>, listeners: &[TcpListener]) {
        while !self.is_closed.load(Ordering::Acquire) {
            let accepted = listeners.iter().find_map(|listener| listener.accept().ok());
            let Some((stream, _)) = accepted else {
                let is_idle = self.connections.load(Ordering::Acquire) == 0;
                thread::park_timeout(if is_idle { IDLE_LOOK } else { LOOK });
                continue;
            };
            if self.connections.fetch_add(1, Ordering::AcqRel) >= MAX_CONNECTIONS {
                self.connections.fetch_sub(1, Ordering::AcqRel);
                continue;
            }
            let place = CountedConnection(Arc::clone(self));
            let thread = thread::Builder::new().name("stats-page".to_owned());
            // Without a thread, the connection ends.
            let _ = thread.spawn(move || {
                let place = place;
                place.0.serve(stream)
            });
        }
    }

    /// Answers one request.
    fn serve(&self, mut stream: TcpStream) -> io::Result<()> {
        // Some systems hand the mode of the listener on.
        stream.set_nonblocking(false)?;
        stream.set_write_timeout(Some(STUCK))?;
        let local = stream.local_addr()?.ip();
        let (bytes, end) = read_head(&mut stream)?;
        let answer = match end {
            Some(end) => self.answer(&bytes[..end], local),
            None => Err(refusal(
                "431 Request Header Fields Too Large",
                "The head is too long.",
            )),
        };
        match answer {
            Ok(Answer::File(head, body)) => {
                send(&mut stream, head.as_bytes(), RESPONSE)?;
                send(&mut stream, body, RESPONSE)?;
            }
            Ok(Answer::Game(key)) => {
                let rest = &bytes[end.unwrap_or(bytes.len())..];
                let mut closing = stream.try_clone()?;
                relay(stream, &key, rest, &self.game, &self.is_closed)?;
                return finish(&mut closing);
            }
            Err(refusal) => send(&mut stream, refusal.as_bytes(), RESPONSE)?,
        }
        finish(&mut stream)
    }

    fn answer(&self, head: &[u8], local: IpAddr) -> Result<Answer<'_>, String> {
        let head = Head::parse(head)?;
        head.check(&self.rules, local)
            .map_err(|denied| match denied {
                Denied::NoHost => refusal("400 Bad Request", "Send one header Host."),
                Denied::Host => refusal(
                    "403 Forbidden",
                    "This name is not served. Ask by localhost or an address of this machine.",
                ),
                Denied::Origin => {
                    refusal("403 Forbidden", "Pages of other origins may not connect.")
                }
            })?;
        // The page reads the rest of its address itself.
        let target = head.target()?;
        let target = target
            .strip_suffix(ROUNDED)
            .filter(|rest| *rest == "/")
            .unwrap_or(target);
        if let Some(key) = head.key().filter(|_| target == "/") {
            return Ok(Answer::Game(key.to_owned()));
        }
        let file = self.page.response(target);
        let (head, body) = file.ok_or_else(|| refusal("404 Not Found", "The page is at /."))?;
        Ok(Answer::File(head, body))
    }
}

enum Answer<'a> {
    /// The head and the body of a response.
    File(String, &'a [u8]),
    /// A WebSocket to the game, with this key.
    Game(String),
}

/// A connection among those that are counted.
struct CountedConnection(Arc<Shared>);

impl Drop for CountedConnection {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Reads the head of a request, and perhaps more. Returns where it ends; `None` if it is too long.
fn read_head(stream: &mut TcpStream) -> io::Result<(Vec<u8>, Option<usize>)> {
    let begun = Instant::now();
    let (mut head, mut part) = (Vec::new(), [0; 1024]);
    loop {
        let left = HEAD.saturating_sub(begun.elapsed());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut part) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(len) => head.extend_from_slice(&part[..len]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        let end = end_of_head(&head);
        if end.is_some() || head.len() > MAX_HEAD {
            return Ok((head, end.filter(|end| *end <= MAX_HEAD)));
        }
    }
}

/// Sends a part of a response, to whoever takes it within `limit`.
fn send(to: &mut impl Write, mut bytes: &[u8], limit: Duration) -> io::Result<()> {
    let begun = Instant::now();
    while !bytes.is_empty() {
        // After each piece: a client can take a few bytes at a time, and is never stuck.
        if begun.elapsed() >= limit {
            return Err(io::ErrorKind::TimedOut.into());
        }
        match to.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(len) => bytes = &bytes[len..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Ends a connection so that the client does not lose the response: what it still sends is read.
fn finish(stream: &mut TcpStream) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(Duration::from_millis(500)))?;
    let mut rest = [0; 1024];
    for _ in 0..16 {
        if stream.read(&mut rest)? == 0 {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes a byte at a time.
    struct Slow(usize);

    impl Write for Slow {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            self.0 += 1;
            Ok(1)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_client_that_takes_a_byte_at_a_time_is_given_up_when_the_time_is_over() {
        let mut slow = Slow(0);
        assert!(send(&mut slow, &[0; 1000], Duration::ZERO).is_err());
        assert_eq!(slow.0, 0);
        assert!(send(&mut slow, &[0; 1000], RESPONSE).is_ok());
        assert_eq!(slow.0, 1000);
    }
}
