//! The tracker as the global allocator, over the system's.
#![expect(
    clippy::unwrap_used,
    reason = "a test, which fails if it cannot get what it asks for"
)]

mod program;

use std::alloc::System;

use stats_memory::{Records, TrackingAllocator};

#[global_allocator]
static ALLOCATOR: TrackingAllocator<System, Records> = TrackingAllocator::new(System);

fn main() -> std::process::ExitCode {
    program::run()
}
