//! The trait of a source.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use super::Survey;
use crate::timeline::Timeline;
use crate::{
    AddComputedError, Computation, Distribution, Frame, FrameSlice, Mark, SeriesId, SeriesInfo,
    Watch,
};

/// The series that a reader asks a source to list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Listed {
    /// All series. Every source can list them.
    All,
    /// The series whose ids have a number in the range. A reader looks up a single series with it,
    /// or reads a listing of a million series in parts, one in each frame.
    Numbers(Range<u32>),
    /// The series that were listed or described since a generation; all of them since 0. A source
    /// may list one of them more than once, and may list a series that did not change. A source
    /// that can list changes never removes a series and never changes its path.
    ChangedSince(u64),
}

/// A listing of series, histories of the watched ones, and a clock of frames.
///
/// [`Recorder`](crate::Recorder) is the live source. All series of a source share its clock, so
/// their values fit into one table, frame by frame.
pub trait Source {
    /// Returns a number that changes when the listing changes, so that a tree is rebuilt only then.
    /// Called in every frame, so it should be cheap.
    fn generation(&self) -> u64;

    /// Calls `visit` with listed series until it breaks. [All](Listed::All) series come in the order
    /// of registration, those of some [numbers](Listed::Numbers) in the order of their ids.
    ///
    /// Returns the end of the numbers in use: no series has this number or a greater number yet.
    /// Returns `None` without any call if the source cannot list these series by themselves; the
    /// reader then lists all series. For an unknown variant of [`Listed`], return `None`.
    ///
    /// A [`Recorder`](crate::Recorder) takes a lock for a few microseconds for each 256 series.
    fn list(
        &self,
        series: Listed,
        visit: &mut dyn FnMut(SeriesInfo<'_>) -> ControlFlow<()>,
    ) -> Option<u32>;

    /// Returns the id of the series that is registered under a path; `None` if there is none.
    fn find(&self, path: &str) -> Option<SeriesId>;

    /// Starts the history of a series, or shares the existing history. The history lasts until the
    /// last [`Watch`] is dropped.
    ///
    /// If the source does not know the id, the history stays empty.
    fn watch(&mut self, id: SeriesId) -> Watch;

    /// Works like [`watch`](Self::watch), but a new history begins with values that the caller
    /// knows from [surveys](Self::survey). `past` ends with the newest frame. The default
    /// implementation ignores `past`.
    fn watch_with_past(&mut self, id: SeriesId, past: FrameSlice<'_>) -> Watch {
        let _ = past;
        self.watch(id)
    }

    /// Returns the newest `frames` values of a watched series, or fewer if the history is shorter.
    /// NaN stands for a frame without a value between frames with values. It occurs in a source on
    /// disk, and in the frames before a watch that began with a past.
    fn history(&self, watch: &Watch, frames: usize) -> FrameSlice<'_>;

    /// Returns the value of a series in the newest frame without keeping a history. Use it for a
    /// row that is merely visible.
    ///
    /// Returns `None` until a frame ends after the first peek. The value of that frame includes
    /// only adds after the peek. Levels are known at once. A peek that is not repeated within
    /// [`PEEK_FRAMES`](crate::limits::PEEK_FRAMES) frames is forgotten.
    fn peek(&mut self, id: SeriesId) -> Option<f64>;

    /// Returns the indices of the frames that the clock keeps.
    fn frames(&self) -> Range<u64>;

    /// Returns a frame of the clock; `None` if it is no longer kept or has not ended.
    fn frame(&self, index: u64) -> Option<Frame>;

    /// Returns the durations of the newest `frames` frames in milliseconds. This is the frame time
    /// in the form of any other series.
    fn frame_times(&self, frames: usize) -> FrameSlice<'_>;

    /// Returns the value of every series in the newest frame, watched or not; `None` if the source
    /// cannot tell, which is the default.
    ///
    /// A live source collects these values only while surveys are requested. The first call starts
    /// the collection, and the next frame that ends is the first with values. The collection stops
    /// after [`PEEK_FRAMES`](crate::limits::PEEK_FRAMES) frames without a call. If there are more
    /// than [`SURVEY_GROWTH`](crate::limits::SURVEY_GROWTH) series, each further frame adds that
    /// number, so that no frame is long. For a [`Recorder`](crate::Recorder), this means a pass
    /// over all totals at each frame's end, which takes about a nanosecond for each series and each
    /// [set of cells](crate::cell_block_sets). It allocates if series were registered. A series that
    /// is registered during a complete survey has its first value in that frame; if its values are
    /// [deferred](crate::DeferredSource), in the next.
    fn survey(&mut self) -> Option<Survey<'_>> {
        None
    }

