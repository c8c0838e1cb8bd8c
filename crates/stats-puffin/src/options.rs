//! The options of a source.

/// The options of a [`PuffinSource`](crate::PuffinSource) or of [`Scopes`](crate::Scopes).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The position of `GlobalProfiler::new_frame` in the program's frame. Default:
    /// [`NewFrame::BeginsFrame`].
    pub new_frame: NewFrame,
    /// The maximum number of places: call paths, and scopes over all threads. Each place is a timer
    /// and a counter of its self time. Scopes that would need a further place are counted in
    /// `puffin/over-limit`. Default: 16,384.
    pub max_places: usize,
    /// The number of puffin frames that may wait to be read. A further frame is dropped and counted
    /// in `puffin/dropped-frames`. 0 acts like 1. Default: 8.
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

/// Determines the recorder's frame in which the scopes of a puffin frame are recorded.
///
/// A puffin frame lasts from one `new_frame` to the next, a recorder's frame from one `end_frame`
/// to the next (the overlay's `show` calls it). In a loop the two calls alternate, so there are two
/// orders. They differ in whether the work comes before or after `new_frame`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NewFrame {
    /// `new_frame`, work, end of the recorder's frame. The scopes are recorded in the frame that
    /// was current at the `new_frame` *before* them.
    ///
    /// This is the order that puffin's documentation recommends. It is also right for a host that
    /// calls `new_frame` outside its frame, as eframe does.
    #[default]
    BeginsFrame,
    /// Work, `new_frame`, end of the recorder's frame. The scopes are recorded in the frame that is
    /// current at the `new_frame` *after* them.
    EndsFrame,
}
