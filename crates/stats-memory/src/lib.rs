//! A global allocator that knows who holds the memory: by group, stack of scopes, name and thread,
//! as series and as a dump.
//!
//! ```
//! use std::alloc::System;
//! use stats_memory::{Group, Tags, TrackingAllocator, scope};
//!
//! #[global_allocator]
//! static ALLOCATOR: TrackingAllocator<System, Tags> = TrackingAllocator::new(System); // or `Count`, or `Records`; over any other allocator
//!
//! static RENDERING: Group = Group::new("rendering").budget_bytes(512 << 20);
//!
//! fn load_level() -> Vec<u8> {
//!     let _scope = scope!("Level/Load", group: RENDERING); // until the end of the block, on this thread
//!     vec![0; 1 << 20]
//! }
//!
//! let level = load_level();
//! stats_memory::publish(); // once a frame, before `recorder.end_frame()`
//! # if stats_memory::ENABLED {
//! assert!(stats_memory::totals().bytes >= 1 << 20);
//! # }
//! # drop(level);
//! ```
//!
//! # Series
//!
//! | path | kind, unit | is |
//! |---|---|---|
//! | `memory/total` | gauge, bytes | what is held, as the program asked for it |
//! | `memory/peak` | gauge, bytes | the most that was held at a time, to within 64 KiB for each thread |
//! | `memory/allocations`, `memory/peak-allocations` | gauge | allocations held; the most of them at the end of a frame |
//! | `memory/frame-allocations`, `memory/frame-bytes` | counter; bytes | what was allocated in the frame, reallocations included |
//! | `memory/overhead` | gauge, bytes | what the tracker takes for itself |
//! | `memory/tags` | gauge | groups, scopes and names that were told apart, at most [`MAX_TAGS`] |
//! | `memory/refused-tags` | counter | how often what was asked for could not be told apart: beyond [`MAX_TAGS`], [`MAX_GROUPS`], [`MAX_DEPTH`] or what a [`Scope`] says |
//! | `memory/groups/NAME/…` | | `total` (with the group's budget), `allocations`, `frame-allocations` and `frame-bytes` of a group |
//! | `memory/scopes/OUTER/INNER/…` | | the same of a stack of scopes, without those within; `memory/unscoped/…` of what has none; of new ones 256 a frame, see [`publish`] |
//!
//! # The dump
//!
//! [`dump`] writes lines of comma-separated values: `address,thread,group,bytes,scope|stack,name`. Fields with commas, quotes or line ends
//! are quoted as RFC 4180 has it; in the stack, a `|` or `\` of a scope's name has a `\` before it.
//! In the mode [`Records`] there is a line for each live allocation, in no order; of addresses the
//! lower 48 bits, of threads the name, `unnamed` without one. In the other modes there is a line
//! for each tag that holds anything: address and thread are empty, bytes are their sum, and a
//! seventh field is the number of allocations.
//!
//! The mode is found by what it left, so a process keeps to one. A dump streams: it needs no memory
//! of its own, and what its reader allocates is in the scope `stats-memory`. [`save_dump`] puts it
//! into a file, which is replaced whole or not at all; [`dump_at_exit`] does so when the process
//! ends.
//!
//! # A run without a user
//!
//! [`groups_over_budget`] says at the end which groups went over their budget in any frame, for an exit code; [`on_crossing`] says so at once.
//!
//! # Pools of a group
//!
//! A [`PooledAllocator`] gives groups pools of small blocks, tried in order before the allocator that it is
//! over: a [`StaticPool`] in memory of the program's own, a [`GrowingPool`]. Its documentation says
//! when that pays. [`PooledAllocator::publish`] tells how full they are, as `memory/pools/NAME/blocks`,
//! `bytes` and `capacity`.
//!
//! # Finding who tramples on memory
//!
//! [`Stomp`] is another global allocator, for the search of a bug. Each allocation has pages of its own, with an inaccessible *guard* after
//! ([`Overrun`]) or before it ([`Underrun`]), and what was freed stays inaccessible. Who touches
//! either is told of and killed in the act:
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
//! static ALLOCATOR: Stomp<Overrun> = Stomp::new(); // scopes are known to it as well
//!
//! let _scope = scope!("Level/Load");
//! let mesh = vec![0_u8; 24];
//! // SAFETY: none. With 24 in place of 23 the process dies here.
//! println!("{}", unsafe { *mesh.as_ptr().add(23) });
//! ```
//!
//! | what | when | how the process ends |
//! |---|---|---|
//! | overrun or underrun into the guard, use after free | at once | `SIGSEGV` or `SIGBUS`, where it happened |
//! | write to the rest of the allocation's pages, the other side and what alignment leaves before the guard | at the free | `SIGABRT` |
//! | double free; free of another address, or with another layout than it was allocated with | at once | `SIGABRT` |
//!
//! The signal is that of the fault itself: after the message the former handler is back and the
//! fault happens again, so that a debugger or a core shows the true place. Faults elsewhere go to
//! the handler that was there before, Rust's message of a stack overflow among them. It is called
//! with the signals blocked that it wants blocked, once only where it asks for that
//! (`SA_RESETHAND`), and always on the stack for handlers (`SA_ONSTACK`). A handler that the
//! program installs later has to hand on what is not its own. The scope of the thread that was
//! caught is the one that it was in when it last called what could ask for it: an optimizing
//! compiler leaves others out.
//!
//! **What it costs.** With guard markers (Linux 6.13 and later) about 10 µs for an allocation and
//! its free, elsewhere about 20. A live allocation of up to a page takes about 4.1 KiB and twice as
//! many addresses; one that was freed about 50 bytes, until its addresses are used again: they are
//! kept until [all others](Stomp::quarantine_bytes) were used. Zeroed memory is not written, and is
//! resident only when it is touched.
//!
//! **Its limits.** With guard markers, 200,000 live allocations are 40 mappings. Without them each
//! takes two, of 65,530 that Linux allows (`vm.max_map_count`): about 30,700 can be alive, which
//! leaves 4096 mappings to the rest. Beyond, and where no memory or no addresses are left,
//! allocations are the system allocator's and unguarded, and a line for each reason says so; so are
//! those that are larger than the reservation, and large ones (above about a MiB) for which a
//! search among freed addresses, of 0.2 ms and up, finds no room. Accesses that jump over the
//! guard, a page at least, are not seen, and a system call that is given a guard fails with "bad
//! address" instead. A reallocation always moves. A child after `fork` has all allocations and
//! guards to itself, and goes on.
//!
//! Below [`TrackingAllocator`] it works as well, but sees the header of 8 bytes as part of the allocation:
//! sizes in messages are larger by it, alignments are 8 at least, so that up to 7 bytes after the
//! end are checked at the free alone, and an underrun of up to 8 bytes hits the header unseen. For
//! underruns take it alone.
//!
//! Linux on x86-64 is what it was run on. For macOS and Windows it was compiled, and not run; only
//! Linux on x86-64 and Windows say whether an access was a read or a write.
//!
//! # What is counted
//!
//! The bytes that the program asked for, from the moment when the inner allocator gave them; what
//! that one adds is not known. Memory belongs to the tag under which it was allocated, whoever
//! frees or reallocates it. The tables of the tracker itself come from the system's allocator and
//! are [overhead](Totals::overhead_bytes); what it registers as series is an allocation like any
//! other, in the scope `stats-memory`.
//!
//! # Features
//!
//! - `enabled` (default): without it [`TrackingAllocator`] is its inner allocator, to the instruction,
//!   [`Stomp`] is the system's, and everything else is nothing.
//!
//! # Internals
//!
//! Each thread owns a *shard*, and is the only one to write it: an allocation is a thread-local
//! load, and additions to numbers of the thread's own, without a lock or an atomic
//! read-modify-write. A free on another thread subtracts in that thread's shard; sums over all
//! shards are right, single ones may be below zero. Numbers are totals and are never reset. A
//! thread that ends leaves its shard, totals and all, to the next; what it does after that, in the
//! destructors of thread-locals, is added atomically to cells that all share.
//!
//! A *tag* is a chain of links (scope, group or name), kept once and known by a number below
//! [`MAX_TAGS`]. The thread has the number of its tag at hand, and puts it into the 8 bytes before
//! each allocation, from where a free takes it. A shard has cells for tags in pages of 64.
//!
//! The peak has to be known between frames, too. Each thread has a *balance* of what it allocated
//! and freed, and tells the others when that has moved by 64 KiB since it last told; the most that
//! they were ever told is the peak.
//!
//! A cell's number of allocations is stored after their bytes: a publication looks at the numbers
//! alone where nothing changed.
//!
//! A *record* is 16 bytes in a table that never moves; its number is in the other half of the
//! header. Free records lie in a stash of the thread that freed them, from where batches go to
//! threads that have none. A reader that runs beside the writers sees a record whole or not at all:
//! it looks at the first word before and after the second.
//!
//! The stomp allocator reserves addresses, and keeps what it knows of each span of pages in a table
//! apart, 32 bytes for each two pages, where no overrun reaches it and a signal handler finds it
//! without a lock: from the faulting address it walks back to the span's first entry. Spans are
//! taken in the order of addresses, by one atomic addition, until all were taken; then a hand goes
//! around and takes what was freed, under a lock; where it found nothing, it goes again only after
//! as many allocations and frees as take the time of that. Large spans have a hand of their own,
//! which looks at 65,536 entries and a span's length at a time, and goes on from there the next
//! time. With guard markers the reservation is one mapping, opened 16 MiB at a time, in which
//! guards are marked in the page table; otherwise each span is opened and closed on its own. Its
//! signal handler waits for that of Rust's runtime, which installs none where there is one, and
//! each thread that allocates has a stack of 64 KiB for it, since the one that the runtime gives it
//! is too small.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    all(test, loom),
    expect(dead_code, reason = "models use only a part of the crate")
)]

