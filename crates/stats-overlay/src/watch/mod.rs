//! The panes over the game, while it is played.
//!
//! They are painted without a widget, so the game gets every event. Each view of a pane has a
//! `watch_ui` that paints it into a rectangle; this folder places the panes.
//!
//! In reading order:
//!
//! - `layout`: the places of the panes that fit;
//! - `ui`: the panes in their places, and the line above them.

mod layout;
pub(crate) mod ui;
