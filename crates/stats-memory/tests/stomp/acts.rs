//! The stray accesses of the tests.

use std::alloc::{Layout, alloc, dealloc};
use std::hint::black_box;
use std::thread;

use stats_memory::{Group, alloc_name, scope};

static RENDERING: Group = Group::new("rendering");

pub(crate) fn layout(size: usize, align: usize) -> Layout {
    Layout::from_size_align(size, align).unwrap()
}

/// Allocates on a thread called `maker`, in scopes.
pub(crate) fn made(size: usize, align: usize) -> *mut u8 {
    let made = move || {
        let _outer = scope!("outer", group: RENDERING);
        let _inner = scope!("inner");
        let _name = alloc_name!("label");
        // SAFETY: the size is not zero.
        let made = unsafe { alloc(layout(size, align)) };
        assert_eq!(made.addr() % align, 0);
        made.addr()
    };
    let address = thread::Builder::new()
        .name(String::from("maker"))
        .spawn(made)
        .unwrap()
        .join()
        .unwrap();
    std::ptr::with_exposed_provenance_mut(address)
}

pub(crate) fn read(from: *const u8, offset: isize) {
    // SAFETY: none. That is what is tested.
    black_box(unsafe { from.wrapping_offset(offset).read_volatile() });
}

pub(crate) fn write(to: *mut u8, offset: isize) {
    // SAFETY: none, as above.
    unsafe { to.wrapping_offset(offset).write_volatile(42) };
}

/// Runs `act` on a thread called `culprit`, in a scope of its own.
pub(crate) fn by_culprit(act: impl FnOnce() + Send + 'static) {
    let act = move || {
        let _scope = scope!("crime");
        // Without a call that could read the scope, the compiler omits it.
        drop(black_box(Box::new(1)));
        act();
    };
    thread::Builder::new()
        .name(String::from("culprit"))
        .spawn(act)
        .unwrap()
        .join()
        .unwrap();
}

pub(crate) fn free(pointer: *mut u8, size: usize, align: usize) {
    // SAFETY: as far as the test wants it.
    unsafe { dealloc(pointer, layout(size, align)) };
}

pub(crate) const MADE: &str = "allocated by thread maker (";
pub(crate) const TAG: &str = ") in group rendering, scope outer|inner, name label\n";

pub(crate) const FREED: &str = "  freed by thread main (";
