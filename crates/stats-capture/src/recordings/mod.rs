//! Recordings on demand, as a key of an overlay starts and ends them.
//!
//! - [`recordings`](mod@recordings): the public type.
//! - [`options`]: what to record, and where to.
//! - [`remote`]: what an overlay asks for, and what it is told.

mod options;
#[cfg(feature = "enabled")]
mod recordings;
#[cfg(feature = "enabled")]
mod remote;

pub use options::RecordingOptions;
#[cfg(feature = "enabled")]
pub use recordings::Recordings;
