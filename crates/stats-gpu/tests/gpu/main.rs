//! What the timer promises, on whatever adapter there is; without one the tests say so and pass.
#![cfg(feature = "enabled")]

mod host;
mod loss;
mod memory;
mod passes;
mod scopes;
mod status;
