//! The lists of entities and assets.

use bevy_asset::{Asset, AssetApp, AssetPlugin, Assets, Handle, RenderAssetUsages};
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_mesh::{Indices, Mesh, PrimitiveTopology};
use bevy_reflect::{Reflect, TypePath};
use stats_bevy::ListAssets;
use stats_bevy::stats_core::{self, Recorder, Source, Unit};
use stats_bevy::stats_overlay::Mode;

use crate::game::Game;

/// Samples the lists again: they are due in the first frame in which the overlay is visible. Few new
/// archetypes are named in a frame.
fn sample(game: &mut Game) {
    game.overlay_mut().set_mode(Mode::Hidden);
    game.frame();
    game.overlay_mut().set_mode(Mode::Hud);
    for _ in 0..8 {
        game.frame();
    }
}

fn value(path: &str) -> Option<f64> {
    let mut recorder = Recorder::new();
    recorder.end_frame();
    let id = recorder.find(path)?;
    recorder.peek(id)
}

#[derive(Component)]
struct Wings;
#[derive(Component)]
struct Beak<T>(std::marker::PhantomData<T>);

fn beak() -> Beak<u8> {
    Beak(std::marker::PhantomData)
}

#[test]
fn entities_are_listed_by_their_components() {
    let mut game = Game::alone();
    let bird = "bevy/entities/Beak<u8> + Wings";
    let birds: Vec<Entity> = (0..3)
        .map(|_| game.app.world_mut().spawn((Wings, beak())).id())
        .collect();
    game.app.world_mut().spawn(Wings);
    game.frame();
    assert_eq!(value(bird), None, "nobody looks");
    sample(&mut game);
    assert_eq!(value(bird), Some(3.0));
    assert_eq!(value("bevy/entities/Wings"), Some(1.0));
    assert!(value("bevy/entities/resources").is_some_and(|count| count > 10.0));
    for bird in birds {
        game.app.world_mut().despawn(bird);
    }
    sample(&mut game);
    assert_eq!(value(bird), Some(0.0));
}

fn add<A: Asset>(game: &mut Game, asset: A) -> Handle<A> {
    let world = game.app.world_mut();
    world.get_resource_or_init::<Assets<A>>().add(asset)
}

fn triangle() -> Mesh {
    let mut mesh = Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    );
    mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, vec![[0.0_f32; 3]; 3]);
    mesh.insert_attribute(Mesh::ATTRIBUTE_UV_0, vec![[0.0_f32; 2]; 3]);
    mesh.insert_indices(Indices::U16(vec![0, 1, 2]));
    mesh
}

#[test]
fn images_and_meshes_are_listed_with_their_bytes() {
    let mut game = Game::alone();
    let image = Image {
        data: Some(vec![0; 64]),
        ..Default::default()
    };
    let gone = Image {
        data: None,
        ..Default::default()
    };
    add(&mut game, image);
    let removed = add(&mut game, gone);
    add(&mut game, triangle());
    sample(&mut game);
    assert_eq!(value("bevy/assets/Image"), Some(2.0));
    assert_eq!(value("bevy/asset-bytes/Image"), Some(64.0));
    assert_eq!(value("bevy/assets/Mesh"), Some(1.0));
    assert_eq!(value("bevy/asset-bytes/Mesh"), Some(3.0 * 20.0 + 6.0));
    let mut unit = None;
    stats_core::for_each_series(|info| {
        if info.path == "bevy/asset-bytes/Mesh" {
            unit = Some(info.unit);
        }
    });
    assert_eq!(unit, Some(Unit::Bytes));
    let mut images = game.app.world_mut().resource_mut::<Assets<Image>>();
    images.remove(&removed);
    sample(&mut game);
    assert_eq!(value("bevy/assets/Image"), Some(1.0));
}

#[derive(Asset, TypePath)]
struct Level {
    tiles: Vec<u16>,
}

#[derive(Asset, TypePath)]
struct Voice;

#[derive(Asset, Reflect)]
struct Quest {
    title: String,
}

#[test]
fn a_type_is_listed_if_it_is_reflected_or_the_game_says_its_bytes() {
    let mut game = Game::alone();
    game.app.add_plugins(AssetPlugin::default());
    game.app.init_asset::<Level>().init_asset::<Voice>();
    game.app.init_asset::<Quest>();
    sample(&mut game);
    let unlisted = value("bevy/unlisted-asset-types").expect("counted");
    game.app.register_asset_reflect::<Quest>();
    game.app
        .list_assets::<Level>(|_| 1)
        .list_assets::<Level>(|level| size_of_val(&level.tiles[..]));
    // Bevy removes an asset whose handle is dropped.
    let levels = [3, 5].map(|tiles| {
        let tiles = vec![0; tiles];
        add(&mut game, Level { tiles })
    });
    let _voice = add(&mut game, Voice);
    let title = "tax".to_owned();
    let _quest = add(&mut game, Quest { title });
    sample(&mut game);
    assert_eq!(value("bevy/assets/Level"), Some(2.0));
    assert_eq!(value("bevy/asset-bytes/Level"), Some(16.0));
    assert_eq!(value("bevy/assets/Quest"), Some(1.0));
    assert_eq!(value("bevy/asset-bytes/Quest"), None);
    assert_eq!(value("bevy/assets/Voice"), None);
    assert_eq!(value("bevy/unlisted-asset-types"), Some(unlisted - 2.0));
    drop(levels);
    sample(&mut game);
    assert_eq!(value("bevy/assets/Level"), Some(0.0));
    assert_eq!(value("bevy/asset-bytes/Level"), Some(0.0));
}
