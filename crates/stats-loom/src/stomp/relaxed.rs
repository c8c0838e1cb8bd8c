//! The same files where nothing is ordered. Each is expected to fail its model: what passes here
//! says nothing about the ordering.

#[path = "files.rs"]
#[expect(clippy::duplicate_mod, reason = "against primitives that differ")]
pub(super) mod files;

use files::models;

/// Loom's primitives, with names of orderings that all mean none.
mod sync {
    pub(super) use loom::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};

    pub(super) use crate::unordered::Ordering;
}

#[test]
#[should_panic(expected = "ausality violation")]
fn lock() {
    models::lock();
}

#[test]
#[should_panic(expected = "ausality violation")]
fn once() {
    models::once();
}

#[test]
#[should_panic(expected = "torn")]
fn record_beside_a_handler() {
    models::record_beside_a_handler();
}

#[test]
#[should_panic(expected = "torn")]
fn two_frees() {
    models::two_frees();
}

#[test]
#[should_panic(expected = "ausality violation")]
fn slots() {
    models::slots();
}

#[test]
#[should_panic(expected = "ausality violation")]
fn neighbours() {
    models::neighbours();
}
