//! The behavior that the timer promises, on any graphics adapter. Without one, the tests print that
//! they were skipped, and pass.
#![cfg(feature = "enabled")]

mod host;
mod loss;
mod memory;
mod passes;
mod scopes;
mod status;
