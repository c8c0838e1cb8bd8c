//! Tests of what a user of the overlay sees, a folder for each view, one file per behavior. `host`,
//! `scoped`, `painted` and `allocations` are the setup of the tests. `off` tests the overlay without
//! the feature `enabled`.

#[cfg(feature = "enabled")]
mod allocations;
#[cfg(feature = "enabled")]
mod controls;
#[cfg(feature = "enabled")]
mod game;
#[cfg(feature = "enabled")]
mod graph;
#[cfg(feature = "enabled")]
mod hitches;
#[cfg(feature = "enabled")]
mod host;
#[cfg(feature = "enabled")]
mod memory;
#[cfg(not(feature = "enabled"))]
mod off;
#[cfg(feature = "enabled")]
mod painted;
#[cfg(feature = "enabled")]
mod panes;
#[cfg(feature = "enabled")]
mod scoped;
#[cfg(feature = "enabled")]
mod statistics;
#[cfg(feature = "enabled")]
mod table;
#[cfg(feature = "enabled")]
mod timeline;
#[cfg(feature = "enabled")]
mod tree;
// Its name sorts last: one of its tests registers 50,000 series for good, and the search for hitches works
// in halves beyond 32,000.
#[cfg(feature = "enabled")]
mod views;
