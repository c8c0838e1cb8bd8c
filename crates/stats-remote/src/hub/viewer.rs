//! A connection: that of a viewer, or one that may become it.

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Bytes, Error, Message, WebSocket};

use super::distributions::SentDistributions;
use super::per_second::PerSecond;
use crate::http::Rules;
use crate::http::head::{MAX_HEAD, answer, end_of_head, refusal};
use crate::own_series::BYTES;
use crate::wire::to_game::{MAX_MESSAGE, ToGame, Want};
use crate::wire::to_viewer::{CREDIT, encode_bye};

/// How long the head of a request and the greeting may take, together.
pub(crate) const GREETING: Duration = Duration::from_secs(5);

/// How long a viewer may be silent: it sends several pings a second.
const SILENCE: Duration = Duration::from_secs(30);

/// How long a viewer may take nothing of what waits for it.
const STUCK: Duration = Duration::from_secs(10);

/// How long a connection that ends may take to read the reason.
const FAREWELL: Duration = Duration::from_millis(500);

/// The most messages in a second.
const MESSAGES: u32 = 200;

/// The bytes that wait for a viewer before further blocks are left out.
const MAX_QUEUE: usize = 1 << 20;

/// The bytes that wait for a viewer before the past and the listing are not continued.
const BUSY_QUEUE: usize = 256 << 10;

/// The requests for the past that wait, and those of them that the game works on.
const MAX_WANTS: usize = 8192;
const MAX_ASKED: usize = 64;

/// The bytes that wait for a viewer before its connection ends. A whole listing fits.
const MAX_UNREAD: usize = 16 << 20;

/// The most bytes of a viewer that are read at a look, so that one who sends without an end does not
/// keep the thread.
const READ_AT_A_LOOK: usize = 256 << 10;

/// Why a connection ended.
#[derive(Debug)]
pub(crate) struct Ended;

pub(crate) struct Viewer {
    pub(crate) number: u32,
    socket: Socket,
    opened: Instant,
    heard: Instant,
    /// When the socket last took a whole message, or none waited.
    moved: Instant,
    messages: PerSecond,
    queue: VecDeque<Bytes>,
    queued: usize,
    /// Whether the socket holds a message in part.
    is_flushing: bool,
    /// When the connection is closed, whatever waits.
    closes: Option<Instant>,
    /// Whether it knows the token.
    pub(crate) is_greeted: bool,
    /// Whether it is sent times in whole nanoseconds.
    pub(crate) is_rounded: bool,
    /// Whether it counts among the viewers.
    pub(crate) has_place: bool,
    pub(crate) watches: BTreeSet<u32>,
    pub(crate) rows: BTreeSet<u32>,
    pub(super) histograms: SentDistributions,
    wants: VecDeque<Want>,
    asked: usize,
    /// The number of the newest block, and of the newest that it acknowledged.
    pub(crate) block: u64,
    acknowledged: u64,
    /// The first number that was not listed; `None` if all were.
    pub(crate) next_listed: Option<u32>,
    pub(crate) generation: u64,
    pub(crate) marks: u64,
    /// The version of the lanes of scopes that it was sent.
    pub(super) lanes: u64,
    /// The thread that ends the frames, as it was told.
    pub(crate) thread: String,
}

enum Socket {
    /// The head of the request so far.
    Head(TcpStream, Vec<u8>),
    Open(Box<WebSocket<Metered>>),
    Closed,
}

/// A stream that limits what a look reads. `WebSocket::read` returns after a whole message, and a message
/// of empty parts has no end.
struct Metered {
    stream: TcpStream,
    /// The bytes that the current look may still read.
    left: usize,
}

impl Read for Metered {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let len = into.len().min(self.left);
        if len == 0 && !into.is_empty() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let read = self.stream.read(&mut into[..len])?;
        self.left -= read;
        Ok(read)
    }
}

