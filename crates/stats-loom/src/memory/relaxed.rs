//! The same files where nothing is ordered. Each is expected to fail its model: what passes here
//! says nothing about the ordering.

#[path = "files.rs"]
#[expect(clippy::duplicate_mod, reason = "against primitives that differ")]
pub(super) mod files;

use files::models;

/// Loom's primitives, with names of orderings that all mean none.
mod sync {
    pub(super) use loom::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64};

    pub(super) use crate::unordered::Ordering;

    pub(super) fn fence(_: loom::sync::atomic::Ordering) {}
}

#[test]
#[should_panic(expected = "ausality violation")]
fn blocks() {
    models::blocks(files::new_list);
}

#[test]
#[should_panic(expected = "torn")]
fn a_record_beside_its_owner() {
    models::record_beside_its_owner();
}

#[test]
#[should_panic(expected = "torn")]
fn a_record_beside_spills() {
    models::record_beside_spills();
}

#[test]
#[should_panic(expected = "owners")]
fn records() {
    models::records();
}

#[test]
#[should_panic(expected = "ausality violation")]
fn slot() {
    models::slot();
}

#[test]
#[should_panic(expected = "lost")]
fn adoption() {
    models::adoption();
}

#[test]
#[should_panic(expected = "ausality violation")]
fn for_each() {
    models::for_each();
}

#[test]
#[should_panic(expected = "without its bytes")]
fn events() {
    models::events();
}
