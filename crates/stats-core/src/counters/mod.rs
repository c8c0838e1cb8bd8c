//! What a game counts with: one type for each kind of series, as a `static` and as a handle.
//!
//! - [`counter`](mod@counter), [`up_down_counter`](mod@up_down_counter), [`gauge`](mod@gauge),
//!   [`timer`](mod@timer), [`histogram`](mod@histogram): the types.
//! - [`local_counter`]: a counter without the lookup of its thread.
//! - [`place`]: where the values of a type go.
//! - [`builder`]: the methods that describe a series, for all types.
//! - [`number`]: the numbers that they take.
//! - [`macros`]: a `static` at the call site; [`joined_path`] puts its path together.

mod builder;
mod counter;
mod gauge;
mod histogram;
pub(crate) mod joined_path;
mod local_counter;
mod macros;
mod number;
pub mod place;
mod timer;
mod up_down_counter;

pub use counter::{Counter, CounterHandle, counter};
pub use gauge::{Gauge, GaugeHandle, gauge};
pub use histogram::{Histogram, HistogramHandle, histogram};
pub use local_counter::LocalCounter;
#[cfg(all(feature = "enabled", any(not(loom), test)))]
pub(crate) use number::EXACT;
pub use number::Number;
pub use timer::{ScopeTime, Timer, TimerHandle, TimerScope, timer};
pub use up_down_counter::{UpDownCounter, UpDownCounterHandle, up_down_counter};
