//! TODO

pub(crate) mod action;
pub(crate) mod keyboard;
pub(crate) mod mode;
pub(crate) mod settings;
pub(crate) mod toggle_key;
#[cfg(feature = "winit")]
pub(crate) mod winit;
