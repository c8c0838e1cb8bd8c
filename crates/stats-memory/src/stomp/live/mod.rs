//! The stomp allocator with the feature `enabled`.
//!
//! `allocate` has the calls of a global allocator. A `reservation` is a range of addresses, with a
//! record of each allocation in it. `fault` looks up the record near a fault, and `report` prints
//! the message, with what `thread` and `thread_identity` know of the threads. `system` calls the
//! operating system, `settings` has the settings of the declaration, and `lock` and `once` are what
//! threads share. Models compile only the parts that synchronize.
//!
//! Models cover the lock, the action that runs once, records, and the slots on top of them: slots
//! are taken for the first time, given back and taken again by the hand, with pages that loom
//! checks for having one owner at a time. They do not cover:
//!
//! - a fork, which no thread of loom can represent (the unit tests fork);
//! - the memory of the table, which is an array in models;
//! - how much of the table and the reservation is open, which only ever grows;
//! - the pages themselves;
//! - a signal handler, which is a reader like any other in models.

mod lock;
mod once;
mod reservation;

#[cfg(not(all(test, loom)))]
mod settings;
#[cfg(not(all(test, loom)))]
mod system;
#[cfg(not(all(test, loom)))]
mod thread;
mod thread_identity;

#[cfg(not(all(test, loom)))]
mod report;

#[cfg(not(all(test, loom)))]
mod fault;

#[cfg(not(all(test, loom)))]
mod allocate;

#[cfg(not(all(test, loom)))]
pub(super) use settings::Settings;

#[cfg(all(test, loom))]
mod models;

/// The system calls of the modeled parts.
#[cfg(all(test, loom))]
mod system {
    pub(super) use loom::thread::yield_now;
}
