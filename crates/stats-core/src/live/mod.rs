//! The counters as they are with the feature `enabled`.

mod block;
mod cells;
mod clock;
mod frame_clock;
mod histograms;
mod index;
mod instant;
mod late;
mod layout;
mod lazy_slot;
mod listing;
mod marks;
mod own_series;
mod owned;
mod peek;
mod place;
mod recorder;
mod registry;
mod ring;
mod shard;
mod shards;
mod spec;
mod sums;
mod survey;
mod sync;
mod tally;
mod text;
mod total;
mod watch;

pub(crate) use cells::Held;
pub(crate) use clock::Stopwatch;
pub use histograms::{begin_run, for_each_histogram, snapshot};
pub(crate) use late::{LatePlace, LateSource, StampNumber};
pub use listing::{
    cell_block_sets, find, for_each_change, for_each_series, generation, problems,
    report_reserved_path, set_unavailable,
};
pub use place::{Handle, Place, Static};
pub use recorder::Recorder;
pub use survey::Survey;
pub use watch::{Watch, WatchList};
