//! Recordings that start and stop on demand, for example with a key of an overlay.
//!
//! - [`recordings`](mod@recordings): the public type.
//! - [`options`]: the folder, and how much of the past is kept.
//! - [`remote`]: the requests of an overlay, and the status that it shows.

mod options;
#[cfg(feature = "enabled")]
mod recordings;
#[cfg(feature = "enabled")]
mod remote;

pub use options::RecordingOptions;
#[cfg(feature = "enabled")]
pub use recordings::Recordings;
