//! A global allocator that tracks which part of a program owns its memory: by group, stack of
//! scopes, name and thread, as series and as a dump.
//!
//! The system reports how much memory a process uses, but not for what. [`TrackingAllocator`] does:
//! it wraps another allocator, and counts each allocation under the *tag* of its thread, which code
//! sets by entering scopes. It is cheap enough to stay in the builds that people play.
//!
//! ```
//! use std::alloc::System;
//! use stats_memory::{Group, Tags, TrackingAllocator, scope};
//!
//! // Wraps any other allocator. The mode `Count` keeps less than `Tags`, and `Records` more.
//! #[global_allocator]
//! static ALLOCATOR: TrackingAllocator<System, Tags> = TrackingAllocator::new(System);
//!
//! static RENDERING: Group = Group::new("rendering").budget_bytes(512 << 20);
//!
//! fn load_level() -> Vec<u8> {
//!     let _scope = scope!("Level/Load", group: RENDERING); // until the end of the block
//!     vec![0; 1 << 20]
//! }
//!
//! let level = load_level();
//! stats_memory::publish(); // once per frame, before `recorder.end_frame()`
//! # if stats_memory::ENABLED {
//! assert!(stats_memory::totals().bytes >= 1 << 20);
//! # }
//! # drop(level);
//! ```
//!
//! # Scopes, groups and names
//!
//! - A *scope* names what a thread is doing: [`scope!`]. Scopes nest, so the memory of `Level/Load`
//!   is distinguished from that of `Level/Load|meshes`. A scope named by a timer is timed as well.
//!   [`Scope`] describes their limits, and how to use them with `.await`.
//! - A *group* names the part of the program that is accountable for the memory, and has its
//!   budget: [`Group`]. A scope stays in the group around it, unless it names another one. The
//!   memory of the statistics themselves has the group [`stats`](OWN_GROUP).
//! - A *name* distinguishes the allocations of one scope: [`alloc_name!`].
//!
//! The three together are a [`Tag`], a number that can be [kept](current_tag) and
//! [entered](Tag::enter) on another thread. Memory keeps the tag under which it was allocated, no
//! matter which thread frees or reallocates it. [`Tagged`] gives a container a tag of its own.
//!
//! # Series
//!
//! [`publish`] updates these once per frame:
//!
//! | path | kind, unit | meaning |
//! |---|---|---|
//! | `memory/total` | gauge, bytes | live bytes, as the program requested them |
//! | `memory/peak` | gauge, bytes | the most live bytes at any time; see [`Totals::peak_bytes`] |
//! | `memory/allocations` | gauge | live allocations |
//! | `memory/peak-allocations` | gauge | the most live allocations at any time; see [`Totals::peak_allocations`] |
//! | `memory/frame-allocations`, `memory/frame-bytes` | counter; bytes | allocations of the frame, including reallocations |
//! | `memory/overhead` | gauge, bytes | the memory that the tracker itself uses |
//! | `memory/tags` | gauge | combinations of group, scopes and name, at most [`MAX_TAGS`] |
//! | `memory/refused-tags` | counter | how often a tag was refused because of [`MAX_TAGS`], [`MAX_GROUPS`], [`MAX_DEPTH`] or a limit of [`Scope`] |
//! | `memory/untracked`, `memory/untracked/…`, `memory/slack` | gauge, bytes | memory of the process that the tracker does not see; see [`watch_untracked`] |
//! | `memory/groups/NAME/…` | | `total` (with the group's budget), `allocations`, `frame-allocations` and `frame-bytes` of a group |
//! | `memory/scopes/OUTER/INNER/…` | | the same of a stack of scopes, without the scopes inside it; `memory/unscoped/…` of memory without a scope. At most 256 new ones per frame, see [`publish`] |
//!
//! # The dump
//!
//! [`dump`] writes a line for each live allocation, in no particular order, if the mode is
//! [`Records`]. In the other modes it writes a line for each tag with live allocations, with empty
//! addresses and threads, and the number of allocations as a seventh field:
//!
//! ```text
//! address,thread,group,bytes,scope|stack,name
//! 0x00007f26a22a0fe8,loader,rendering,24,Level/Load|meshes,height map
//!
//! ,,rendering,1048,Level/Load|meshes,height map,12
//! ```
//!
//! If a group has a budget, the first line has the names of the fields, and the budgets in the
//! seventh field: `rendering=536870912|ui=33554432`. In the name of a group, `|`, `\` and `=` are
//! escaped with a `\`. Otherwise there is no header line.
//!
//! Fields with commas, quotes or line ends are quoted as in RFC 4180. Inside the stack, a `|` or
//! `\` in the name of a scope is escaped with a `\`. Addresses are cut to their lower 48 bits. A
//! thread without a name is `unnamed`.
//!
//! While [`watch_untracked`] is on, further lines have the memory that is not tracked, and the pages
//! between allocations that are in memory; it describes them.
//!
//! The dump infers the mode from the data that it finds, so a process must use only one mode. A
//! dump streams: it allocates nothing itself, and allocations of its writer count toward the scope
//! `stats-memory`. [`save_dump`] writes it into a file, which is replaced whole or not at all.
//! [`dump_at_exit`] does so when the process ends.
//!
//! # Unattended runs
//!
//! At the end of a run, [`groups_over_budget`] returns the groups that exceeded their budget in any
//! frame, for an exit code. [`on_crossing`] reports them at once.
//!
//! # Pools of a group
//!
//! A [`PooledAllocator`] gives groups pools of small blocks, which it tries in order before the
//! allocator below it: a [`StaticPool`] inside the program's own memory, a [`GrowingPool`], or a
//! [`Pool`] of your own. Its documentation describes when that is useful.
//! [`PooledAllocator::publish`] reports how full they are: `memory/pools/NAME/blocks`, `bytes` and
//! `capacity`.
//!
//! # Finding stray accesses
//!
//! [`Stomp`] is another global allocator, for finding memory bugs. Each allocation has pages of its
//! own, with an inaccessible *guard* after it ([`Overrun`]) or before it ([`Underrun`]), and freed
//! memory stays inaccessible. Touching either is reported, and the process ends at the faulting
//! access:
//!
//! ```text
//! stats-memory: overrun: write to 0x7f26a22a1000, 0 bytes after an allocation of 24 bytes at 0x7f26a22a0fe8, aligned to 8
//!   allocated by thread loader (5271) in group rendering, scope Level/Load|meshes, name height map
//!   accessed by thread main (5270) in group ungrouped, scope draw
//! ```
//!
//! ```
//! use stats_memory::{Overrun, Stomp, scope};
//!
//! #[global_allocator]
//! static ALLOCATOR: Stomp<Overrun> = Stomp::new(); // it knows scopes as well
//!
//! let _scope = scope!("Level/Load");
//! let mesh = vec![0_u8; 24];
//! // SAFETY: none. With 24 in place of 23 the process dies here.
//! println!("{}", unsafe { *mesh.as_ptr().add(23) });
//! ```
//!
//! | bug | found | the process ends with |
//! |---|---|---|
//! | overrun or underrun into the guard, use after free | at once | `SIGSEGV` or `SIGBUS`, at the access |
//! | write to the rest of the allocation's pages: the other side, and the gap that alignment leaves before the guard | at the free | `SIGABRT` |
//! | double free; free of another address, or with a layout other than that of the allocation | at once | `SIGABRT` |
//!
//! The process receives the signal of the fault itself: after the message, the previous handler is
//! restored and the fault happens again, so that a debugger or a core dump shows the true place.
//! Faults elsewhere are passed to the previous handler, such as Rust's handler for stack overflows.
//! The previous handler runs with its own signal mask, only once if it was installed with
//! `SA_RESETHAND`, and always on the alternate stack (`SA_ONSTACK`). A handler that the
//! program installs later must pass on faults that are not its own. The reported scope of the
//! faulting thread may be out of date: an optimizing compiler omits changes of the scope that no
//! function call could observe.
//!
//! **Costs.** An allocation and its free take 5 to 13 µs with guard markers (Linux 6.13 and
//! later), and about 20 µs without. A live allocation of up to a page takes about 4.1 KiB, and
//! twice that in addresses. A freed one takes about 50 bytes until its addresses are reused, which
//! happens only after [all other addresses](Stomp::quarantine_bytes) were used. Zeroed memory is
//! not written, and becomes resident only when it is touched.
//!
//! **Limits.**
//!
//! - With guard markers, 200,000 live allocations take 40 mappings. Without them, each takes two of
//!   the 65,530 mappings that Linux allows (`vm.max_map_count`): about 30,700 can be alive, which
//!   leaves 4,096 mappings to the rest of the program.
//! - Beyond that, or if no memory or addresses are left, the system's allocator serves allocations
//!   unguarded. One line on the error stream reports each reason. The same applies to allocations
//!   larger than the reservation, and to large ones (above about a MiB) for which a search among
//!   freed addresses, of 0.2 ms and more, finds no room.
//! - An access that jumps over the guard, which is at least a page, is not detected. A system call
//!   with an address in a guard does not fault, but fails with "bad address".
//! - A reallocation always moves.
//! - After `fork`, the child has its own copies of all allocations and guards, and continues.
//!
//! Below [`TrackingAllocator`], the header of 8 bytes is part of the allocation: sizes in messages
//! include it, alignments are at least 8, so up to 7 bytes after the end are only checked at the
//! free, and an underrun of up to 8 bytes hits the header unnoticed. To find underruns, use `Stomp`
//! alone.
//!
//! It has been run on Linux on x86-64. It compiles for macOS and Windows, but has not been run
//! there. Only Linux on x86-64 and Windows distinguish reads from writes.
//!
//! # What is counted
//!
//! Only the bytes that the program requested are counted, once the inner allocator has provided
//! them. The inner allocator's own overhead and memory that does not go through Rust's allocator
//! are not seen; [`watch_untracked`] accounts for both as far as the system reports them. The
//! tables of the tracker come from the system's allocator and count as
//! [overhead](Totals::overhead_bytes). The series that it registers are allocations like any
//! others, in the scope `stats-memory`. That scope, and those of the other crates of this project,
//! are in the [group `stats`](OWN_GROUP).
//!
//! # Costs
//!
//! See [`TrackingAllocator`] for the cost of an allocation, [`scope!`] for that of a scope, and
//! [`publish`] for that of a frame.
//!
//! # Features
//!
//! - `enabled` (default): without it, [`TrackingAllocator`] compiles to its inner allocator,
//!   [`Stomp`] is the system's allocator, and everything else does nothing.
//! - `puffin`: the module `puffin`, whose scopes are memory scopes.
//! - `tracing`: `MemoryLayer`, which makes the spans of `tracing` memory scopes.
//!
//! # Internals
//!
//! **Shards.** Each thread owns a *shard*, and is the only one to write it. An allocation costs a
//! thread-local load and additions to the thread's own counters, without a lock or an atomic
//! read-modify-write. A free is subtracted in the shard of the thread that frees: the sums over all
//! shards are correct, but those of a single shard may be negative. The counters are totals, and
//! are never reset. A thread that ends leaves its shard, with all totals, to the next thread. Its
//! later allocations and frees, in the destructors of thread-locals, are added atomically to cells
//! that all threads share. Unlike the core's floats, these are integers, which a processor adds in
//! one instruction.
//!
//! **Tags.** A *tag* is a chain of links (scope, group or name), kept once and known by a number
//! below [`MAX_TAGS`]. A thread keeps the number of its tag, with that of its group, and writes
//! both into the 8 bytes before each allocation, where a free finds them. A shard has cells for
//! tags, in pages of 64. A cell stores the number of allocations after their bytes, so a
//! publication sees from that number alone that nothing changed.
//!
//! **Balances.** Each thread counts the bytes and allocations that it allocated minus those that it
//! freed, and reports them when they have changed by 32 KiB or 512 allocations. A loop that
//! allocates and frees the same memory thus never reports. The sum of these reports is one number,
//! which is right at any moment to within that step for each thread. Live memory is that sum plus
//! what each thread has not reported. The totals of shards would not do: they are read one after
//! the other, and in the meantime any amount of memory may be allocated in one shard and freed in
//! another. Each group has such balances of bytes as well. A tag has none: it is read twice, which
//! bounds what was live in between, and keeps its last value if that is possible.
//!
//! **Peaks** must also be known between frames. The highest sum of all reports is the peak. For
//! allocations, each thread also remembers its highest change since its last report.
//!
//! **Pools.** Each thread keeps the numbers of up to 64 free blocks of each size of a pool, and
//! exchanges half of them with the list that all threads share, whose links are stored next to the
//! blocks.
//!
//! **Records.** A *record* is 16 bytes in a table that never moves. Its number is in the other half
//! of the header. Free records are in a stash of the thread that freed them; batches of them go to
//! threads whose stash is empty. A reader sees a record whole or not at all, even while others
//! write: it reads the first word before and after the second.
//!
//! **The stomp allocator** reserves addresses. It describes each span of pages in a separate table,
//! 32 bytes for every two pages, which no overrun reaches and which a signal handler reads without
//! a lock: from the faulting address, it walks back to the first entry of the span. Spans are taken
//! in the order of addresses, by one atomic addition, until all have been taken. After that, a
//! clock hand goes around under a lock and takes freed spans. If it finds none, it searches again
//! only after enough allocations and frees to amortize the search. Large spans have a hand of their
//! own, which examines 65,536 entries plus the length of the span at a time, and then continues
//! from there. With guard markers, the reservation is one mapping, opened 16 MiB at a time, and
//! guards are marked in the page table. Otherwise, each span is opened and closed separately. The
//! signal handler is installed after that of Rust's runtime, which installs none if one exists.
//! Each thread that allocates gets a stack of 64 KiB for the handler, because the runtime's stack
//! is too small.
//!
//! `tracking_allocator.rs` is the allocator, and `mode.rs` determines how much it records.
//! `group.rs`, `budget.rs` and `enforcement.rs` let a program declare who owns its memory, and how
//! much. As in the core, there are two back ends: `off.rs` forwards every call, and `live/`, whose
//! module documentation lists its parts, is the implementation. `stomp/` is the other allocator,
//! and `pools/` has the pools. `scope_name.rs` defines what `scope!` accepts, `tagged.rs` is a
//! container with a tag, and `memory_layer.rs` and `puffin.rs` turn the scopes of other profilers
//! into memory scopes. Models of the concurrent parts are in `models.rs` in the same folders. Files
//! with `unsafe` start with an `expect` that says why.
//!
//! - **The stomp allocator reserves all its addresses at once**, because Linux limits separate
//!   mappings for guards to about 32,000 live allocations. Guards are markers in the page table if
//!   the kernel supports them, and a block's record is found from its address alone.
//! - **A record exists before its allocation is counted.** A dump does not know the mode, and thus
//!   never mistakes one mode for another.
//! - **The statistics' own memory is a group of its own.** The tracker sets two functions in the
//!   core when it first counts something, so the core does not depend on it, and without a tracker
//!   the call is one load.
//! - **Scopes nest up to 64 levels**, so that recursion creates neither endless tags nor endless
//!   paths.
//! - **The tracker's tables come from the system's allocator**, regardless of the inner allocator.
//!   The tracker needs its tables before it knows the inner allocator, and during calls to it.
//! - **A block that is reallocated during an edit of a `Tagged` gets its tag**; no other scope
//!   changes the tag of a block. `Tagged` cannot reach the blocks of a container, but every block
//!   that grows goes through the allocator.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    all(test, loom),
    expect(dead_code, reason = "models use only a part of the crate")
)]

