//! Registers series, and learns facts about them.

use std::borrow::Cow;

use super::problems::excerpt;
use super::{Catalog, Entry, HOLE, TIMER_SLOTS, position};
use crate::live::counter::{HISTOGRAMS, SINK, SLOTS};
use crate::live::histogram;
use crate::live::registry::spec::{Meta, Path, Spec};
use crate::series::repaired;
use crate::{FRAME_TIME, Precision, Problem, SeriesKind, Unit};

/// The last segments of the paths of the series of single calls, below that of the timer.
const SINGLE_CALLS: &str = "single";
const LONGEST_CALL: &str = "longest";

/// Of a histogram: the largest sample of a frame.
const LARGEST_SAMPLE: &str = "largest";

impl Catalog {
    /// Returns the slot of a series, registering it if its path is new.
    pub(crate) fn register(&mut self, spec: Spec<'_>) -> u32 {
        let (Path::Static(given) | Path::Borrowed(given)) = spec.path;
        let path = self.path_for(given);
        if let Some(slot) = self.find(&path) {
            return self.join(slot, spec);
        }
        let Some(free) = self.room_for(&spec, &path) else {
            return SINK;
        };
        while self.slots < free {
            self.push(HOLE);
        }
        let is_histogram = spec.kind == SeriesKind::Histogram;
        self.histograms += u16::from(is_histogram);
        let entry = Entry {
            path: match spec.path {
                Path::Static(given) if path == given => given,
                _ => self.text.keep(&path),
            },
            kind: spec.kind,
            is_late: spec.is_late,
            is_wait: spec.is_wait,
            number: if is_histogram { self.histograms } else { 0 },
        };
        let slot = self.add(entry);
        if let Some(kind) = spec.kind.recording_count() {
            self.push(Entry { kind, ..entry });
        }
        if spec.has_scopes() {
            let kind = SeriesKind::TimerSelf;
            self.push(Entry { kind, ..entry });
            self.push(HOLE);
        }
        // Part of the same change as the registration: no reader has listed the series yet.
        self.learn(slot, spec.meta);
        self.set_precision(slot, spec.precision);
        slot
    }

