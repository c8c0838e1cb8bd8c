//! A global allocator that counts, for tests and benches of what is allocated.
//!
//! A program has it with `#[global_allocator] static ALLOCATOR: Counting = Counting;`.
#![expect(unsafe_code, reason = "a global allocator is unsafe to implement")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

thread_local! {
    static MADE: Cell<u64> = const { Cell::new(0) };
    static LIVE_BYTES: Cell<i64> = const { Cell::new(0) };
    static MOST_BYTES: Cell<i64> = const { Cell::new(0) };
    static LARGEST: Cell<usize> = const { Cell::new(0) };
    static CALLED: Cell<Option<fn(usize)>> = const { Cell::new(None) };
}

/// Whether the bytes of all threads are counted, and how many are allocated since. Nothing depends
/// on their order.
static IS_HELD_COUNTED: AtomicBool = AtomicBool::new(false);
static HELD_BYTES: AtomicI64 = AtomicI64::new(0);

/// The system's allocator, which counts what each thread allocates.
pub struct Counting;

/// Counts an allocation of `bytes`.
fn count(bytes: usize) {
    MADE.set(MADE.get() + 1);
    LARGEST.set(LARGEST.get().max(bytes));
    grow(bytes as i64);
    if let Some(called) = CALLED.get() {
        called(bytes);
    }
}

fn grow(bytes: i64) {
    LIVE_BYTES.set(LIVE_BYTES.get() + bytes);
    MOST_BYTES.set(MOST_BYTES.get().max(LIVE_BYTES.get()));
    if IS_HELD_COUNTED.load(Ordering::Relaxed) {
        HELD_BYTES.fetch_add(bytes, Ordering::Relaxed);
    }
}

// SAFETY: every call is passed on unchanged to the system's allocator. The thread-locals have no
// destructor and allocate nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's obligations are those of the system's allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // The old block may be copied, and is there until then.
        count(size);
        grow(-(layout.size() as i64));
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        grow(-(layout.size() as i64));
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Returns the number of allocations that this thread makes during `work`.
pub fn allocations(work: impl FnOnce()) -> u64 {
    let before = MADE.get();
    work();
    MADE.get() - before
}

/// Returns the size of the largest allocation that this thread makes during `work`.
pub fn largest_allocation(work: impl FnOnce()) -> usize {
    LARGEST.set(0);
    work();
    LARGEST.get()
}

/// Returns the number of bytes by which this thread's live allocations grow during `work`.
pub fn grown_bytes(work: impl FnOnce()) -> i64 {
    let before = LIVE_BYTES.get();
    work();
    LIVE_BYTES.get() - before
}

/// Returns the largest number of bytes by which this thread's live allocations are larger than
/// before at any time during `work`. While an allocation is resized, its old and its new size count.
pub fn most_grown_bytes(work: impl FnOnce()) -> i64 {
    let before = LIVE_BYTES.get();
    MOST_BYTES.set(before);
    work();
    MOST_BYTES.get() - before
}

/// Calls a function with the size of each allocation that this thread makes during `work`, inside of
/// the allocator.
pub fn at_each_allocation<R>(called: fn(usize), work: impl FnOnce() -> R) -> R {
    /// Also if `work` panics, so that nothing after it calls the function.
    struct Reset;
    impl Drop for Reset {
        fn drop(&mut self) {
            CALLED.set(None);
        }
    }
    CALLED.set(Some(called));
    let _reset = Reset;
    work()
}

/// Begins to count the bytes that all threads allocate and free.
pub fn count_held_bytes() {
    IS_HELD_COUNTED.store(true, Ordering::Relaxed);
}

/// Returns the number of bytes that all threads have allocated and not freed since
/// [`count_held_bytes`].
pub fn held_bytes() -> i64 {
    HELD_BYTES.load(Ordering::Relaxed)
}
