//! The textures of the overlay.

use bevy_app::PostUpdate;
use bevy_asset::{AssetApp, AssetEvent, AssetPlugin, Assets, Handle};
use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use bevy_egui::EguiPostUpdateSet;
use bevy_image::Image;

use crate::game::Game;

#[derive(Resource)]
struct Changed(Handle<Image>);

fn change(mut images: ResMut<Assets<Image>>, mut commands: Commands) {
    commands.insert_resource(Changed(images.add(Image::default())));
}

#[test]
fn a_texture_that_egui_changes_is_extracted_in_the_same_frame() {
    let mut game = Game::new();
    (game.app)
        .add_plugins(AssetPlugin::default())
        .init_asset::<Image>()
        .add_systems(
            PostUpdate,
            change.in_set(EguiPostUpdateSet::PostProcessOutput),
        );
    for _ in 0..3 {
        game.frame();
        let world = game.app.world();
        let added = AssetEvent::Added {
            id: world.resource::<Changed>().0.id(),
        };
        let mut messages =
            (world.resource::<Messages<AssetEvent<Image>>>()).iter_current_update_messages();
        assert!(messages.any(|message| *message == added));
    }
}
