//! What is in the main world: the entities by archetype, and the assets by type.
//!
//! [`sampler`] decides when, [`archetypes`] and [`assets`] read the world, and [`rows`] turns names into
//! series.

mod archetypes;
mod assets;
mod rows;
mod sampler;

use bevy_app::App;
use bevy_ecs::prelude::*;

pub use assets::ListAssets;

use crate::frame::{EndFrame, FrameEnd};

/// Adds the system that samples the lists, before each frame ends.
pub(crate) fn add(app: &mut App) {
    app.init_resource::<assets::SizedAssets>();
    app.add_systems(FrameEnd, sampler::publish_lists.before(EndFrame));
}
