//! What the two kinds of connections to a game have in common, on a thread and in a browser.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use super::Instant;
#[cfg(not(target_family = "wasm"))]
use super::listing::text_bytes;
#[cfg(not(target_family = "wasm"))]
use crate::wire::listing::Entry;
use crate::wire::to_game::ToGame;
use crate::wire::to_viewer::{ToViewer, Welcome};

/// How long a game may be silent: it answers each ping.
const SILENCE: Duration = Duration::from_secs(10);

/// How often a game is asked whether it is there, and what its clock says. The hub looks every 10 ms: the
/// time between two pings differs by up to as much, evenly, so that some arrive just before it looks.
const PING_EVERY: Duration = Duration::from_millis(50);
const PING_SPREAD: Duration = Duration::from_millis(10);
/// The golden ratio spreads any number of points evenly.
const GOLDEN: f64 = 0.618_033_988_749_895;

/// The time before a lost connection is tried again.
const AGAIN: Duration = Duration::from_millis(500);

/// The time before a game that refused is asked again. It allows five wrong tokens a second, from all
/// viewers: forgotten ones must not lock out those that know the token.
const AFTER_REFUSAL: Duration = Duration::from_secs(3);

/// Returns how long a viewer waits before it connects again.
pub(super) const fn again_after(error: &ConnectError) -> Duration {
    match error {
        ConnectError::Refused(_) => AFTER_REFUSAL,
        _ => AGAIN,
    }
}

/// The messages that are taken in at once.
pub(super) const WAITING: usize = 256;

/// The most bytes of the messages that wait to be taken in, unless a single one has more. A few bytes of a
/// listing may stand for a long path, and a byte for a column of values.
#[cfg(not(target_family = "wasm"))]
pub(super) const WAITING_BYTES: usize = 32 << 20;

/// The reason why there is no connection to a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConnectError {
    /// The game did not answer yet.
    Pending,
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
            Self::Pending => f.write_str("the game did not answer yet"),
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

/// What a connection tells.
#[derive(Debug)]
pub(super) enum Event {
    Connected(Welcome),
    /// It was heard at this time.
    Message(ToViewer, Instant),
    /// The answer to a ping arrived.
    Answer(Answer),
    Ended(ConnectError),
}

#[cfg(not(target_family = "wasm"))]
impl Event {
    /// Returns about how many bytes the event takes in memory.
    pub(super) fn bytes(&self) -> usize {
        let values = |len: usize| size_of::<Vec<f64>>() + len * size_of::<f64>();
        let content = match self {
            Self::Message(ToViewer::List(list), _) => list.entries.iter().map(entry_bytes).sum(),
            Self::Message(ToViewer::Values(block), _) => {
                let columns = block.series.iter().map(|(_, column)| values(column.len()));
                2 * values(block.durations_ms.len()) + columns.sum::<usize>()
            }
            Self::Message(ToViewer::Past(past), _) => 2 * values(past.values.len()),
            Self::Message(ToViewer::Newest(rows), _) => size_of_val(&rows[..]),
            Self::Message(ToViewer::Marks(marks), _) => {
                let names = marks.marks.iter().map(|(_, mark)| mark.name.len());
                size_of_val(&marks.marks[..]) + names.sum::<usize>()
            }
            Self::Message(ToViewer::Refused(ids), _) => size_of_val(&ids[..]),
            Self::Message(ToViewer::Thread(name), _) => name.len(),
            Self::Message(ToViewer::Scopes(frame), _) => size_of_val(&frame.scopes[..]),
            Self::Message(ToViewer::Lanes(lanes), _) => {
                let names = lanes.iter().map(|lane| lane.name.len());
                size_of_val(&lanes[..]) + names.sum::<usize>()
            }
            Self::Message(ToViewer::Gained(gained), _) => size_of_val(&gained.buckets[..]),
            _ => 0,
        };
        size_of::<Self>() + content
    }
}

#[cfg(not(target_family = "wasm"))]
fn entry_bytes(entry: &Entry) -> usize {
    size_of::<Entry>() + text_bytes(entry)
}

/// The answer to a ping.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub(super) sent: Instant,
    pub(super) heard: Instant,
    /// What the clock of the frames said in between.
    pub(super) game_secs: Option<f64>,
}

/// One connection, from the greeting on.
#[derive(Debug)]
pub(super) struct Conversation {
    /// The `HOST:PORT` of the game.
    authority: String,
    pub(super) is_welcome: bool,
    begun: Instant,
    heard: Instant,
    next_ping: Instant,
    pings: u32,
}

impl Conversation {
    pub(super) fn new(authority: String) -> Self {
        let now = Instant::now();
        Self {
            authority,
            is_welcome: false,
            begun: now,
            heard: now,
            next_ping: now,
            pings: 0,
        }
    }

    /// Returns what a message of the game means, or why it ends the connection.
    pub(super) fn hear(&mut self, message: &[u8]) -> Result<Event, ConnectError> {
        self.heard = Instant::now();
        match ToViewer::decode(message) {
            Ok(ToViewer::Bye(why)) => Err(ConnectError::Refused(why)),
            Ok(ToViewer::Pong(sent, game_secs)) => {
                let sent = self.begun.checked_add(Duration::from_micros(sent));
                let sent = sent.unwrap_or(self.heard).min(self.heard);
                Ok(Event::Answer(Answer {
                    sent,
                    heard: self.heard,
                    game_secs,
                }))
            }
            Ok(ToViewer::Welcome(welcome)) if !self.is_welcome => {
                self.is_welcome = true;
                Ok(Event::Connected(welcome))
            }
            Ok(ToViewer::Welcome(_)) | Err(_) => {
                let why = "it sends what the viewer does not understand".to_owned();
                Err(ConnectError::NoGame(self.authority.clone(), why))
            }
            Ok(message) => Ok(Event::Message(message, self.heard)),
        }
    }

    /// Returns whether nothing was heard for so long that nobody seems to be there.
    pub(super) fn is_silent(&self) -> bool {
        self.heard.elapsed() > SILENCE
    }

    /// Returns the time until the next ping.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn until_ping(&self) -> Duration {
        self.next_ping.saturating_duration_since(Instant::now())
    }

    /// Returns the ping that is to be sent now.
    pub(super) fn ping(&mut self) -> Option<ToGame> {
        let now = Instant::now();
        if !self.is_welcome || now < self.next_ping {
            return None;
        }
        self.pings = self.pings.wrapping_add(1);
        let spread = (f64::from(self.pings) * GOLDEN).fract();
        self.next_ping = now + PING_EVERY + PING_SPREAD.mul_f64(spread);
        let sent = now.saturating_duration_since(self.begun);
        Some(ToGame::Ping(sent.as_micros() as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_forgotten_viewers_with_a_wrong_token_use_up_less_than_the_five_a_second() {
        let refused = again_after(&ConnectError::Refused(String::new()));
        assert!(10.0 / refused.as_secs_f64() < 5.0, "{refused:?}");
        assert!(again_after(&ConnectError::Lost) < Duration::from_secs(1));
    }
}
