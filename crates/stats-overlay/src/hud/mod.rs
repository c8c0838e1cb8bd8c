//! The HUD: frame time, frame rate, the newest finding and pinned counters in a corner of the screen.
//!
//! It is painted without a widget, so the game gets every event. Texts have fixed widths, so that
//! nothing moves while numbers change.
//!
//! In reading order:
//!
//! - `numbers`, `statistics`: the texts, kept until the next refresh;
//! - `ui`: the layout, with the frame time and the frame rate at the top;
//! - `graph_ui`, `statistics_ui`, `pinned_ui`, `top_ui`: the graph of frame times, the statistics, a
//!   line for each pinned counter, and the most expensive timers if nothing is pinned;
//! - `bare_ui`: the HUD of one line.
//!
//! The card is that of [`card`](crate::card).
//!
//! Its picture is one mesh, because egui copies a single shape. It begins with what changes least:
//! the names and the card, then the numbers, then the graphs of pinned series, then the graph of
//! frame times. Only the end is rebuilt. The graphs show whole columns of two or four frames, so
//! every second frame changes nothing. The statistics cover ten seconds, so they are read only twice
//! a second.

mod bare_ui;
mod graph_ui;
pub(crate) mod numbers;
mod pinned_ui;
mod statistics;
mod statistics_ui;
mod top_ui;
pub(crate) mod ui;
