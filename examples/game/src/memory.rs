//! Memory by owner: the tracking allocator, and the game's groups with their budgets.
//!
//! Each system enters a scope of its own at the beginning of its step, and so does the loading of a
//! level. Allocations of egui, wgpu and rapier count toward the scope around the call.

#[cfg(feature = "memory")]
use std::alloc::System;
use std::path::Path;

use stats_core::Timer;
use stats_memory::Group;
#[cfg(feature = "memory")]
use stats_memory::{Records, TrackingAllocator};

/// Records each allocation and its thread: the most detailed of the three modes, and the most
/// expensive.
#[cfg(feature = "memory")]
#[global_allocator]
static ALLOCATOR: TrackingAllocator<System, Records> = TrackingAllocator::new(System);

/// Whether this build tracks its allocations.
pub(crate) const TRACKED: bool = cfg!(feature = "memory");

const MIB: u64 = 1 << 20;

/// Agents, shots and particles, the grids that find them, and everything that has no system of its
/// own, such as the planted leak.
pub(crate) static SIMULATION: Group = Group::new("simulation").budget_bytes(4 * MIB);
/// Flocking, squads, path searches and their cache, the autopilot.
pub(crate) static AI: Group = Group::new("ai").budget_bytes(2 * MIB);
/// The world of rigid bodies.
pub(crate) static PHYSICS: Group = Group::new("physics").budget_bytes(4 * MIB);
/// Packets in flight, and the state of both ends.
pub(crate) static NETWORK: Group = Group::new("network").budget_bytes(2 * MIB);
/// The map, its scenery, and the recorded positions of the current level.
pub(crate) static LEVEL: Group = Group::new("level").budget_bytes(12 * MIB);
/// The CPU memory of wgpu and the render passes; textures and buffers of the device are not part of
/// it.
pub(crate) static RENDERING: Group = Group::new("rendering").budget_bytes(8 * MIB);
/// egui, and the game's HUD. The overlay, its histories and recordings are in a group of their own.
pub(crate) static UI: Group = Group::new("ui").budget_bytes(8 * MIB);

static PUBLISH: Timer = Timer::new("frame/publish-memory")
    .budget(0.5)
    .describe("updating the memory series");

/// Accounts for the memory that the tracker does not see, from now on.
pub(crate) fn watch_untracked() {
    if TRACKED {
        stats_memory::watch_untracked(stats_memory::system_heap);
    }
}

/// Updates the memory series. Call it once per frame, before the overlay ends the frame.
pub(crate) fn publish() {
    let _publish = PUBLISH.scope();
    stats_memory::publish();
}

/// Writes one line for each live allocation: address, thread, group, bytes, scopes, name.
pub(crate) fn save_dump(path: &Path) -> Result<(), String> {
    stats_memory::save_dump(path)
        .map(|_| ())
        .map_err(|error| format!("{error}; choose a file in an existing, writable folder"))
}