mod budget;
mod enforcement;
mod group;
mod macros;
#[cfg(feature = "tracing")]
mod memory_layer;
mod mode;
mod pools;
#[cfg(feature = "puffin")]
pub mod puffin;
mod scope_name;
mod stomp;
mod sync;
mod tagged;
mod totals;
mod tracking_allocator;
mod untracked;

#[cfg(feature = "enabled")]
mod live;
#[cfg(all(feature = "enabled", not(all(test, loom))))]
use live as backend;

#[cfg(any(not(feature = "enabled"), all(test, loom)))]
mod off;
#[cfg(any(not(feature = "enabled"), all(test, loom)))]
use off as backend;

pub use mode::{Count, Records, Tags};
pub use tracking_allocator::{Mode, TrackingAllocator};

pub use stomp::{Overrun, Stomp, StompMode, Underrun};

pub use backend::{Scope, Tag, current_tag};
pub use enforcement::{ReserveError, groups_over_budget};
pub use group::Group;
#[cfg(feature = "tracing")]
pub use memory_layer::MemoryLayer;
pub use scope_name::TimedScope;
pub use tagged::{Edit, Tagged};

#[cfg(not(all(test, loom)))]
pub use pools::{GroupPools, GrowingPool, PooledAllocator, StaticPool};
pub use pools::{Occupancy, Pool};

