//! Finds the columns of a batch in its body, and refuses positions outside it.

use std::cmp::Ordering;
use std::ops::Range;

use arrow_ipc::RecordBatch;

use super::seal::checksum_of;
use super::{EVENTS_AT, OTHERS};
use crate::metadata::CLOCK;

/// The positions of the columns of a batch in its body. Every range lies within the body.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) rows: usize,
    columns: Vec<ColumnPlace>,
    events: EventsPlace,
}

#[derive(Clone, Debug)]
struct ColumnPlace {
    /// Empty if there are no nulls.
    validity: Range<usize>,
    data: Range<usize>,
}

#[derive(Clone, Debug)]
struct EventsPlace {
    validity: Range<usize>,
    offsets: Range<usize>,
    text: Range<usize>,
}

/// The cells of one column of a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cells<'a> {
    /// A bit for each row; empty if there are no nulls.
    validity: &'a [u8],
    data: &'a [u8],
}

impl Layout {
    /// Returns the layout of a batch with `series` series and a body of `body_len` bytes.
    pub(super) fn of(
        batch: RecordBatch<'_>,
        series: usize,
        body_len: usize,
    ) -> Result<Self, String> {
        if batch.compression().is_some() {
            return Err("a batch is compressed".into());
        }
        let (Some(nodes), Some(buffers)) = (batch.nodes(), batch.buffers()) else {
            return Err("a batch has no columns".into());
        };
        let columns = series + OTHERS;
        if nodes.len() != columns || buffers.len() != 2 * columns + 1 {
            return Err("the columns of a batch do not match its stream".into());
        }
        let rows = nodes.get(0).length();
        let is_long = nodes.iter().any(|node| node.length() != rows);
        let rows = usize::try_from(rows).map_err(|_| "a batch has no rows")?;
        if is_long || rows == 0 || batch.length() != rows as i64 {
            return Err("the columns of a batch differ in length".into());
        }
        let mut at = 0;
        let mut next = |needed: usize| {
            let buffer = buffers.get(at);
            at += 1;
            range(buffer.offset(), buffer.length(), body_len, needed)
        };
        let (bits, bytes) = (
            rows.div_ceil(8),
            rows.checked_mul(8).ok_or("too many rows")?,
        );
        let mut layout = Self {
            rows,
            columns: Vec::with_capacity(columns - 1),
            events: EventsPlace {
                validity: 0..0,
                offsets: 0..0,
                text: 0..0,
            },
        };
        for (column, node) in nodes.iter().enumerate() {
            let has_nulls = node.null_count() != 0;
            let validity = next(if has_nulls { bits } else { 0 })?;
            let validity = if has_nulls { validity } else { 0..0 };
            if column == EVENTS_AT {
                let offsets = next(4 * (rows + 1))?;
                let text = next(0)?;
                layout.events = EventsPlace {
                    validity,
                    offsets,
                    text,
                };
            } else {
                let data = next(bytes)?;
                layout.columns.push(ColumnPlace { validity, data });
            }
        }
        Ok(layout)
    }

    /// Returns the checksums of all columns of a body, in the order of the stream.
    pub(super) fn checksums(&self, body: &[u8]) -> Vec<u32> {
        let columns = 0..=self.columns.len();
        columns.map(|column| self.checksum(body, column)).collect()
    }

    /// Returns the checksum of a column of a body, by its position in the stream.
    fn checksum(&self, body: &[u8], column: usize) -> u32 {
        let part = |range: &Range<usize>| body.get(range.clone()).unwrap_or_default();
        let place = |position: usize| match self.columns.get(position) {
            Some(place) => checksum_of([part(&place.validity), part(&place.data)]),
            None => 0,
        };
        match column.cmp(&EVENTS_AT) {
            Ordering::Less => place(column),
            Ordering::Equal => {
                let events = &self.events;
                checksum_of([
                    part(&events.validity),
                    part(&events.offsets),
                    part(&events.text),
                ])
            }
            Ordering::Greater => place(column - 1),
        }
    }

