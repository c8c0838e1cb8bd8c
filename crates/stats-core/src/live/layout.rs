//! How slots map to cells: a slot is `block * BLOCK_CELLS + offset`.

/// Cells in one block: 8 KiB, so that a thread that touches one counter does not pay for thousands.
pub(crate) const BLOCK_CELLS: usize = 1024;

/// Entries in a block directory. The last stays empty for ever, so that the check for a missing block also catches
/// [`UNREGISTERED`].
pub(crate) const BLOCKS: usize = 1024;

/// Slots that can be handed out: 1,047,552. A timer takes two.
pub(crate) const SLOTS: u32 = ((BLOCKS - 1) * BLOCK_CELLS) as u32;

/// The slot of a static that was not used yet; it falls into the directory's last entry.
pub(crate) const UNREGISTERED: u32 = u32::MAX;

/// The slots that take values nobody can read: those of a clashing kind or of a full registry. A pair, for timers.
pub(crate) const SINK: u32 = 0;

/// The slot of `stats/refused-samples`.
pub(crate) const REFUSED: u32 = 2;

/// The slot of `stats/problems`.
pub(crate) const PROBLEMS: u32 = 3;

/// Which directory entry a slot belongs to. Masked, so that indexing needs no bounds check.
#[inline(always)]
pub(crate) const fn block_of(slot: u32) -> usize {
    (slot as usize / BLOCK_CELLS) % BLOCKS
}

/// Which cell of its block a slot is.
#[inline(always)]
pub(crate) const fn offset_of(slot: u32) -> usize {
    slot as usize % BLOCK_CELLS
}
