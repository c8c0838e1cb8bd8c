//! What a series is: its id, kind and unit, and its path.
//!
//! - [`series`](mod@series): ids, kinds, and what a listing says of a series.
//! - [`unit`](mod@unit): units.
//! - [`path`]: which paths are valid.
//! - [`segment`]: names that are made at run time, as segments of paths.

#[cfg(all(feature = "enabled", not(loom)))]
mod path;
pub mod segment;
mod series;
mod unit;

#[cfg(all(feature = "enabled", not(loom)))]
pub(crate) use path::repaired;
#[cfg(all(feature = "enabled", not(loom)))]
pub(crate) use series::FRAME_TIME_DESCRIPTION;
pub use series::{FRAME_TIME, SeriesId, SeriesInfo, SeriesKind, SurveyValue};
pub use unit::Unit;
