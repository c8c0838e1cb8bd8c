//! What an insight knows about a series, apart from its values.

use stats_core::{SeriesInfo, SeriesKind, Unit};

/// The facts about a series that an [`Insight`](super::Insight) needs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Facts {
    /// The path.
    pub path: String,
    /// The kind, which determines the meaning of a value.
    pub kind: SeriesKind,
    /// The unit of the values.
    pub unit: Unit,
    /// The value above which a frame is over budget.
    pub budget: Option<f64>,
    /// For calls, samples and self times: the number of the timer or histogram. `None` otherwise.
    pub of: Option<u32>,
    /// For a timer: the number of the timer around it; `None` if there is none or it is not known.
    pub parent: Option<u32>,
    /// For a timer: its thread; `None` if there are several or it is not known.
    pub thread: Option<String>,
    /// Whether a timer measures waiting.
    pub is_wait: bool,
    /// Whether values become known a few frames later.
    pub is_deferred: bool,
}

impl Facts {
    /// Creates the facts of a series that belongs to no other one. Set the other fields afterward.
    pub fn new(path: impl Into<String>, kind: SeriesKind, unit: Unit) -> Self {
        Self {
            path: path.into(),
            kind,
            unit,
            budget: None,
            of: None,
            parent: None,
            thread: None,
            is_wait: false,
            is_deferred: false,
        }
    }

    /// Returns the facts of a listed series and of its calls and self time, with their numbers.
    pub(super) fn of_listed(info: &SeriesInfo<'_>) -> impl Iterator<Item = (u32, Self)> {
        let number = info.id.number();
        let own = Self {
            budget: info.budget,
            parent: info.parent.map(|id| id.number()),
            thread: info.thread.map(str::to_owned),
            is_wait: info.is_wait,
            is_deferred: info.is_deferred,
            ..Self::new(info.path, info.kind, info.unit)
        };
        let companion = |kind, unit| Self {
            of: Some(number),
            is_deferred: info.is_deferred,
            ..Self::new(info.path, kind, unit)
        };
        let count = match info.kind {
            SeriesKind::Timer => SeriesKind::TimerCalls,
            _ => SeriesKind::HistogramSamples,
        };
        let calls = info.calls.map(|id| (id, companion(count, Unit::Count)));
        let self_time = info
            .self_time
            .map(|id| (id, companion(SeriesKind::TimerSelf, info.unit)));
        let companions = [calls, self_time].into_iter().flatten();
        let numbered = companions.map(|(id, facts)| (id.number(), facts));
        std::iter::once((number, own)).chain(numbered)
    }

    /// Returns the distance below which two values count as equal.
    pub(super) fn floor(&self) -> f32 {
        match self.unit {
            Unit::Milliseconds => 0.02,
            Unit::Seconds => 2e-5,
            Unit::Microseconds => 20.0,
            Unit::Bytes => 1024.0,
            Unit::Count => 0.5,
            // For angles, lengths and similar units, only the share of the usual value matters.
            _ => 1e-3,
        }
    }

    /// Returns whether it is a timer, or the calls, samples or self time of another series.
    pub(super) fn is_timed(&self) -> bool {
        self.kind == SeriesKind::Timer || self.kind.is_companion()
    }

    /// Returns whether the value is a level that may leak: a number of bytes, or of things that come
    /// and go. A gauge without a unit may be anything, such as an angle.
    pub(super) fn may_leak(&self) -> bool {
        match self.kind {
            SeriesKind::UpDownCounter => matches!(self.unit, Unit::Count | Unit::Bytes),
            SeriesKind::Gauge => self.unit == Unit::Bytes,
            _ => false,
        }
    }
}
