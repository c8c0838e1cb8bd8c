//! How slots map to cells: a slot is `block * BLOCK_CELLS + offset`.

/// The number of cells in one block: 8 KiB, so that a thread that touches one counter does not pay
/// for thousands.
#[cfg(not(loom))]
pub(crate) const BLOCK_CELLS: usize = 1024;

/// Small, because loom explores every atomic operation.
#[cfg(loom)]
pub(crate) const BLOCK_CELLS: usize = 2;

/// The number of entries in a block directory. The last one stays empty, so that the check for a
/// missing block also catches [`Spot::UNREGISTERED`].
pub(crate) const BLOCKS: usize = 1024;

/// The number of slots: 1,047,552. A timer takes four, a histogram two or three.
pub(crate) const SLOTS: u32 = ((BLOCKS - 1) * BLOCK_CELLS) as u32;

#[cfg(not(loom))]
const _: () = assert!(SLOTS as usize == crate::limits::MAX_SERIES);

/// The number of entries in a thread's table of histograms. The first takes the samples of refused
/// histograms. The last one stays empty, as with [`BLOCKS`].
pub(crate) const HISTOGRAMS: usize = 1024;

const _: () = assert!(HISTOGRAMS == crate::limits::MAX_HISTOGRAMS + 2);

/// The number of samples that a thread buffers before it adds them to the sums of a histogram: as
/// many as fit if a histogram over three decades is to take 4 KiB.
#[cfg(not(loom))]
pub(crate) const PENDING: usize = 32;

/// Small, because loom explores every atomic operation.
#[cfg(loom)]
pub(crate) const PENDING: usize = 2;

/// The first of the four slots for values that cannot be read: those of a conflicting kind, or of a
/// series that found no slot. There are four because a timer takes four.
pub(crate) const SINK: u32 = 0;

/// A slot in the form that the hot path needs: the directory entry in the top ten bits, the cell in
/// the bottom ten. Both are below 1024 for any number, so indexing takes a shift and a mask and no
/// bounds check. The bits between hold the number of a histogram; 0 for other series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spot(u32);

const BLOCK_SHIFT: u32 = u32::BITS - BLOCKS.trailing_zeros();

const HISTOGRAM_SHIFT: u32 = BLOCK_CELLS.trailing_zeros();

impl Spot {
    /// The spot of a `static` before its first use. It lies in the directory's last entry.
    pub(crate) const UNREGISTERED: Self = Self(u32::MAX);

    /// The spot of values that cannot be read.
    pub(crate) const SINK: Self = Self::of(SINK);

    /// Returns the spot of a slot below [`SLOTS`].
    pub(crate) const fn of(slot: u32) -> Self {
        Self(((slot / BLOCK_CELLS as u32) << BLOCK_SHIFT) | (slot % BLOCK_CELLS as u32))
    }

    /// Adds the number of a histogram, below [`HISTOGRAMS`].
    pub(crate) const fn with_histogram(self, number: u16) -> Self {
        Self(self.0 | ((number as u32) << HISTOGRAM_SHIFT))
    }

    pub(crate) const fn slot(self) -> u32 {
        (self.block() * BLOCK_CELLS + self.offset()) as u32
    }

    /// Returns the directory entry, below [`BLOCKS`].
    #[inline(always)]
    pub(crate) const fn block(self) -> usize {
        (self.0 >> BLOCK_SHIFT) as usize
    }

    /// Returns the cell's position in the block, below [`BLOCK_CELLS`].
    #[inline(always)]
    pub(crate) const fn offset(self) -> usize {
        self.0 as usize % BLOCK_CELLS
    }

    /// Returns the number of the histogram, below [`HISTOGRAMS`]; the last number for a `static`
    /// before its first use.
    #[inline(always)]
    pub(crate) const fn histogram(self) -> usize {
        (self.0 >> HISTOGRAM_SHIFT) as usize % HISTOGRAMS
    }

    /// Returns the number to store in an atomic.
    #[inline(always)]
    pub(crate) const fn to_bits(self) -> u32 {
        self.0
    }

    /// Returns the spot of a number from [`to_bits`](Self::to_bits).
    #[inline(always)]
    pub(crate) const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{BLOCK_CELLS, BLOCKS, HISTOGRAMS, SLOTS, Spot};

    #[test]
    fn every_slot_has_a_spot_of_its_own_outside_the_last_block() {
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