#[doc(hidden)]
pub use backend::Site;
#[doc(hidden)]
pub use scope_name::{Enter, ScopeName};

pub use backend::{dump, dump_at_exit, dump_tags, save_dump};
pub use backend::{for_each_group, on_crossing, publish, reset_peak, totals};
pub use backend::{system_heap, untracked, watch_untracked};
pub use budget::{BudgetState, Crossing, GroupUsage};
pub use totals::Totals;
pub use untracked::{HeapUsage, Untracked};

/// Whether the feature `enabled` is on.
pub const ENABLED: bool = cfg!(feature = "enabled");

/// The maximum number of tags, that is, of different combinations of group, stack of scopes and
/// name. Anything entered beyond that counts toward the scope around it. Each refusal takes 20 ns,
/// and is counted in `memory/refused-tags`.
pub const MAX_TAGS: usize = 1 << 16;

/// The maximum depth of nested scopes. A deeper scope, of a recursive function for example, counts
/// toward the one around it; see [`MAX_TAGS`].
pub const MAX_DEPTH: usize = 64;

/// The maximum number of groups, including [`UNGROUPED`]. Further groups count as ungrouped; see
/// [`Group`] and [`MAX_TAGS`].
pub const MAX_GROUPS: usize = 256;

/// The name of memory that has no group.
pub const UNGROUPED: &str = "ungrouped";

/// The name of the group of the statistics' own memory. It contains the memory of counters, of recordings,
/// of the overlay, of sources such as `stats-gpu` or `stats-tracing`, and of the series of this crate; see
/// [`stats_core::own_memory`]. Other groups thus have the same memory with a recording as without.
/// It has no budget, unless the program declares a [`Group`] of this name with one.
pub const OWN_GROUP: &str = "stats";

/// The name of the group, in dumps, of memory that was not allocated through the tracker; see
/// [`watch_untracked`](watch_untracked()).
pub const UNTRACKED: &str = "untracked";
