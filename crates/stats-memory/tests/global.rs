//! The tracker as the global allocator, over the system's.
#![expect(
    clippy::unwrap_used,
    reason = "a test, which fails where it cannot get what it asks for"
)]

mod program;

use std::alloc::System;

use stats_memory::{Full, Tracking};

#[global_allocator]
static ALLOCATOR: Tracking<System, Full> = Tracking::new(System);

fn main() -> std::process::ExitCode {
    program::run()
}
