//! The HUD: frame time, frame rate, pinned counters and the newest hitch in a corner of the screen.
//!
//! It is painted without a widget, so the game gets every event. Texts have fixed widths, so that
//! nothing moves while numbers change.
//!
//! In reading order:
//!
//! - `numbers`, `statistics`: the texts, kept until the next refresh;
//! - `ui`: the layout, with the frame time and the frame rate at the top;
//! - `graph_ui`, `statistics_ui`, `pinned_ui`: the graph of frame times, the statistics, and a line
//!   for each pinned counter.
//!
//! The line about the newest hitch is the headline of
//! [`insight::findings`](crate::insight::findings).
//!
//! Its picture is one mesh, because egui copies a single shape. It begins with what changes least:
//! the names, then the numbers, then the graphs of pinned series, then the graph of frame times.
//! Only the end is rebuilt. The graphs show whole columns of two or four frames, so every second
//! frame changes nothing. The statistics cover ten seconds, so they are read only twice a second.

mod graph_ui;
pub(crate) mod numbers;
mod pinned_ui;
mod statistics;
mod statistics_ui;
pub(crate) mod ui;
