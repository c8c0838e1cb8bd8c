//! The plugin in an app without a window on a screen and without rendering.
#![cfg(feature = "enabled")]

mod diagnostics;
mod frames;
mod game;
mod input;
mod lists;
mod search;
#[cfg(feature = "states")]
mod states;
mod textures;
