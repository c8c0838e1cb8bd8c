//! A recorder that lists only the counters of one test, because all tests of the process share the
//! registry.

use std::ops::{ControlFlow, Deref, DerefMut, Range};
use std::sync::Arc;

use stats_core::source::{Listed, Survey};
use stats_core::timeline::Timeline;
use stats_core::{
    AddComputedError, Computation, Distribution, FRAME_TIME, Frame, FrameSlice, Mark, Recorder,
    SeriesId, SeriesInfo, Source, Watch,
};

/// A recorder and the prefix of the paths that it lists.
pub(crate) struct Scoped {
    recorder: Recorder,
    scope: &'static str,
    /// Whether it supports surveys.
    pub(crate) surveys: bool,
    /// Whether it lists the frame time.
    pub(crate) has_clock: bool,
    /// Whether it lists what is below its scope under the paths that the system's series have.
    pub(crate) is_system: bool,
    /// The number of surveys that were requested.
    pub(crate) asked: usize,
    /// The scopes of single frames.
    pub(crate) calls: Calls,
}

/// The scopes of single frames that a source has.
pub(crate) enum Calls {
    /// The scopes of the recorder.
    Recorded,
    None,
    Are(Box<Timeline>),
}

impl Scoped {
    pub(crate) fn new(scope: &'static str) -> Self {
        Self {
            recorder: Recorder::new(),
            scope,
            surveys: true,
            has_clock: true,
            is_system: false,
            asked: 0,
            calls: Calls::Recorded,
        }
    }

    fn has(&self, path: &str) -> bool {
        path.starts_with(self.scope) || (self.has_clock && path == FRAME_TIME)
    }
}

impl Deref for Scoped {
    type Target = Recorder;

    fn deref(&self) -> &Recorder {
        &self.recorder
    }
}

impl DerefMut for Scoped {
    fn deref_mut(&mut self) -> &mut Recorder {
        &mut self.recorder
    }
}

impl Source for Scoped {
    fn generation(&self) -> u64 {
        stats_core::generation()
    }

    fn list(
        &self,
        series: Listed,
        visit: &mut dyn FnMut(SeriesInfo<'_>) -> ControlFlow<()>,
    ) -> Option<u32> {
        self.recorder.list(series, &mut |mut info| {
            if self.has(info.path) {
                let below = info.path.strip_prefix(self.scope);
                let below = below.and_then(|path| path.strip_prefix('/'));
                info.path = below.filter(|_| self.is_system).unwrap_or(info.path);
                visit(info)
            } else {
                ControlFlow::Continue(())
            }
        })
    }

    /// The series of the system belong to one test, too: `frame/ready` is that below its scope.
    fn find(&self, path: &str) -> Option<SeriesId> {
        let is_of_system = path.starts_with("frame/") || path.starts_with("threads/");
        if is_of_system {
            return Source::find(&self.recorder, &format!("{}/{path}", self.scope));
        }
        Source::find(&self.recorder, path).filter(|_| self.has(path))
    }

    fn watch(&mut self, id: SeriesId) -> Watch {
        self.recorder.watch(id)
    }

    fn watch_with_past(&mut self, id: SeriesId, past: FrameSlice<'_>) -> Watch {
        self.recorder.watch_with_past(id, past)
    }

    fn history(&self, watch: &Watch, frames: usize) -> FrameSlice<'_> {
        self.recorder.history(watch, frames)
    }

    fn add_computed(
        &mut self,
        path: &str,
        description: &str,
        computation: Arc<dyn Computation>,
    ) -> Result<SeriesId, AddComputedError> {
        Source::add_computed(&mut self.recorder, path, description, computation)
    }

    fn peek(&mut self, id: SeriesId) -> Option<f64> {
        self.recorder.peek(id)
    }

    fn frames(&self) -> Range<u64> {
        self.recorder.frames()
    }

    fn frame(&self, index: u64) -> Option<Frame> {
        self.recorder.frame(index)
    }

    fn frame_times(&self, frames: usize) -> FrameSlice<'_> {
        self.recorder.frame_times(frames)
    }

    fn marks(&self) -> &[Mark] {
        self.recorder.marks()
    }

    fn mark_point(&mut self, name: &str) -> bool {
        self.recorder.mark_point(name)
    }

    fn frame_thread(&self) -> Option<&str> {
        self.recorder.frame_thread()
    }

    fn survey(&mut self) -> Option<Survey<'_>> {
        self.asked += 1;
        if !self.surveys {
            return None;
        }
        self.recorder.survey()
    }

    fn timeline(&mut self, frames: &[Range<u64>]) -> Option<&mut Timeline> {
        match &mut self.calls {
            Calls::Recorded => Source::timeline(&mut self.recorder, frames),
            Calls::None => None,
            Calls::Are(timeline) => Some(timeline),
        }
    }

    fn distribution(&self, id: SeriesId) -> Option<Distribution> {
        Source::distribution(&self.recorder, id)
    }
}
