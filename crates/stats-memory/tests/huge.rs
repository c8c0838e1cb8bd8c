//! Allocations larger than any machine's memory. In a process of its own: afterward, the bytes
//! ever allocated exceed the integers that a series can express exactly.
#![cfg_attr(
    all(test, feature = "enabled"),
    expect(unsafe_code, reason = "calls allocators directly")
)]
#![cfg(all(test, feature = "enabled", target_pointer_width = "64"))]

use std::alloc::{GlobalAlloc, Layout, System};

use stats_memory::{Records, TrackingAllocator, dump, totals};

/// An allocator that returns less memory than requested.
struct Liar;

// SAFETY: memory comes from the system's allocator, and the test writes only to the part that
// exists.
unsafe impl GlobalAlloc for Liar {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        // SAFETY: the size is not zero.
        unsafe { System.alloc(Layout::new::<[u64; 8]>()) }
    }

    unsafe fn dealloc(&self, block: *mut u8, _: Layout) {
        // SAFETY: allocated with this layout.
        unsafe { System.dealloc(block, Layout::new::<[u64; 8]>()) };
    }
}

static LIAR: TrackingAllocator<Liar, Records> = TrackingAllocator::new(Liar);

#[test]
fn a_size_too_large_for_a_record_is_capped() {
    const MAX_BYTES: u64 = (1 << 48) - 1;
    for bytes in [MAX_BYTES - 1, MAX_BYTES, MAX_BYTES + 1, (1 << 62) + 12345] {
        let layout = Layout::from_size_align(bytes as usize, 8).unwrap();
        // SAFETY: the size is not zero, and only the header is written.
        let start = unsafe { LIAR.alloc(layout) };
        assert_eq!(totals().bytes, bytes);
        let mut lines = Vec::new();
        assert_eq!(dump(&mut lines).unwrap(), 1);
        let address = start.addr();
        let thread = std::thread::current()
            .name()
            .unwrap_or("unnamed")
            .to_owned();
        let expected = format!(
            "0x{address:016x},{thread},ungrouped,{},,\n",
            bytes.min(MAX_BYTES)
        );
        assert_eq!(String::from_utf8(lines).unwrap(), expected);
        // SAFETY: allocated with this layout.
        unsafe { LIAR.dealloc(start, layout) };
        assert_eq!(totals().bytes, 0);
    }
}
