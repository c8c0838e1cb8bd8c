//! Strings that live forever.
#![expect(
    unsafe_code,
    reason = "a text is published as a pointer and a length, which the compiler cannot connect"
)]

use std::alloc::Layout;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use super::memory::take;

/// A string that lives forever. Empty until it is set.
#[derive(Debug)]
pub(crate) struct Text {
    start: AtomicPtr<u8>,
    len: AtomicUsize,
}

impl Text {
    /// Creates an empty string.
    pub(crate) const fn new() -> Self {
        Self {
            start: AtomicPtr::new(null_mut()),
            len: AtomicUsize::new(0),
        }
    }

    /// Sets the text. Called once, before any other thread can reach it.
    pub(crate) fn set(&self, text: &'static str) {
        // Relaxed: visible to a thread that sees the start.
        self.len.store(text.len(), Ordering::Relaxed);
        // Release: a thread that sees the start sees the length.
        self.start
            .store(text.as_ptr().cast_mut(), Ordering::Release);
    }

    /// Returns the text.
    pub(crate) fn get(&self) -> &'static str {
        // Acquire: the start comes with the length.
        let start = self.start.load(Ordering::Acquire);
        if start.is_null() {
            return "";
        }
        // SAFETY: start and length are those of one `&'static str`: `set` is called once, and
        // stores the length first.
        unsafe {
            std::str::from_utf8_unchecked(std::slice::from_raw_parts(
                start,
                self.len.load(Ordering::Relaxed),
            ))
        }
    }
}

/// Copies a string into memory that is never freed. Returns an empty string if the system has no
/// memory left.
pub(crate) fn keep(text: &str) -> &'static str {
    let Some(copy) = Layout::array::<u8>(text.len()).ok().and_then(take) else {
        return "";
    };
    // SAFETY: the copy is as long as the text, has no other owner and is never freed. Its bytes are
    // those of a `str`.
    unsafe {
        copy.copy_from_nonoverlapping(text.as_ptr(), text.len());
        std::str::from_utf8_unchecked(std::slice::from_raw_parts(copy, text.len()))
    }
}
