//! The thread that samples what changes slowly.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use memory_stats::{MemoryStats, memory_stats};
use stats_core::{Gauge, Unit};

use crate::frame_thread::follow_frames;
use crate::machine::Machine;

static RESIDENT: Gauge = Gauge::new("process/memory-resident")
    .unit(Unit::Bytes)
    .describe("memory of the process in RAM, sampled four times a second");
static VIRTUAL: Gauge = Gauge::new("process/memory-virtual")
    .unit(Unit::Bytes)
    .describe("virtual address space of the process, on Windows its committed memory");

/// The number of samples per second. Frames in between have the value of the last sample.
pub const SAMPLES_PER_SECOND: u32 = 4;

static SAMPLER: OnceLock<Option<Thread>> = OnceLock::new();

/// Whether the program asked for everything that is sampled.
static IS_STARTED: AtomicBool = AtomicBool::new(false);

/// Whether the memory is sampled forever.
static KEEPS_MEMORY: AtomicBool = AtomicBool::new(false);

/// The number of samples to take before the thread sleeps.
static LEFT: AtomicU32 = AtomicU32::new(0);

/// Starts sampling the memory of the process, and adds the series below `frame/`, unless an earlier
/// call did. Returns whether the memory is being sampled.
///
/// The first call takes a sample and starts the thread, which takes about 0.15 ms, and on Windows a
/// millisecond more for [`follow_frames`]. Every other call takes a few nanoseconds, so it may be
/// called every frame. From then on, the other [sampled series](crate#process-and-machine) are
/// read, too, while an overlay is visible or a capture runs.
///
/// If the system does not report its memory (WebAssembly, for example), if no thread can be
/// started, and without the feature `enabled`, all calls return `false` and there are no series.
pub fn start() -> bool {
    let is_running = sample_memory();
    if is_running && !IS_STARTED.load(Ordering::Relaxed) {
        // Relaxed: readers see it in one of their next frames.
        IS_STARTED.store(true, Ordering::Relaxed);
    }
    is_running
}

/// Works like [`start`], but for the memory alone.
pub fn sample_memory() -> bool {
    let is_running = run();
    // Relaxed: the thread sees it at its next sample.
    if is_running && !KEEPS_MEMORY.load(Ordering::Relaxed) {
        KEEPS_MEMORY.store(true, Ordering::Relaxed);
        wake();
    }
    is_running
}

/// Samples everything for the next second: the memory, and the [series of the process and of the
/// machine](crate#process-and-machine). Returns whether anything is being sampled.
///
/// The first call costs what [`start`] costs, and one after a second without calls wakes a thread,
/// which takes some microseconds. Every other call takes a few nanoseconds.
pub fn keep_sampling() -> bool {
    let is_running = run();
    if is_running {
        keep();
    }
    is_running
}

/// Works like [`keep_sampling`] if the program has called [`start`]. Otherwise, nothing happens. A
/// visible overlay and a capture call it in every frame.
pub fn keep_sampling_if_started() {
    // Relaxed: the thread was started before, by a call that this one need not see yet.
    if stats_core::ENABLED && IS_STARTED.load(Ordering::Relaxed) {
        keep();
    }
}

fn keep() {
    // Relaxed: only the number counts. The thread may lower it in between, and sleep a moment later
    // than it could.
    if LEFT.swap(SAMPLES_PER_SECOND, Ordering::Relaxed) == 0 {
        wake();
    }
}

fn wake() {
    if let Some(Some(thread)) = SAMPLER.get() {
        thread.unpark();
    }
}

/// Starts the thread, unless an earlier call did. Returns whether it runs.
fn run() -> bool {
    follow_frames();
    stats_core::ENABLED && SAMPLER.get_or_init(begin).is_some()
}

/// Takes the first sample, and starts the thread that takes the others.
fn begin() -> Option<Thread> {
    let _memory = stats_core::own_memory("stats-process");
    let first = memory_stats()?;
    let sampler = thread::Builder::new()
        .name("stats-process".to_owned())
        .spawn(sample_forever);
    let sampler = sampler.ok()?;
    publish(first);
    Some(sampler.thread().clone())
}

fn sample_forever() {
    let _memory = stats_core::own_memory("stats-process");
    let mut machine = None;
    loop {
        let left = LEFT.load(Ordering::Relaxed);
        if left > 0 {
            machine
                .get_or_insert_with(Machine::new)
                .sample(Instant::now());
            // A request that came in between stays.
            let _ = LEFT.compare_exchange(left, left - 1, Ordering::Relaxed, Ordering::Relaxed);
        } else if KEEPS_MEMORY.load(Ordering::Relaxed) {
            machine = None;
        } else {
            machine = None;
            // Returns at once if `wake` was called since `LEFT` was read.
            thread::park();
            continue;
        }
        // A failed sample, for example without a free file descriptor, changes nothing.
        if let Some(sample) = memory_stats() {
            publish(sample);
        }
        thread::park_timeout(Duration::from_secs(1) / SAMPLES_PER_SECOND);
    }
}

fn publish(sample: MemoryStats) {
    RESIDENT.set(sample.physical_mem);
    VIRTUAL.set(sample.virtual_mem);
}
