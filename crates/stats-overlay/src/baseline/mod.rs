//! The baseline A: the statistics of earlier frames, which later frames are compared with.
//!
//! In reading order:
//!
//! - `saved`: the baselines as they persist;
//! - `marked`: the statistics, by path;
//! - `columns`: the recent values of all series, read one series after the other;
//! - `marking`: the computation of the statistics of series that are in no pane;
//! - `moved`: the series whose mean left the band of the baseline.

mod columns;
pub(crate) mod marked;
pub(crate) mod marking;
pub(crate) mod moved;
pub(crate) mod saved;
