//! Series by number.
//!
//! A handle of the core is not a number, and a C program may pass any number. So this table keeps
//! the handles, in chunks that never move. Reading takes no lock.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use stats_core::limits::MAX_SERIES;
use stats_core::{
    CounterHandle, GaugeHandle, HistogramHandle, SeriesId, TimerHandle, Unit, UpDownCounterHandle,
};

use crate::StatsStatus;

/// The number of a series. 0 names none.
pub type StatsSeries = u32;

const CHUNK: usize = 1024;

/// The id of every series whose values the core drops.
const REFUSED: SeriesId = SeriesId::new(0);

/// A series, as the core knows it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Handle {
    Counter(CounterHandle),
    UpDownCounter(UpDownCounterHandle),
    Gauge(GaugeHandle),
    Timer(TimerHandle),
    Histogram(HistogramHandle),
}

/// A kind of series that can be registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Counter,
    UpDownCounter,
    Gauge,
    Timer,
    Histogram,
}

type Chunk = Box<[OnceLock<Handle>; CHUNK]>;

static CHUNKS: [OnceLock<Chunk>; MAX_SERIES / CHUNK] =
    [const { OnceLock::new() }; MAX_SERIES / CHUNK];

/// The numbers by kind and path; `None` before the first.
type Numbers = Option<HashMap<(Kind, Box<str>), StatsSeries>>;

static NUMBERS: Mutex<Numbers> = Mutex::new(None);

/// Returns the number of a series, registering it if it is new. Fails if the core has no room.
pub(crate) fn register(kind: Kind, path: &str) -> Result<StatsSeries, StatsStatus> {
    let mut numbers = NUMBERS.lock().unwrap_or_else(PoisonError::into_inner);
    let numbers = numbers.get_or_insert_default();
    let key = (kind, path.into());
    if let Some(number) = numbers.get(&key) {
        return Ok(*number);
    }
    let at = numbers.len();
    let chunk = CHUNKS.get(at / CHUNK).ok_or(StatsStatus::LimitReached)?;
    let chunk = chunk.get_or_init(|| Box::new([const { OnceLock::new() }; CHUNK]));
    let handle = Handle::new(kind, path);
    // The core also refuses a path that belongs to another kind. In that case, it knows the path.
    if handle.id() == REFUSED && stats_core::find(path).is_none() {
        return Err(StatsStatus::LimitReached);
    }
    chunk[at % CHUNK].get_or_init(|| handle);
    let number = at as StatsSeries + 1;
    numbers.insert(key, number);
    Ok(number)
}

#[inline]
pub(crate) fn find(number: StatsSeries) -> Result<Handle, StatsStatus> {
    let at = (number as usize).wrapping_sub(1);
    CHUNKS
        .get(at / CHUNK)
        .and_then(OnceLock::get)
        .and_then(|chunk| chunk[at % CHUNK].get())
        .copied()
        .ok_or(StatsStatus::UnknownSeries)
}

impl Handle {
    fn new(kind: Kind, path: &str) -> Self {
        match kind {
            Kind::Counter => Self::Counter(stats_core::counter(path)),
            Kind::UpDownCounter => Self::UpDownCounter(stats_core::up_down_counter(path)),
            Kind::Gauge => Self::Gauge(stats_core::gauge(path)),
            Kind::Timer => Self::Timer(stats_core::timer(path)),
            Kind::Histogram => Self::Histogram(stats_core::histogram(path)),
        }
    }

    pub(crate) fn id(self) -> SeriesId {
        match self {
            Self::Counter(series) => series.id(),
            Self::UpDownCounter(series) => series.id(),
            Self::Gauge(series) => series.id(),
            Self::Timer(series) => series.id(),
            Self::Histogram(series) => series.id(),
        }
    }

    pub(crate) fn describe(self, description: &str) {
        match self {
            Self::Counter(series) => drop(series.describe(description)),
            Self::UpDownCounter(series) => drop(series.describe(description)),
            Self::Gauge(series) => drop(series.describe(description)),
            Self::Timer(series) => drop(series.describe(description)),
            Self::Histogram(series) => drop(series.describe(description)),
        }
    }

    pub(crate) fn set_budget(self, budget: f64) {
        match self {
            Self::Counter(series) => drop(series.budget(budget)),
            Self::UpDownCounter(series) => drop(series.budget(budget)),
            Self::Gauge(series) => drop(series.budget(budget)),
            Self::Timer(series) => drop(series.budget(budget)),
            Self::Histogram(series) => drop(series.budget(budget)),
        }
    }

    /// Sets the unit. Fails for timers, whose unit is fixed.
    pub(crate) fn set_unit(self, unit: Unit) -> Result<(), StatsStatus> {
        match self {
            Self::Counter(series) => drop(series.unit(unit)),
            Self::UpDownCounter(series) => drop(series.unit(unit)),
            Self::Gauge(series) => drop(series.unit(unit)),
            Self::Timer(_) => return Err(StatsStatus::WrongKind),
            Self::Histogram(series) => drop(series.unit(unit)),
        }
        Ok(())
    }
}
