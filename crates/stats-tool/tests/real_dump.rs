//! Reads back a dump that the allocator wrote.

use std::alloc::System;
use std::hint::black_box;
use std::io::{self, Write};

use stats_memory::{Group, Records, TrackingAllocator, current_tag, dump, dump_tags};
use stats_memory_panel::MemorySnapshot;

#[global_allocator]
static ALLOCATOR: TrackingAllocator<System, Records> = TrackingAllocator::new(System);

/// A name with every character that must be quoted.
static HOSTILE: Group = Group::new("a \"group\", of two\nlines");

#[test]
fn a_dump_of_the_allocator_can_be_read() {
    const BYTES: usize = (1 << 20) + 1;
    let tag = current_tag()
        .scope("a|b\\")
        .scope("\"c\",\r\n")
        .group(&HOSTILE)
        .name("name, \"of\" it");
    let scope = tag.enter();
    let live = black_box(vec![1_u8; BYTES]);
    drop(scope);
    // The buffer is large enough that writing the dump allocates nothing on this thread.
    for write in [dump as fn(&mut dyn Write) -> io::Result<u64>, dump_tags] {
        let mut text = Vec::with_capacity(64 << 20);
        let lines = write(&mut text).unwrap();
        let snapshot = MemorySnapshot::read(&text[..]).unwrap();
        assert_eq!(snapshot.damage().lines, 0, "{:?}", snapshot.damage());
        let group = snapshot
            .groups()
            .find(|(name, _)| *name == "a \"group\", of two\nlines");
        assert_eq!(group.map(|(_, bytes)| bytes), Some(BYTES as u64));
        if snapshot.is_per_allocation() {
            assert_eq!(snapshot.allocations(), lines);
            let pages = snapshot.fragmentation().unwrap();
            let used = pages.touched_bytes - pages.free_bytes;
            // Blocks that were freed during the dump may be in it together with what took their place.
            assert!(pages.touched_bytes.is_multiple_of(4096) && used <= snapshot.bytes());
            assert!(used >= BYTES as u64 && pages.largest_free_run_bytes < 2 * 4096);
            assert!(pages.nearly_empty_pages <= pages.touched_bytes / 4096);
            assert!(!pages.knows_resident_pages);
            assert!(snapshot.threads().any(|(name, bytes)| {
                name.ends_with("a_dump_of_the_allocator_can_be_read") && bytes > 0
            }));
        } else {
            assert_eq!(snapshot.fragmentation(), None);
            assert_eq!(snapshot.entries() as u64, lines);
        }
    }
    drop(live);
}
