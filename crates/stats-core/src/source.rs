//! What an overlay draws from.

pub use crate::backend::WatchList;
pub use crate::series::SurveyValue;

use std::ops::Range;

use crate::{Distribution, Frame, FrameSlice, Mark, SeriesId, SeriesInfo, Watch};

/// What an overlay draws from: a listing of series, histories of the watched ones, and a clock of
/// frames.
///
/// The live [`Recorder`](crate::Recorder) is one; a capture on disk or a game on another machine
/// are others. All series share the frame as their clock, so that any of them stand in one table.
pub trait Source {
    /// A number that changes when the listing changes, so that a tree is rebuilt only then. Cheap
    /// enough for every frame.
    fn generation(&self) -> u64;

    /// Calls `visit` with every listed series, in the order of registration.
    fn for_each_series(&self, visit: &mut dyn FnMut(SeriesInfo<'_>));

    /// The series of a path; `None` while nothing is registered under it.
    fn find(&self, path: &str) -> Option<SeriesId>;

    /// Begins or joins the history of a series; it lasts until the last [`Watch`] on it is dropped.
    ///
    /// Watching an id that the source does not know gives a watch whose windows stay empty.
    fn watch(&mut self, id: SeriesId) -> Watch;

    /// The newest `frames` values of a watched series, fewer where the history is shorter.
    fn history(&self, watch: &Watch, frames: usize) -> FrameSlice<'_>;

    /// The value of a series in the newest frame, without keeping a history: for a row that is
    /// merely on screen.
    ///
    /// `None` until a frame ends after the first peek, from which its value is counted (levels are
    /// known at once). A peek that is not repeated within [`PEEK_FRAMES`](crate::limits::PEEK_FRAMES)
    /// frames is forgotten.
    fn peek(&mut self, id: SeriesId) -> Option<f64>;

    /// The indices of the frames that the clock still holds.
    fn frames(&self) -> Range<u64>;

    /// One frame of the clock; `None` where it is not held any more, or not yet.
    fn frame(&self, index: u64) -> Option<Frame>;

    /// The durations of the newest `frames` frames in milliseconds: the frame time, as a series
    /// like any other.
    fn frame_times(&self, frames: usize) -> FrameSlice<'_>;

    /// Calls `visit` with each series that was listed, or described otherwise, since the generation
    /// `since`; 0 for all of them. A series can come more than once, and some that did not change
    /// may come too.
    ///
    /// `false` where the source cannot tell, without a call: then what changed is found by reading
    /// the whole listing. That is the default. A source that can tell never takes a series back and
    /// never gives one another path.
    fn for_each_change(&self, since: u64, visit: &mut dyn FnMut(SeriesInfo<'_>)) -> bool {
        let _ = (since, visit);
        false
    }

    /// Calls `visit` with what the newest frame brought for every series that is known, watched or
    /// not, in no order. Takes a few nanoseconds for each, here and again at the end of each frame.
    ///
    /// `false` where the source cannot tell, which is the default. A live source learns only while
    /// it is asked: the first frame that ends after the first call is the first that is known, and
    /// it stops when nobody has asked for [`PEEK_FRAMES`](crate::limits::PEEK_FRAMES) frames.
    fn survey(&mut self, visit: &mut dyn FnMut(SeriesId, SurveyValue)) -> bool {
        let _ = visit;
        false
    }

    /// What was said of the frames, in the order in which it begins; it may be about frames that
    /// are not held any more. Nothing by default.
    fn marks(&self) -> &[Mark] {
        &[]
    }

    /// How the samples of a histogram are distributed, of the run under way; `None` of any other
    /// series, and by default. Copies all buckets that were hit: some microseconds.
    fn distribution(&self, id: SeriesId) -> Option<Distribution> {
        let _ = id;
        None
    }
}
