//! The assets by type.

use std::any::{TypeId, type_name};
use std::collections::HashSet;
use std::fmt::{self, Debug};

use bevy_app::App;
use bevy_asset::{Asset, Assets, ReflectAsset};
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_mesh::{Indices, Mesh};
use bevy_utils::prelude::ShortName;
use stats_core::{Gauge, Unit};

use super::rows::{OTHERS, RowId, Rows};

/// The path of the resource that has the assets of a type, up to the type.
const ASSETS: &str = "bevy_asset::assets::Assets<";

const COUNT: &str = "assets of this type";

static UNLISTED: Gauge = Gauge::new("bevy/unlisted-asset-types").describe(
    "types of assets that are not in the list bevy/assets, because Bevy cannot count them without \
     their type: call list_assets for those that matter",
);

/// Adds [`list_assets`](Self::list_assets) to an [`App`].
pub trait ListAssets {
    /// Adds a type to the [list of assets](crate#lists), with a function that returns the bytes of an
    /// asset. A type that was added before gets this function.
    ///
    /// Images and meshes are in the list with their bytes, and types that were registered with
    /// `register_asset_reflect` with their number alone. The function is called for each asset in
    /// each sample, so it should not take longer than adding up some lengths.
    ///
    /// ```
    /// # use bevy_app::App;
    /// # use bevy_asset::Asset;
    /// # use bevy_reflect::TypePath;
    /// use stats_bevy::ListAssets;
    ///
    /// #[derive(Asset, TypePath)]
    /// struct Level {
    ///     tiles: Vec<u16>,
    /// }
    ///
    /// # let mut app = App::new();
    /// app.list_assets::<Level>(|level| size_of_val(&level.tiles[..]));
    /// ```
    fn list_assets<A: Asset>(&mut self, bytes: fn(&A) -> usize) -> &mut Self;
}

impl ListAssets for App {
    fn list_assets<A: Asset>(&mut self, bytes: fn(&A) -> usize) -> &mut Self {
        if stats_core::ENABLED {
            let new = SizedType::new(bytes);
            let world = self.world_mut();
            let types = &mut world.get_resource_or_init::<SizedAssets>().0;
            // In its place, because the list of assets keeps rows by places.
            match types.iter_mut().find(|known| known.id == new.id) {
                Some(known) => *known = new,
                None => types.push(new),
            }
        }
        self
    }
}

/// The types whose bytes are known.
#[derive(Resource, Debug)]
pub(crate) struct SizedAssets(Vec<SizedType>);

impl Default for SizedAssets {
    fn default() -> Self {
        Self(vec![
            SizedType::new(image_bytes),
            SizedType::new(mesh_bytes),
        ])
    }
}

/// Returns the bytes of some assets of a type, and their number: those after the first `skip`, and at
/// most `take`.
type Measure = Box<dyn Fn(&World, usize, usize) -> (u64, usize) + Send + Sync>;

struct SizedType {
    /// Of the resource that has the assets.
    id: TypeId,
    name: String,
    len: fn(&World) -> usize,
    measure: Measure,
}

impl Debug for SizedType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("SizedType")
            .field(&self.name)
            .finish()
    }
}

impl SizedType {
    fn new<A: Asset>(bytes: fn(&A) -> usize) -> Self {
        Self {
            id: TypeId::of::<Assets<A>>(),
            name: ShortName(type_name::<A>()).to_string(),
            len: |world| world.get_resource::<Assets<A>>().map_or(0, Assets::len),
            measure: Box::new(move |world, skip, take| {
                let Some(assets) = world.get_resource::<Assets<A>>() else {
                    return (0, 0);
                };
                let some = assets.iter().skip(skip).take(take);
                some.fold((0, 0), |(sum, count), (_, asset)| {
                    (sum + bytes(asset) as u64, count + 1)
                })
            }),
        }
    }
}

/// Returns the length of the pixels. Those that only the GPU has are not counted.
fn image_bytes(image: &Image) -> usize {
    image.data.as_ref().map_or(0, Vec::len)
}

/// Returns the bytes of the attributes and indices. Those that only the GPU has are not counted.
fn mesh_bytes(mesh: &Mesh) -> usize {
    let attributes = mesh.try_attributes().into_iter().flatten();
    let attributes: usize = attributes.map(|(_, values)| values.get_bytes().len()).sum();
    let indices = match mesh.try_indices() {
        Ok(Indices::U16(indices)) => size_of_val(&indices[..]),
        Ok(Indices::U32(indices)) => size_of_val(&indices[..]),
        Err(_) => 0,
    };
    attributes + indices
}

/// The list of assets.
#[derive(Debug)]
pub(super) struct AssetList {
    counts: Rows,
    bytes: Rows,
    /// In the order of [`SizedAssets`]. A type has rows from its first asset on.
    sized: Vec<Option<(RowId, RowId)>>,
    counted: Vec<CountedType>,
    /// The numbers of components and of types with bytes when the types were looked for.
    looked_at: (usize, usize),
    /// The place in the sample: the type, and the number of its assets that were added up.
    next: (usize, usize),
}

/// A type that is counted without its bytes.
struct CountedType {
    assets: ReflectAsset,
    name: String,
    row: Option<RowId>,
}

