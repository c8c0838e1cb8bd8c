//! The series of a capture, in the form in which the core lists series.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use stats_core::{SeriesId, SeriesInfo, Unit};

use crate::metadata::{RecordedKind, SeriesRecord};

/// The maximum number of unit symbols that are kept. A series with any further symbol has plain
/// numbers.
const MAX_SYMBOLS: usize = 1024;

/// The symbols of units that the core does not know.
static SYMBOLS: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());

/// The series of a capture.
#[derive(Debug)]
pub(super) struct Listing {
    pub(super) series: Vec<SeriesRecord>,
    units: Vec<Unit>,
    /// For each series, the one that counts its calls and the one of its self time.
    companions: Vec<[Option<SeriesId>; 2]>,
    by_path: HashMap<String, u32>,
}

impl Listing {
    pub(super) fn new(series: Vec<SeriesRecord>) -> Self {
        let numbered = || (0..).zip(&series);
        let by_path: HashMap<String, u32> = numbered()
            .map(|(number, series): (u32, _)| (series.path.clone(), number))
            .collect();
        let mut companions = vec![[None; 2]; series.len()];
        for (number, series) in numbered().filter(|(_, series)| series.kind.is_companion()) {
            let of = series.of.as_ref().and_then(|path| by_path.get(path));
            if let Some(of) = of {
                let is_self = series.kind == RecordedKind::TimerSelf;
                companions[*of as usize][usize::from(is_self)] = Some(SeriesId::new(number));
            }
        }
        let units = series.iter().map(|series| unit_of(&series.unit)).collect();
        Self {
            series,
            units,
            companions,
            by_path,
        }
    }

    pub(super) fn find(&self, path: &str) -> Option<SeriesId> {
        self.by_path.get(path).copied().map(SeriesId::new)
    }

    pub(super) fn get(&self, id: SeriesId) -> Option<&SeriesRecord> {
        self.series.get(id.number() as usize)
    }

    /// Visits the series, except those that belong to another one.
    pub(super) fn for_each(&self, visit: &mut dyn FnMut(SeriesInfo<'_>)) {
        for (at, series) in self.series.iter().enumerate() {
            if series.kind.is_companion() && series.of.is_some() {
                continue;
            }
            let id = SeriesId::new(at as u32);
            let mut info = SeriesInfo::new(id, &series.path, series.kind.to_core(), self.units[at]);
            info.budget = series.budget.filter(|budget| budget.is_finite());
            info.description = series.description.as_deref();
            [info.calls, info.self_time] = self.companions[at];
            info.parent = series.parent.as_ref().and_then(|path| self.find(path));
            info.thread = series.thread.as_deref();
            info.is_wait = series.wait;
            visit(info);
        }
    }
}

/// Returns the unit with a symbol, for programs that store units as text.
///
/// A symbol that no unit of the core has is kept until the process ends. Beyond 1,024 of those, and
/// for symbols of more than 64 bytes, returns [`Unit::Count`].
#[must_use]
pub fn unit_of(symbol: &str) -> Unit {
    let known = [
        Unit::Count,
        Unit::Bytes,
        Unit::Seconds,
        Unit::Milliseconds,
        Unit::Microseconds,
        Unit::Percent,
        Unit::Hertz,
        Unit::Meters,
        Unit::MetersPerSecond,
        Unit::Degrees,
        Unit::Radians,
        Unit::Pixels,
    ];
    let found = known.into_iter().find(|unit| unit.symbol() == symbol);
    found.unwrap_or_else(|| kept(symbol).map_or(Unit::Count, Unit::Custom))
}

/// Returns a `'static` copy of a symbol, as the core's units require.
fn kept(symbol: &str) -> Option<&'static str> {
    let mut symbols = SYMBOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = symbols.iter().find(|known| **known == symbol) {
        return Some(known);
    }
    if symbols.len() >= MAX_SYMBOLS || symbol.len() > 64 {
        return None;
    }
    let new: &'static str = Box::leak(symbol.into());
    symbols.push(new);
    Some(new)
}
