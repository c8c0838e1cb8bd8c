//! What the core promises, by behaviour. The registry is one for the whole process: every test has paths of its own.
#![cfg(feature = "enabled")]

mod allocator;
mod frames;
mod histories;
mod levels;
mod listing;
mod memory;
mod numbers;
mod peeks;
mod problems;
mod surveys;
mod threads;
mod timers;

#[global_allocator]
static ALLOCATOR: allocator::Counting = allocator::Counting;

use stats_core::{Recorder, Watch};

/// All values that a recorder holds of a watch.
fn values(recorder: &Recorder, watch: &Watch) -> Vec<f64> {
    recorder.window(watch, usize::MAX).iter().collect()
}

/// A small deterministic generator (splitmix64), so that a failure is the same every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}
