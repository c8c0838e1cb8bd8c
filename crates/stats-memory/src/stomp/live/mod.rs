//! The stomp allocator as it is with the feature `enabled`.

mod allocate;
mod fault;
mod lock;
mod new;
mod once;
mod record;
mod region;
mod report;
mod settings;
mod slots;
mod span;
mod system;
mod table;
#[cfg(test)]
mod tests;
mod thread;

pub(super) use settings::Settings;

// Under a name that the models in `stats-loom` have as well: they compile some of these files
// against loom's.
use std::sync::atomic as sync;
