//! The counters as they are without the feature `enabled`: the same names, no size, no code.

mod place;
mod recorder;

pub use place::{Handle, Place, Static};
pub(crate) use place::{Held, Stopwatch};
pub use recorder::{Recorder, Survey, Watch, WatchList, find, for_each_change, for_each_series, generation, problems, thread_sets};
