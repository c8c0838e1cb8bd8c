//! The contents of a snapshot: each name, stack, site and entry once.

use super::names::Names;
use super::stacks::Stacks;

/// The site of an allocation: the numbers of its names and of its stack of scopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    pub(crate) thread: u32,
    pub(crate) group: u32,
    pub(crate) stack: u32,
    pub(crate) name: u32,
}

/// Equal allocations of one site, or a sum of its allocations, whose sizes are unknown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// The size of each allocation, or the bytes of a sum.
    pub(super) amount: u64,
    pub(crate) count: u64,
    /// An index into the list of sites.
    pub(crate) site: u32,
    pub(super) is_sum: bool,
}

impl Entry {
    /// Returns the bytes of all allocations.
    pub(crate) fn bytes(&self) -> u64 {
        if self.is_sum {
            self.amount
        } else {
            self.amount.saturating_mul(self.count)
        }
    }

    /// Returns the size of each allocation; `None` if it is unknown.
    pub(crate) fn size(&self) -> Option<u64> {
        (!self.is_sum).then_some(self.amount)
    }
}

/// The folded contents of a dump.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contents {
    pub(crate) names: Names,
    pub(crate) stacks: Stacks,
    pub(crate) sites: Vec<Site>,
    pub(crate) entries: Vec<Entry>,
}
