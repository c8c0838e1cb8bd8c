//! The stomp allocator with guards after allocations, as the global allocator of programs with
//! stray accesses.
#![expect(
    unsafe_code,
    reason = "makes stray accesses, and calls allocators directly"
)]
#![expect(
    clippy::unwrap_used,
    reason = "a test: an unexpected `None` or error is a failure"
)]

mod acts;
mod after;
mod child;
mod faults;
mod frees;
mod load;
mod many;
mod model;
mod sides;

use std::process::ExitCode;

use child::Case;
use child::End::Well;
use stats_memory::{Overrun, Stomp};

#[global_allocator]
static ALLOCATOR: Stomp<Overrun> = Stomp::new();

fn main() -> ExitCode {
    child::run(
        &[
            faults::ALL,
            frees::ALL,
            after::ALL,
            load::ALL,
            ALL,
            model::ALL,
        ]
        .concat(),
    )
}

const ALL: &[Case] = &[("200,000 live allocations", many::many, Well)];
