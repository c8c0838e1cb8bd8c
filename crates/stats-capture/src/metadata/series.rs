//! The description of a series.

use serde::{Deserialize, Serialize};
use stats_core::{SeriesInfo, SeriesKind, Unit};

/// The unit of stored times.
const NANOSECOND_IN_MS: f64 = 1e-6;

/// The units of time: their names in files, the symbol, and their milliseconds.
const TIMES: [(&[&str], &str, f64); 4] = [
    (&["ns", "nanoseconds"], "ns", 1e-6),
    // Both signs for micro are in use.
    (&["µs", "μs", "us", "microseconds"], "µs", 1e-3),
    (&["ms", "milliseconds"], "ms", 1.0),
    (&["s", "sec", "seconds"], "s", 1e3),
];

/// The description of a series: an entry of the document `stats.series` in a capture. Entries are
/// in the order in which the series were registered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct SeriesRecord {
    /// The name of the column, which is usually the path.
    pub path: String,
    /// The kind, which determines what the value of a frame means.
    pub kind: RecordedKind,
    /// The symbol of the unit; empty for plain numbers.
    pub unit: String,
    /// A stored number times this factor is a value in this unit.
    #[serde(default = "one")]
    pub scale: f64,
    /// For calls, samples and self times: the path of the timer or histogram.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// For timers: the path of the timer in which this one last ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// For timers and their self times: the thread on which the timer last ran, if it was only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// For timers: whether the time is spent waiting.
    #[serde(skip_serializing_if = "is_false")]
    pub wait: bool,
    /// The value above which a frame is over budget.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<f64>,
    /// Which values are better.
    pub better: Better,
    /// What the series counts, in one sentence; stored as an empty string if there is none.
    #[serde(with = "text_or_empty")]
    pub description: Option<String>,
}

/// What the value of a frame means, by the name that captures use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RecordedKind {
    /// The sum of the frame.
    Counter,
    /// A level at the end of the frame: the sum of all changes.
    UpDownCounter,
    /// Milliseconds spent in the frame.
    Timer,
    /// The number of calls that a timer timed in the frame.
    TimerCalls,
    /// The milliseconds of a timer, without those of the scopes inside it.
    TimerSelf,
    /// The sum of the samples of the frame.
    Histogram,
    /// The number of samples of the frame.
    HistogramSamples,
    /// The value last set. Also stands for kinds that this version does not know.
    #[default]
    #[serde(other)]
    Gauge,
}

/// The words of an entry that a version may not know.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Words {
    path: String,
    kind: Option<String>,
    better: Option<String>,
}

