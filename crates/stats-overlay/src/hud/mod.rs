//! The HUD: frame time, frame rate, pinned counters and the newest hitch in a corner of the screen.
//!
//! It is painted without a widget, so the game gets every event. Texts have fixed widths, so that
//! nothing moves while numbers change.
//!
//! In reading order:
//!
//! - `numbers`, `statistics`: the texts, kept until the next refresh;
//! - `ui`: the layout, the head and the graph of frame times;
//! - `graph_ui`, `line_ui`, `statistics_ui`: frames over budget, a pinned counter, the statistics.

mod graph_ui;
mod line_ui;
pub(crate) mod numbers;
mod statistics;
mod statistics_ui;
pub(crate) mod ui;
