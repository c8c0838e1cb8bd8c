//! The core's layout on a small scale: loom pays for every atomic.

pub(crate) const BLOCK_CELLS: usize = 2;

pub(crate) const PENDING: usize = 2;

/// The core's `Spot`, with the parts that the modelled files use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot(u32);

impl Spot {
    pub(crate) const UNREGISTERED: Self = Self(u32::MAX);

    pub(crate) fn to_bits(self) -> u32 {
        self.0
    }

    pub(crate) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
}
