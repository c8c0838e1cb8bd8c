//! The rows of a list: a gauge for each name, of a limited number of names.

use std::collections::HashMap;

use stats_core::segment::bounded;
use stats_core::{GaugeHandle, Unit, gauge};

/// The maximum number of names with a row of their own.
pub(super) const MAX_ROWS: usize = 128;

/// The name of the row that collects what is beyond the limit.
pub(super) const OTHERS: &str = "others";

/// The place of a name in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowId {
    Own(usize),
    Others,
}

/// A list below a path.
#[derive(Debug)]
pub(super) struct Rows {
    path: &'static str,
    unit: Unit,
    /// The segments that no name has.
    reserved: &'static [&'static str],
    own: Vec<Row>,
    by_segment: HashMap<String, usize>,
    /// `None` until something is beyond the limit.
    others: Option<GaugeHandle>,
    others_sum: u64,
}

#[derive(Debug)]
struct Row {
    gauge: GaugeHandle,
    /// What was added since the last call of [`Rows::publish`].
    sum: u64,
}

impl Rows {
    pub(super) fn new(path: &'static str, unit: Unit, reserved: &'static [&'static str]) -> Self {
        Self {
            path,
            unit,
            reserved,
            own: Vec::new(),
            by_segment: HashMap::new(),
            others: None,
            others_sum: 0,
        }
    }

    /// Returns whether no new name gets a row of its own.
    pub(super) fn is_full(&self) -> bool {
        self.own.len() == MAX_ROWS
    }

    /// Returns the row of a name. A new name has a row of its own while there is room. Equal names
    /// share a row.
    pub(super) fn row(&mut self, name: &str, description: &str) -> RowId {
        let segment = bounded(name, self.reserved);
        self.fixed_row(&segment, description)
    }

    /// Works like [`row`](Self::row), for a segment that may be reserved.
    pub(super) fn fixed_row(&mut self, segment: &str, description: &str) -> RowId {
        if let Some(&at) = self.by_segment.get(segment) {
            return RowId::Own(at);
        }
        if self.is_full() {
            return RowId::Others;
        }
        let at = self.own.len();
        let gauge = self.gauge(segment, description);
        self.own.push(Row { gauge, sum: 0 });
        self.by_segment.insert(segment.to_owned(), at);
        RowId::Own(at)
    }

    /// Adds to the next value of a row.
    pub(super) fn add(&mut self, row: RowId, value: u64) {
        match row {
            RowId::Own(at) => self.own[at].sum += value,
            RowId::Others => self.others_sum += value,
        }
    }

    /// Sets each gauge to what was added to its row since the last call. A row to which nothing was
    /// added has 0.
    pub(super) fn publish(&mut self) {
        for row in &mut self.own {
            row.gauge.set(std::mem::take(&mut row.sum));
        }
        let others = std::mem::take(&mut self.others_sum);
        if others > 0 && self.others.is_none() {
            self.others = Some(self.gauge(OTHERS, "all that have no row of their own"));
        }
        if let Some(gauge) = self.others {
            gauge.set(others);
        }
    }

    fn gauge(&self, segment: &str, description: &str) -> GaugeHandle {
        gauge(&format!("{}/{segment}", self.path))
            .unit(self.unit)
            .describe(description)
    }
}
