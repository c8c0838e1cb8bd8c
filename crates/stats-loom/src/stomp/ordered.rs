//! The files against loom's primitives.

use loom::sync::atomic as sync;

#[path = "files.rs"]
pub(super) mod files;

use files::models;

#[test]
fn a_lock_has_one_holder_at_a_time() {
    models::lock();
}

#[test]
fn what_is_done_once_is_done_for_all() {
    models::once();
}

#[test]
fn an_allocation_is_seen_whole() {
    models::record_beside_a_handler();
}

#[test]
fn an_allocation_is_freed_once() {
    models::two_frees();
}

#[test]
fn slots_that_were_freed_are_taken_by_one() {
    models::slots();
}

#[test]
fn neighbours_that_were_freed_are_taken_by_one() {
    models::neighbours();
}