impl Write for Metered {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Viewer {
    pub(crate) fn new(stream: TcpStream, number: u32, now: Instant) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        // Blocks are small and many: the system would hold them back.
        stream.set_nodelay(true)?;
        Ok(Self {
            number,
            socket: Socket::Head(stream, Vec::new()),
            opened: now,
            heard: now,
            moved: now,
            messages: PerSecond::new(now),
            queue: VecDeque::new(),
            queued: 0,
            is_flushing: false,
            closes: None,
            is_greeted: false,
            is_rounded: false,
            has_place: false,
            watches: BTreeSet::new(),
            rows: BTreeSet::new(),
            histograms: SentDistributions::default(),
            wants: VecDeque::new(),
            asked: 0,
            block: 0,
            acknowledged: 0,
            next_listed: Some(0),
            generation: 0,
            marks: 0,
            lanes: 0,
            thread: String::new(),
        })
    }

    /// Allows another look to read.
    pub(crate) fn begin_look(&mut self) {
        if let Socket::Open(socket) = &mut self.socket {
            socket.get_mut().left = READ_AT_A_LOOK;
        }
    }

    /// Returns whether nothing was heard for so long that nobody seems to be there.
    pub(crate) fn is_silent(&self, now: Instant) -> bool {
        now - self.heard > SILENCE
    }

    /// Returns the next message; `None` if there is none yet.
    pub(crate) fn read(&mut self, rules: &Rules, now: Instant) -> Result<Option<ToGame>, Ended> {
        if !self.is_greeted && self.closes.is_none() && now - self.opened > GREETING {
            return Err(Ended);
        }
        // What comes after a refusal is no head: see `discard`.
        if self.closes.is_some() {
            return Ok(None);
        }
        if let Socket::Head(..) = self.socket {
            self.read_head(rules, now)?;
        }
        let Socket::Open(socket) = &mut self.socket else {
            return Ok(None);
        };
        let message = match socket.read() {
            Ok(Message::Binary(message)) => message,
            Ok(Message::Ping(_) | Message::Pong(_)) => {
                return self.count_message(now).map(|()| None);
            }
            Err(Error::Io(error)) if is_wait(&error) => {
                return if self.is_silent(now) {
                    Err(Ended)
                } else {
                    Ok(None)
                };
            }
            _ => return Err(Ended),
        };
        self.heard = now;
        self.count_message(now)?;
        match ToGame::decode(&message) {
            Ok(message) => Ok(Some(message)),
            Err(_) => {
                self.end("the game does not understand a message of the viewer", now);
                Ok(None)
            }
        }
    }

    fn count_message(&mut self, now: Instant) -> Result<(), Ended> {
        self.messages.add(now);
        if self.messages.count(now) > MESSAGES {
            return Err(Ended);
        }
        Ok(())
    }

    fn read_head(&mut self, rules: &Rules, now: Instant) -> Result<(), Ended> {
        let Socket::Head(stream, head) = &mut self.socket else {
            return Ok(());
        };
        let mut part = [0; 1024];
        loop {
            match stream.read(&mut part) {
                Ok(0) => return Err(Ended),
                Ok(len) => head.extend_from_slice(&part[..len]),
                Err(error) if is_wait(&error) => return Ok(()),
                Err(_) => return Err(Ended),
            }
            if end_of_head(head).is_some() || head.len() > MAX_HEAD {
                break;
            }
        }
        let local = stream.local_addr().map_err(|_| Ended)?.ip();
        let end = end_of_head(head).filter(|end| *end <= MAX_HEAD);
        let response = match end {
            Some(end) => answer(&head[..end], rules, local),
            None => Err(refusal(
                "431 Request Header Fields Too Large",
                "The head is too long.",
            )),
        };
        let (Ok(text) | Err(text)) = &response;
        // The first bytes of a connection: the system has room for them.
        stream.write_all(text.as_bytes()).map_err(|_| Ended)?;
        let Socket::Head(stream, head) = std::mem::replace(&mut self.socket, Socket::Closed) else {
            return Err(Ended);
        };
        if response.is_err() {
            // The rest is read, so that the client does not lose the answer.
            let _ = stream.shutdown(Shutdown::Write);
            self.closes = Some(now + FAREWELL);
            self.socket = Socket::Head(stream, Vec::new());
            return Ok(());
        }
        let config = WebSocketConfig::default()
            .read_buffer_size(16 << 10)
            .write_buffer_size(0)
            .max_write_buffer_size(4 << 20)
            .max_message_size(Some(MAX_MESSAGE))
            .max_frame_size(Some(MAX_MESSAGE));
        let rest = head[end.unwrap_or(0)..].to_vec();
        let left = READ_AT_A_LOOK;
        let stream = Metered { stream, left };
        let socket = WebSocket::from_partially_read(stream, rest, Role::Server, Some(config));
        self.socket = Socket::Open(Box::new(socket));
        Ok(())
    }

