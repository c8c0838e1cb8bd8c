//! Models of the concurrent parts of `stats-core`, run by loom: over every
//! interleaving and every value that a relaxed load may see, where that ends. Others are searched
//! in part:
//!
//! | model | is run over |
//! |---|---|
//! | cells: all but two models; late values | everything |
//! | two threads that bring their first blocks, or register one static | everything with at most three preemptions |
//! | the tally of a histogram | what can be tried in ten seconds, with at most two preemptions |
//!
//! The files of the core are compiled here as they are, against loom's primitives: what is modelled
//! is what runs. (Of late values, the lanes, mailboxes and their order; what their source and
//! reader do with them is repeated.) Beside them stand controls: designs that look right, are as
//! fast, and lose or double adds. A control that passes means that the models are blind.

#[cfg(test)]
#[path = "../../stats-core/src/live/block.rs"]
mod block;
#[cfg(test)]
#[path = "../../stats-core/src/live/lazy_slot.rs"]
mod lazy_slot;
#[cfg(test)]
#[path = "../../stats-core/src/live/owned.rs"]
mod owned;

#[cfg(test)]
#[path = "../../stats-core/src/moments.rs"]
mod moments;
#[cfg(test)]
#[path = "../../stats-core/src/live/sums.rs"]
mod sums;
#[cfg(test)]
#[path = "../../stats-core/src/live/tally.rs"]
#[expect(dead_code, reason = "what is read here is read whole")]
mod tally;

/// As in the core; read by the files of late values.
#[cfg(test)]
mod limits {
    pub(crate) const LATE_FRAMES: u64 = 64;
}

#[cfg(test)]
mod controls;
#[cfg(test)]
mod late;
#[cfg(test)]
mod layout;
#[cfg(test)]
mod models;
#[cfg(test)]
mod sync;
