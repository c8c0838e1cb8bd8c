//! The memory of the process, as series of [`stats_core`].
//!
//! A game that leaks memory, or needs more than its console has, shows it first in two numbers that
//! the operating system keeps for every process. This crate samples them in the background, so that
//! they can be plotted next to everything else:
//!
//! ```
//! stats_process::start(); // once, or as often as is convenient
//! ```
//!
//! | series | value |
//! |---|---|
//! | `process/memory-resident` | memory in RAM: the resident set, on Windows the working set |
//! | `process/memory-virtual` | virtual address space; on Windows the committed memory |
//!
//! Both are gauges in bytes. They include everything that the operating system counts, such as the
//! allocator's reserves, thread stacks, drivers and mapped files, so they are larger than the
//! memory that the program requested. Freed memory often stays resident because the allocator keeps
//! it.
//!
//! # Cost
//!
//! Only the first call of [`start`] does work on the caller's thread. A thread called
//! `stats-process` takes a sample [four times a second](SAMPLES_PER_SECOND): about 6 µs each on
//! Linux (measured on one machine, at 2 and at 800 MiB), which is 1/40,000 of a core. On Linux a
//! sample makes two small allocations and frees them at once, so a count of the process's
//! allocations includes eight a second from this crate.
//!
//! # Limits
//!
//! The numbers come from [`memory_stats`](mod@memory_stats), which supports Linux, Android, macOS,
//! iOS, FreeBSD and Windows. On Linux it is configured to read the short `/proc/self/statm`, which
//! proc(5) calls inaccurate: the kernel adds up the counts of the cores only now and then, so a few
//! dozen pages for each core may be missing. The exact `smaps` took 10 ms at 800 MiB.
//!
//! The thread is detached: it does not keep the process alive, and ends with it. It never ends
//! earlier, so a library that contains this crate must not be unloaded.
//!
//! # Features
//!
//! - `enabled` (default): without it [`start`] does nothing.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use memory_stats::{MemoryStats, memory_stats};
use stats_core::{Gauge, Unit};

static RESIDENT: Gauge = Gauge::new("process/memory-resident")
    .unit(Unit::Bytes)
    .describe("memory of the process in RAM, sampled four times a second");
static VIRTUAL: Gauge = Gauge::new("process/memory-virtual")
    .unit(Unit::Bytes)
    .describe("virtual address space of the process, on Windows its committed memory");

/// The number of samples per second. Frames in between have the value of the last sample.
pub const SAMPLES_PER_SECOND: u32 = 4;

/// Starts sampling, unless an earlier call did. Returns whether the memory is being sampled.
///
/// The first call takes a sample and starts the thread, which takes about 0.15 ms. Every other call
/// is an atomic load (1 ns), so it may be called every frame.
///
/// If the system does not report its memory (WebAssembly, for example), if no thread can be
/// started, and without the feature `enabled`, all calls return `false` and there are no series.
pub fn start() -> bool {
    static SAMPLED: OnceLock<bool> = OnceLock::new();
    stats_core::ENABLED && *SAMPLED.get_or_init(begin)
}

/// Takes the first sample, and starts the thread that takes the others.
fn begin() -> bool {
    let _memory = stats_core::own_memory("stats-process");
    let Some(first) = memory_stats() else {
        return false;
    };
    let sampler = thread::Builder::new()
        .name("stats-process".to_owned())
        .spawn(sample_forever);
    if sampler.is_ok() {
        publish(first);
    }
    sampler.is_ok()
}

fn sample_forever() {
    let _memory = stats_core::own_memory("stats-process");
    loop {
        thread::sleep(Duration::from_secs(1) / SAMPLES_PER_SECOND);
        // A failed sample, for example without a free file descriptor, changes nothing.
        if let Some(sample) = memory_stats() {
            publish(sample);
        }
    }
}

fn publish(sample: MemoryStats) {
    RESIDENT.set(sample.physical_mem);
    VIRTUAL.set(sample.virtual_mem);
}