/// Returns a sentence about the entries whose words are not known, and what they are read as.
pub(crate) fn unknown_words(entries: &[Words]) -> Vec<String> {
    let about = |field: &str,
                 known: &[&str],
                 read_as: &str,
                 word_of: fn(&Words) -> Option<&str>| {
        let is_unknown = |entry: &&Words| word_of(entry).is_some_and(|word| !known.contains(&word));
        let mut unknown = entries.iter().filter(is_unknown);
        let first = unknown.next()?;
        let of = match unknown.count() {
            0 => format!("{:?}", first.path),
            more => format!("{:?} and {more} more", first.path),
        };
        Some(format!(
            "the {field} {:?} of the series {of} is not known, so it is read as {read_as}; write one of {}",
            word_of(first).unwrap_or_default(),
            known.join(", ")
        ))
    };
    [
        about("kind", &KINDS, "a gauge", |entry| entry.kind.as_deref()),
        about("word for better values", &BETTER, "neither", |entry| {
            entry.better.as_deref()
        }),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The names of [`RecordedKind`].
const KINDS: [&str; 8] = [
    "counter",
    "up-down-counter",
    "gauge",
    "timer",
    "timer-calls",
    "timer-self",
    "histogram",
    "histogram-samples",
];

/// The names of [`Better`].
const BETTER: [&str; 3] = ["lower", "higher", "neither"];

/// Which values of a series are better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Better {
    /// Lower ones: times, and series with a budget.
    Lower,
    /// Higher ones: the frame rate.
    Higher,
    /// Neither, or it is not known.
    #[default]
    #[serde(other)]
    Neither,
}

impl SeriesRecord {
    /// Returns the description of a series as a source lists it, without the paths of other series:
    /// [`of`](Self::of) and [`parent`](Self::parent) are `None`.
    #[must_use]
    pub fn listed(info: &SeriesInfo<'_>) -> Self {
        let kind = RecordedKind::of(info.kind);
        let better = if kind == RecordedKind::Timer || info.budget.is_some() {
            Better::Lower
        } else if info.unit == Unit::Hertz {
            Better::Higher
        } else {
            Better::Neither
        };
        Self {
            path: info.path.to_owned(),
            kind,
            unit: info.unit.symbol().to_owned(),
            scale: 1.0,
            of: None,
            parent: None,
            thread: info.thread.map(str::to_owned),
            wait: info.is_wait,
            budget: info.budget.filter(|budget| budget.is_finite()),
            better,
            description: info.description.map(str::to_owned),
        }
    }

    /// Returns the description of a gauge with a unit.
    #[must_use]
    pub fn gauge(path: &str, unit: &str) -> Self {
        Self {
            path: path.to_owned(),
            unit: unit.to_owned(),
            scale: 1.0,
            ..Self::default()
        }
    }

    /// Converts the unit of a timer to milliseconds, and spells the units of other times as usual. A
    /// timer without a unit has milliseconds. Returns a sentence about a timer whose unit is no
    /// time, and makes it a gauge.
    pub(crate) fn normalize_unit(&mut self) -> Option<String> {
        let time = TIMES
            .iter()
            .find(|(names, ..)| names.contains(&self.unit.as_str()));
        match (time, self.kind.is_time()) {
            (Some((_, _, ms)), true) => {
                self.scale *= ms;
                self.budget = self.budget.map(|budget| budget * ms);
                self.unit = "ms".to_owned();
            }
            (Some((_, symbol, _)), false) => self.unit = (*symbol).to_owned(),
            (None, true) if self.unit.is_empty() => self.unit = "ms".to_owned(),
            (None, true) => {
                self.kind = RecordedKind::Gauge;
                return Some(format!(
                    "the timer {:?} has the unit {:?}, so it is read as a gauge; the unit of a timer is ns, µs, ms or s",
                    self.path, self.unit
                ));
            }
            (None, false) => {}
        }
        None
    }
}

impl RecordedKind {
    /// Returns whether values are milliseconds of a clock, which are stored as nanoseconds.
    pub(crate) fn is_time(self) -> bool {
        matches!(self, Self::Timer | Self::TimerSelf)
    }

    /// Returns whether the series is listed as a part of another one.
    pub(crate) fn is_companion(self) -> bool {
        matches!(
            self,
            Self::TimerCalls | Self::TimerSelf | Self::HistogramSamples
        )
    }

    /// Returns the kind of a series of the core.
    pub(crate) fn of(kind: SeriesKind) -> Self {
        match kind {
            SeriesKind::Counter => Self::Counter,
            SeriesKind::UpDownCounter => Self::UpDownCounter,
            SeriesKind::Timer => Self::Timer,
            SeriesKind::TimerCalls => Self::TimerCalls,
            SeriesKind::TimerSelf => Self::TimerSelf,
            SeriesKind::Histogram => Self::Histogram,
            SeriesKind::HistogramSamples => Self::HistogramSamples,
            _ => Self::Gauge,
        }
    }

    /// Returns the corresponding kind of the core.
    pub(crate) fn to_core(self) -> SeriesKind {
        match self {
            Self::Counter => SeriesKind::Counter,
            Self::UpDownCounter => SeriesKind::UpDownCounter,
            Self::Gauge => SeriesKind::Gauge,
            Self::Timer => SeriesKind::Timer,
            Self::TimerSelf => SeriesKind::TimerSelf,
            Self::TimerCalls => SeriesKind::TimerCalls,
            Self::Histogram => SeriesKind::Histogram,
            Self::HistogramSamples => SeriesKind::HistogramSamples,
        }
    }
}

/// Returns the scale of a series whose record has none.
fn one() -> f64 {
    1.0
}

/// Returns the scale of a column: that of nanoseconds for times stored as whole numbers.
pub(crate) fn scale_of(kind: RecordedKind, is_whole: bool) -> f64 {
    if is_whole && kind.is_time() {
        NANOSECOND_IN_MS
    } else {
        1.0
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn is_false(value: &bool) -> bool {
    !value
}

/// Writes a missing text as an empty text.
mod text_or_empty {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        text: &Option<String>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        text.as_deref().unwrap_or_default().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<String>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        Ok(text.filter(|text| !text.is_empty()))
    }
}
