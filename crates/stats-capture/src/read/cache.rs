//! Keeps the most recently used columns in memory.
//!
//! A column is read as a whole, because `Source` lends slices. A cache evicts the least recently
//! used columns.

use std::collections::HashMap;

use super::column::Column;

/// The most recently used columns, by the number of their series.
#[derive(Debug)]
pub(super) struct Cache {
    columns: HashMap<u32, Cached>,
    max_bytes: usize,
    bytes: usize,
    /// The number of uses so far.
    now: u64,
}

#[derive(Debug)]
struct Cached {
    column: Column,
    used: u64,
}

impl Cache {
    pub(super) fn new(max_bytes: usize) -> Self {
        Self {
            columns: HashMap::new(),
            max_bytes,
            bytes: 0,
            now: 0,
        }
    }

    /// Returns a column if it is in memory.
    pub(super) fn get(&mut self, series: u32) -> Option<Column> {
        self.now += 1;
        let cached = self.columns.get_mut(&series)?;
        cached.used = self.now;
        Some(cached.column.clone())
    }

    /// Adds a column, and evicts the least recently used ones beyond the limit.
    pub(super) fn put(&mut self, series: u32, column: Column) {
        self.now += 1;
        self.bytes += column.bytes();
        let used = self.now;
        if let Some(before) = self.columns.insert(series, Cached { column, used }) {
            self.bytes -= before.column.bytes();
        }
        self.shrink();
    }

    /// Forgets all columns.
    pub(super) fn clear(&mut self) {
        self.columns.clear();
        self.bytes = 0;
    }

    pub(super) fn set_max_bytes(&mut self, max_bytes: usize) {
        self.max_bytes = max_bytes;
        self.shrink();
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    fn shrink(&mut self) {
        while self.bytes > self.max_bytes {
            let oldest = self.columns.iter().min_by_key(|(_, cached)| cached.used);
            let Some(series) = oldest.map(|(series, _)| *series) else {
                return;
            };
            if let Some(gone) = self.columns.remove(&series) {
                self.bytes -= gone.column.bytes();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cache, Column};

    #[test]
    fn the_least_recently_used_columns_are_evicted() {
        let column = |value: f64| Column::new(0, vec![value; 100]);
        let mut cache = Cache::new(1600);
        cache.put(1, column(1.0));
        cache.put(2, column(2.0));
        assert!(cache.get(1).is_some());
        cache.put(3, column(3.0));
        assert_eq!(cache.bytes(), 1600);
        assert_eq!(cache.get(2), None);
        assert_eq!(cache.get(1), Some(column(1.0)));
        assert_eq!(cache.get(3), Some(column(3.0)));
        cache.put(3, column(4.0));
        assert_eq!((cache.bytes(), cache.get(3)), (1600, Some(column(4.0))));
        cache.set_max_bytes(0);
        assert_eq!((cache.bytes(), cache.get(3)), (0, None));
        cache.put(5, column(5.0));
        assert_eq!((cache.bytes(), cache.get(5)), (0, None));
    }
}
