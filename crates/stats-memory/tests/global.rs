//! The tracker as the global allocator, over the system's.
#![expect(
    clippy::unwrap_used,
    reason = "a test: an unexpected `None` or error is a failure"
)]

mod program;

use std::alloc::System;

use stats_memory::{Records, TrackingAllocator};

#[global_allocator]
static ALLOCATOR: TrackingAllocator<System, Records> = TrackingAllocator::new(System);

fn main() -> std::process::ExitCode {
    program::run()
}
