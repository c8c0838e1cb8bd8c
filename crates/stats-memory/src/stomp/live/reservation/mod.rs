//! Reservations of address space, and the records of the allocations in them.
//!
//! A `region` is divided into `slots` of two pages. An allocation takes a `span` of them, in which
//! it lies next to a guard. The `table` has a `record` for each slot.

mod record;
mod slots;

#[cfg(not(all(test, loom)))]
mod region;
#[cfg(not(all(test, loom)))]
mod span;
#[cfg(not(all(test, loom)))]
mod table;

#[cfg(not(all(test, loom)))]
pub(super) use record::{Entry, State};
#[cfg(not(all(test, loom)))]
pub(super) use region::{Owner, Region, containing, ready};
#[cfg(not(all(test, loom)))]
pub(super) use span::Span;

#[cfg(test)]
#[cfg(not(loom))]
mod tests;

#[cfg(all(test, loom))]
mod models;

/// In models, an array in place of memory of the system.
#[cfg(all(test, loom))]
mod table {
    use super::record::Record;

    pub(super) struct Table(pub(super) Vec<Record>);

    impl Table {
        pub(super) fn get(&self, slot: usize) -> Option<&Record> {
            self.0.get(slot)
        }
    }
}
