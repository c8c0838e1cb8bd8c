//! The viewer's side.
//!
//! [`link`] has what every connection does. `threaded` is the connection of a program, on a thread of its
//! own, and `browser` is the connection of a page. [`source`] is what the views read. It takes in what arrives
//! ([`intake`]), and asks for what views read ([`demand`]). It has the [`listing`] of the series, a
//! [`history`] of each watched series, [`surveys`] of all series, [`distributions`] of
//! histograms, and the [`scopes`] of frames. [`clock`] relates the clock of the
//! game to that of the viewer. [`status`] says how well the viewer follows the game.

#[cfg(target_family = "wasm")]
mod browser;
mod clock;
mod demand;
mod distributions;
mod history;
mod intake;
mod link;
mod listing;
mod scopes;
mod source;
mod status;
mod surveys;
#[cfg(all(test, feature = "enabled"))]
mod tests;
#[cfg(not(target_family = "wasm"))]
mod threaded;

#[cfg(not(target_family = "wasm"))]
use std::time::Instant;

#[cfg(target_family = "wasm")]
use browser::Link;
#[cfg(not(target_family = "wasm"))]
use threaded::Link;
// The clock of the standard library panics in a browser.
#[cfg(target_family = "wasm")]
use web_time::Instant;

pub use link::ConnectError;
pub use source::RemoteSource;
pub use status::RemoteStatus;
#[cfg(not(target_family = "wasm"))]
pub(crate) use threaded::dial;
