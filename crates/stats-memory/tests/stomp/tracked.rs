//! The stomp allocator below the tracking one.
#![expect(
    unsafe_code,
    reason = "makes stray accesses, and calls allocators directly"
)]
#![expect(
    clippy::unwrap_used,
    reason = "a test: an unexpected `None` or error is a failure"
)]

mod acts;
mod child;
mod faults;
mod load;
mod model;

use std::process::ExitCode;

use acts::{FREED, MADE, TAG, free, made, write};
use child::Case;
use child::End::Fault;
use stats_memory::{Overrun, Records, Stomp, TrackingAllocator};

#[global_allocator]
static ALLOCATOR: TrackingAllocator<Stomp<Overrun>, Records> = TrackingAllocator::new(Stomp::new());

fn main() -> ExitCode {
    child::run(&[faults::ALL, ALL, load::ALL, model::ALL].concat())
}

const ALL: &[Case] = &[
    (
        "write overrun",
        || write(made(104, 4), 104),
        Fault(&[
            "overrun: write to 0x",
            ", 0 bytes after an allocation of 112 bytes",
            MADE,
            TAG,
        ]),
    ),
    (
        "write after free",
        write_after_free,
        Fault(&["use after free: write to 0x", TAG, FREED]),
    ),
];

fn write_after_free() {
    let to = made(100, 1);
    free(to, 100, 1);
    write(to, 0);
}
