//! The data that the views show, read from the source.
//!
//! A view reads its values through one interface, [`Data`](view::Data), and does not know whether
//! they are live or paused. The history of each series on screen has a track of its spikes and
//! extremes, so that a view never searches a whole history in a frame.
//!
//! In reading order:
//!
//! - `selection`: the selected series and their watches;
//! - `kept_histories`: the histories of series that were deselected in the last minute;
//! - `names`: short names for series that are shown together;
//! - `listing`: every series of the source;
//! - `allowance`: the amount of work in a pass, for tasks that take longer than a frame;
//! - `throttle`: work that is repeated at an interval;
//! - `tracks`: the spikes and extremes of the series on screen;
//! - `view`: the interface, and the live source;
//! - `recent`: the values of all series in the last frames;
//! - `aftermath`: those of a hitch's own series, while no panes are on screen;
//! - `snapshot`: the copy that is shown while the views are paused;
//! - `scope_series`, `shown_lanes`, `shown_times`, `shown_scopes`: the scopes of the frames that timelines
//!   show, their series and lanes, and where the time of their threads went;
//! - `wanted_frames`: the frames whose scopes a view wants, and which of them come first;
//! - `playback`: the choice between the source and the copy, and the first frame that is shown;
//! - `frame_axis`: the visible frames, the cursor and the selected range;
//! - `samples`: the samples of a histogram in few words;
//! - `frame_choice`: the frames that statistics are computed from;
//! - `mark_lanes`, `mark_names`: the positions and the names of marks of frames;
//! - `budget_offer`: another frame budget, for a program that is over its own most of the time;
//! - `spike_lane`: the spikes that have a mark of their own;
//! - `spike_text`: why a value is a spike, in words.

pub(crate) mod aftermath;
pub(crate) mod allowance;
pub(crate) mod budget_offer;
pub(crate) mod frame_axis;
pub(crate) mod frame_choice;
pub(crate) mod kept_histories;
pub(crate) mod listing;
pub(crate) mod mark_lanes;
pub(crate) mod mark_names;
pub(crate) mod names;
pub(crate) mod playback;
pub(crate) mod recent;
pub(crate) mod samples;
pub(crate) mod scope_series;
pub(crate) mod selection;
pub(crate) mod shown_lanes;
pub(crate) mod shown_scopes;
pub(crate) mod shown_times;
pub(crate) mod snapshot;
pub(crate) mod spike_lane;
pub(crate) mod spike_text;
pub(crate) mod throttle;
pub(crate) mod tracks;
pub(crate) mod view;
pub(crate) mod wanted_frames;
