//! Helpers shared by the overrun and underrun tests.

use std::alloc::alloc_zeroed;

use crate::acts::{free, layout, write};

/// Prints the address, which the message must contain.
pub(crate) fn print_address(pointer: *mut u8) -> *mut u8 {
    println!("bytes at {pointer:?}, aligned to ");
    pointer
}

/// Overwrites a byte next to an allocation, and frees the allocation.
pub(crate) fn corrupt_and_free(pointer: *mut u8, size: usize, align: usize, offset: isize) {
    write(pointer, offset);
    free(pointer, size, align);
}

pub(crate) fn zeroed() -> *mut u8 {
    // SAFETY: the size is not zero.
    let zeroed = unsafe { alloc_zeroed(layout(16_384, 16)) };
    // SAFETY: allocated just now.
    let bytes = unsafe { std::slice::from_raw_parts(zeroed, 16_384) };
    assert!(bytes.iter().all(|byte| *byte == 0));
    zeroed
}
