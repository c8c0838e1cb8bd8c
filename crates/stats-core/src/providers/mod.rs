//! Series whose values come from elsewhere: a GPU, a formula, another clock, the system.
//!
//! - [`deferred`]: values that arrive some frames later.
//! - [`computed`]: values that each recorder computes from other series.
//! - [`ticks`]: the ticks of another clock, in the frames of all recorders.
//! - [`thread_totals`]: totals that the system keeps for a thread.

mod computed;
mod deferred;
mod thread_totals;
mod ticks;

pub use computed::{AddComputedError, Computation, Evaluate, add_computed};
pub use deferred::{DeferredSeries, DeferredSource, FrameStamp};
pub use thread_totals::{ReadTotals, add_thread_total, set_thread_totals};
pub use ticks::Ticks;
