//! The panes over the running game.
//!
//! They are painted without a widget, so the game gets every event. Each view draws itself on a
//! [`Canvas`](crate::paint::canvas::Canvas) without input; this folder places the panes.
//!
//! In reading order:
//!
//! - `layout`: the rectangles of the panes that fit;
//! - `ui`: the panes, and the line above them.

mod layout;
pub(crate) mod ui;
