//! The allocations of a dump, by their addresses.

/// The end of all addresses: a dump has the lower 48 bits of an address.
pub(super) const END: u64 = 1 << 48;

/// At most one block in this many begins inside another one. The program goes on while a dump is written,
/// so the dump may have a block and the block that took its place.
const OVERLAPPING: usize = 10;

/// An allocation with an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// The index of the site.
    pub(crate) site: u32,
}

impl Block {
    pub(crate) fn new(address: u64, bytes: u64, site: u32) -> Self {
        Self {
            start: address.min(END),
            end: address.saturating_add(bytes).min(END),
            site,
        }
    }
}

/// Sorts blocks by address, cuts off what a block shares with an earlier one, and leaves out empty
/// blocks. Returns whether the addresses are of use: a dump of another program may have the same
/// address in all lines.
pub(super) fn put_in_order(blocks: &mut Vec<Block>) -> bool {
    blocks.sort_unstable_by_key(|block| (block.start, block.end, block.site));
    let (mut end, mut overlapping) = (0, 0);
    for block in blocks.iter_mut() {
        overlapping += usize::from(block.start < end);
        block.start = block.start.max(end);
        end = end.max(block.end);
    }
    let all = blocks.len();
    blocks.retain(|block| block.start < block.end);
    !blocks.is_empty() && overlapping <= all / OVERLAPPING
}
