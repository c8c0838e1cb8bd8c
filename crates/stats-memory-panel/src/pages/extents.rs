//! The touched pages.

use std::ops::Range;

use super::PAGE;
use super::block::{Block, END};

/// Returns the pages that hold a part of a block, or that the system says are in memory, as ranges
/// of addresses, each as long as possible. The blocks are in order.
pub(super) fn touched(blocks: &[Block], resident: &[Range<u64>]) -> Vec<Range<u64>> {
    let mut extents = Vec::new();
    for block in blocks {
        join(&mut extents, block.start, block.end);
    }
    for range in resident {
        let (start, end) = (range.start.min(END), range.end.min(END));
        if start < end {
            extents.push(start / PAGE * PAGE..end.next_multiple_of(PAGE));
        }
    }
    extents.sort_unstable_by_key(|extent| extent.start);
    let mut joined = Vec::with_capacity(extents.len());
    for extent in extents {
        join(&mut joined, extent.start, extent.end);
    }
    joined
}

/// Adds the pages of a range that begins behind the beginning of the last extent.
fn join(extents: &mut Vec<Range<u64>>, start: u64, end: u64) {
    let (start, end) = (start / PAGE * PAGE, end.next_multiple_of(PAGE));
    match extents.last_mut().filter(|last| start <= last.end) {
        Some(last) => last.end = last.end.max(end),
        None => extents.push(start..end),
    }
}
