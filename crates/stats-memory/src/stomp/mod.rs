//! The stomp allocator: guard pages that catch a stray access when it happens.
//!
//! `allocator` has the public type, and `side` its modes. `live` is the implementation, on Linux, macOS and Windows. Read it in the order `allocate`,
//! `reservation`, `fault`, `report`, `system`. `off` is the system's allocator: without the feature
//! `enabled`, on other systems, and under loom, which runs only the models of `live`. Attributes
//! have no names, so the condition is repeated at `mod off` and at both `use`.

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
