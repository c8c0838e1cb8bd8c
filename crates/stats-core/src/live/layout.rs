//! How slots map to cells: a slot is `block * BLOCK_CELLS + offset`.

/// Cells in one block: 8 KiB, so that a thread that touches one counter does not pay for thousands.
pub(crate) const BLOCK_CELLS: usize = 1024;

/// Entries in a block directory. The last stays empty for ever, so that the check for a missing
/// block also catches [`Spot::UNREGISTERED`].
pub(crate) const BLOCKS: usize = 1024;

/// Slots that can be handed out: 1,047,552. A timer takes two.
pub(crate) const SLOTS: u32 = ((BLOCKS - 1) * BLOCK_CELLS) as u32;

const _: () = assert!(SLOTS as usize == crate::limits::MAX_SERIES);

/// Histograms that a thread can have parts of, the one that takes samples nobody can read among
/// them. The last stays empty for ever, as with [`BLOCKS`].
pub(crate) const HISTOGRAMS: usize = 1024;

const _: () = assert!(HISTOGRAMS == crate::limits::MAX_HISTOGRAMS + 2);

/// Samples of a thread that wait to be added to the sums of a histogram. As many as fit into the 4
/// KiB of three decades.
pub(crate) const PENDING: usize = 32;

/// The slots that take values nobody can read: those of a clashing kind or of a full registry. A
/// pair, for timers.
pub(crate) const SINK: u32 = 0;

/// A slot as the hot path wants it: the directory entry in the top ten bits, the cell in the bottom
/// ten. Either is below 1024 whatever the number is, so that indexing takes a shift, a mask and no
/// bounds check. The bits between them hold the number of a histogram, 0 for all else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spot(u32);

const BLOCK_SHIFT: u32 = u32::BITS - BLOCKS.trailing_zeros();

const HISTOGRAM_SHIFT: u32 = BLOCK_CELLS.trailing_zeros();

impl Spot {
    /// The spot of a static that was not used yet. It falls into the directory's last entry.
    pub(crate) const UNREGISTERED: Self = Self(u32::MAX);

    /// The spot of values that nobody can read.
    pub(crate) const SINK: Self = Self::of(SINK);

    /// The spot of a slot below [`SLOTS`].
    pub(crate) const fn of(slot: u32) -> Self {
        Self(((slot / BLOCK_CELLS as u32) << BLOCK_SHIFT) | (slot % BLOCK_CELLS as u32))
    }

    /// The spot with the number of a histogram, below [`HISTOGRAMS`].
    pub(crate) const fn with_histogram(self, number: u16) -> Self {
        Self(self.0 | ((number as u32) << HISTOGRAM_SHIFT))
    }

    /// The slot again.
    pub(crate) const fn slot(self) -> u32 {
        (self.block() * BLOCK_CELLS + self.offset()) as u32
    }

    /// The directory entry, below [`BLOCKS`].
    #[inline(always)]
    pub(crate) const fn block(self) -> usize {
        (self.0 >> BLOCK_SHIFT) as usize
    }

    /// The cell of the block, below [`BLOCK_CELLS`].
    #[inline(always)]
    pub(crate) const fn offset(self) -> usize {
        self.0 as usize % BLOCK_CELLS
    }

    /// The number of the histogram, below [`HISTOGRAMS`]; the last for a static that was not used
    /// yet.
    #[inline(always)]
    pub(crate) const fn histogram(self) -> usize {
        (self.0 >> HISTOGRAM_SHIFT) as usize % HISTOGRAMS
    }

    /// The number that an atomic keeps.
    #[inline(always)]
    pub(crate) const fn to_bits(self) -> u32 {
        self.0
    }

    /// The spot of such a number.
    #[inline(always)]
    pub(crate) const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK_CELLS, BLOCKS, HISTOGRAMS, SLOTS, Spot};

    #[test]
    fn every_slot_has_a_spot_of_its_own_and_none_is_in_the_last_block() {
        for slot in 0..SLOTS {
            let spot = Spot::of(slot);
            assert_eq!(
                (spot.slot(), spot.block() * BLOCK_CELLS + spot.offset()),
                (slot, slot as usize)
            );
            assert!(spot.block() < BLOCKS - 1);
            let histogram = spot.with_histogram((slot % 1023) as u16);
            assert_eq!(
                (histogram.slot(), histogram.histogram()),
                (slot, slot as usize % 1023)
            );
        }
        assert_eq!(
            (Spot::UNREGISTERED.block(), Spot::UNREGISTERED.histogram()),
            (BLOCKS - 1, HISTOGRAMS - 1)
        );
    }
}
