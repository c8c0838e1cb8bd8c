//! Trackers that are not the global allocator, so that only what a test does is counted.
#![cfg(feature = "enabled")]

#[cfg(test)]
mod behavior;
