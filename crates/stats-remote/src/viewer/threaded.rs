//! The connection to a game, on a thread of its own. It connects again when it is lost.

use std::io;
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender, TrySendError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use stats_core::OwnProcess;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{HandshakeError, Message, WebSocket, client::client_with_config};

use super::link::{ConnectError, Conversation, Event, WAITING, WAITING_BYTES, again_after};
use crate::address::RemoteAddress;
use crate::wire::to_game::{Hello, ToGame};
use crate::wire::to_viewer::MAX_MESSAGE;

/// How long a game may take to accept a connection, and to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often the thread looks.
const LOOK: Duration = Duration::from_millis(5);

/// A connection, or the attempt to get one again, until it is dropped.
#[derive(Debug)]
pub(super) struct Link {
    events: Receiver<Event>,
    /// The bytes of `events`.
    waiting: Arc<AtomicUsize>,
    outgoing: Sender<ToGame>,
    is_closed: Arc<AtomicBool>,
    thread: Option<OwnProcess<JoinHandle<()>>>,
}

impl Link {
    pub(super) fn start(address: RemoteAddress) -> io::Result<Self> {
        let (sender, events) = mpsc::sync_channel(WAITING);
        let (outgoing, messages) = mpsc::channel();
        let is_closed = Arc::new(AtomicBool::new(false));
        let waiting = Arc::new(AtomicUsize::new(0));
        let side = Side {
            address,
            events: sender,
            waiting: Arc::clone(&waiting),
            outgoing: messages,
            is_closed: Arc::clone(&is_closed),
        };
        let thread = thread::Builder::new().name("stats-viewer".to_owned());
        let thread = thread.spawn(move || side.run())?;
        Ok(Self {
            events,
            waiting,
            outgoing,
            is_closed,
            thread: Some(OwnProcess::new(thread)),
        })
    }

    /// Returns the next event; `None` if there is none after `wait`.
    pub(super) fn next(&self, wait: Duration) -> Option<Event> {
        let event = if wait.is_zero() {
            self.events.try_recv().ok()
        } else {
            self.events.recv_timeout(wait).ok()
        };
        let bytes = event.as_ref().map_or(0, Event::bytes);
        // Relaxed: a count, which orders nothing else.
        self.waiting.fetch_sub(bytes, Ordering::Relaxed);
        event
    }

    /// Returns the bytes of the events that wait.
    #[cfg(test)]
    pub(super) fn waiting_bytes(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Sends a message, if there is a connection.
    pub(super) fn send(&self, message: ToGame) {
        // The thread ends only after this is dropped.
        let _ = self.outgoing.send(message);
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        let Some(thread) = self.thread.take().and_then(OwnProcess::take) else {
            return;
        };
        self.is_closed.store(true, Ordering::Release);
        // Not joined: it may be connecting, which takes seconds.
        thread.thread().unpark();
    }
}

/// The thread's side of a link.
struct Side {
    address: RemoteAddress,
    events: SyncSender<Event>,
    waiting: Arc<AtomicUsize>,
    outgoing: Receiver<ToGame>,
    is_closed: Arc<AtomicBool>,
}

impl Side {
    fn run(&self) {
        while !self.is_closed() {
            let error = match greet(&self.address) {
                Ok(mut socket) => self.serve(&mut socket),
                Err(error) => error,
            };
            let wait = again_after(&error);
            self.tell(Event::Ended(error));
            let again = Instant::now() + wait;
            while !self.is_closed() && Instant::now() < again {
                thread::park_timeout(LOOK);
            }
        }
    }

    fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }

    /// Passes an event on, and waits until it has room.
    fn tell(&self, mut event: Event) {
        let bytes = event.bytes();
        let has_room = |waiting: usize| waiting == 0 || waiting + bytes <= WAITING_BYTES;
        // Relaxed: a count, which only this thread increases.
        while !has_room(self.waiting.load(Ordering::Relaxed)) {
            if self.is_closed() {
                return;
            }
            thread::park_timeout(LOOK);
        }
        self.waiting.fetch_add(bytes, Ordering::Relaxed);
        while let Err(TrySendError::Full(full)) = self.events.try_send(event) {
            if self.is_closed() {
                return;
            }
            event = full;
            thread::park_timeout(LOOK);
        }
    }