    /// Sends a message when the socket takes it.
    pub(crate) fn send(&mut self, message: impl Into<Bytes>) {
        let message = message.into();
        self.queued += message.len();
        self.queue.push_back(message);
    }

    /// Says why, and closes the connection.
    pub(crate) fn end(&mut self, reason: &str, now: Instant) {
        self.queue.clear();
        self.queued = 0;
        self.send(encode_bye(reason));
        self.closes = Some(now + FAREWELL);
        self.is_greeted = false;
    }

    /// Returns whether a block may be sent. One that may not is left out, and the viewer asks for
    /// its frames later.
    pub(crate) fn has_room_for_block(&self) -> bool {
        self.queued < MAX_QUEUE && self.block.saturating_sub(self.acknowledged) < CREDIT
    }

    /// Returns whether more than what is new may be sent.
    pub(crate) fn has_room(&self) -> bool {
        self.queued < BUSY_QUEUE
    }

    /// Takes note that a block was applied.
    pub(crate) fn acknowledge(&mut self, block: u64) {
        self.acknowledged = block.clamp(self.acknowledged, self.block);
    }

    /// Adds a request for the past; one too many is forgotten.
    pub(crate) fn want(&mut self, want: Want) {
        if self.wants.len() < MAX_WANTS {
            self.wants.push_back(want);
        }
    }

    /// Returns a request that the game may work on now.
    pub(crate) fn next_want(&mut self) -> Option<Want> {
        if self.asked >= MAX_ASKED || !self.has_room() {
            return None;
        }
        let want = self.wants.pop_front()?;
        self.asked += 1;
        Some(want)
    }

    /// Takes note that the game answered a request.
    pub(crate) fn answered(&mut self) {
        self.asked = self.asked.saturating_sub(1);
    }

    /// Writes what waits, as far as the socket takes it.
    pub(crate) fn write(&mut self, now: Instant) -> Result<(), Ended> {
        if self.queued > MAX_UNREAD {
            return Err(Ended);
        }
        if let Some(closes) = self.closes {
            self.discard();
            if now >= closes {
                return Err(Ended);
            }
        }
        let Socket::Open(socket) = &mut self.socket else {
            return Ok(());
        };
        loop {
            if self.is_flushing {
                match socket.flush() {
                    Ok(()) => (self.is_flushing, self.moved) = (false, now),
                    Err(Error::Io(error)) if is_wait(&error) => break,
                    Err(_) => return Err(Ended),
                }
            }
            let Some(message) = self.queue.pop_front() else {
                self.moved = now;
                break;
            };
            self.queued -= message.len();
            BYTES.add(message.len());
            self.is_flushing = true;
            match socket.write(Message::Binary(message)) {
                Ok(()) => {}
                Err(Error::Io(error)) if is_wait(&error) => {}
                Err(_) => return Err(Ended),
            }
        }
        if now - self.moved > STUCK {
            return Err(Ended);
        }
        Ok(())
    }

    /// Reads and forgets what still comes: a connection that is closed with unread bytes may lose
    /// the answer.
    fn discard(&mut self) {
        let (Socket::Head(stream, _), mut rest) = (&self.socket, [0; 1024]) else {
            return;
        };
        let mut stream: &TcpStream = stream;
        for _ in 0..16 {
            if !matches!(stream.read(&mut rest), Ok(1..)) {
                return;
            }
        }
    }
}

fn is_wait(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}
