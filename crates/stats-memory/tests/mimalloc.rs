//! The tracker as the global allocator, over mimalloc.
#![expect(
    clippy::unwrap_used,
    reason = "a test: an unexpected `None` or error is a failure"
)]

mod program;

use mimalloc::MiMalloc;
use stats_memory::{Records, TrackingAllocator};

#[global_allocator]
static ALLOCATOR: TrackingAllocator<MiMalloc, Records> = TrackingAllocator::new(MiMalloc);

fn main() -> std::process::ExitCode {
    program::run()
}
