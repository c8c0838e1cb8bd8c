//! Models of the concurrent parts of `stats-memory`, run by loom: every interleaving and every
//! value that a relaxed load may see, within the bounds below.
//!
//! | model | is run over |
//! |---|---|
//! | memory: pools, a record and its owner, slots, counts | everything with at most three preemptions |
//! | memory: shards and their adoption, batches of records, records that are left to others | the same with at most two |
//! | memory: the peak | everything |
//! | the stomp allocator: its lock | everything with at most three preemptions |
//! | the stomp allocator: what is done once, records, slots | the same with at most two |
//!
//! The files of `stats-memory` are compiled here as they are, against loom's primitives, and a
//! second time with every ordering relaxed, which must fail.

#[cfg(test)]
mod memory;
#[cfg(test)]
mod stomp;
#[cfg(test)]
mod unordered;
