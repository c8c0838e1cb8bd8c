//! Trackers that are not the global allocator, so that they count only the work of a test.
#![cfg(feature = "enabled")]

#[cfg(test)]
mod behavior;