impl Debug for CountedType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (formatter.debug_tuple("CountedType").field(&self.name)).finish()
    }
}

impl Default for AssetList {
    fn default() -> Self {
        Self {
            counts: Rows::new("bevy/assets", Unit::Count, &[OTHERS]),
            bytes: Rows::new("bevy/asset-bytes", Unit::Bytes, &[OTHERS]),
            sized: Vec::new(),
            counted: Vec::new(),
            looked_at: (0, 0),
            next: (0, 0),
        }
    }
}

impl AssetList {
    /// Continues a sample, and adds up the bytes of at most `most` assets. Returns whether the sample
    /// is complete; then the gauges are set.
    pub(super) fn step(&mut self, world: &World, most: usize) -> bool {
        let Some(SizedAssets(types)) = world.get_resource::<SizedAssets>() else {
            return true;
        };
        if self.next == (0, 0) {
            self.look(world, types);
        }
        let mut left = most;
        while let Some(kind) = types.get(self.next.0) {
            let (bytes, seen) = (kind.measure)(world, self.next.1, left);
            self.add_bytes(kind, bytes, seen);
            if seen == left {
                self.next.1 += seen;
                return false;
            }
            left -= seen;
            self.next = (self.next.0 + 1, 0);
        }
        self.next = (0, 0);
        self.count(world, types);
        self.counts.publish();
        self.bytes.publish();
        true
    }

    fn add_bytes(&mut self, kind: &SizedType, bytes: u64, seen: usize) {
        self.sized
            .resize(self.sized.len().max(self.next.0 + 1), None);
        let rows = &mut self.sized[self.next.0];
        if seen > 0 && rows.is_none() {
            let description = "bytes of the assets of this type in main memory";
            let bytes = self.bytes.row(&kind.name, description);
            *rows = Some((self.counts.row(&kind.name, COUNT), bytes));
        }
        if let Some((_, row)) = rows {
            self.bytes.add(*row, bytes);
        }
    }

    fn count(&mut self, world: &World, types: &[SizedType]) {
        for (kind, rows) in types.iter().zip(&self.sized) {
            if let Some((row, _)) = rows {
                self.counts.add(*row, (kind.len)(world) as u64);
            }
        }
        for kind in &mut self.counted {
            let count = match has_assets(world, &kind.assets) {
                true => kind.assets.len(world) as u64,
                false => 0,
            };
            if count > 0 && kind.row.is_none() {
                kind.row = Some(self.counts.row(&kind.name, COUNT));
            }
            if let Some(row) = kind.row {
                self.counts.add(row, count);
            }
        }
    }

    /// Looks for the types that have assets, if there may be new ones.
    fn look(&mut self, world: &World, types: &[SizedType]) {
        let now = (world.components().num_registered(), types.len());
        if std::mem::replace(&mut self.looked_at, now) == now {
            return;
        }
        let mut listed: HashSet<TypeId> = types.iter().map(|kind| kind.id).collect();
        self.counted.clear();
        if let Some(registry) = world.get_resource::<AppTypeRegistry>() {
            for (kind, assets) in registry.read().iter_with_data::<ReflectAsset>() {
                if listed.insert(assets.assets_resource_type_id()) {
                    self.counted.push(CountedType {
                        assets: assets.clone(),
                        name: ShortName(kind.type_info().type_path()).to_string(),
                        row: None,
                    });
                }
            }
        }
        let all = world.components().iter_registered();
        let others = all.filter(|kind| {
            kind.name().starts_with(ASSETS)
                && !kind.type_id().is_some_and(|id| listed.contains(&id))
        });
        UNLISTED.set(others.count());
    }
}

fn has_assets(world: &World, assets: &ReflectAsset) -> bool {
    let id = (world.components()).get_valid_id(assets.assets_resource_type_id());
    id.is_some_and(|id| world.contains_resource_by_id(id))
}

#[cfg(all(test, feature = "enabled"))]
mod tests {
    use bevy_reflect::TypePath;
    use stats_core::{Recorder, Source};

    use super::*;

    #[derive(Asset, TypePath)]
    struct Part(usize);

    #[test]
    fn many_assets_are_added_up_over_several_frames() {
        for most in 1..=8 {
            let mut world = World::new();
            let mut assets = Assets::<Part>::default();
            let handles: Vec<_> = (0..7).map(|bytes| assets.add(Part(bytes))).collect();
            assets.remove(&handles[3]);
            world.insert_resource(assets);
            world.insert_resource(SizedAssets(vec![SizedType::new(|part: &Part| part.0)]));
            let mut list = AssetList::default();
            for sample in 0..2 {
                let mut frames = 1;
                while !list.step(&world, most) {
                    frames += 1;
                }
                assert_eq!(frames, 6 / most + 1, "sample {sample}, {most} in a frame");
                let mut recorder = Recorder::new();
                recorder.end_frame();
                let mut value = |path| recorder.find(path).and_then(|id| recorder.peek(id));
                assert_eq!(value("bevy/assets/Part"), Some(6.0));
                assert_eq!(value("bevy/asset-bytes/Part"), Some(18.0));
            }
        }
    }
}
