//! Series that are computed from others.
//!
//! They have the slots of deferred gauges, so nothing reads cells for them. The value of a frame is known
//! when the values of its inputs are.
//!
//! - [`table`]: the computations, by slot.
//! - [`reader`]: the computed series of one recorder.

mod reader;
mod table;

pub(crate) use reader::{Computed, ComputedReader};
pub use table::set_unavailable;
pub(crate) use table::{Definition, add_computed, computed_gauge, find, settle};
