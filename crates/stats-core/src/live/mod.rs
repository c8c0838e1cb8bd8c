//! The counters as they are with the feature `enabled`.

mod block;
mod cells;
mod clock;
mod frame_clock;
mod index;
mod layout;
mod lazy_slot;
mod listing;
mod peek;
mod place;
mod recorder;
mod registry;
mod ring;
mod survey;
mod sync;
mod text;
mod total;
mod watch;

pub(crate) use cells::Held;
pub(crate) use clock::Stopwatch;
pub use listing::{find, for_each_change, for_each_series, generation, problems, thread_sets};
pub use place::{Handle, Place, Static};
pub use recorder::Recorder;
pub use survey::Survey;
pub use watch::{Watch, WatchList};
