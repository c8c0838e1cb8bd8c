//! The tracker as the global allocator, over mimalloc.
#![expect(
    clippy::unwrap_used,
    reason = "a test, which fails where it cannot get what it asks for"
)]

mod program;

use mimalloc::MiMalloc;
use stats_memory::{Full, Tracking};

#[global_allocator]
static ALLOCATOR: Tracking<MiMalloc, Full> = Tracking::new(MiMalloc);

fn main() -> std::process::ExitCode {
    program::run()
}
