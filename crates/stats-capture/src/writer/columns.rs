//! The series as columns.

use stats_core::{SeriesInfo, SeriesKind, Unit};

use super::names::{Named, Names};
use crate::metadata::{Better, RecordedKind, SeriesRecord};

/// The series as columns, in the order of registration. A column is never removed and never changes
/// its position.
#[derive(Debug, Default)]
pub(super) struct Columns {
    list: Vec<WrittenColumn>,
    /// For each series number, the position in `list` plus one; 0 if there is none.
    positions: Vec<u32>,
    names: Names,
}

#[derive(Debug)]
struct WrittenColumn {
    record: SeriesRecord,
    /// The path of the series, or of the timer or histogram to which it belongs.
    path: &'static str,
    /// Whether the record has changed since it was written to the journal.
    is_changed: bool,
}

impl Columns {
    /// Adds a series, or updates its record.
    ///
    /// A gauge that the program cannot read has no column, because it would be 0.
    pub(super) fn take(&mut self, info: &SeriesInfo<'static>) {
        let is_unread = info.kind == SeriesKind::Gauge && info.unavailable.is_some();
        if is_unread && self.position(info.id.number()).is_none() {
            return;
        }
        let parent = info.parent.and_then(|id| self.position(id.number()));
        let record = SeriesRecord {
            parent: parent.map(|at| self.list[at].record.path.clone()),
            ..SeriesRecord::listed(info)
        };
        self.take_column(info.id.number(), info.path, record);
        let count = if info.kind == SeriesKind::Timer {
            RecordedKind::TimerCalls
        } else {
            RecordedKind::HistogramSamples
        };
        let owner = self.position(info.id.number());
        let owner = owner.map(|at| self.list[at].record.path.clone());
        let companions = [
            (info.calls, count),
            (info.self_time, RecordedKind::TimerSelf),
        ];
        for (id, kind) in companions {
            let Some(id) = id else { continue };
            let unit = if kind.is_time() {
                info.unit
            } else {
                Unit::Count
            };
            let thread = info.thread.filter(|_| kind.is_time());
            let record = SeriesRecord {
                kind,
                unit: unit.symbol().to_owned(),
                thread: thread.map(str::to_owned),
                of: owner.clone(),
                scale: 1.0,
                better: if kind.is_time() {
                    Better::Lower
                } else {
                    Better::Neither
                },
                ..SeriesRecord::default()
            };
            self.take_column(id.number(), info.path, record);
        }
    }

    /// Returns the path of a series, or of the timer or histogram to which it belongs; `None` if it
    /// is not known.
    pub(super) fn path(&self, slot: u32) -> Option<&'static str> {
        Some(self.list.get(self.position(slot)?)?.path)
    }

    fn take_column(&mut self, slot: u32, path: &'static str, mut record: SeriesRecord) {
        if let Some(at) = self.position(slot) {
            let column = &mut self.list[at];
            record.path.clone_from(&column.record.path);
            column.is_changed |= column.record != record;
            column.record = record;
            return;
        }
        let at = self.list.len();
        self.list.push(WrittenColumn {
            record,
            path,
            is_changed: true,
        });
        let slot = slot as usize;
        if slot >= self.positions.len() {
            self.positions.resize(slot + 1, 0);
        }
        self.positions[slot] = at as u32 + 1;
        if let Some(renamed) = self.name(at) {
            self.name(renamed);
        }
    }

    /// Names a column. Returns the column that must then be renamed, if any.
    fn name(&mut self, at: usize) -> Option<usize> {
        let column = &mut self.list[at];
        let named = if column.record.kind.is_companion() {
            Named::Companion(column.path, column.record.kind)
        } else {
            Named::Series(column.path)
        };
        let (name, renamed) = self.names.add(at, named);
        column.record.path = name;
        column.is_changed = true;
        renamed
    }

    /// Returns the column of a series; `None` if the series is not known.
    pub(super) fn position(&self, slot: u32) -> Option<usize> {
        let position = self.positions.get(slot as usize)?.checked_sub(1)?;
        Some(position as usize)
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn kind(&self, at: usize) -> RecordedKind {
        self.list[at].record.kind
    }

    /// Returns the records that have changed since they were written to the journal, with their
    /// positions.
    pub(super) fn changed(&self) -> Vec<(usize, &SeriesRecord)> {
        let all = self.list.iter().enumerate();
        all.filter(|(_, column)| column.is_changed)
            .map(|(at, column)| (at, &column.record))
            .collect()
    }

    /// Marks all records as changed, because a new journal begins.
    pub(super) fn mark_unwritten(&mut self) {
        for column in &mut self.list {
            column.is_changed = true;
        }
    }

    /// Takes note that all records are in the journal.
    pub(super) fn mark_written(&mut self) {
        for column in &mut self.list {
            column.is_changed = false;
        }
    }
}