mod budget;
mod enforcement;
mod group;
mod macros;
mod mode;
mod pools;
mod stomp;
mod sync;
mod totals;
mod tracking_allocator;

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

#[cfg(not(all(test, loom)))]
pub use pools::{GroupPools, GrowingPool, PooledAllocator, StaticPool};
pub use pools::{Occupancy, Pool};

#[doc(hidden)]
pub use backend::Site;

pub use backend::{dump, dump_at_exit, dump_tags, save_dump};
pub use backend::{for_each_group, on_crossing, publish, reset_peak, totals};
pub use budget::{BudgetState, Crossing, GroupUsage};
pub use totals::Totals;

/// Whether the feature `enabled` is on.
pub const ENABLED: bool = cfg!(feature = "enabled");

/// How many tags there can be: different combinations of group, stack of scopes and name. What is
/// entered beyond counts to the scope around it, which takes 20 ns each time, and is counted by
/// `memory/refused-tags`.
pub const MAX_TAGS: usize = 1 << 16;

/// How deep scopes can be nested. A scope within that many, of a function that calls itself, say,
/// counts to the one around it; see [`MAX_TAGS`].
pub const MAX_DEPTH: usize = 64;

/// How many groups there can be, [`UNGROUPED`] among them, as which further ones count; see
/// [`Group`] and [`MAX_TAGS`].
pub const MAX_GROUPS: usize = 256;

/// The name of what has no group.
pub const UNGROUPED: &str = "ungrouped";
