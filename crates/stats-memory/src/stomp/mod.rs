//! The stomp allocator: guard pages that catch a stray access when it happens.

#[cfg(all(
    feature = "enabled",
    any(target_os = "linux", target_os = "macos", windows)
))]
mod live;
#[cfg(all(
    feature = "enabled",
    any(target_os = "linux", target_os = "macos", windows),
    not(all(test, loom))
))]
use live as backend;

#[cfg(not(all(
    feature = "enabled",
    any(target_os = "linux", target_os = "macos", windows),
    not(all(test, loom))
)))]
mod off;
#[cfg(not(all(
    feature = "enabled",
    any(target_os = "linux", target_os = "macos", windows),
    not(all(test, loom))
)))]
use off as backend;

mod allocator;
mod side;

pub use allocator::Stomp;
pub use side::{Overrun, StompMode, Underrun};
