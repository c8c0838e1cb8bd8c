//! The behavior that the crate promises, on any graphics adapter. Without one, the tests print that
//! they were skipped, and pass.
#![cfg(feature = "enabled")]

mod host;
mod loss;
mod memory;
mod passes;
mod pictures;
mod scopes;
mod status;
