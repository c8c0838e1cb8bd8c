//! The memory of the process, as series that come for free: call [`start`], and they are in the
//! tree.
//!
//! | series | is |
//! |---|---|
//! | `process/memory-resident` | what lies in RAM: the resident set, on Windows the working set |
//! | `process/memory-virtual` | the address space that is taken; on Windows what was committed |
//!
//! Both are gauges in bytes. They are what the system sees, allocator, threads, drivers and mapped
//! files included, and so more than what the program asked for. Memory that was freed often stays
//! resident, since the allocator keeps it.
//!
//! ```
//! stats_process::start(); // once, or as often as is convenient
//! ```
//!
//! # Cost
//!
//! Nothing happens on the caller's thread but for its first call. A thread called `stats-process`
//! takes a sample [four times a second](SAMPLES_PER_SECOND): 6 µs each on Linux (measured; the same
//! at 2 and at 800 MiB), which is 1/40,000 of a core. On Linux a sample makes two small allocations
//! and frees them at once; who counts the allocations of the whole process finds eight a second.
//!
//! The numbers come from [`memory_stats`](mod@memory_stats), which knows Linux, Android, macOS,
//! iOS, FreeBSD and Windows, told to read the short `/proc/self/statm` on Linux. proc(5) calls that
//! inaccurate: what each core counts is added up only now and then, so some dozens of pages a core
//! may be missing. The exact `smaps` took 10 ms at 800 MiB, against 6 µs.
//!
//! # The end of the process
//!
//! The thread is detached: it keeps no process alive, and ends with it. It ends no earlier, so a
//! library that contains this crate must not be unloaded.
//!
//! # Features
//!
//! - `enabled` (default): without it [`start`] does nothing.

#![cfg_attr(docsrs, feature(doc_cfg))]

use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use memory_stats::{MemoryStats, memory_stats};
use stats_core::{Gauge, Unit};

static RESIDENT: Gauge = Gauge::new("process/memory-resident")
    .unit(Unit::Bytes)
    .describe("memory of the process that lies in RAM, four times a second");
static VIRTUAL: Gauge = Gauge::new("process/memory-virtual")
    .unit(Unit::Bytes)
    .describe("address space that the process takes; on Windows what it committed");

/// How often the memory is looked at. Frames in between have the value of the last look.
pub const SAMPLES_PER_SECOND: u32 = 4;

/// Begins to sample, unless that was done before; whether there are samples.
///
/// The first call takes a sample itself and starts the thread: some 0.15 ms. Every other is an
/// atomic load (1 ns), so it may stand in a frame.
///
/// Where the system does not tell (WebAssembly among others), where no thread can be had, and
/// without the feature `enabled`, nothing is started, there are no series, and all calls return
/// `false`.
pub fn start() -> bool {
    static SAMPLED: OnceLock<bool> = OnceLock::new();
    stats_core::ENABLED && *SAMPLED.get_or_init(begin)
}

/// Takes the first sample and leaves the others to a thread.
fn begin() -> bool {
    let Some(first) = memory_stats() else {
        return false;
    };
    let sampler = thread::Builder::new()
        .name("stats-process".to_owned())
        .spawn(sample_for_ever);
    if sampler.is_ok() {
        publish(first);
    }
    sampler.is_ok()
}

fn sample_for_ever() {
    loop {
        thread::sleep(Duration::from_secs(1) / SAMPLES_PER_SECOND);
        // A look that fails, for want of a file handle say, leaves the values as they are.
        if let Some(sample) = memory_stats() {
            publish(sample);
        }
    }
}

fn publish(sample: MemoryStats) {
    RESIDENT.set(sample.physical_mem);
    VIRTUAL.set(sample.virtual_mem);
}
