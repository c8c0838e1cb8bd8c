//! The baseline A: the statistics of earlier frames, which later frames are compared with.
//!
//! In reading order:
//!
//! - `marked`: the statistics, by path;
//! - `columns`: reads the recent values of all series, one series after the other;
//! - `marking`: computes the statistics of the series that are in no pane;
//! - `moved`: the series whose mean left the band of the baseline.

mod columns;
pub(crate) mod marked;
pub(crate) mod marking;
pub(crate) mod moved;
