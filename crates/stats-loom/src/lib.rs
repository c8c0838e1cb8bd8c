//! Models of the concurrent parts of `stats-core`, run by loom over every interleaving and every value that a relaxed load may see.
//!
//! The files of the core are compiled here as they are, against loom's primitives: what is modelled is what runs. Beside them stand
//! controls: designs that look right, are as fast, and lose or double adds. A control that passes means that the models are blind.

#[cfg(test)]
#[path = "../../stats-core/src/live/block.rs"]
mod block;
#[cfg(test)]
#[path = "../../stats-core/src/live/lazy_slot.rs"]
mod lazy_slot;

#[cfg(test)]
mod controls;
#[cfg(test)]
mod layout;
#[cfg(test)]
mod models;
#[cfg(test)]
mod sync;
