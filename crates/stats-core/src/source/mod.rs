//! The source that an overlay reads from, and how to implement one.
//!
//! An overlay does not know recorders. It reads through the trait [`Source`], so the same views
//! show a running game, a capture on disk, or a game on another machine.
//!
//! To implement it for another source, [list](Source::list) the series with
//! [`SeriesInfo`](crate::SeriesInfo), the frame time among them, and keep the histories in a
//! [`WatchList`], which knows the watches that are still alive. Return a
//! [`FrameSlice`](crate::FrameSlice) of the values from [`history`](Source::history). `survey`,
//! `marks` and `distribution` are optional: by default, the source has no such data. The trait is
//! dyn compatible.

#[expect(clippy::module_inception, reason = "a folder is named after its type")]
mod source;
mod survey;

pub use crate::backend::WatchList;
pub use crate::series::SurveyValue;
pub use source::{Listed, Source};
#[cfg(all(feature = "enabled", not(loom)))]
pub(crate) use survey::NEVER;
pub use survey::Survey;
