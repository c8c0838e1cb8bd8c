//! Lists the series of a capture as the core lists those of a program.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use stats_core::{FRAME_TIME, SeriesId, SeriesInfo, Unit};

use crate::metadata::{RecordedKind, SeriesRecord};

/// The series of a capture, and the frame time, which has the number after theirs.
#[derive(Debug)]
pub(super) struct Listing {
    pub(super) series: Vec<SeriesRecord>,
    units: Vec<Unit>,
    /// For each series, the series of its calls and of its self time.
    companions: Vec<[Option<SeriesId>; 2]>,
    by_path: HashMap<String, u32>,
}

impl Listing {
    pub(super) fn new(series: Vec<SeriesRecord>) -> Self {
        let numbered = || (0..).zip(&series);
        let mut by_path: HashMap<String, u32> = numbered()
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
        by_path
            .entry(FRAME_TIME.to_owned())
            .or_insert(series.len() as u32);
        let units = (series.iter())
            .map(|series| Unit::from_symbol(&series.unit).unwrap_or_default())
            .collect();
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

    /// Returns whether an id is that of the frame time.
    pub(super) fn is_clock(&self, id: SeriesId) -> bool {
        id.number() as usize == self.series.len()
    }

    pub(super) fn get(&self, id: SeriesId) -> Option<&SeriesRecord> {
        self.series.get(id.number() as usize)
    }

    /// Returns the end of the numbers in use.
    pub(super) fn end(&self) -> u32 {
        self.series.len() as u32 + 1
    }

    /// Visits the series with these numbers until `visit` breaks, except those that belong to
    /// another one. Returns the end of the numbers in use.
    pub(super) fn list(
        &self,
        numbers: Range<u32>,
        visit: &mut dyn FnMut(SeriesInfo<'_>) -> ControlFlow<()>,
    ) -> u32 {
        let end = self.end();
        let mut listed = (numbers.start..numbers.end.min(end)).map(SeriesId::new);
        // Whether the reader stopped makes no difference.
        let _ = listed.try_for_each(|id| match self.info(id) {
            Some(info) => visit(info),
            None => ControlFlow::Continue(()),
        });
        end
    }

    /// Returns the entry of a series that belongs to no other one.
    fn info(&self, id: SeriesId) -> Option<SeriesInfo<'_>> {
        if self.is_clock(id) {
            return Some(SeriesInfo::frame_time(id));
        }
        let (at, series) = (id.number() as usize, self.get(id)?);
        if series.kind.is_companion() && series.of.is_some() {
            return None;
        }
        let mut info = SeriesInfo::new(id, &series.path, series.kind.to_core(), self.units[at]);
        let recorded = series.budget.filter(|budget| budget.is_finite());
        info.budget = stats_core::budget_set_for(&series.path).or(recorded);
        info.description = series.description.as_deref();
        [info.calls, info.self_time] = self.companions[at];
        info.parent = series.parent.as_ref().and_then(|path| self.find(path));
        info.thread = series.thread.as_deref();
        info.is_wait = series.wait;
        Some(info)
    }
}
