//! Who may hold how much memory: the game's groups with their budgets, and the allocator that
//! counts what they hold.
//!
//! Every system enters a scope of its own where its step begins, and so does loading. What egui,
//! wgpu and rapier allocate counts to the scope around the call.
mod report;

#[cfg(feature = "memory")]
use std::alloc::System;
use std::path::Path;

use stats_core::Timer;
use stats_memory::Group;
#[cfg(feature = "memory")]
use stats_memory::{Records, TrackingAllocator};

pub(crate) use report::{over_budget, report};

/// Each allocation with its thread, which is the dearest of the three modes: this game is here to
/// be looked at.
#[cfg(feature = "memory")]
#[global_allocator]
static ALLOCATOR: TrackingAllocator<System, Records> = TrackingAllocator::new(System);

/// Whether the game was built with its tracker.
pub(crate) const TRACKED: bool = cfg!(feature = "memory");

const MIB: u64 = 1 << 20;

/// Agents, shots and particles, the grids that find them, and whatever has no system of its own.
/// The planted leak is here.
pub(crate) static SIMULATION: Group = Group::new("simulation").budget_bytes(4 * MIB);
/// What the agents think: flocking, squads, searches for paths and their cache, the autopilot.
pub(crate) static AI: Group = Group::new("ai").budget_bytes(2 * MIB);
/// The world of rigid bodies.
pub(crate) static PHYSICS: Group = Group::new("physics").budget_bytes(4 * MIB);
/// Packets under way and at both ends.
pub(crate) static NETWORK: Group = Group::new("network").budget_bytes(MIB);
/// The map, what only a renderer needs of it, and the history of the level's run.
pub(crate) static LEVEL: Group = Group::new("level").budget_bytes(12 * MIB);
/// What wgpu and the passes hold on the processor's side; textures and buffers of the device are
/// not among it.
pub(crate) static RENDERING: Group = Group::new("rendering").budget_bytes(8 * MIB);
/// egui, the display, and the overlay with its histories.
pub(crate) static UI: Group = Group::new("ui").budget_bytes(32 * MIB);

/// The names of all groups, in the order of the list above.
pub(crate) const GROUPS: [&str; 7] = [
    "simulation",
    "ai",
    "physics",
    "network",
    "level",
    "rendering",
    "ui",
];

static PUBLISH: Timer = Timer::new("frame/publish-memory")
    .budget(0.5)
    .describe("telling the series of memory what was counted");

/// Brings the series of memory up to date; once a frame, before the overlay ends it.
pub(crate) fn publish() {
    let _publish = PUBLISH.scope();
    stats_memory::publish();
}

/// Writes a line for each live allocation: address, thread, group, bytes, scopes and name.
pub(crate) fn save_dump(path: &Path) -> Result<(), String> {
    let written = stats_memory::save_dump(path);
    written.map(|_| ()).map_err(|error| {
        format!("{error}; name a file in a folder that exists and can be written to")
    })
}
