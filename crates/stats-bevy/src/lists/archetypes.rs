//! The entities by the components that they have.

use bevy_ecs::archetype::Archetype;
use bevy_ecs::prelude::*;
use bevy_ecs::resource::IsResource;
use stats_core::Unit;
use stats_core::segment::MAX_NAME;

use super::rows::{OTHERS, RowId, Rows};

/// The name of the row of all entities that contain a resource.
const RESOURCES: &str = "resources";
/// The name of the row of entities without a component.
const EMPTY: &str = "no components";

/// The rows of the archetypes that had entities so far.
#[derive(Debug)]
pub(super) struct Archetypes {
    rows: Rows,
    /// By the number of the archetype, which never changes.
    known: Vec<Option<RowId>>,
    resources: RowId,
}

impl Default for Archetypes {
    fn default() -> Self {
        let mut rows = Rows::new("bevy/entities", Unit::Count, &[OTHERS, RESOURCES, EMPTY]);
        // Reserved, so that no name of components is this segment.
        let resources = rows.fixed_row(RESOURCES, "entities that contain a resource each");
        Self {
            rows,
            known: Vec::new(),
            resources,
        }
    }
}

impl Archetypes {
    /// Continues a sample, and names at most `most` new archetypes. Returns whether the sample is
    /// complete; the gauges are then set. Of new archetypes, those with the most entities get a row
    /// while there is room.
    pub(super) fn step(&mut self, world: &World, most: usize) -> bool {
        let all = world.archetypes();
        self.known.resize(all.len(), None);
        let is_new =
            |kind: &&Archetype| !kind.is_empty() && self.known[kind.id().index()].is_none();
        let mut new: Vec<&Archetype> = all.iter().filter(is_new).collect();
        new.sort_by_key(|kind| std::cmp::Reverse(kind.len()));
        let resource = world.component_id::<IsResource>();
        let mut left = most;
        for kind in new {
            let row = if resource.is_some_and(|id| kind.contains(id)) {
                self.resources
            } else if self.rows.is_full() {
                RowId::Others
            } else if left > 0 {
                left -= 1;
                self.row(world, kind)
            } else {
                return false;
            };
            self.known[kind.id().index()] = Some(row);
        }
        for kind in all.iter() {
            if let Some(row) = self.known[kind.id().index()] {
                self.rows.add(row, u64::from(kind.len()));
            }
        }
        self.rows.publish();
        true
    }

    fn row(&mut self, world: &World, kind: &Archetype) -> RowId {
        let names = names(world, kind);
        if names.is_empty() {
            return self.rows.fixed_row(EMPTY, "entities without a component");
        }
        let description = match names.len() <= MAX_NAME {
            true => "entities with exactly these components".to_owned(),
            false => format!("entities with exactly these components: {names}"),
        };
        self.rows.row(&names, &description)
    }
}

/// Returns the short names of the components of an archetype: those of the game first, then Bevy's.
fn names(world: &World, kind: &Archetype) -> String {
    let mut names: Vec<(bool, String)> = kind
        .iter_components()
        .map(|id| match world.components().get_name(id) {
            Some(name) => (name.starts_with("bevy_"), name.shortname().to_string()),
            None => (true, format!("{id:?}")),
        })
        .collect();
    names.sort_unstable();
    let names: Vec<String> = names.into_iter().map(|(_, name)| name).collect();
    names.join(" + ")
}

#[cfg(all(test, feature = "enabled"))]
mod tests {
    use std::collections::BTreeMap;

    use stats_core::{Recorder, for_each_series};

    use super::super::rows::MAX_ROWS;
    use super::*;

    #[derive(Component)]
    struct Bit<const AT: usize>;

    #[derive(Resource)]
    struct Score;

    fn spawn(world: &mut World, bits: usize) {
        let mut entity = world.spawn_empty();
        macro_rules! insert {
            ($($at:literal)*) => {
                $(if bits >> $at & 1 == 1 {
                    entity.insert(Bit::<$at>);
                })*
            };
        }
        insert!(0 1 2 3 4 5 6 7);
    }

    fn name(bits: usize) -> String {
        let bits = (0..8).filter(|at| bits >> at & 1 == 1);
        let names: Vec<String> = bits.map(|at| format!("Bit<{at}>")).collect();
        match names.is_empty() {
            true => EMPTY.to_owned(),
            false => names.join(" + "),
        }
    }

    fn rows() -> BTreeMap<String, f64> {
        let mut recorder = Recorder::new();
        let mut found = Vec::new();
        for_each_series(|info| {
            if let Some(name) = info.path.strip_prefix("bevy/entities/") {
                found.push((name.to_owned(), info.id));
            }
        });
        recorder.end_frame();
        let value = |(name, id)| (name, recorder.peek(id).expect("a gauge is known at once"));
        found.into_iter().map(value).collect()
    }

    #[test]
    fn every_entity_is_in_one_row_and_the_largest_archetypes_have_rows() {
        let (mut world, mut list) = (World::new(), None);
        world.insert_resource(Score);
        // Archetypes come in the order of their sizes, the smallest first.
        for bits in 0..256 {
            for _ in 0..=bits {
                spawn(&mut world, bits);
            }
        }
        for round in 0..2 {
            let list = list.get_or_insert_with(Archetypes::default);
            let mut frames = 1;
            while !list.step(&world, 10) {
                frames += 1;
            }
            assert_eq!(frames, if round == 0 { 13 } else { 1 });
            let rows = rows();
            let all: u64 = (0..256).map(|bits| bits + 1).sum();
            let resources = rows[RESOURCES];
            assert!(resources >= 1.0);
            assert_eq!(
                rows.values().sum::<f64>(),
                all as f64 + resources,
                "{round}"
            );
            // One row is that of the resources.
            assert_eq!(rows.len(), MAX_ROWS + 1);
            let first = 256 - (MAX_ROWS - 1);
            assert!((first..256).all(|bits| rows[&name(bits)] == bits as f64 + 1.0));
            let others: u64 = (0..first as u64).map(|bits| bits + 1).sum();
            assert_eq!(rows[OTHERS], others as f64);
        }
        let entities: Vec<Entity> = (world.query_filtered::<Entity, Without<IsResource>>())
            .iter(&world)
            .collect();
        for entity in entities {
            world.despawn(entity);
        }
        assert!(list.expect("it was made").step(&world, 0));
        let rows = rows();
        assert_eq!(rows.values().sum::<f64>(), rows[RESOURCES]);
    }
}
