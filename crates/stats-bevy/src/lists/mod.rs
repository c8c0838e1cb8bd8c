//! What is in the main world: the entities by archetype, and the assets by type.
//!
//! [`sampler`] decides when, [`archetypes`] and [`assets`] read the world, and [`rows`] turns names into
//! series.

mod archetypes;
mod assets;
mod rows;
mod sampler;

pub use assets::ListAssets;
pub(crate) use assets::SizedAssets;
pub(crate) use sampler::publish_lists;
