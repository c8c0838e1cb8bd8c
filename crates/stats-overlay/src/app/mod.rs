//! The overlay as a whole: its state, and what happens in a frame.
//!
//! A frame flows one way, and [`frame`] lists its steps: input, actions, data of the frame, layout
//! and paint, and finally clicks. Each part of the overlay keeps its own state. [`App`](state::App)
//! holds the parts, and the files of this folder change several of them at once. Outside this
//! folder, only [`StatsOverlay`](crate::StatsOverlay), which owns the `App`, uses it.
//!
//! In reading order:
//!
//! - `state`: the parts;
//! - `frame`: the steps of a frame;
//! - `visibility`: hidden, HUD, watch or full;
//! - `refresh`: which passes refresh numbers and graphs;
//! - `act`: what each action does;
//! - `press`: buttons of game pads, the tap with three fingers, and the next key to bind;
//! - `spike_pause`: pausing at a spike of a chosen series;
//! - `flight_recorder`: keeps the scopes of the last seconds and of hitches;
//! - `hitches`: when to look for hitches, and the actions on their list;
//! - `together`: the series that moved together with another one;
//! - `baseline`: marking, clearing and comparing with the baseline;
//! - `moments`: moments that the user marks;
//! - `export`: the clipboard, and files of values;
//! - `hand_budgets`: the budgets that the user sets by hand;
//! - `formulas`: the series that the user computes from others;
//! - `saved`: the state that persists;
//! - `first_steps`: what the cards of the first steps show;
//! - `presets`: named sets of panes;
//! - `program`: the name and the build of the program;
//! - `memory`, `memory_use`: the memory view as a part of the overlay, and its line about the process and
//!   the system;
//! - `recording`: the keys that control recordings, and the notices about them;
//! - `notice`: a message that is shown for a few seconds;
//! - `request`: clicks that affect several parts;
//! - `panel`: the layout of the full overlay.

mod act;
mod baseline;
mod export;
mod first_steps;
pub(crate) mod flight_recorder;
mod formulas;
mod frame;
mod hand_budgets;
mod hitches;
#[cfg(feature = "memory")]
mod memory;
#[cfg(not(feature = "memory"))]
#[path = "without_memory.rs"]
mod memory;
#[cfg(feature = "memory")]
mod memory_use;
mod moments;
mod notice;
mod panel;
mod presets;
mod press;
pub(crate) mod program;
mod recording;
mod refresh;
mod request;
mod saved;
mod spike_pause;
pub(crate) mod state;
mod together;
mod visibility;
