//! The simulation. It advances in fixed steps, and its state depends only on the seed and the
//! controls, not on timing or on the number of worker threads.
//!
//! [`Sim`] runs the step of each system in turn. One system is one file, with its counters at the
//! top.
pub(crate) mod agents;
pub(crate) mod bodies;
pub(crate) mod clock;
pub(crate) mod faults;
mod flock;
mod gates;
mod grid;
pub(crate) mod jobs;
pub(crate) mod level;
pub(crate) mod map;
mod network;
pub(crate) mod particles;
mod paths;
mod pilot;
pub(crate) mod player;
pub(crate) mod projectiles;
mod rng;
pub(crate) mod scenery;
mod squads;
pub(crate) mod stage;
mod terrain;
mod world;

pub(crate) use rapier2d::math::Vector as Vec2;
pub(crate) use world::{Config, Sim};

/// The duration of one step, in seconds.
pub(crate) const STEP: f32 = 1.0 / STEPS_PER_SECOND as f32;
/// Steps per second of game time.
pub(crate) const STEPS_PER_SECOND: u32 = 60;
