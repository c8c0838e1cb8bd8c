//! The mode `Count`, which has no groups. In a process of its own: headers of another mode would
//! imply groups.

use std::alloc::System;

use stats_memory::{Count, Group, TrackingAllocator};

#[global_allocator]
static ALLOCATOR: TrackingAllocator<System, Count> = TrackingAllocator::new(System);

static SMALL: Group = Group::new("count-small").budget_bytes(100);

#[test]
fn there_is_always_room() {
    assert_eq!(SMALL.check(101), Ok(()));
    assert_eq!(SMALL.check(usize::MAX), Ok(()));
    assert!(SMALL.try_vec::<u8>(5000).unwrap().capacity() >= 5000);
}
