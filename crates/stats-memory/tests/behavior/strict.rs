//! An inner allocator that checks every call.
#![expect(unsafe_code, reason = "calls allocators directly")]

use std::alloc::{GlobalAlloc, Layout, System};

/// Keeps the layout after each block, and checks at each free that it is intact and equal to the
/// given one.
#[derive(Debug)]
pub(crate) struct Strict;

const SEAL: usize = 24;

fn outer(layout: Layout) -> Option<Layout> {
    Layout::from_size_align(layout.size().checked_add(SEAL)?, layout.align()).ok()
}

fn seal(layout: Layout) -> [u8; SEAL] {
    let mut seal = [0x5a; SEAL];
    seal[..8].copy_from_slice(&layout.size().to_le_bytes());
    seal[8..16].copy_from_slice(&layout.align().to_le_bytes());
    seal
}

// SAFETY: memory comes from the system's allocator, and is longer than requested.
unsafe impl GlobalAlloc for Strict {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        assert!(layout.size() > 0 && layout.align().is_power_of_two());
        let Some(outer) = outer(layout) else {
            return std::ptr::null_mut();
        };
        // SAFETY: the block is as long as the size and the seal.
        unsafe {
            let block = System.alloc(outer);
            if !block.is_null() {
                block
                    .add(layout.size())
                    .copy_from_nonoverlapping(seal(layout).as_ptr(), SEAL);
            }
            block
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: a block from `alloc`, if the caller upholds the contract, which the assertion
        // checks.
        unsafe {
            assert_eq!(
                block.add(layout.size()).cast::<[u8; SEAL]>().read(),
                seal(layout)
            );
            System.dealloc(block, outer(layout).unwrap());
        }
    }
}
