//! The overlay as a whole: its state, and what happens in a frame.
//!
//! A frame flows one way, and [`frame`] lists its steps: input, actions, data of the frame, layout
//! and paint, and finally clicks. Each part of the overlay keeps its own state; the
//! [`App`](state::App) holds the parts, and the files of this folder change several of them at
//! once. Nothing outside this folder knows the `App`, except the
//! [`StatsOverlay`](crate::StatsOverlay) that owns it.
//!
//! In reading order:
//!
//! - `state`: the parts;
//! - `frame`: the steps of a frame;
//! - `visibility`: hidden, HUD, watch or full;
//! - `refresh`: what is refreshed in which pass;
//! - `act`: what each action does;
//! - `spike_pause`: pausing at a spike of a chosen series;
//! - `hitches`: when frames are examined, and what a row of the list does;
//! - `baseline`: marking and clearing the baseline;
//! - `export`, `saved`, `presets`: what leaves the overlay, what persists, named sets of panes;
//! - `memory`: the memory view as a part of the overlay;
//! - `recording`: the keys of recordings, and the notices about them;
//! - `notice`: a line of text for a few seconds;
//! - `request`: clicks that concern other parts;
//! - `panel`: the layout of the full overlay.

mod act;
mod baseline;
mod export;
mod frame;
mod hitches;
mod memory;
mod notice;
mod panel;
mod presets;
mod recording;
mod refresh;
mod request;
mod saved;
mod spike_pause;
pub(crate) mod state;
mod visibility;
