//! The half-minute that shows everything once, and the pictures it leaves.
use std::path::Path;

use egui::Theme::{Dark, Light};

use crate::game::{FRAMES_PER_SECOND, Game};
use crate::overlay::View;
use crate::script::{Action, Stop};
use crate::sim::faults::Fault;

/// What the HUD shows in its picture.
const PINNED: [&str; 5] = ["sim/step", "frame/simulate", "render/draw-calls", "agents/alive", "paths/nodes-expanded"];

type Change = fn(&mut Game);

/// The tour, its pictures in this folder.
pub(crate) fn tour(folder: &Path) -> Vec<Stop> {
    let plan: [(f64, &str, Change); 13] = [
        (0.0, "", begin),
        // The first frame waited for the device to make everything.
        (1.0 / f64::from(FRAMES_PER_SECOND) + 0.01, "", |game| game.overlay.restart_frame()),
        (4.0, "1-game.png", hud),
        (8.0, "2-hud.png", |game| game.overlay.set_view(View::Graph)),
        (12.0, "", |game| game.sim.faults.set(Fault::PathHitch, true)),
        (20.0, "3-full.png", |game| game.ctx.set_theme(Light)),
        (20.5, "4-full-light.png", search),
        (21.0, "5-search.png", panes),
        (22.5, "6-panes.png", |game| game.overlay.show_searches()),
        (23.5, "7-spikes.png", pause),
        (24.0, "8-range.png", help),
        (24.4, "9-help.png", settings),
        (24.8, "10-settings.png", next_level),
    ];
    let stops = plan.into_iter().flat_map(|(at, name, change)| {
        let picture = (!name.is_empty()).then(|| Stop { at, action: Action::Picture(folder.join(name)) });
        picture.into_iter().chain([Stop { at, action: Action::Do(change) }])
    });
    stops.chain([Stop { at: 30.0, action: Action::Picture(folder.join("11-level-2.png")) }]).collect()
}

/// A tour's frames have two steps of the game's time each, and take as long.
fn begin(game: &mut Game) {
    game.overlay.set_frame_budget(1e3 / f64::from(FRAMES_PER_SECOND));
    game.overlay.set_view(View::Hidden);
}

fn hud(game: &mut Game) {
    PINNED.into_iter().for_each(|path| game.overlay.set_pinned(path, true));
    game.overlay.set_view(View::Hud);
}

fn search(game: &mut Game) {
    game.ctx.set_theme(Dark);
    game.overlay.set_search("paths");
}

fn panes(game: &mut Game) {
    game.overlay.set_search("");
    game.overlay.show_four_panes();
}

/// Paused, with some frames selected.
fn pause(game: &mut Game) {
    game.overlay.show_preset("Frame");
    game.overlay.set_paused(true);
    game.overlay.select_last(Some((180, 60)));
}

fn help(game: &mut Game) {
    game.overlay.select_last(None);
    game.overlay.toggle_help();
}

fn settings(game: &mut Game) {
    game.overlay.toggle_help();
    game.overlay.toggle_settings();
}

fn next_level(game: &mut Game) {
    game.overlay.toggle_settings();
    game.overlay.set_paused(false);
    game.overlay.show_preset("Memory and network");
    game.sim.faults.set(Fault::PathHitch, false);
    game.sim.next_level();
}
