//! What made frames long: the hitches, the levels that grow, the periodic stalls and the slowdowns
//! of the source.
//!
//! An [`Insight`](stats_analysis::insight::Insight) gets the values of all series in each frame. It
//! notices long frames, and ranks the series that moved in them. It runs while any part of the overlay
//! is on screen, or always if the settings say so. Every frame is surveyed, so that the answer is
//! known before the user asks. The HUD shows the newest hitch, and the view of hitches lists all of
//! them.
//!
//! In reading order:
//!
//! - `watcher`: feeds each frame of the source to the insight;
//! - `known_series`: the series of the source, read over several frames for the insight;
//! - `frame_limit`: what limits the frame rate in the newest second, or in any frames;
//! - `engine`: the insight, which ranks on another thread if there are many series;
//! - `findings`: the hitches, leaks, periodic stalls and slowdowns that are shown;
//! - `headline`: the newest of them in one line, and which part of it a narrow line keeps;
//! - `pictures`: the pictures of hitches that the host hands over;
//! - `top_timers`: the timers that took most of the newest second;
//! - `waterfall`: the steps from the usual frame to the long one, by time;
//! - `row_texts`: the texts of a finding and of its details.

mod engine;
pub(crate) mod findings;
pub(crate) mod frame_limit;
pub(crate) mod headline;
mod known_series;
pub(crate) mod pictures;
pub(crate) mod row_texts;
pub(crate) mod top_timers;
pub(crate) mod watcher;
mod waterfall;
