//! The tour: half a minute that shows everything once, and takes a picture of each.
use std::path::Path;

use egui::Theme;

use super::{Event, Stop};
use crate::game::{FRAMES_PER_SECOND, Game};
use crate::overlay::{DISTRIBUTIONS, GPU, MEMORY, MEMORY_AND_NETWORK, STATISTICS, Start};
use crate::sim::faults::Fault;

type Change = fn(&mut Game);

/// Returns the stops of the tour. Its pictures are written to `folder`.
///
/// Each line of the plan is a time in seconds, the name of the picture to take then, if any, and
/// what to change afterward.
pub(super) fn tour(folder: &Path) -> Vec<Stop> {
    let plan: [(f64, &str, Change); 22] = [
        (0.0, "", |game| game.overlay.set_start(Start::Hidden)),
        // The first frame waits until the device has created everything.
        (1.0 / f64::from(FRAMES_PER_SECOND) + 0.01, "", |game| {
            game.overlay.restart_frame()
        }),
        (4.0, "1-game.png", |game| game.overlay.set_start(Start::Hud)),
        (8.0, "2-hud.png", |game| {
            game.overlay.set_start(Start::Watch)
        }),
        (9.0, "2-watch.png", |game| {
            game.overlay.set_start(Start::Graph)
        }),
        (12.0, "", |game| game.sim.faults.set(Fault::PathHitch, true)),
        (20.0, "3-full.png", swap_theme),
        (20.5, "4-full-other-theme.png", search),
        (21.0, "5-search.png", panes),
        (22.5, "6-panes.png", |game| {
            game.overlay.show_tour_panes("Path searches")
        }),
        (23.5, "7-spikes.png", |game| {
            game.overlay.show_preset(DISTRIBUTIONS)
        }),
        (24.1, "8-distribution.png", |game| {
            game.overlay.show_preset(STATISTICS)
        }),
        (24.7, "9-statistics.png", |game| {
            game.overlay.show_preset(GPU)
        }),
        (25.2, "10-gpu.png", pause),
        (25.7, "11-range.png", help),
        (26.0, "12-help.png", settings),
        (26.3, "13-settings.png", memory),
        (26.7, "14-memory.png", |game| {
            game.sim.faults.set(Fault::GrowingArray, true)
        }),
        (27.0, "", |game| game.overlay.compare_memory()),
        // Half a second later, the array would exceed the budget of its group, and the run would
        // fail.
        (27.15, "", |game| {
            game.sim.faults.set(Fault::GrowingArray, false)
        }),
        (27.6, "15-memory-compare.png", groups),
        (28.0, "16-memory-groups.png", next_level),
    ];
    let stops = plan.into_iter().flat_map(|(at, name, change)| {
        let picture = (!name.is_empty()).then(|| Stop {
            at,
            event: Event::Picture(folder.join(name)),
        });
        picture.into_iter().chain([Stop {
            at,
            event: Event::Do(change),
        }])
    });
    stops
        .chain([Stop {
            at: 30.0,
            event: Event::Picture(folder.join("17-level-2.png")),
        }])
        .collect()
}

/// Shows the overlay in the other theme.
fn swap_theme(game: &mut Game) {
    game.ctx.set_theme(match game.ctx.theme() {
        Theme::Dark => Theme::Light,
        Theme::Light => Theme::Dark,
    });
}

fn search(game: &mut Game) {
    swap_theme(game);
    game.overlay.set_search("paths");
}

fn panes(game: &mut Game) {
    game.overlay.set_search("");
    game.overlay.show_tour_panes("Four panes");
}

/// Pauses and selects some frames.
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

/// Opens the memory view, before the planted leak begins.
fn memory(game: &mut Game) {
    game.overlay.toggle_settings();
    game.overlay.set_paused(false);
    game.overlay.toggle_memory();
}

fn groups(game: &mut Game) {
    game.overlay.toggle_memory();
    game.overlay.show_preset(MEMORY);
}

fn next_level(game: &mut Game) {
    game.overlay.show_preset(MEMORY_AND_NETWORK);
    game.sim.faults.set(Fault::PathHitch, false);
    game.sim.next_level();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{self, Args};
    use crate::tests::alone;

    #[test]
    fn all_pictures_but_one_have_the_theme_that_the_tour_was_started_with() {
        let _alone = alone();
        for theme in [args::Theme::Dark, args::Theme::Light] {
            let args = Args {
                theme,
                population: 0.06,
                ..Args::default()
            };
            let mut game = Game::new(&args, false);
            let own = game.ctx.theme();
            let mut others = Vec::new();
            for stop in tour(Path::new("")) {
                match stop.event {
                    Event::Do(change) => change(&mut game),
                    Event::Picture(file) if game.ctx.theme() != own => others.push(file),
                    Event::Picture(_) => {}
                }
            }
            assert_eq!(others, [Path::new("4-full-other-theme.png")], "{theme:?}");
        }
    }
}
