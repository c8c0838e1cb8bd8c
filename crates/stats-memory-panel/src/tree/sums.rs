//! Sums of bytes and allocations, and their change between two snapshots.

use std::cmp::Ordering;

use crate::snapshot::Entry;

/// Bytes and allocations in two snapshots. Sums saturate at [`u64::MAX`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    pub(crate) bytes: u64,
    pub(crate) count: u64,
    pub(crate) bytes_before: u64,
    pub(crate) count_before: u64,
}

impl Sums {
    pub(super) fn now(entry: &Entry) -> Self {
        Self {
            bytes: entry.bytes(),
            count: entry.count,
            ..Self::default()
        }
    }

    pub(super) fn before(entry: &Entry) -> Self {
        Self {
            bytes_before: entry.bytes(),
            count_before: entry.count,
            ..Self::default()
        }
    }

    /// Returns the bytes now minus the bytes before.
    pub(super) fn growth_bytes(&self) -> i128 {
        i128::from(self.bytes) - i128::from(self.bytes_before)
    }

    /// Returns the sums with the older snapshot equal to the newer one.
    pub(super) fn unchanged(self) -> Self {
        Self {
            bytes_before: self.bytes,
            count_before: self.count,
            ..self
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.count = self.count.saturating_add(other.count);
        self.bytes_before = self.bytes_before.saturating_add(other.bytes_before);
        self.count_before = self.count_before.saturating_add(other.count_before);
    }

    /// Returns the change between the snapshots.
    pub(crate) fn change(&self) -> Change {
        let is_now = (self.bytes, self.count) != (0, 0);
        let was_before = (self.bytes_before, self.count_before) != (0, 0);
        match (is_now, was_before, self.bytes.cmp(&self.bytes_before)) {
            (true, false, _) => Change::New,
            (false, true, _) => Change::Gone,
            (.., Ordering::Greater) => Change::Grown,
            (.., Ordering::Less) => Change::Shrunk,
            (.., Ordering::Equal) => Change::Same,
        }
    }
}

/// The change of a row between two snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// The same number of bytes as before, in any number of allocations.
    Same,
    /// More bytes.
    Grown,
    /// Fewer bytes.
    Shrunk,
    /// Nothing before, something now.
    New,
    /// Something before, nothing now.
    Gone,
}
