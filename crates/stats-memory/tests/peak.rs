//! Peaks between frames, compared with plain bookkeeping. In a process of its own: the peak of
//! allocations is exact while only one thread allocates and frees.
#![cfg_attr(
    all(test, feature = "enabled"),
    expect(unsafe_code, reason = "calls allocators directly")
)]
#![cfg(test)]
#![cfg(feature = "enabled")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::thread;

use stats_memory::{
    Count, Mode, Records, Tags, TrackingAllocator, current_tag, reset_peak, totals,
};
use stats_testing::Random;

/// The live memory, and the peaks since the last reset.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Model {
    bytes: u64,
    allocations: u64,
    peak_bytes: u64,
    peak_allocations: u64,
}

impl Model {
    fn moved(&mut self, bytes: i64, allocations: i64) {
        self.bytes = self.bytes.wrapping_add_signed(bytes);
        self.allocations = self.allocations.wrapping_add_signed(allocations);
        self.peak_bytes = self.peak_bytes.max(self.bytes);
        self.peak_allocations = self.peak_allocations.max(self.allocations);
    }

    fn reset(&mut self) {
        self.peak_bytes = self.bytes;
        self.peak_allocations = self.allocations;
    }

    fn check(&self) {
        let totals = totals();
        assert_eq!(
            (totals.bytes, totals.allocations, totals.peak_allocations),
            (self.bytes, self.allocations, self.peak_allocations)
        );
        assert!(totals.peak_bytes.abs_diff(self.peak_bytes) <= 64 * 1024);
    }
}

/// Grows and shrinks in turn, by far more and by less than the steps in which threads report.
fn work(allocator: &impl GlobalAlloc) {
    let (mut random, mut model, mut held) = (Random::new(7), Model::default(), Vec::new());
    reset_peak();
    for step in 0..40_000 {
        let (kind, size) = (random.index(100), 1 + random.index(400));
        let grows = if step / 5000 % 2 == 0 { 65 } else { 35 };
        // SAFETY: no size is zero, and each block is freed or reallocated with its own layout.
        unsafe {
            if kind < grows {
                let _scope = current_tag().scope(["one", "two"][kind % 2]).enter();
                let size = if kind == 0 { size * 1000 } else { size };
                let layout = Layout::from_size_align(size, 8).unwrap();
                held.push((allocator.alloc(layout), layout));
                model.moved(size as i64, 1);
            } else if !held.is_empty() {
                let (start, layout) = held.swap_remove(random.index(held.len()));
                if kind < 70 {
                    let start = allocator.realloc(start, layout, size);
                    held.push((start, Layout::from_size_align(size, 8).unwrap()));
                    // The old block counts as freed first, so neither is live for a moment.
                    model.moved(-(layout.size() as i64), -1);
                    model.moved(size as i64, 1);
                } else {
                    allocator.dealloc(start, layout);
                    model.moved(-(layout.size() as i64), -1);
                }
            }
        }
        if step % 37 == 0 {
            model.check();
        }
        if step % 3001 == 0 {
            reset_peak();
            model.reset();
        }
    }
    assert!(model.peak_allocations > 1024 * 2);
    for (start, layout) in held {
        // SAFETY: allocated with this layout.
        unsafe { allocator.dealloc(start, layout) };
        model.moved(-(layout.size() as i64), -1);
    }
    model.check();
}

fn check_on_a_thread<M: Mode + 'static>(allocator: &'static TrackingAllocator<System, M>) {
    // On a thread of its own, which reports everything when it ends.
    thread::spawn(|| work(allocator)).join().unwrap();
}

static COUNT: TrackingAllocator<System, Count> = TrackingAllocator::new(System);
static TAGS: TrackingAllocator<System, Tags> = TrackingAllocator::new(System);
static RECORDS: TrackingAllocator<System, Records> = TrackingAllocator::new(System);

#[test]
fn the_peak_of_allocations_on_one_thread_is_exact() {
    check_on_a_thread(&COUNT);
    check_on_a_thread(&TAGS);
    check_on_a_thread(&RECORDS);
}
