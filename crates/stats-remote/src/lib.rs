//! Lets a viewer in another process or on another machine watch the series of a game or a server:
//! on a second monitor, from a headless machine, or from a handheld.
//!
//! ```
//! use stats_core::Recorder;
//! use stats_remote::{Remote, RemoteOptions};
//!
//! let mut options = RemoteOptions::default();
//! options.port = 0; // any free port; the default is 8766
//! let mut recorder = Recorder::new();
//! let mut remote = Remote::start(options)?;
//! println!("{}", remote.address());
//!
//! // In every frame:
//! recorder.end_frame();
//! remote.publish(&mut recorder);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Cost
//!
//! While nobody is connected, [`publish`](Remote::publish) is one load, and the thread looks for a
//! viewer 20 times a second. A viewer that is connected costs the game one copy of each value that
//! somebody watches, right after the recorder has written it. The game's thread never waits for a lock,
//! and wakes no thread. It makes no system call, except in the frame after the last viewer has left, which
//! frees memory. Encoding and sending happen on a thread of their own, which looks every 10 ms.
//!
//! With a viewer, the memory is bounded: 1 MiB of queues, a history in the recorder for each watched
//! series, 16 MiB of scopes in the recorder while a view shows them and for two seconds afterward, and for
//! each of at most eight viewers 1 MiB of values, up to 16 MiB of listings, and up to 4 MiB of buckets of
//! histograms. A viewer for whom more than 16 MiB wait, scopes among them, is disconnected. The queues and
//! the histories are freed in the first frame after the last viewer has left.
//!
//! A viewer that is slow or reads nothing changes nothing for the game and for other viewers. Frames
//! that it cannot take are left out for this viewer alone, and it can ask for them later: the recorder
//! still has them.
//!
//! # Security
//!
//! - Nothing listens unless [`Remote::start`], the variable of [`Remote::from_env`] or
//!   [`PageServer::start`] asks for it. The address is a loopback address, unless an option or an
//!   argument names another one.
//! - A viewer has to know a random token of 128 bits, which is part of the
//!   [address](RemoteAddress). It is after `#`, which browsers do not send, and it is compared in
//!   constant time. After five wrong ones in a second, no token is looked at for the rest of it.
//! - A page on the internet can make a browser connect to this machine, so the headers of a request are
//!   checked. `Host` must be `localhost`, a loopback address, the address at which the request arrived, or
//!   a name of [`RemoteOptions::hosts`]. `Origin` must be missing, that of this listener, or one of
//!   [`RemoteOptions::origins`]. Other requests are refused.
//! - Viewers can only read. There is no message that changes the game, names a file or runs code.
//! - Every length is checked before memory is taken. A greeting may take five seconds, a message has at
//!   most 64 KiB, and a viewer may send 200 messages a second; there are at most 8 viewers, and 16
//!   connections. A [`PageServer`] has at most 32 connections. It reads a request and a greeting for five
//!   seconds each, and connects with the game after it has compared the token.
//! - **Nothing is encrypted.** In a network that you do not trust, use a tunnel, such as that of ssh.
//!
//! # In a browser
//!
//! A page can be a viewer: compiled to WebAssembly, the crate has [`RemoteSource::open`], with a
//! WebSocket of the browser, and nothing of the game's side. [`PageServer`] hands such a page out, and
//! connects it with the game. It is for the command `stats`: no game has a page.
//!
//! # Limits
//!
//! - The values of [`RemoteOptions::max_watches`] series are sent, from as far back as the recorder kept
//!   them.
//! - [Scopes](stats_core::timeline) are collected and sent as long as a view asks: those of the newest
//!   frames, and of earlier ones that the recorder has. A viewer keeps
//!   [`TIMELINE_BYTES`](stats_core::limits::TIMELINE_BYTES) of them. Of a frame, up to 32,768 are sent, and
//!   the others count as lost. A connection that falls 240 frames behind leaves frames out.
//! - A [survey](stats_core::Source::survey) of a viewer has up to half of these series, and 512 at most. The
//!   game sends them as long as a view asks.
//! - A viewer has the [distributions](stats_core::Source::distribution) of 64 histograms at a time, each of
//!   up to 16,384 buckets, and all of up to 262,144. A histogram beyond that has none. The thread of the hub
//!   reads them, ten times a second, as long as a view asks.
//! - If the parent or the thread of a timer changes, viewers see it when the listing changes.
//!
//! # Features
//!
//! - `enabled` (default): without it no game listens, and a game has no thread.
//!
//! # Internals
//!
//! The game's thread and the thread of the hub share two queues of words (`words.rs`), one in each
//! direction. The game writes records (`feed/`): the values of a frame, values of the past, scopes, marks.
//! The hub reads them (`hub/`), collects the frames of 50 ms into a block, encodes each series of a block once
//! for all viewers (`wire/`), and sends each viewer those that it watches. Listings come from the registry
//! of the core, without the game's thread. A viewer (`viewer/`) reads the messages, and is a `Source`.
//! `http/` decides who may connect, and `page/` hands out the page that shows a game in a browser.
//!
//! - **The hub looks, and is never woken.** To wake a thread is a system call, which takes longer than
//!   everything else that the game does here.
//! - **One thread serves all viewers** without waiting for any, so there is nothing to stop but this
//!   thread, which ends within milliseconds.
//! - **Blocks are decoded by themselves.** It costs a tenth of the bytes, and a block that is left out
//!   damages no other.
//! - **The codec is our own.** Values of games compress to fewer bytes by their differences than by
//!   any general compressor, and in less time.
//! - **The transport is a WebSocket**, of tungstenite, without TLS and without an asynchronous
//!   runtime: a browser can open no other connection to a game.

#![forbid(unsafe_code)]
#![cfg_attr(
    target_family = "wasm",
    expect(dead_code, reason = "in a browser is the viewer's side alone")
)]

mod address;
#[cfg(not(target_family = "wasm"))]
mod feed;
#[cfg(not(target_family = "wasm"))]
mod http;
#[cfg(not(target_family = "wasm"))]
mod hub;
#[cfg(not(target_family = "wasm"))]
mod options;
#[cfg(not(target_family = "wasm"))]
mod own_series;
#[cfg(not(target_family = "wasm"))]
mod page;
#[cfg(not(target_family = "wasm"))]
mod remote;
mod token;
mod viewer;
mod wire;
#[cfg(not(target_family = "wasm"))]
mod words;

pub use address::{AddressError, RemoteAddress};
#[cfg(not(target_family = "wasm"))]
pub use options::{DEFAULT_PORT, RemoteError, RemoteOptions};
#[cfg(not(target_family = "wasm"))]
pub use page::{DEFAULT_PAGE_PORT, Page, PageServer};
#[cfg(not(target_family = "wasm"))]
pub use remote::Remote;
pub use token::Token;
pub use viewer::{ConnectError, RemoteSource, RemoteStatus};
