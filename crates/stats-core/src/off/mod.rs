//! The implementation without the feature `enabled`: the same names, size zero, no code.

mod computed;
mod freezes;
mod late;
mod log_lines;
mod own_memory;
mod place;
mod recorder;
mod spans;
mod thread_totals;
mod ticks;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use std::time::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) use web_time::Instant;

pub(crate) use computed::add_computed;
pub(crate) use freezes::FreezeWatch;
pub(crate) use late::{LatePlace, LateSource, StampNumber};
pub(crate) use log_lines::keep_log_line;
pub(crate) use own_memory::{Charge, set_memory_tracker};
pub use place::{Handle, Place, Static};
pub(crate) use place::{Held, OpenScope};
pub use recorder::{
    Recorder, Watch, WatchGroup, WatchList, begin_run, budget_changes, budget_set_for,
    cell_block_sets, find, for_each_change, for_each_histogram, for_each_series, frame_budget_ms,
    generation, problems, report_over_limit, report_reserved_path, set_budget, set_budgets,
    set_clock, set_unavailable, snapshot, snapshot_of_all_runs,
};
pub(crate) use recorder::{current_run, report};
pub(crate) use spans::{SpanCollector, are_spans_collected, record_span};
pub(crate) use thread_totals::{add_thread_total, set_thread_totals};
pub(crate) use ticks::TickClock;
