//! The implementation without the feature `enabled`: the same names, size zero, no code.

mod late;
mod place;
mod recorder;

pub(crate) use late::{LatePlace, LateSource, StampNumber};
pub use place::{Handle, Place, Static};
pub(crate) use place::{Held, Stopwatch};
pub use recorder::{
    Recorder, Watch, WatchList, begin_run, cell_block_sets, find, for_each_change,
    for_each_histogram, for_each_series, generation, problems, report_reserved_path, set_budgets,
    set_unavailable, snapshot,
};
