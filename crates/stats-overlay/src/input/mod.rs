//! The actions of the overlay, the keys that trigger them, and the settings.
//!
//! Keys, buttons and game pads all trigger an [`Action`](action::Action). Keys are taken out of the
//! input, so that no widget of the host sees them as well.
//!
//! In reading order:
//!
//! - `action`: everything that the overlay can do for the user;
//! - `action_name`: all actions by name;
//! - `press`: what a user presses: a key, a button of a game pad, three fingers;
//! - `key_bindings`: which press triggers which action, unless the user changes it;
//! - `bindings`: what the user changed, and which presses have two actions;
//! - `key_hint`: the keys in tooltips;
//! - `keyboard`: takes those keys out of the input, except while text is typed;
//! - `toggle_key`: the key that shows and hides the overlay;
//! - `tap`: the tap with three fingers;
//! - `winit`: which events of a window belong to the overlay and which to the game;
//! - `mode`: how much of the overlay is on screen, and where;
//! - `pane_view`: the views of a pane by name;
//! - `settings`: everything that a user can set;
//! - `saved_field`: names and numbers in saved settings.

pub(crate) mod action;
pub(crate) mod action_name;
pub(crate) mod bindings;
pub(crate) mod key_bindings;
pub(crate) mod key_hint;
pub(crate) mod keyboard;
pub(crate) mod mode;
pub(crate) mod pane_view;
pub(crate) mod press;
pub(crate) mod saved_field;
pub(crate) mod settings;
pub(crate) mod tap;
pub(crate) mod toggle_key;
#[cfg(feature = "winit")]
pub(crate) mod winit;
