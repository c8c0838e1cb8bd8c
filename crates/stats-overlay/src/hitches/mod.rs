//! Hitches: the frames that were longer than usual, and their causes.
//!
//! While any part of the overlay is on screen, or always if the settings say so, the values of all
//! series in each frame go to an [`Insight`](stats_analysis::insight::Insight), which notices long
//! frames and ranks the series that moved in them. The HUD shows the newest hitch, and a pane lists
//! all of them. Every frame is surveyed, so that the answer is known before the user asks.
//!
//! In reading order:
//!
//! - `watcher`: feeds each frame of the source to the insight;
//! - `known_series`: the series of the source, read over several frames for the insight;
//! - `engine`: the insight, which ranks on another thread if there are many series;
//! - `findings`: the hitches, leaks and periodic stalls that the views show;
//! - `view`: the state of a pane's list, and its keys;
//! - `waterfall`: the steps from the usual frame to the long one, by time;
//! - `row_texts`: the texts of a row and of its details;
//! - `ui`, `row_ui`: the list of a pane;
//! - `watch_ui`: the list over the game, which takes no input.

mod engine;
pub(crate) mod findings;
mod known_series;
mod row_texts;
mod row_ui;
pub(crate) mod ui;
pub(crate) mod view;
mod watch_ui;
pub(crate) mod watcher;
mod waterfall;
