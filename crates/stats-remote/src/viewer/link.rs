//! The connection to a game, on a thread of its own. It connects again when it is lost.

use std::error::Error;
use std::fmt;
use std::io;
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender, TrySendError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use stats_core::OwnProcess;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{HandshakeError, Message, WebSocket, client::client_with_config};

use crate::address::RemoteAddress;
use crate::wire::to_game::{Hello, ToGame};
use crate::wire::to_viewer::{MAX_MESSAGE, ToViewer, Welcome};

/// How long a game may take to accept a connection, and to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a game may be silent: it answers a ping each second.
const SILENCE: Duration = Duration::from_secs(10);

/// How often the thread looks.
const LOOK: Duration = Duration::from_millis(5);

/// The time before it connects again.
const AGAIN: Duration = Duration::from_millis(500);

/// The messages that wait for the reader. With more, the game waits for the connection.
pub(super) const WAITING: usize = 256;

/// The reason why there is no connection to a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConnectError {
    /// Nothing answers at this `HOST:PORT`, for the reason given.
    NoAnswer(String, String),
    /// What answers is not a game, or refuses the request, for the reason given.
    NoGame(String, String),
    /// The game ended the connection, and said why.
    Refused(String),
    /// The connection was lost.
    Lost,
}

impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAnswer(authority, why) => write!(
                f,
                "no game answers at {authority}: {why}. Start the game with STATS_REMOTE=1, and copy the \
                 address that it prints. A game on another machine needs a tunnel, such as ssh -L, or \
                 an address that this machine can reach"
            ),
            Self::NoGame(authority, why) => write!(
                f,
                "what answers at {authority} is not a game that can be watched, or does not answer this \
                 name: {why}. Copy the address that the game prints"
            ),
            Self::Refused(why) => write!(f, "the game ended the connection: {why}"),
            Self::Lost => f.write_str("the connection was lost: the game ended, or the network"),
        }
    }
}

impl Error for ConnectError {}

/// What the thread tells.
#[derive(Debug)]
pub(super) enum Event {
    Connected(Welcome),
    Message(ToViewer),
    /// The answer to a ping arrived after this time.
    RoundTrip(Duration),
    Ended(ConnectError),
}

/// A connection, or the attempt to get one again, until it is dropped.
#[derive(Debug)]
pub(super) struct Link {
    events: Receiver<Event>,
    outgoing: Sender<ToGame>,
    is_closed: Arc<AtomicBool>,
    thread: Option<OwnProcess<JoinHandle<()>>>,
}

impl Link {
    pub(super) fn start(address: RemoteAddress) -> io::Result<Self> {
        let (sender, events) = mpsc::sync_channel(WAITING);
        let (outgoing, messages) = mpsc::channel();
        let is_closed = Arc::new(AtomicBool::new(false));
        let side = Side {
            address,
            events: sender,
            outgoing: messages,
            is_closed: Arc::clone(&is_closed),
        };
        let thread = thread::Builder::new().name("stats-viewer".to_owned());
        let thread = thread.spawn(move || side.run())?;
        Ok(Self {
            events,
            outgoing,
            is_closed,
            thread: Some(OwnProcess::new(thread)),
        })
    }

    /// Returns the next event; `None` if there is none after `wait`.
    pub(super) fn next(&self, wait: Duration) -> Option<Event> {
        if wait.is_zero() {
            return self.events.try_recv().ok();
        }
        self.events.recv_timeout(wait).ok()
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
    outgoing: Receiver<ToGame>,
    is_closed: Arc<AtomicBool>,
}

impl Side {
    fn run(&self) {
        while !self.is_closed() {
            let error = match self.connect() {
                Ok(mut socket) => self.serve(&mut socket),
                Err(error) => error,
            };
            self.tell(Event::Ended(error));
            let again = Instant::now() + AGAIN;
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
        while let Err(TrySendError::Full(full)) = self.events.try_send(event) {
            if self.is_closed() {
                return;
            }
            event = full;
            thread::park_timeout(LOOK);
        }
    }

    fn connect(&self) -> Result<WebSocket<TcpStream>, ConnectError> {
        let authority = self.address.authority();
        let no_answer = |error: io::Error| ConnectError::NoAnswer(authority.clone(), why(&error));
        let host_and_port = (self.address.host(), self.address.port());
        let mut last = io::ErrorKind::NotFound.into();
        let mut connected = None;
        for address in host_and_port.to_socket_addrs().map_err(no_answer)? {
            match TcpStream::connect_timeout(&address, PATIENCE) {
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
        let (mut socket, _) = handshake.map_err(|error| match error {
            HandshakeError::Failure(error) => no_game(answer_of(&error)),
            HandshakeError::Interrupted(_) => no_game("it does not answer".to_owned()),
        })?;
        let hello = ToGame::Hello(Hello::new(self.address.token, "stats"));
        let greeted = socket.send(Message::binary(hello.encode()));
        greeted.map_err(|error| no_game(error.to_string()))?;
        let answered = socket.get_ref().set_nonblocking(true);
        answered.map_err(no_answer)?;
        Ok(socket)
    }

    /// Exchanges messages until the connection ends.
    fn serve(&self, socket: &mut WebSocket<TcpStream>) -> ConnectError {
        // What was to be sent on an earlier connection.
        let mut is_welcome = false;
        let (mut heard, begun) = (Instant::now(), Instant::now());
        let mut next_ping = begun;
        loop {
            // A game may send without a pause. Between its messages, the others are sent.
            for _ in 0..WAITING {
                if self.is_closed() {
                    return ConnectError::Lost;
                }
                match socket.read() {
                    Ok(Message::Binary(message)) => {
                        heard = Instant::now();
                        let not_understood = || {
                            let why = "it sends what the viewer does not understand".to_owned();
                            ConnectError::NoGame(self.address.authority(), why)
                        };
                        let Ok(message) = ToViewer::decode(&message) else {
                            return not_understood();
                        };
                        match message {
                            ToViewer::Bye(why) => return ConnectError::Refused(why),
                            ToViewer::Pong(sent) => {
                                let sent = begun + Duration::from_micros(sent);
                                self.tell(Event::RoundTrip(heard.saturating_duration_since(sent)));
                            }
                            ToViewer::Welcome(_) if is_welcome => return not_understood(),
                            ToViewer::Welcome(welcome) => {
                                while self.outgoing.try_recv().is_ok() {}
                                is_welcome = true;
                                self.tell(Event::Connected(welcome));
                            }
                            message => self.tell(Event::Message(message)),
                        }
                    }
                    Ok(_) => {}
                    Err(tungstenite::Error::Io(error)) if is_wait(&error) => break,
                    Err(_) => return ConnectError::Lost,
                }
            }
            if heard.elapsed() > SILENCE {
                return ConnectError::Lost;
            }
            if is_welcome && Instant::now() >= next_ping {
                let ping = ToGame::Ping(begun.elapsed().as_micros() as u64);
                next_ping = Instant::now() + Duration::from_secs(1);
                if let Err(error) = write(socket, &ping) {
                    return error;
                }
            }
            while is_welcome && let Ok(message) = self.outgoing.try_recv() {
                if let Err(error) = write(socket, &message) {
                    return error;
                }
            }
            match socket.flush() {
                Ok(()) => {}
                Err(tungstenite::Error::Io(error)) if is_wait(&error) => {}
                Err(_) => return ConnectError::Lost,
            }
            thread::park_timeout(LOOK);
        }
    }
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
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
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
