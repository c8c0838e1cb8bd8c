//! The viewer's side.
//!
//! [`link`] is the connection, on a thread of its own. [`source`] is what the views read. It takes in
//! what arrives ([`intake`]), asks for what views read ([`demand`]), and has the [`listing`] of the
//! series and a [`history`] of each watched one.

mod demand;
mod history;
mod intake;
mod link;
mod listing;
mod source;
#[cfg(all(test, feature = "enabled"))]
mod tests;

pub use link::ConnectError;
pub use source::{RemoteSource, RemoteStatus};
