//! The id, the kind and the listing entry of a series.

use crate::Unit;

/// The path of the frame time: the series of the durations of a source's frames, in milliseconds.
///
/// A source lists it with [`SeriesInfo::frame_time`]. Another series that is registered under this
/// path is listed as `frame time (series)`, and [reported](crate::Problem::ReservedPath).
pub const FRAME_TIME: &str = "frame time";

/// One sentence about the frame time.
pub(crate) const FRAME_TIME_DESCRIPTION: &str =
    "How long each frame took, from the end of the frame before it to its own.";

/// The id of a series in the [`Source`](crate::Source) that returned it.
///
/// Ids of the process's own counters are valid until it ends and are the same for every
/// [`Recorder`](crate::Recorder). They may differ from run to run: store paths, not ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SeriesId(u32);

impl SeriesId {
    /// Creates an id from its number. For implementors of [`Source`](crate::Source); counters
    /// return theirs from `id()`.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Returns the number of the id. Numbers are small and dense, so they can index an array.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }
}

/// How a series is measured, which determines what the value of a frame means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SeriesKind {
    /// The sum of the values added during the frame; 0 if nothing was added.
    Counter,
    /// A level that goes up and down, read at the end of the frame. It persists from frame to
    /// frame.
    UpDownCounter,
    /// The value last set, read at the end of the frame. It persists from frame to frame.
    Gauge,
    /// Milliseconds of the calls that ended during the frame.
    Timer,
    /// The number of times that a timer recorded during the frame.
    TimerCalls,
    /// The milliseconds of a timer's scopes, without the time of the scopes inside them. See
    /// [`Timer`](crate::Timer#self-time).
    TimerSelf,
    /// The sum of the samples recorded during the frame. For their distribution, ask the histogram
    /// or [`snapshot`](crate::snapshot).
    Histogram,
    /// The number of samples that a histogram recorded during the frame.
    HistogramSamples,
    /// The duration of the frame itself, in milliseconds: the clock of the source as a series. Its
    /// values are those of [`frame_times`](crate::Source::frame_times).
    FrameTime,
}

impl SeriesKind {
    /// Returns whether a frame's value was recorded during that frame. Otherwise, the value is a
    /// level that persists.
    #[must_use]
    pub const fn is_per_frame(self) -> bool {
        matches!(
            self,
            Self::Counter
                | Self::Timer
                | Self::TimerCalls
                | Self::TimerSelf
                | Self::Histogram
                | Self::HistogramSamples
                | Self::FrameTime
        )
    }

    /// Returns whether the series counts how often another one recorded. It is then not listed by
    /// itself, but as the [`calls`](SeriesInfo::calls) of that series.
    #[must_use]
    pub const fn is_recording_count(self) -> bool {
        matches!(self, Self::TimerCalls | Self::HistogramSamples)
    }

    /// Returns whether the series is listed as a part of another series: as its
    /// [`calls`](SeriesInfo::calls) or its [`self_time`](SeriesInfo::self_time).
    #[must_use]
    pub const fn is_companion(self) -> bool {
        matches!(self, Self::TimerSelf) || self.is_recording_count()
    }

    /// Returns the kind of the second series, which counts how often this one recorded; `None` if
    /// there is none.
    #[cfg(all(feature = "enabled", not(loom)))]
    pub(crate) const fn recording_count(self) -> Option<Self> {
        match self {
            Self::Timer => Some(Self::TimerCalls),
            Self::Histogram => Some(Self::HistogramSamples),
            _ => None,
        }
    }
}

/// An entry of the listing: everything about a series except its values.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SeriesInfo<'a> {
    /// The id by which to watch or peek at it.
    pub id: SeriesId,
    /// The path: non-empty segments of any Unicode characters, separated by `/`.
    pub path: &'a str,
    /// The kind, which determines what the value of a frame means.
    pub kind: SeriesKind,
    /// The unit of the values.
    pub unit: Unit,
    /// The value above which a frame is over budget, in the series' unit.
    pub budget: Option<f64>,
    /// One sentence for people, if the program gave one.
    pub description: Option<&'a str>,
    /// The reason why the series has no values, to be shown in their place; `None` if it has
    /// values. See [`set_unavailable`](crate::set_unavailable).
    pub unavailable: Option<&'a str>,
    /// The series that counts the calls of a timer or the samples of a histogram. Its kind is
    /// [`SeriesKind::TimerCalls`] or [`SeriesKind::HistogramSamples`], and it is not listed by
    /// itself.
    pub calls: Option<SeriesId>,
    /// The series of a timer's self time, of the kind [`SeriesKind::TimerSelf`]. It is not listed
    /// by itself. `None` for a timer of a [`DeferredSource`](crate::DeferredSource).
    pub self_time: Option<SeriesId>,
    /// The timer whose scope was open around the newest scope of this timer, on the same thread.
    /// `None` if no scope was open, if the timer is not known, or if the series is not a timer.
    ///
    /// The parent and the thread may change with every scope, without a new
    /// [generation](crate::Source::generation).
    pub parent: Option<SeriesId>,
    /// The name of the thread on which the newest scope of a timer ended. Threads without a name
    /// are called `thread 1`, `thread 2` and so on. `None` before the first scope, if scopes ended
    /// on several threads within the last few seconds, and for threads beyond the first 254 names
    /// and the first 100 threads without one.
    pub thread: Option<&'a str>,
    /// Whether a timer measures waiting; see [`Timer::wait`](crate::Timer::wait).
    pub is_wait: bool,
    /// Whether a frame's value may become known a few frames later; see
    /// [`DeferredSource`](crate::DeferredSource).
    pub is_deferred: bool,
}

impl<'a> SeriesInfo<'a> {
    /// Creates an entry without budget, description, companions or parent. Set those fields
    /// afterward.
    #[must_use]
    pub const fn new(id: SeriesId, path: &'a str, kind: SeriesKind, unit: Unit) -> Self {
        Self {
            id,
            path,
            kind,
            unit,
            budget: None,
            description: None,
            unavailable: None,
            calls: None,
            self_time: None,
            parent: None,
            thread: None,
            is_wait: false,
            is_deferred: false,
        }
    }

    /// Creates the entry of the frame time, at [`FRAME_TIME`].
    #[must_use]
    pub const fn frame_time(id: SeriesId) -> Self {
        let kind = SeriesKind::FrameTime;
        let mut info = Self::new(id, FRAME_TIME, kind, Unit::Milliseconds);
        info.description = Some(FRAME_TIME_DESCRIPTION);
        info
    }
}

/// The value of one series in the newest frame, as [`Source::survey`](crate::Source::survey)
/// reports it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SurveyValue {
    /// The value of the frame, in the series' unit; finite.
    pub value: f64,
    /// The newest frame since the survey began in which the series' total, level or value changed.
    /// Adds that cancel out, or a timer's call of duration 0, are not a change.
    pub last_change: Option<u64>,
}

impl SurveyValue {
    /// Returns a value and the newest frame in which it changed; `None` if it never did.
    #[must_use]
    pub const fn new(value: f64, last_change: Option<u64>) -> Self {
        Self { value, last_change }
    }
}
