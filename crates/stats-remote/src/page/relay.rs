//! Passes the bytes of a page on to the game, and those of the game to the page.
//!
//! Whoever does not read holds the other up, and nobody else: between the two are the buffers of the
//! system and a few kilobytes.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::address::RemoteAddress;
use crate::http::head::acceptance;
use crate::viewer::dial;
use crate::wire::to_viewer::encode_bye;

/// How long a side may take nothing, before both connections end.
const STUCK: Duration = Duration::from_secs(10);

/// How long a side may send nothing: a page sends a ping each second, which a game answers, and a
/// game lets a page go that is silent for 30 seconds.
const SILENCE: Duration = Duration::from_secs(60);

/// How often a thread that reads looks whether the server ended.
const LOOK: Duration = Duration::from_millis(250);

/// Makes the connection of a page a WebSocket to the game, and returns when it ends. `key` is that of
/// the request, and `rest` what came behind it.
pub(super) fn relay(
    mut page: TcpStream,
    key: &str,
    rest: &[u8],
    game: &RemoteAddress,
    is_closed: &AtomicBool,
) -> io::Result<()> {
    let dialed = dial(game);
    page.write_all(acceptance(key).as_bytes())?;
    let mut game = match dialed {
        Ok(socket) => socket.into_inner(),
        Err(error) => return page.write_all(&farewell(&error.to_string())),
    };
    game.write_all(rest)?;
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