    /// Exchanges messages until the connection ends.
    fn serve(&self, socket: &mut WebSocket<TcpStream>) -> ConnectError {
        let mut conversation = Conversation::new(self.address.authority());
        loop {
            // A game may send without a pause. Between its messages, the others are sent.
            for _ in 0..WAITING {
                if self.is_closed() {
                    return ConnectError::Lost;
                }
                match socket.read() {
                    Ok(Message::Binary(message)) => match conversation.hear(&message) {
                        Ok(event) => {
                            if let Event::Connected(_) = event {
                                // What was to be sent on an earlier connection.
                                while self.outgoing.try_recv().is_ok() {}
                            }
                            self.tell(event);
                        }
                        Err(error) => return error,
                    },
                    Ok(_) => {}
                    Err(tungstenite::Error::Io(error)) if is_wait(&error) => break,
                    Err(_) => return ConnectError::Lost,
                }
            }
            if conversation.is_silent() {
                return ConnectError::Lost;
            }
            if let Some(ping) = conversation.ping()
                && let Err(error) = write(socket, &ping)
            {
                return error;
            }
            while conversation.is_welcome
                && let Ok(message) = self.outgoing.try_recv()
            {
                if let Err(error) = write(socket, &message) {
                    return error;
                }
            }
            match socket.flush() {
                Ok(()) => {}
                Err(tungstenite::Error::Io(error)) if is_wait(&error) => {}
                Err(_) => return ConnectError::Lost,
            }
            wait(socket.get_ref(), LOOK.min(conversation.until_ping()));
        }
    }
}

/// Waits until something arrives, or for a time: what was heard when is known exactly.
fn wait(stream: &TcpStream, time: Duration) {
    let peeked = || {
        stream.set_nonblocking(false)?;
        // Zero would be no limit.
        stream.set_read_timeout(Some(time.max(Duration::from_millis(1))))?;
        stream.peek(&mut [0])
    };
    // Also what is over shows when it is read.
    let is_over = peeked().is_err_and(|error| !is_wait(&error));
    if stream.set_nonblocking(true).is_err() || is_over {
        thread::park_timeout(time);
    }
}

/// Opens a connection to a game.
pub(crate) fn dial(address: &RemoteAddress) -> Result<WebSocket<TcpStream>, ConnectError> {
    let authority = address.authority();
    let no_answer = |error: io::Error| ConnectError::NoAnswer(authority.clone(), why(&error));
    let host_and_port = (address.host(), address.port());
    let mut last = io::ErrorKind::NotFound.into();
    let mut connected = None;
    for place in host_and_port.to_socket_addrs().map_err(no_answer)? {
        match TcpStream::connect_timeout(&place, PATIENCE) {
            Ok(stream) => {
                connected = Some(stream);
                break;
            }
            Err(error) => last = error,
        }
    }
    let stream = connected.ok_or(last).map_err(no_answer)?;
    let set = || {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))
    };
    set().map_err(no_answer)?;
    let config = WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE))
        .max_frame_size(Some(MAX_MESSAGE))
        .max_write_buffer_size(4 << 20);
    let url = format!("ws://{authority}/");
    let handshake = client_with_config(url, stream, Some(config));
    let no_game = |why: String| ConnectError::NoGame(authority.clone(), why);
    let (socket, _) = handshake.map_err(|error| match error {
        HandshakeError::Failure(error) => no_game(answer_of(&error)),
        HandshakeError::Interrupted(_) => no_game("it does not answer".to_owned()),
    })?;
    Ok(socket)
}

/// Opens a connection to a game, and sends the greeting.
fn greet(address: &RemoteAddress) -> Result<WebSocket<TcpStream>, ConnectError> {
    let mut socket = dial(address)?;
    let no_game = |why: String| ConnectError::NoGame(address.authority(), why);
    let hello = ToGame::Hello(Hello::new(address.token, "stats", address.is_rounded));
    let greeted = socket.send(Message::binary(hello.encode()));
    greeted.map_err(|error| no_game(error.to_string()))?;
    let answered = socket.get_ref().set_nonblocking(true);
    answered.map_err(|error| ConnectError::NoAnswer(address.authority(), why(&error)))?;
    Ok(socket)
}

/// Writes a message to the buffer of a socket.
fn write(socket: &mut WebSocket<TcpStream>, message: &ToGame) -> Result<(), ConnectError> {
    match socket.write(Message::binary(message.encode())) {
        Ok(()) => Ok(()),
        Err(tungstenite::Error::Io(error)) if is_wait(&error) => Ok(()),
        Err(_) => Err(ConnectError::Lost),
    }
}

fn is_wait(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted | io::ErrorKind::TimedOut
    )
}

/// Says why the system refused, without the number of the error.
fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => "nothing listens there".to_owned(),
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => "it takes too long".to_owned(),
        _ => error.to_string(),
    }
}

/// Returns what a game said instead of becoming a WebSocket.
fn answer_of(error: &tungstenite::Error) -> String {
    let tungstenite::Error::Http(response) = error else {
        return error.to_string();
    };
    let body = response.body().as_deref().unwrap_or_default();
    let body = String::from_utf8_lossy(body).trim().to_owned();
    match body.is_empty() {
        true => response.status().to_string(),
        false => body,
    }
}
