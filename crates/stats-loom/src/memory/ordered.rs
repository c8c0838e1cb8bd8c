//! The files against loom's primitives.

use loom::sync::atomic as sync;

#[path = "files.rs"]
pub(super) mod files;

use files::models;

#[test]
fn a_block_of_a_pool_has_one_owner_at_a_time() {
    models::blocks(files::new_list);
}

#[test]
fn a_record_is_read_whole_or_not_at_all() {
    models::record_beside_its_owner();
}

#[test]
fn a_record_that_goes_to_the_others_is_read_whole_or_not_at_all() {
    models::record_beside_spills();
}

#[test]
fn a_record_has_one_owner_at_a_time() {
    models::records();
}

#[test]
fn what_a_slot_has_is_prepared_and_one_for_all() {
    models::slot();
}

#[test]
fn a_shard_goes_on_from_the_totals_of_its_last_owner() {
    models::adoption();
}

#[test]
fn a_reader_sees_what_threads_that_are_gone_left() {
    models::for_each();
}

#[test]
fn whoever_sees_that_something_was_counted_sees_its_bytes() {
    models::events();
}
