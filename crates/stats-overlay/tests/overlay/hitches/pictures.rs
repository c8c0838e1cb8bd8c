//! Pictures of hitches, which the host hands over.

use egui::{Key, TextureId};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_overlay::{Action, Mode};

use super::planted::{long_frame, play, with_hitch};
use crate::host::{Host, press, value_of};
use crate::painted::for_each_shape;

const SIZE: (u32, u32) = (64, 40);

/// Returns the pixels of a picture whose color is the number of its frame.
fn pixels(frame: u64) -> Vec<u8> {
    let [low, high, ..] = frame.to_le_bytes();
    [low, high, 77, 255].repeat((SIZE.0 * SIZE.1) as usize)
}

fn add(harness: &mut Harness<'_, Host>, frame: u64) {
    let overlay = &mut harness.state_mut().overlay;
    overlay.add_picture(frame, SIZE.0, SIZE.1, &pixels(frame));
    harness.run_steps(2);
}

fn wanted(harness: &Harness<'_, Host>) -> Option<u64> {
    harness.state().overlay.wanted_picture()
}

/// Returns the textures on screen, without that of the fonts.
fn textures(harness: &Harness<'_, Host>) -> Vec<TextureId> {
    let mut ids = Vec::new();
    for_each_shape(&harness.output().shapes, |shape, _| {
        ids.push(shape.texture_id())
    });
    ids.retain(|id| *id != TextureId::default());
    ids
}

/// Plays until a hitch in frame 100, and one frame more.
fn with_new_hitch(scope: &'static str, mode: Mode) -> Harness<'static, Host> {
    let mut harness = with_hitch(scope, mode);
    // The picture of the first hitch never comes.
    play(&mut harness, scope, 40);
    assert_eq!(wanted(&harness), None);
    long_frame(&mut harness, scope);
    harness
}

#[test]
fn the_picture_of_a_hitch_is_wanted_once_and_shown_with_it() {
    let scope = "shot-of-hitch-shown";
    let mut harness = with_new_hitch(scope, Mode::Full);
    assert_eq!(wanted(&harness), Some(181), "in the pass after its frame");
    assert!(textures(&harness).is_empty());
    add(&mut harness, 180);
    assert_eq!(wanted(&harness), Some(181), "it shows an earlier frame");
    add(&mut harness, 181);
    assert_eq!(wanted(&harness), None);
    // A hitch is listed some frames after it was noticed.
    play(&mut harness, scope, 5);
    let in_row = textures(&harness);
    assert_eq!(in_row.len(), 1, "small, in its row");
    // The newest hitch is the first row.
    press(&mut harness, Key::ArrowDown);
    harness.run_steps(2);
    assert_eq!(value_of(&harness, "Picture"), "The screen in this frame");
    assert_eq!(
        textures(&harness),
        [in_row[0], in_row[0]],
        "in the details, too"
    );
    // The other hitch has none.
    press(&mut harness, Key::ArrowDown);
    harness.run_steps(2);
    assert!(harness.query_by_label("Picture").is_none());
    assert_eq!(textures(&harness), in_row);
}

#[test]
fn a_picture_of_a_later_frame_says_so() {
    let scope = "shot-of-hitch-later";
    let mut harness = with_new_hitch(scope, Mode::Full);
    play(&mut harness, scope, 3);
    add(&mut harness, 183);
    press(&mut harness, Key::ArrowDown);
    harness.run_steps(2);
    assert_eq!(value_of(&harness, "Picture"), "The screen 2 frames later");
}

#[test]
fn a_picture_is_wanted_for_64_frames_and_without_a_hitch_there_is_none() {
    let scope = "shot-of-hitch-wanted";
    let mut harness = with_hitch(scope, Mode::Hud);
    assert_eq!(wanted(&harness), Some(100));
    play(&mut harness, scope, 24);
    assert_eq!(wanted(&harness), Some(100));
    play(&mut harness, scope, 1);
    assert_eq!(wanted(&harness), None);
    play(&mut harness, scope, 50);
    assert_eq!(wanted(&harness), None);
    add(&mut harness, 200);
    assert!(textures(&harness).is_empty(), "it is ignored");
}

#[test]
fn pictures_are_freed_with_the_source() {
    let scope = "shot-of-hitch-freed";
    let mut harness = with_new_hitch(scope, Mode::Full);
    let loaded = |harness: &Harness<'_, Host>| harness.ctx.tex_manager().read().num_allocated();
    let before = loaded(&harness);
    add(&mut harness, 181);
    assert_eq!(loaded(&harness), before + 1);
    harness.state_mut().overlay.forget_source();
    harness.run_steps(2);
    assert_eq!(loaded(&harness), before);
    assert!(textures(&harness).is_empty());
    harness.state_mut().overlay.act(Action::Hide);
    harness.run_steps(1);
}