    /// Returns the path to register for one that is given. Reports that it differs.
    fn path_for<'a>(&mut self, given: &'a str) -> Cow<'a, str> {
        let path = repaired(given);
        if path != given {
            self.report(Problem::BadPath {
                given: excerpt(given),
                used: excerpt(&path),
            });
        }
        if path != FRAME_TIME {
            return path;
        }
        let used = format!("{FRAME_TIME} (series)");
        self.report_reserved_path(given, &used);
        Cow::Owned(used)
    }

    /// Returns the first slot for a series. Reports that there is none.
    fn room_for(&mut self, spec: &Spec<'_>, path: &str) -> Option<u32> {
        if spec.kind == SeriesKind::Histogram && usize::from(self.histograms) == HISTOGRAMS - 2 {
            let path = excerpt(path);
            self.report_first(Problem::TooManyHistograms { path });
            return None;
        }
        let free = self.free_slot(spec);
        if free.is_none() {
            let path = excerpt(path);
            self.report_first(Problem::Full { path });
        }
        free
    }

    /// Registers a counter whose total a function reads. Returns the number of the total, from 1;
    /// `None` if the path belongs to another series, or there is no room.
    pub(crate) fn register_thread_total(&mut self, spec: Spec<'_>) -> Option<u16> {
        let (Path::Static(path) | Path::Borrowed(path)) = spec.path;
        if let Some(slot) = self.find(path) {
            let number = self.number(slot);
            if self.kind(slot) == Some(spec.kind) && number > 0 {
                return Some(number);
            }
            self.report_reserved_path(path, path);
            return None;
        }
        let next = self.thread_totals.checked_add(1)?;
        let slot = self.register(spec);
        if slot == SINK {
            return None;
        }
        self.thread_totals = next;
        let (chunk, at) = position(slot);
        self.entries[chunk][at].number = next;
        Some(next)
    }

    /// Returns the slot for a caller that registers a path a second time.
    fn join(&mut self, slot: u32, spec: Spec<'_>) -> u32 {
        let Some(Entry {
            path,
            kind: first,
            is_late,
            ..
        }) = self.entry(slot)
        else {
            return SINK;
        };
        if first == spec.kind && is_late != spec.is_late {
            self.report(Problem::LateClash {
                path: excerpt(path),
                is_first_late: is_late,
            });
            return SINK;
        }
        if first == spec.kind {
            self.set_precision(slot, spec.precision);
            self.describe(slot, spec.meta);
            if spec.is_wait {
                self.set_wait(slot);
            }
            return slot;
        }
        self.report(Problem::KindClash {
            path: excerpt(path),
            first,
            second: spec.kind,
        });
        let is_sum = |kind| matches!(kind, SeriesKind::Counter | SeriesKind::UpDownCounter);
        let is_late = is_late || spec.is_late;
        if is_sum(first) && is_sum(spec.kind) && !is_late {
            slot
        } else {
            SINK
        }
    }

    /// Returns the next slot with room for the series. If a series has several slots, they start at
    /// a multiple of their number, so that all of them are in the same block.
    fn free_slot(&self, spec: &Spec<'_>) -> Option<u32> {
        let size = match spec.kind.recording_count() {
            Some(_) if spec.has_scopes() => TIMER_SLOTS,
            Some(_) => 2,
            None => 1,
        };
        let first = self.slots.next_multiple_of(size);
        (first + size <= SLOTS).then_some(first)
    }

    /// Fills in missing facts. A known fact is kept, and a different value for it is reported.
    /// Returns whether anything was filled in.
    fn learn(&mut self, slot: u32, meta: Meta<'_>) -> bool {
        let description = meta.description.filter(|text| !text.is_empty());
        let meta = Meta {
            description,
            ..meta
        };
        if meta == Meta::default() {
            return false;
        }
        let path = self.entry(slot).map_or("", |entry| entry.path);
        let mut known = self.metas.get(&slot).copied().unwrap_or_default();
        if let (Some(first), Some(second)) = (known.unit, meta.unit)
            && first != second
        {
            self.report(Problem::UnitClash {
                path: excerpt(path),
                first,
                second,
            });
        }
        let budget = meta.budget.filter(|budget| budget.is_finite());
        if budget != meta.budget {
            self.report(Problem::BadBudget {
                path: excerpt(path),
            });
        }
        if let (Some(first), Some(second)) = (known.budget, budget)
            && first != second
        {
            self.report(Problem::BudgetClash {
                path: excerpt(path),
                first,
                second,
            });
        }
        if known.unit.is_none() && meta.unit.is_some() {
            self.budgets.ask_later(slot);
        }
        known.unit = known.unit.or(meta.unit);
        known.budget = known.budget.or(budget);
        if known.description.is_none() {
            known.description = meta.description.map(|text| self.text.keep(text));
        }
        self.metas.insert(slot, known) != Some(known)
    }

    /// Adds facts about a registered series. Counts as a change if any of them is new.
    pub(crate) fn describe(&mut self, slot: u32, meta: Meta<'_>) {
        if self.kind(slot).is_some() && self.learn(slot, meta) {
            self.changes.push(slot);
        }
    }

    /// Declares that the time of a timer is waiting. Counts as a change if it was not declared
    /// before.
    pub(crate) fn set_wait(&mut self, slot: u32) {
        let (chunk, at) = position(slot);
        if self.kind(slot) == Some(SeriesKind::Timer)
            && !std::mem::replace(&mut self.entries[chunk][at].is_wait, true)
        {
            self.changes.push(slot);
        }
    }

    /// Fixes the precision of a histogram, unless it is fixed.
    pub(crate) fn set_precision(&mut self, slot: u32, precision: Option<Precision>) {
        let Entry {
            path, kind, number, ..
        } = self.entry(slot).unwrap_or(HOLE);
        if let (Some(second), SeriesKind::Histogram) = (precision, kind)
            && let Err(first) = histogram::set_precision(usize::from(number), second)
        {
            self.report(Problem::PrecisionClash {
                path: excerpt(path),
                first,
                second,
            });
        }
    }

    /// Registers the distribution of the calls of a timer, and the longest call of a frame, or the
    /// largest sample of a frame of a histogram, unless the series has them.
    pub(crate) fn add_calls(&mut self, slot: u32) {
        let Some(entry) = self.entry(slot).filter(|entry| !entry.is_late) else {
            return;
        };
        match entry.kind {
            SeriesKind::Timer if entry.number == 0 => self.add_single_calls(slot, entry.path),
            SeriesKind::Histogram if entry.number != 0 => {
                let path = format!("{}/{LARGEST_SAMPLE}", entry.path);
                let unit = self.unit(slot, entry.kind);
                let what = "The largest sample of the frame; 0 without a sample.";
                if self.add_peak(&path, unit, what, entry.number) {
                    histogram::keep_largest(usize::from(entry.number));
                }
            }
            _ => {}
        }
    }

    fn add_single_calls(&mut self, slot: u32, timer: &str) {
        let path = format!("{timer}/{SINGLE_CALLS}");
        let ms = Unit::Milliseconds;
        let taken = self.find(&path).and_then(|slot| self.kind(slot));
        if taken == Some(SeriesKind::Histogram) {
            return self.report_reserved_path(&path, &path);
        }
        let calls = self.register(Spec {
            precision: Some(Precision::FourDigits),
            ..part(
                &path,
                SeriesKind::Histogram,
                ms,
                "Single calls of the timer.",
            )
        });
        if calls == SINK || self.kind(calls) != Some(SeriesKind::Histogram) {
            return;
        }
        let number = self.number(calls);
        let (chunk, at) = position(slot);
        self.entries[chunk][at].number = number;
        let path = format!("{timer}/{LONGEST_CALL}");
        let what = "The longest call that ended in the frame; 0 without a call.";
        self.add_peak(&path, ms, what, number);
    }

    /// Registers the largest sample of each frame of a histogram, unless it has the series. Returns
    /// whether it has it: not if there is no room, or the path belongs to a series of the program.
    fn add_peak(&mut self, path: &str, unit: Unit, description: &str, number: u16) -> bool {
        if let Some(slot) = self.find(path) {
            let is_peak = self.kind(slot) == Some(SeriesKind::Gauge) && self.number(slot) == number;
            if !is_peak {
                self.report_reserved_path(path, path);
            }
            return is_peak;
        }
        let peak = self.register(part(path, SeriesKind::Gauge, unit, description));
        if peak == SINK {
            return false;
        }
        let (chunk, at) = position(peak);
        self.entries[chunk][at].number = number;
        true
    }
}

/// Returns the facts of a series that belongs to a timer or a histogram.
fn part<'a>(path: &'a str, kind: SeriesKind, unit: Unit, description: &'a str) -> Spec<'a> {
    Spec {
        meta: Meta {
            unit: Some(unit),
            budget: None,
            description: Some(description),
        },
        ..Spec::new(path, kind)
    }
}
