//! The timeline of a pane: the scopes of a frame, call by call.
//!
//! A graph tells how long a timer took in a frame. The timeline tells when, in how many calls, on
//! which thread, and inside which other scopes. It shows the frame that all panes mark, the selected
//! frames, or else the newest. Its axis is time within these frames, not the axis of frames that
//! graphs share.
//!
//! In reading order:
//!
//! - `view`: the state of the view, and its keys;
//! - `window`: the visible part of the time;
//! - `lanes`: the lanes with their places, and which scope is where;
//! - `calls`: what there is to say about one call;
//! - `division`: where the time of a lane's thread went;
//! - `lane_mesh`: the calls of lanes as triangles;
//! - `ui`, `paint`: the axis, the lanes and the line below them.

mod calls;
mod division;
mod lane_mesh;
mod lanes;
mod paint;
mod ui;
pub(crate) mod view;
mod window;

#[cfg(test)]
mod picture_tests;
#[cfg(test)]
mod tests;
