//! Divides counted values into frames.
//!
//! Totals only grow; a frame's value is the difference of two totals. So a recorder needs one
//! number for each series that it reads, and recorders do not disturb each other. There are three
//! ways to read a series: watching keeps a history, peeking keeps only the newest value, and a
//! survey keeps the newest value of every series.
//!
//! - [`recorder`]: the public type, which ends frames and owns the parts below.
//! - [`frame_clock`]: index, start and duration of the frames.
//! - [`frame_value`]: the value of a frame, from the totals of a series.
//! - [`computed`]: reads the series that are computed from others.
//! - [`newest`]: the newest values side by side, for a reader of many.
//! - [`watch`]: tracks which watches keep a history alive.
//! - [`watch_group`]: watches whose values are read together.
//! - [`peek`], [`survey`]: values without a history.
//! - [`timeline`]: the scopes of the frames, while somebody reads them.
//! - [`marks`]: the labels that the program gave its frames.

mod computed;
mod frame_clock;
mod frame_value;
mod marks;
mod newest;
mod peek;
mod recorder;
mod survey;
mod timeline;
mod watch;
mod watch_group;

pub use recorder::Recorder;
pub use watch::{Watch, WatchList};
pub use watch_group::WatchGroup;
