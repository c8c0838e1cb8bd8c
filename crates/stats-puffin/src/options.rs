//! What can be set.

/// What a program can say when it installs the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Where in the program's frame `GlobalProfiler::new_frame` stands. Default:
    /// [`NewFrame::BeginsFrame`].
    pub new_frame: NewFrame,
    /// The most places that are made: call paths, and scopes over all threads, each a timer and the
    /// counter of its self time. What would be the next one is counted in `puffin/over-limit` from
    /// then on. Default: 16,384.
    pub max_places: usize,
    /// How many puffin frames may wait to be read; with one more, it is dropped and counted in
    /// `puffin/dropped-frames`. At least 1. Default: 8.
    pub queued_frames: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            new_frame: NewFrame::default(),
            max_places: 16_384,
            queued_frames: 8,
        }
    }
}

/// In which of a recorder's frames the scopes of a puffin frame stand.
///
/// A puffin frame lasts from one `new_frame` to the next, a recorder's from one `end_frame` to the
/// next (the overlay's `show` makes one). In a loop the two take turns, so there are two orders:
/// what counts is on which side of `new_frame` the work lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NewFrame {
    /// `new_frame`, work, end of the recorder's frame: the scopes stand in the frame that was under
    /// way at the `new_frame` *before* them. As puffin's documentation has it; also right for a
    /// host that calls `new_frame` outside its frame, as eframe does.
    #[default]
    BeginsFrame,
    /// Work, `new_frame`, end of the recorder's frame: the scopes stand in the frame that is under
    /// way at the `new_frame` *after* them.
    EndsFrame,
}
