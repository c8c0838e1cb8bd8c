//! Passes the bytes of a page on to the game, and those of the game to the page.
//!
//! A page reaches the game only after its greeting had the token: the game has few connections, and
//! only its own viewers may take one.
//!
//! A side that does not read holds up only the other side. Between the two are the buffers of the system and
//! a few kilobytes.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Message, WebSocket};

use crate::address::RemoteAddress;
use crate::http::head::acceptance;
use crate::viewer::dial;
use crate::wire::to_game::ToGame;
use crate::wire::to_viewer::encode_bye;

/// How long a page may take to greet.
const GREETING: Duration = Duration::from_secs(5);

/// The most bytes up to the end of a greeting.
const MAX_GREETING: usize = 1 << 10;

/// How long a side may take nothing, before both connections end.
const STUCK: Duration = Duration::from_secs(10);

/// How long a side may send nothing. A page sends several pings a second, and a game answers them. A game
/// ends the connection of a page that is silent for 30 seconds.
const SILENCE: Duration = Duration::from_secs(60);

/// How often a thread that reads looks whether the server ended.
const LOOK: Duration = Duration::from_millis(250);

/// Makes the connection of a page that knows the token a WebSocket to the game, and returns when it ends.
/// `key` is the key in the request, and `rest` has the bytes that came after the request.
pub(super) fn relay(
    mut page: TcpStream,
    key: &str,
    rest: &[u8],
    game: &RemoteAddress,
    is_closed: &AtomicBool,
) -> io::Result<()> {
    page.write_all(acceptance(key).as_bytes())?;
    page.set_nodelay(true)?;
    let mut greeting = Greeting {
        page: &page,
        begun: Instant::now(),
        is_closed,
        bytes: rest.to_vec(),
    };
    let why = match greeting.message(rest)? {
        Some(ToGame::Hello(hello)) if hello.token == game.token => None,
        Some(ToGame::Hello(_)) => Some(
            "the token is wrong: open the address again that `stats view --serve` printed"
                .to_owned(),
        ),
        _ => Some("the page does not begin with a greeting".to_owned()),
    };
    let bytes = greeting.bytes;
    let dialed = match why {
        Some(why) => Err(why),
        None => dial(game).map_err(|error| error.to_string()),
    };
    let mut game = match dialed {
        Ok(socket) => socket.into_inner(),
        Err(why) => return page.write_all(&farewell(&why)),
    };
    // The game looks at the token, too.
    game.write_all(&bytes)?;
    for stream in [&page, &game] {
        stream.set_read_timeout(Some(LOOK))?;
        stream.set_write_timeout(Some(STUCK))?;
        stream.set_nodelay(true)?;
    }
    thread::scope(|scope| {
        let to_game = thread::Builder::new().name("stats-page".to_owned());
        let to_game = to_game.spawn_scoped(scope, || pass_on(&page, &game, is_closed));
        if to_game.is_ok() {
            pass_on(&game, &page, is_closed);
        }
        // Ends the other thread.
        let _ = (page.shutdown(Shutdown::Both), game.shutdown(Shutdown::Both));
        to_game.map(|_| ())
    })
}

/// The side of a page until it has greeted. Keeps what it reads.
struct Greeting<'a> {
    page: &'a TcpStream,
    begun: Instant,
    is_closed: &'a AtomicBool,
    bytes: Vec<u8>,
}

impl Greeting<'_> {
    /// Reads the first message, which begins with `rest`. `None` if it is not a message of a viewer.
    fn message(&mut self, rest: &[u8]) -> io::Result<Option<ToGame>> {
        let config = WebSocketConfig::default()
            .read_buffer_size(MAX_GREETING)
            .max_message_size(Some(MAX_GREETING))
            .max_frame_size(Some(MAX_GREETING));
        let rest = rest.to_vec();
        let mut socket = WebSocket::from_partially_read(self, rest, Role::Server, Some(config));
        match socket.read() {
            Ok(Message::Binary(message)) => Ok(ToGame::decode(&message).ok()),
            Ok(_) => Ok(None),
            Err(tungstenite::Error::Io(error)) => Err(error),
            Err(_) => Ok(None),
        }
    }
}

impl Read for Greeting<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let room = MAX_GREETING.saturating_sub(self.bytes.len());
        let len = into.len().min(room);
        if len == 0 {
            return Err(io::ErrorKind::InvalidData.into());
        }
        loop {
            let left = GREETING.saturating_sub(self.begun.elapsed());
            if left.is_zero() || self.is_closed.load(Ordering::Acquire) {
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.page.set_read_timeout(Some(left.min(LOOK)))?;
            match self.page.read(&mut into[..len]) {
                Ok(len) => {
                    self.bytes.extend_from_slice(&into[..len]);
                    return Ok(len);
                }
                Err(error) if is_wait(&error) => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Nothing is answered before the greeting.
impl Write for Greeting<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Passes bytes on until a side ends, is stuck or silent, or the server ends. Then ends both sides.
fn pass_on(mut from: &TcpStream, mut to: &TcpStream, is_closed: &AtomicBool) {
    let (mut part, mut heard) = ([0; 16 << 10], Instant::now());
    while !is_closed.load(Ordering::Acquire) && heard.elapsed() < SILENCE {
        match from.read(&mut part) {
            Ok(0) => break,
            Ok(len) => {
                heard = Instant::now();
                if to.write_all(&part[..len]).is_err() {
                    break;
                }
            }
            Err(error) if is_wait(&error) => {}
            Err(_) => break,
        }
    }
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

/// Returns the last message of a game, and the end of the WebSocket.
fn farewell(why: &str) -> Vec<u8> {
    const BINARY: u8 = 0x82;
    const TWO_BYTES: u8 = 126;
    let bye = encode_bye(why);
    let len = u16::try_from(bye.len()).unwrap_or_default().to_be_bytes();
    let mut frames = vec![BINARY, TWO_BYTES, len[0], len[1]];
    frames.extend(bye);
    // A close frame without a reason.
    frames.extend([0x88, 0]);
    frames
}

fn is_wait(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted
    )
}
