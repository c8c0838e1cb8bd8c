//! TODO

pub(crate) mod frame_choice;
pub(crate) mod listing;
pub(crate) mod mark_lanes;
pub(crate) mod mark_names;
pub(crate) mod names;
pub(crate) mod pane_context;
pub(crate) mod playback;
pub(crate) mod selection;
pub(crate) mod snapshot;
pub(crate) mod timeline;
pub(crate) mod tracks;
pub(crate) mod view;
