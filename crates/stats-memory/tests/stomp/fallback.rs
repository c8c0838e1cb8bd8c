//! The stomp allocator as on a kernel without guard markers, as the global allocator of programs
//! with stray accesses.
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

use std::collections::VecDeque;
use std::hint::black_box;
use std::process::ExitCode;

use child::Case;
use child::End::{Saying, Well};
use stats_memory::{Overrun, Stomp};

#[global_allocator]
static ALLOCATOR: Stomp<Overrun> = Stomp::new().without_guard_markers();

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

const ALL: &[Case] = &[
    ("200,000 live allocations", many::many, Saying(LIMIT)),
    ("mappings stay few", few_mappings, Well),
];

const LIMIT: &str = "stats-memory: unguarded allocations: the system allows no more guards (on Linux see vm.max_map_count); guarded and alive: ";

fn few_mappings() {
    let mut live = VecDeque::new();
    for number in 0..100_000 {
        live.push_back(black_box(vec![1_u8; 1 + number % 10_000]));
        if live.len() > 100 {
            live.pop_front();
        }
    }
    assert!(
        mappings().is_none_or(|mappings| mappings < 1000),
        "{:?}",
        mappings()
    );
}

/// Returns how many mappings the process has, if the system reports them.
fn mappings() -> Option<usize> {
    Some(
        std::fs::read_to_string("/proc/self/maps")
            .ok()?
            .lines()
            .count(),
    )
}
