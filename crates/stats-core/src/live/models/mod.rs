//! Models of the modules that synchronize, run by loom: every interleaving of their threads, and
//! every value that a relaxed load may see, as far as time allows.
//!
//! | model | explored interleavings |
//! |---|---|
//! | cells, all but two models; deferred values; upkeep beside a use | everything |
//! | the queue of a thread's scopes | everything with at most three preemptions |
//! | two threads that append their first blocks, or register one `static` | everything with at most three preemptions |
//! | the tally of a histogram | what can be tried in ten seconds, with at most two preemptions |
//!
//! The modules are compiled as they are, with loom's primitives in place of the standard library's
//! (`live/sync.rs`). The source and the reader of deferred values need a registry and histories, so
//! the models repeat their operations on lanes and mailboxes step by step.
//!
//! A model that cannot fail shows nothing, so there are two kinds of controls, which must fail. The
//! models that depend on orderings run a second time with every ordering
//! [`weakened`](super::sync::weakened) to `Relaxed`; and [`controls`] are designs that look right,
//! are as fast, and lose or double adds.
//!
//! ```text
//! RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR=target/loom cargo test --release -p stats-core --lib models
//! ```

mod cells;
mod controls;
mod deferred;
mod exclusive;
mod span_queue;
mod tally;
