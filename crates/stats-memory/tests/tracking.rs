//! Trackers that are no global allocator, so that nothing is counted but what a test does.
#![cfg(feature = "enabled")]

#[cfg(test)]
mod behaviour;
