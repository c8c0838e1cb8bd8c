//! The atomics of everything that synchronizes. They are from `std`, and in models from loom.
//!
//! Code that synchronizes takes its atomics from here. With `--cfg loom`, the modules `models` run
//! that code under [loom](https://docs.rs/loom), over every interleaving and every value that a
//! relaxed load may see. Each model runs once as it is, and once as a control, with every ordering
//! relaxed, which must fail. If a control passes, its model cannot detect a wrong ordering.
//!
//! | models | explore |
//! |---|---|
//! | the peak | everything |
//! | free lists of pools, a record and its owner, slots, cells, the live memory of groups and tags, the lock of the stomp allocator | everything with at most three preemptions |
//! | the live memory of the process, shards and their adoption, batches of records, records left to other threads, the action that the stomp allocator runs once, its records and slots | everything with at most two preemptions |

#[cfg(not(all(test, loom)))]
pub(crate) use std::sync::atomic::*;

#[cfg(all(test, loom))]
mod model;
#[cfg(all(test, loom))]
pub(crate) use model::*;

/// Declares a constructor that is `const`, except in models: loom's atomics cannot be created at
/// compile time.
macro_rules! const_fn {
    ($(#[$attribute:meta])* $visibility:vis fn $name:ident() -> Self $body:block) => {
        #[cfg(not(all(test, loom)))]
        $(#[$attribute])*
        $visibility const fn $name() -> Self $body

        #[cfg(all(test, loom))]
        $(#[$attribute])*
        $visibility fn $name() -> Self $body
    };
}
pub(crate) use const_fn;
