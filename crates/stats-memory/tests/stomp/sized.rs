//! The stomp allocator for some sizes only, with few addresses.
#![expect(
    unsafe_code,
    reason = "makes stray accesses, and calls allocators directly"
)]
#![expect(
    clippy::unwrap_used,
    reason = "a test: an unexpected `None` or error is a failure"
)]

mod child;
mod few;
mod model;

use std::process::ExitCode;

use stats_memory::{Overrun, Stomp};

#[global_allocator]
static ALLOCATOR: Stomp<Overrun> = Stomp::new()
    .sizes(64..=4096)
    .quarantine_bytes(few::QUARANTINE);

fn main() -> ExitCode {
    child::run(&[few::ALL, model::ALL].concat())
}
