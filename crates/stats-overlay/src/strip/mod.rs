//! The strip: the frame times of the whole history, and the part of it that the panes show.
//!
//! - `ui`: the picture, and what the pointer does in it;
//! - `hitch_marks`: the marks of the hitches and of the longest frame;
//! - `caption`: the line above it, which is the key of the marks.

mod caption;
mod hitch_marks;
mod ui;

pub(crate) use self::caption::CAPTION;
pub(crate) use self::ui::{StripUi, StripView};
