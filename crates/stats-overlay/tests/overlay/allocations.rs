//! Counts the allocations of a thread, to verify what the overlay allocates.
#![expect(unsafe_code, reason = "a global allocator is unsafe to implement")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use egui::{Context, RawInput, Rect, Vec2};

use crate::host::Host;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call is forwarded unchanged to the system allocator; the count is a thread local
// without a destructor, so counting neither allocates nor fails.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Returns the number of allocations that this thread makes in `work`.
pub(crate) fn count_in(work: impl FnOnce()) -> usize {
    let before = COUNT.get();
    work();
    COUNT.get() - before
}

/// Returns the fewest allocations of the overlay in a frame, after it has settled. Each of the 400
/// frames of 16 ms begins with `end_frame`.
pub(crate) fn fewest_in_a_frame(
    host: &mut Host,
    size: Vec2,
    mut end_frame: impl FnMut(&mut Host),
) -> usize {
    let ctx = Context::default();
    let mut fewest = usize::MAX;
    for step in 0..400 {
        end_frame(host);
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Default::default(), size)),
            time: Some(f64::from(step) * 0.016),
            ..RawInput::default()
        };
        let (overlay, recorder) = (&mut host.overlay, &mut host.recorder);
        let mut output = ctx.run_ui(input, |ui| {
            let count = count_in(|| overlay.show_with(ui.ctx(), recorder));
            fewest = if step < 100 {
                fewest
            } else {
                fewest.min(count)
            };
        });
        output.textures_delta.clear();
    }
    fewest
}
