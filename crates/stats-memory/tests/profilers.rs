//! The scopes of other profilers as memory scopes.
#![cfg(feature = "enabled")]

#[cfg(test)]
mod spans;
