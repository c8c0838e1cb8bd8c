//! What is known of a series: its id, its path, its kind, and what a survey tells of it.

use crate::Unit;

/// Names one series within the [`Source`](crate::Source) that handed it out.
///
/// Ids of the process's own counters are valid for as long as it runs, are the same for every
/// [`Recorder`](crate::Recorder), and may differ from run to run: store paths, not ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SeriesId(u32);

impl SeriesId {
    /// An id from its number. For implementors of [`Source`](crate::Source); ids of counters come
    /// from `id()`.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// The number behind the id: small and dense, so it can index an array.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }
}

/// How the values of a series come about, which also says what one frame's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SeriesKind {
    /// What was added during the frame; 0 in a frame without an add.
    Counter,
    /// A level moved up and down, read at the end of the frame; it carries on from frame to frame.
    UpDownCounter,
    /// The value last set, read at the end of the frame; it carries on from frame to frame.
    Gauge,
    /// Milliseconds spent during the frame.
    Timer,
    /// How many times a timer, or a histogram, was recorded during the frame.
    TimerCalls,
    /// The sum of the samples recorded during the frame; how they are distributed is asked of the
    /// histogram itself.
    Histogram,
}

impl SeriesKind {
    /// Whether a frame's value is what came in during that frame, rather than a level that carries
    /// on.
    #[must_use]
    pub const fn is_per_frame(self) -> bool {
        matches!(
            self,
            Self::Counter | Self::Timer | Self::TimerCalls | Self::Histogram
        )
    }

    /// Whether a second series counts how often this one was recorded.
    #[cfg(all(feature = "enabled", not(loom)))]
    pub(crate) const fn has_calls(self) -> bool {
        matches!(self, Self::Timer | Self::Histogram)
    }
}

/// One entry of the listing: everything that is known of a series but its values.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SeriesInfo<'a> {
    /// The id to watch or peek it by.
    pub id: SeriesId,
    /// Non-empty segments between `/`; any other Unicode may stand in a segment.
    pub path: &'a str,
    /// What one frame's value is.
    pub kind: SeriesKind,
    /// What one unit of a value means.
    pub unit: Unit,
    /// The value above which a frame is over budget, in the series' unit.
    pub budget: Option<f64>,
    /// One sentence for people; empty when the program gave none.
    pub description: Option<&'a str>,
    /// Why the series has no values, to be shown in their place; empty where it has. See
    /// [`set_unavailable`](crate::set_unavailable).
    pub unavailable: Option<&'a str>,
    /// Of a timer or a histogram, the series that counts its calls or its samples (of kind
    /// [`SeriesKind::TimerCalls`], not listed by itself).
    pub calls: Option<SeriesId>,
}

impl<'a> SeriesInfo<'a> {
    /// An entry without budget, description or calls; set those fields afterwards.
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
        }
    }
}

/// What the newest frame brought for one series, of all that a
/// [`Source::survey`](crate::Source::survey) tells of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurveyValue {
    /// The value of the frame, in the series' unit; finite.
    pub value: f64,
    /// The newest frame since the survey began at whose end the series' total, level or value was
    /// another than at its start.
    pub last_change: Option<u64>,
}
