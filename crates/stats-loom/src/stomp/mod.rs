//! What synchronises in the stomp allocator of `stats-memory`, as it is; and the same with every
//! ordering taken away.
//!
//! Modelled are the lock, what is done once, records, and the slots on top of them: they are taken
//! for the first time, given back and taken again by the hand, with pages that loom checks for
//! having one owner at a time. Not modelled are: a fork, as which no thread of loom's can begin
//! (the unit tests fork); the memory of the table, for which an array stands here; how much of it
//! and of the reservation is open, which only ever grows; the pages themselves; and a signal
//! handler, which is a reader like any other here.

mod ordered;
mod relaxed;
