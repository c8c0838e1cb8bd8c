//! Samples the lists while somebody looks.

use std::time::Duration;

use bevy_ecs::prelude::*;
use bevy_platform::time::Instant;
use stats_overlay::Mode;

use super::archetypes::Archetypes;
use super::assets::AssetList;
use crate::overlay::Overlay;

/// The shortest time between two samples.
const EVERY: Duration = Duration::from_millis(250);

/// The number of assets whose bytes are added up in a frame.
const ASSETS_IN_A_FRAME: usize = 4096;

/// The number of new archetypes that are named in a frame.
const ARCHETYPES_IN_A_FRAME: usize = 8;

/// The lists, and the sample that is being taken.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    archetypes: Archetypes,
    assets: AssetList,
    /// When the next sample begins; `None` if it is now, or while one is being taken.
    due: Option<Instant>,
}

/// Samples the lists four times a second while the overlay is visible or a run is recorded, and in the
/// first frame of that.
pub(crate) fn publish_lists(world: &World, mut lists: Local<Option<Lists>>) {
    if !is_wanted(world) {
        if let Some(lists) = &mut *lists {
            lists.due = None;
        }
        return;
    }
    let _memory = stats_core::own_memory("stats-bevy");
    let lists = lists.get_or_insert_default();
    let now = Instant::now();
    if lists.due.is_some_and(|due| now < due) {
        return;
    }
    lists.due = None;
    // While the other list is not complete, the entities are counted again, which costs little.
    if lists.archetypes.step(world, ARCHETYPES_IN_A_FRAME)
        && lists.assets.step(world, ASSETS_IN_A_FRAME)
    {
        lists.due = Some(now + EVERY);
    }
}

fn is_wanted(world: &World) -> bool {
    let is_visible = world
        .get_resource::<Overlay>()
        .is_some_and(|overlay| overlay.mode() != Mode::Hidden);
    #[cfg(feature = "capture")]
    let is_recorded = world
        .get_resource::<crate::Recording>()
        .is_some_and(crate::Recording::is_active);
    #[cfg(not(feature = "capture"))]
    let is_recorded = false;
    is_visible || is_recorded
}
