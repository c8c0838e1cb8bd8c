//! What both sides share.

use std::alloc::alloc_zeroed;

use crate::acts::{free, layout, write};

/// Prints the address, which must be in the message.
pub(crate) fn tell(pointer: *mut u8) -> *mut u8 {
    println!("bytes at {pointer:?}, aligned to ");
    pointer
}

pub(crate) fn spoil(pointer: *mut u8, size: usize, align: usize, offset: isize) {
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
