//! Some frames in a row, stored as changes.
//!
//! A chunk can be read without the chunks before it. A frame is a list of records, one for each group
//! of 64 series of which any has another value than in the previous frame. A value that is unknown
//! before the first frame of a chunk counts as changed:
//!
//! ```text
//! group     2 bytes   the number of the group; the two highest bits say which masks follow
//! changed   8 bytes   the series with another value
//! zero      8 bytes   those of them whose value is 0, which are not stored; left out if none
//! wide      8 bytes   those of them that need 8 bytes; left out if none
//! values              4 or 8 bytes each
//! ```
//!
//! Whole values are exact, and so are those beyond the range of single precision. Others are
//! rounded to it, about seven digits.

use stats_core::limits::SURVEY_GROUP;

/// The step by which the memory of a chunk grows, in bytes.
pub(super) const GROWTH: usize = 16 << 10;
/// The number of series in a group. A mask has as many bits.
pub(crate) const GROUP: usize = SURVEY_GROUP;
const _: () = assert!(GROUP == u64::BITS as usize);

/// The bits of a record's group that say which masks follow.
const HAS_ZERO: u16 = 1 << 15;
const HAS_WIDE: u16 = 1 << 14;

/// Some consecutive frames.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    /// Oldest first.
    pub(super) rows: Vec<Row>,
    pub(super) records: Vec<u8>,
}

/// A frame in a chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) frame: u64,
    pub(super) ms: f64,
    /// The end of its records.
    pub(super) end: u32,
}

impl Chunk {
    pub(super) fn bytes(&self) -> usize {
        self.records.capacity() + self.rows.capacity() * size_of::<Row>()
    }

    /// Adds a record if any value of a group has changed, and updates the newest values.
    pub(super) fn add_changes(&mut self, group: u16, values: &[f64], newest: &mut [f64]) {
        let (mut changed, mut zero, mut wide) = (0_u64, 0_u64, 0_u64);
        for (at, (value, newest)) in values.iter().zip(&mut *newest).enumerate() {
            let value = kept(*value);
            let is_changed = value.to_bits() != newest.to_bits();
            changed |= u64::from(is_changed) << at;
            *newest = value;
        }
        // Series that are no longer surveyed have no values.
        for (at, newest) in newest.iter_mut().enumerate().skip(values.len()) {
            changed |= u64::from(!newest.is_nan()) << at;
            *newest = f64::NAN;
        }
        if changed == 0 {
            return;
        }
        for at in ones(changed) {
            zero |= u64::from(newest[at].to_bits() == 0) << at;
            wide |= u64::from(is_wide(newest[at])) << at;
        }
        let flag = |mask: u64, flag| if mask == 0 { 0 } else { flag };
        let head = group | flag(zero, HAS_ZERO) | flag(wide, HAS_WIDE);
        const MAX_RECORD: usize = 2 + 3 * 8 + GROUP * 8;
        if self.records.capacity() - self.records.len() < MAX_RECORD {
            self.records.reserve_exact(GROWTH);
        }
        let records = &mut self.records;
        records.extend_from_slice(&head.to_le_bytes());
        records.extend_from_slice(&changed.to_le_bytes());
        for mask in [zero, wide].into_iter().filter(|mask| *mask != 0) {
            records.extend_from_slice(&mask.to_le_bytes());
        }
        for at in ones(changed & !zero) {
            if wide >> at & 1 == 1 {
                records.extend_from_slice(&newest[at].to_le_bytes());
            } else {
                records.extend_from_slice(&(newest[at] as f32).to_le_bytes());
            }
        }
    }

    /// Visits the frames from `first` on with their records.
    pub(super) fn read(&self, first: u64, visit: &mut dyn FnMut(Row, Records<'_>)) {
        let (before, rows) =
            (self.rows).split_at(self.rows.partition_point(|row| row.frame < first));
        let mut start = before.last().map_or(0, |row| row.end as usize);
        for row in rows {
            let end = row.end as usize;
            visit(*row, Records(&self.records[start..end]));
            start = end;
        }
    }
}

/// The records of a frame.
pub(crate) struct Records<'a>(&'a [u8]);

impl Records<'_> {
    /// Visits the series that changed, by their numbers, with their values; NaN if unknown.
    pub(crate) fn for_each_value(self, mut visit: impl FnMut(u32, f64)) {
        let mut values = [f64::NAN; GROUP];
        for record in self {
            record.apply(&mut values);
            let first = usize::from(record.group) * GROUP;
            ones(record.changed).for_each(|at| visit((first + at) as u32, values[at]));
        }
    }
}

/// The changes in a group of series.
pub(crate) struct Record<'a> {
    pub(super) group: u16,
    changed: u64,
    zero: u64,
    wide: u64,
    values: &'a [u8],
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let head = u16::from_le_bytes(*self.0.split_off(..2)?.first_chunk()?);
        let mut mask = |is_there: bool| {
            let bytes = if is_there {
                self.0.split_off(..8)
            } else {
                None
            };
            let bytes = bytes.and_then(|bytes| bytes.first_chunk());
            bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
        };
        let changed = mask(true);
        let (zero, wide) = (mask(head & HAS_ZERO != 0), mask(head & HAS_WIDE != 0));
        let stored = (changed & !zero).count_ones() + wide.count_ones();
        Some(Record {
            group: head & !(HAS_ZERO | HAS_WIDE),
            changed,
            zero,
            wide,
            values: self.0.split_off(..stored as usize * 4)?,
        })
    }
}

impl Record<'_> {
    /// Replaces the changed ones among the values of the group.
    pub(super) fn apply(&self, values: &mut [f64]) {
        let mut stored = self.values;
        for at in ones(self.changed) {
            values[at] = if self.zero >> at & 1 == 1 {
                0.0
            } else if self.wide >> at & 1 == 1 {
                let bytes = stored.split_off(..8).and_then(|bytes| bytes.first_chunk());
                bytes.map_or(f64::NAN, |bytes| f64::from_le_bytes(*bytes))
            } else {
                let bytes = stored.split_off(..4).and_then(|bytes| bytes.first_chunk());
                bytes.map_or(f64::NAN, |bytes| f32::from_le_bytes(*bytes).into())
            };
        }
    }
}

/// Returns a value as it is stored.
pub(super) fn kept(value: f64) -> f64 {
    // A cast saturates, so that no value beyond the integers equals its result.
    let is_whole = value as i64 as f64 == value;
    let single = value as f32;
    if is_whole {
        // Without the sign of −0.
        value + 0.0
    } else if value.is_nan() {
        f64::NAN
    } else if single.is_normal() {
        f64::from(single)
    } else {
        // The cast would lose the value or most of its digits.
        value
    }
}

/// Returns whether a stored value needs 8 bytes.
fn is_wide(value: f64) -> bool {
    !value.is_nan() && f64::from(value as f32) != value
}

/// Returns the positions of the ones in a mask, in ascending order.
fn ones(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(at)
    })
}