    /// Returns the value of every series in a frame before the newest one, like a
    /// [survey](Self::survey) in that frame. `None` if the source does not keep these values, which is
    /// the default. A game on another machine keeps them, because its frames arrive several at once. A
    /// reader that surveys each frame asks for the frames since its last call, in order.
    fn survey_of(&mut self, frame: u64) -> Option<Survey<'_>> {
        let _ = frame;
        None
    }

    /// Returns the name of the thread that ended the newest frame, as [`SeriesInfo::thread`] names
    /// it: the self times of its timers add up to at most the duration of the frame. Returns `None`
    /// if the thread is not known, which is the default.
    fn frame_thread(&self) -> Option<&str> {
        None
    }

    /// Returns what the paths of the series begin with that belong to the program that ends the frames,
    /// such as `client/` in a source with the series of a client and its server. What comes after it is
    /// the path in that program: `gpu/frame` of `client/gpu/frame`. Other series belong to other
    /// programs, and explain no frame. By default, it is empty, and all series belong to one program.
    fn clock_prefix(&self) -> &str {
        ""
    }

    /// Returns the marks of the frames, in the order of their first frames. Some marks may belong
    /// to frames that are no longer kept. The default implementation returns no marks.
    fn marks(&self) -> &[Mark] {
        &[]
    }

    /// Marks the current frame with a point, as [`Recorder::mark`](crate::Recorder::mark) does, because
    /// the user of a view asked for it. Returns whether the source keeps the mark; the default
    /// implementation does not.
    fn mark_point(&mut self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// Returns the distribution of a histogram's samples in the current run; `None` for other
    /// series, and by default. Copies all buckets that have samples, which takes a few
    /// microseconds.
    fn distribution(&self, id: SeriesId) -> Option<Distribution> {
        let _ = id;
        None
    }

    /// Adds a series that is computed from others of the source, as
    /// [`add_computed`](crate::add_computed) does, because the user of a view asked for it. Returns its
    /// id.
    ///
    /// # Errors
    ///
    /// [`AddComputedError::Unsupported`] if the source cannot add series, which is the default.
    fn add_computed(
        &mut self,
        path: &str,
        description: &str,
        computation: Arc<dyn Computation>,
    ) -> Result<SeriesId, AddComputedError> {
        let _ = (path, description, computation);
        Err(AddComputedError::Unsupported)
    }

    /// Returns the scopes of frames, call by call: those of `frames`, and of others that the source
    /// has at hand. `None` if it has no scopes of single frames, which is the default.
    ///
    /// The ranges may be in any order and overlap, and there may be none. A source that fetches or
    /// reads frames leaves out those between the ranges.
    ///
    /// A live source collects scopes only while they are requested: the first call starts the
    /// collection, and the current frame is the first with scopes. The collection stops, and all
    /// frames leave the timeline except those that are [kept](Timeline::keep), after
    /// [`PEEK_FRAMES`](crate::limits::PEEK_FRAMES) frames without a call. See
    /// [`timeline`](crate::timeline) for the cost. A source on disk reads `frames` from its file, and
    /// forgets others; it may read fewer if they have too many scopes.
    fn timeline(&mut self, frames: &[Range<u64>]) -> Option<&mut Timeline> {
        let _ = frames;
        None
    }
}
