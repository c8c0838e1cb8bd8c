//! The game's handle.

use std::env;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, TryLockError};
use std::thread::{self, JoinHandle};

use stats_core::{OwnProcess, Recorder, own_memory};

use crate::address::RemoteAddress;
use crate::feed::Feed;
use crate::http::Rules;
use crate::http::listen::{listen, shown};
use crate::hub::Hub;
use crate::hub::hub::Shared;
use crate::options::{RemoteError, RemoteOptions};
use crate::own_series::register;
use crate::token::Token;
use crate::wire::to_viewer::{MAX_SERIES, Welcome};

/// Lets viewers watch this program until it is dropped; see the [documentation of the crate](crate).
///
/// Dropping it ends all connections, whatever viewers do, and takes a few milliseconds.
pub struct Remote {
    address: RemoteAddress,
    shared: Arc<Shared>,
    /// [`Shared::news`] when the game last looked at them.
    news: u64,
    /// `None` while nobody is connected.
    feed: Option<Feed>,
    /// `None` without the feature `enabled`, or while it is dropped.
    thread: Option<OwnProcess<JoinHandle<()>>>,
}

impl Remote {
    /// Starts to listen for viewers, on a thread of its own. Without the feature `enabled`, nothing
    /// is started, and the [`address`](Self::address) leads nowhere.
    ///
    /// # Errors
    ///
    /// Returns an error if the system refuses the address with each of the ports.
    pub fn start(options: RemoteOptions) -> Result<Self, RemoteError> {
        let _memory = own_memory("stats-remote");
        let first = SocketAddr::new(options.address, options.port);
        let failed = |error: io::Error| RemoteError::System(first, error.into());
        let unknown = |error: getrandom::Error| RemoteError::System(first, error.into());
        let shared = Arc::new(Shared::default());
        if !stats_core::ENABLED {
            let (token, host) = (Token::new([0; 16]), options.address.to_string());
            return Ok(Self {
                address: RemoteAddress::new(host, options.port, token),
                shared,
                news: 0,
                feed: None,
                thread: None,
            });
        }
        let token = match options.token {
            Some(token) => token,
            None => Token::new(Token::random_bytes().map_err(unknown)?),
        };
        let listeners = listen(options.address, options.port).map_err(failed)?;
        let local = listeners[0].local_addr().map_err(failed)?;
        let welcome = Welcome {
            session: Token::random_bytes().map_err(unknown)?,
            program: options.program.unwrap_or_else(program),
            process: std::process::id(),
            max_watches: options.max_watches.clamp(1, MAX_SERIES) as u64,
        };
        let hub = Hub {
            shared: Arc::clone(&shared),
            listeners,
            rules: Rules {
                hosts: options.hosts,
                origins: options.origins,
            },
            token,
            max_watches: welcome.max_watches as usize,
            welcome,
        };
        let thread = thread::Builder::new().name("stats-remote".to_owned());
        let thread = thread.spawn(move || hub.run()).map_err(failed)?;
        Ok(Self {
            address: RemoteAddress::new(shown(local.ip()).to_string(), local.port(), token),
            shared,
            news: 0,
            feed: None,
            thread: Some(OwnProcess::new(thread)),
        })
    }

    /// Starts to listen if the variable `STATS_REMOTE` is set: to `1`, a port, an address, or both
    /// (`127.0.0.1:8766`), and perhaps `#` and a token. `None` if it is not set, empty or `0`, and
    /// without the feature `enabled`.
    ///
    /// # Errors
    ///
    /// Returns an error for another value, and those of [`start`](Self::start).
    pub fn from_env() -> Result<Option<Self>, RemoteError> {
        let text = env::var_os("STATS_REMOTE").filter(|_| stats_core::ENABLED);
        let options = RemoteOptions::from_variable(&text.unwrap_or_default())?;
        options.map(Self::start).transpose()
    }

    /// Returns the address for a viewer, with the secret that it has to know. For all addresses of
    /// the machine, it has the loopback address: from elsewhere, use the name of the machine. Without
    /// the feature `enabled`, it leads nowhere: nothing listens there, and its secret is zero.
    #[must_use]
    pub const fn address(&self) -> &RemoteAddress {
        &self.address
    }

