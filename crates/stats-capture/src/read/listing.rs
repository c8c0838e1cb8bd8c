//! The series of a capture as the core lists them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use stats_core::{SeriesId, SeriesInfo, Unit};

use crate::metadata::SeriesRecord;

/// The most symbols of units that are kept; a series with any other has plain numbers.
const MOST_SYMBOLS: usize = 1024;

/// The symbols of units that the core does not know.
static SYMBOLS: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());

/// The series of a capture.
#[derive(Debug)]
pub(super) struct Listing {
    pub(super) series: Vec<SeriesRecord>,
    units: Vec<Unit>,
    /// For each series, that which counts its calls, and that of its self time.
    calls: Vec<Option<SeriesId>>,
    self_times: Vec<Option<SeriesId>>,
    by_path: HashMap<String, u32>,
}

impl Listing {
    pub(super) fn new(series: Vec<SeriesRecord>) -> Self {
        let numbered = || (0..).zip(&series);
        let by_path: HashMap<String, u32> = numbered()
            .map(|(number, series): (u32, _)| (series.path.clone(), number))
            .collect();
        let mut calls = vec![None; series.len()];
        let mut self_times = vec![None; series.len()];
        for (number, companion) in numbered().filter(|(_, series)| series.kind.is_companion()) {
            let timer = companion.of.as_ref().and_then(|path| by_path.get(path));
            let list = if companion.kind.is_calls() {
                &mut calls
            } else {
                &mut self_times
            };
            if let Some(timer) = timer {
                list[*timer as usize] = Some(SeriesId::new(number));
            }
        }
        let units = series.iter().map(|series| unit_of(&series.unit)).collect();
        Self {
            series,
            units,
            calls,
            self_times,
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
            info.calls = self.calls[at];
            info.self_time = self.self_times[at];
            info.parent = series.parent.as_deref().and_then(|path| self.find(path));
            info.thread = series.thread.as_deref();
            info.is_wait = series.wait;
            visit(info);
        }
    }
}

/// Returns the unit of a symbol.
fn unit_of(symbol: &str) -> Unit {
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

/// Returns a symbol that is kept until the process ends, as those of the core's units are.
fn kept(symbol: &str) -> Option<&'static str> {
    let mut symbols = SYMBOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = symbols.iter().find(|known| **known == symbol) {
        return Some(known);
    }
    if symbols.len() >= MOST_SYMBOLS || symbol.len() > 64 {
        return None;
    }
    let new: &'static str = Box::leak(symbol.into());
    symbols.push(new);
    Some(new)
}
