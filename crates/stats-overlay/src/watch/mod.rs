//! The panes over the running game.
//!
//! They are painted without a widget, so the game gets every event. Each view has a method
//! `watch_ui` that paints it into a rectangle; this folder places the panes.
//!
//! In reading order:
//!
//! - `layout`: the rectangles of the panes that fit;
//! - `ui`: the panes, and the line above them.

mod layout;
pub(crate) mod ui;