    /// Returns whether the clock and the events of a body are undamaged.
    pub(super) fn is_head_intact(&self, head: &[u8], checksums: &[u32]) -> bool {
        let head_checksums = (0..OTHERS).map(|column| self.checksum(head, column));
        head_checksums.eq(checksums.iter().take(OTHERS).copied())
    }

    /// Returns the length of the head: the part of the body with the clock and the events.
    pub(super) fn head_len(&self) -> usize {
        let clock = self.columns.iter().take(CLOCK.len());
        let events = &self.events;
        clock
            .flat_map(|place| [place.validity.end, place.data.end])
            .chain([events.validity.end, events.offsets.end, events.text.end])
            .fold(0, usize::max)
    }

    /// Returns the cells of a column of the clock (0 to 2) or of a series (from 3).
    pub(super) fn cells<'a>(&self, body: &'a [u8], column: usize) -> Option<Cells<'a>> {
        let place = self.columns.get(column)?;
        Some(Cells {
            validity: body.get(place.validity.clone())?,
            data: body.get(place.data.clone())?,
        })
    }

    /// Returns the ranges of a column's cells in the body: validity and data.
    pub(super) fn ranges(&self, column: usize) -> Option<[Range<usize>; 2]> {
        let place = self.columns.get(column)?;
        Some([place.validity.clone(), place.data.clone()])
    }

    /// Calls `visit` with the row and text of each row that has events.
    pub(super) fn for_each_events(
        &self,
        body: &[u8],
        mut visit: impl FnMut(usize, &str),
    ) -> Result<(), String> {
        let bad = || "the events of a batch cannot be read".to_owned();
        let place = &self.events;
        let validity = body.get(place.validity.clone()).ok_or_else(bad)?;
        let offsets = body.get(place.offsets.clone()).ok_or_else(bad)?;
        let text = body.get(place.text.clone()).ok_or_else(bad)?;
        let offset = |row: usize| -> Option<usize> {
            let bytes = offsets.get(4 * row..4 * row + 4)?;
            usize::try_from(i32::from_le_bytes(bytes.try_into().ok()?)).ok()
        };
        for row in 0..self.rows {
            if is_valid(validity, row) {
                let (from, to) = (
                    offset(row).ok_or_else(bad)?,
                    offset(row + 1).ok_or_else(bad)?,
                );
                let text = text.get(from..to).ok_or_else(bad)?;
                visit(row, std::str::from_utf8(text).map_err(|_| bad())?);
            }
        }
        Ok(())
    }
}

impl<'a> Cells<'a> {
    /// Returns the bits of each number; `None` for a null.
    pub(crate) fn iter(self) -> impl Iterator<Item = Option<u64>> + use<'a> {
        self.data
            .chunks_exact(8)
            .enumerate()
            .map(move |(row, bytes)| {
                let bits = bytes.try_into().map(u64::from_le_bytes);
                bits.ok().filter(|_| is_valid(self.validity, row))
            })
    }

    /// Returns whether the cells are undamaged.
    pub(super) fn are_intact(self, checksum: u32) -> bool {
        checksum_of([self.validity, self.data]) == checksum
    }

    /// Creates cells from the bytes of [`Layout::ranges`].
    pub(super) fn from_parts(validity: &'a [u8], data: &'a [u8]) -> Self {
        Self { validity, data }
    }
}

fn is_valid(validity: &[u8], row: usize) -> bool {
    validity
        .get(row / 8)
        .is_none_or(|bits| bits >> (row % 8) & 1 == 1)
}

/// Returns the range of the first `needed` bytes of a buffer, or of all its bytes if `needed` is 0.
/// Fails if the buffer is shorter, or not within the body.
fn range(offset: i64, length: i64, body_len: usize, needed: usize) -> Result<Range<usize>, String> {
    let bad = || "a column lies outside its batch".to_owned();
    let offset = usize::try_from(offset).map_err(|_| bad())?;
    let length = usize::try_from(length).map_err(|_| bad())?;
    let end = offset.checked_add(length).ok_or_else(bad)?;
    if end > body_len || length < needed {
        return Err(bad());
    }
    let end = if needed == 0 { end } else { offset + needed };
    Ok(offset..end)
}
