//! The core's layout on a small scale: loom pays for every atomic.

pub(crate) const BLOCK_CELLS: usize = 2;

pub(crate) const UNREGISTERED: u32 = u32::MAX;
