//! TODO

mod act;
mod export;
mod frame;
mod memory;
mod notice;
mod pace;
mod panel;
mod presets;
mod request;
mod saved;
mod spike_pause;
pub(crate) mod state;
mod visibility;