    /// Returns whether a viewer is connected.
    #[must_use]
    pub const fn is_watched(&self) -> bool {
        self.feed.is_some()
    }

    /// Sends what viewers watch: once in each frame, after it ended, and always with the same
    /// recorder.
    ///
    /// While nobody is connected, it is one load. Otherwise it copies the newest value of each series
    /// that is watched. If it was not called for earlier frames, it also copies the values of up to 15
    /// of them. While a viewer shows scopes, the recorder collects scopes, and the call copies the
    /// scopes of a few frames. It never waits. It allocates only when viewers ask for further series or
    /// scopes, or when scopes have a new lane. It makes no system call, except in the frame after the
    /// last viewer has left, in which it frees the queues and the histories.
    #[inline]
    pub fn publish(&mut self, recorder: &mut Recorder) {
        // Acquire: see `Shared::tell`.
        let news = self.shared.news.load(Ordering::Acquire);
        if news != self.news {
            self.hear(news, recorder);
        }
        if let Some(feed) = &mut self.feed {
            feed.publish(recorder);
        }
    }

    /// Takes an offer, and does what viewers ask for. What is left is for the next frame.
    #[cold]
    fn hear(&mut self, news: u64, recorder: &mut Recorder) {
        let is_taken = self.take_offer();
        let is_done = match &mut self.feed {
            Some(feed) => feed.obey(recorder),
            None => true,
        };
        if is_taken && is_done {
            self.news = news;
        }
    }

    /// Takes the queues for the first viewer, or frees them after the last; false if the hub is about to
    /// change the offer.
    fn take_offer(&mut self) -> bool {
        let _memory = own_memory("stats-remote");
        let mut place = match self.shared.offer.try_lock() {
            Ok(place) => place,
            Err(TryLockError::Poisoned(place)) => place.into_inner(),
            Err(TryLockError::WouldBlock) => return false,
        };
        if let Some(feed) = place.take() {
            register();
            self.feed = feed;
        }
        true
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        // In a child of `fork`: the parent serves.
        let Some(thread) = self.thread.take().and_then(OwnProcess::take) else {
            return;
        };
        self.shared.is_closed.store(true, Ordering::Release);
        // The thread never waits for a viewer.
        thread.thread().unpark();
        let _ = thread.join();
    }
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

/// Returns the file name of this program.
fn program() -> String {
    let path = env::current_exe().unwrap_or_default();
    let name = path.file_stem().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::words;

    /// As a resource of Bevy has to.
    #[test]
    fn a_remote_moves_between_threads() {
        fn is_resource<T: Send + Sync + 'static>(_: Option<T>) {}
        is_resource(None::<Remote>);
    }

    #[test]
    fn the_newest_offer_counts_as_soon_as_it_can_be_taken() {
        let shared = Arc::new(Shared::default());
        let mut recorder = Recorder::new();
        let mut remote = Remote {
            address: RemoteAddress::new("localhost".to_owned(), 1, Token::new([0; 16])),
            shared: Arc::clone(&shared),
            news: 0,
            feed: None,
            thread: None,
        };
        let offer = |is_anybody_there: bool| {
            let (out, commands) = (words(64).0, words(64).1);
            let feed = is_anybody_there.then(|| Feed::new(out, commands, 1));
            *shared.offer.lock().expect("nobody panicked") = Some(feed);
        };
        let mut is_watched = || {
            remote.publish(&mut recorder);
            remote.is_watched()
        };
        assert!(!is_watched());
        offer(true);
        assert!(!is_watched());
        shared.tell();
        assert!(is_watched() && is_watched());
        // The last viewer leaves, and another one comes before the next frame.
        offer(false);
        shared.tell();
        offer(true);
        shared.tell();
        assert!(is_watched());
        offer(false);
        shared.tell();
        // The hub has the offer in its hands, and lets it go without a word.
        let held = shared.offer.lock().expect("nobody panicked");
        assert!(is_watched());
        drop(held);
        assert!(!is_watched());
    }
}
