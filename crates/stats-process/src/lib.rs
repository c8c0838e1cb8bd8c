//! The memory of the process, and where the time of its frames went, as series of [`stats_core`].
//!
//! ```
//! stats_process::start(); // once, or as often as is convenient
//! ```
//!
//! | series | value |
//! |---|---|
//! | `process/memory-resident` | memory in RAM: the resident set, on Windows the working set |
//! | `process/memory-virtual` | virtual address space; on Windows the committed memory |
//! | `process/…`, `machine/…` | what [the process and the machine](#process-and-machine) do, sampled while somebody reads it |
//! | `frame/running` | milliseconds in which the thread of the frame ran on a processor |
//! | `frame/ready` | milliseconds in which it could run, but waited for a processor |
//! | `frame/blocked` | the rest of the frame in milliseconds: it slept, or waited for a lock, a file or a device |
//! | `frame/page-faults` | page faults without a disk, mostly pages of memory touched for the first time |
//! | `frame/major-page-faults` | pages that it waited for while they were read from a disk |
//! | `frame/preemptions` | how often it left the processor while it could run: it was preempted, or yielded |
//!
//! # Memory
//!
//! A game that leaks memory, or needs more than its console has, shows it first in two numbers that
//! the operating system keeps for every process. Both are gauges in bytes. They include everything
//! that the operating system counts, such as the allocator's reserves, thread stacks, drivers and
//! mapped files, so they are larger than the memory that the program requested. Freed memory often
//! stays resident because the allocator keeps it.
//!
//! # Process and machine
//!
//! While an overlay is visible or a capture runs, the thread that samples the memory also reads these
//! gauges, if the program has called [`start`]. Any other reader calls [`keep_sampling`] in its
//! frames. Paths of rates have the bytes of a second.
//!
//! | series | Linux, Android | Windows | macOS |
//! |---|---|---|---|
//! | `process/cpu` (%, 100 is one core) | yes | yes | yes |
//! | `process/threads`, `process/memory-peak` | yes | no | no |
//! | `process/read-bytes`, `process/written-bytes` | if `/proc/self/io` can be read | yes | yes |
//! | `machine/cpu`, `machine/core-N/load` (%), for up to 64 cores | yes | yes | yes |
//! | `machine/clock`, `machine/core-N/clock` (MHz) | from cpufreq, or else `/proc/cpuinfo` | yes | yes |
//! | `machine/memory-available`, `machine/swap`, `machine/swap-total` | yes | yes | yes |
//! | `machine/received-bytes`, `machine/sent-bytes`, without the loopback | yes | yes | yes |
//! | `machine/temperature` (°C), the hottest of the processor | from hwmon or a thermal zone | if a driver tells it | yes |
//! | `machine/power` (W) | all packages, if their energy counters can be read, which root can | no | no |
//! | `machine/battery` (%), `machine/battery-power` (W) | with a battery | no | no |
//! | `machine/gpu/load`, `clock`, `memory`, `memory-total`, `temperature`, `power`; further GPUs are `machine/gpu-2/…`, those of NVIDIA first | AMD: all; Intel: what its driver tells; NVIDIA: with the feature `nvidia` | NVIDIA: with the feature `nvidia` | no |
//!
//! Clocks, temperatures, batteries and power are read once a second, the rest with every sample. What
//! the system does not tell is listed with the reason, and is in no capture.
//!
//! # The thread of the frame
//!
//! A timer measures wall time. On a busy machine, the scope that happened to run is blamed for the
//! time in which another program had the processor. The system knows better: `frame/running`,
//! `frame/ready` and `frame/blocked` add up to the frame, and `stats_analysis::insight` uses them.
//! [`follow_frames`] adds these series without the memory.
//!
//! They are those of the thread that ends a frame, and each recorder takes the difference between
//! its own frames. A value is unknown in the first frame after a series is watched, and in a frame
//! that ended on another thread than the one before. What a system does not tell has no series:
//!
//! | system | running | ready, blocked | page faults, preemptions |
//! |---|---|---|---|
//! | Linux, Android | yes | if `/proc/thread-self/schedstat` can be read, which a kernel or a container may leave out, and the kernel counts in it | yes |
//! | Windows on x86 | yes | no | no |
//! | macOS, iOS | yes | no | no |
//! | others, browsers | no | no | no |
//!
//! In a virtual machine, the time in which the host ran something else counts as running, and so do
//! interrupts. A kernel that accounts for stolen time, or for interrupts, subtracts it from running.
//! It is not ready time either, so it is in `frame/blocked`.
//!
//! [`follow_thread`] adds `running`, `ready` and `blocked` of a worker, below `threads/NAME/`.
//!
//! # Cost
//!
//! Only the first call of [`start`] does work on the caller's thread. A thread called
//! `stats-process` takes a sample [four times a second](SAMPLES_PER_SECOND): about 6 µs each on
//! Linux (measured on one machine, at 2 and at 800 MiB), which is 1/40,000 of a core. While the
//! machine is read, too, a sample takes 0.25 ms on a machine with two cores, which is 1/1,000 of a
//! core, and allocates. A second after the last frame that reads it, this ends. On Linux a
//! sample makes two small allocations and frees them at once, so a count of the process's
//! allocations includes eight a second from this crate.
//!
//! The end of a frame takes 1 to 1.5 µs longer on Linux while a recorder reads any of the series
//! below `frame/`, most of it in three calls of the system. It takes 0.4 to 0.6 µs less if the thread
//! kept its processor during the frame: two calls tell everything then. It takes nothing otherwise: a
//! hidden overlay reads none, unless one is selected or pinned, or it looks for hitches while it is
//! hidden. It allocates nothing.
//!
//! # Limits
//!
//! The numbers of the memory come from [`memory_stats`](mod@memory_stats), which supports Linux,
//! Android, macOS, iOS, FreeBSD and Windows. On Linux it is configured to read the short
//! `/proc/self/statm`, which proc(5) calls inaccurate: the kernel adds up the counts of the cores
//! only now and then, so a few dozen pages for each core may be missing. The exact `smaps` took
//! 10 ms at 800 MiB.
//!
//! The thread is detached: it does not keep the process alive, and ends with it. It never ends
//! earlier, so a library that contains this crate must not be unloaded.
//!
//! # Features
//!
//! - `enabled` (default): without it [`start`] does nothing.
//! - `nvidia`: reads GPUs of NVIDIA with the library of their driver, which is loaded at run time.
//!
//! # Internals
//!
//! `freezes.rs` is the thread that watches for frames that do not end. `sampler.rs` is the thread that
//! samples, and `machine/` what it reads apart from the memory: the
//! files of Linux directly, because most of them are a line, and other systems by the crate sysinfo.
//!
//! At the end of a frame, the core calls `frame_thread.rs`. It fills in totals that only grow: the totals
//! of the calling thread, and with `followed.rs` the totals of the threads that asked for it. The core
//! subtracts. `figures.rs` names the figures, and `system/` asks the system for them: one file
//! for each system, and the only `unsafe` code.
//!
//! On Linux, two or three calls tell everything, in this order: the clock of the thread, `getrusage`,
//! and its `schedstat` if the thread left its processor since the file was last read. The kernel
//! refreshes the time in which a thread ran with its tick only, so `schedstat` alone reads 0 for most
//! frames of less than a millisecond. Blocked is what remains of the wall time. If the thread loses its
//! processor between two of the calls, the calls are repeated, because only the later one would have
//! the time without a processor.
//!
//! A child of `fork` opens files of its own, because those of its parent contain the times of the
//! parent. A handler of `pthread_atfork` counts forks, because asking for the number of the process
//! in each frame would take 0.1 µs.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod clock;
mod figures;
mod followed;
mod frame_thread;
mod freezes;
mod machine;
mod sampler;
mod system;

pub use frame_thread::{follow_frames, follow_thread};
pub use freezes::watch_freezes;
pub use sampler::{
    SAMPLES_PER_SECOND, keep_sampling, keep_sampling_if_started, sample_memory, start,
};
