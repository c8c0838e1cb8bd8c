//! The presets in the overlay's menu and the counters on its HUD, loaded from files.
//!
//! The files have the format of the overlay's own settings file. To make presets for a game of your
//! own, arrange the panes in the overlay, save them as presets, and copy them from that file. A
//! field that is left out has its default.
use stats_overlay::{FRAME_TIME, Preset, SavedPane, SavedState, StatsOverlay};

use crate::memory::TRACKED;

/// The preset that a new player sees.
pub(super) const FIRST: &str = "Frame";
/// The preset with the distributions of all histograms.
pub(crate) const DISTRIBUTIONS: &str = "Distributions";
/// The preset with the frame times in figures.
pub(crate) const STATISTICS: &str = "Frame statistics";
/// The preset with the frame's time on the CPU and on the GPU.
pub(crate) const GPU: &str = "GPU";
/// The preset with the memory of each group.
pub(crate) const MEMORY: &str = "Memory";
/// The preset with the memory, the loading of levels, and the network.
pub(crate) const MEMORY_AND_NETWORK: &str = "Memory and network";

/// The presets and pins of a new player.
const DEFAULTS: &str = include_str!("../../../../assets/game/overlay.json");
/// The beginnings of the paths of what is sampled only while the overlay or a capture reads it.
const SAMPLED: [&str; 6] = [
    "machine/",
    "process/cpu",
    "process/memory-peak",
    "process/read-bytes",
    "process/threads",
    "process/written-bytes",
];
/// Layouts that only the tour shows.
const TOUR: &str = include_str!("../../../../assets/game/tour.json");

/// Adds the game's presets to the overlay's menu, shows the first, and pins the counters of the
/// HUD.
pub(super) fn install(overlay: &mut StatsOverlay) {
    let SavedState {
        presets, pinned, ..
    } = defaults();
    for preset in presets {
        overlay.add_preset(preset);
    }
    overlay.show_preset(FIRST);
    for path in pinned {
        overlay.pin(&path);
    }
}

/// Returns the panes of a layout of the tour.
pub(super) fn tour_panes(name: &str) -> Vec<SavedPane> {
    read("tour.json", TOUR)
        .presets
        .into_iter()
        .find(|preset| preset.name == name)
        .unwrap_or_else(|| panic!("assets/game/tour.json has no preset named {name}"))
        .panes
}

/// Returns the paths in presets, the HUD and the tour, sorted and without duplicates. The frame
/// time is not among them, because the overlay always records it, and neither is what the machine
/// does, which is sampled while the overlay shows it.
pub(super) fn paths() -> Vec<String> {
    let SavedState {
        presets, pinned, ..
    } = defaults();
    let tour = read("tour.json", TOUR).presets;
    let shown = presets
        .into_iter()
        .chain(tour)
        .flat_map(|preset| preset.panes)
        .flat_map(|pane| pane.paths);
    let mut paths: Vec<String> = shown
        .chain(pinned)
        .filter(|path| path != FRAME_TIME && !SAMPLED.iter().any(|begin| path.starts_with(begin)))
        .collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}

fn defaults() -> SavedState {
    let mut defaults = read("overlay.json", DEFAULTS);
    if !TRACKED {
        defaults.presets = defaults
            .presets
            .into_iter()
            .filter_map(without_memory)
            .collect();
    }
    defaults
}

/// Removes the series that only a build with the memory tracker has. Returns `None` if nothing is
/// left.
fn without_memory(mut preset: Preset) -> Option<Preset> {
    for pane in &mut preset.panes {
        pane.paths.retain(|path| !path.starts_with("memory/"));
    }
    preset.panes.retain(|pane| !pane.paths.is_empty());
    (!preset.panes.is_empty()).then_some(preset)
}

/// Reads a file that is compiled into the program, and is thus valid unless a developer has just
/// broken it.
fn read(file: &str, text: &str) -> SavedState {
    text.parse()
        .unwrap_or_else(|error| panic!("assets/game/{file} cannot be read: {error}"))
}

#[cfg(test)]
mod tests {
    use stats_overlay::ValueRange;

    use super::*;

    #[test]
    fn every_preset_is_offered_under_its_name_and_has_one_to_three_panes() {
        let mut overlay = StatsOverlay::new();
        install(&mut overlay);
        for preset in defaults().presets {
            assert!((1..=3).contains(&preset.panes.len()), "{}", preset.name);
            assert!(overlay.show_preset(&preset.name), "{}", preset.name);
            assert_eq!(overlay.pane_count(), preset.panes.len());
        }
    }

    /// The key that goes to a hitch adds series of any unit to the active pane.
    #[test]
    fn series_that_are_added_to_a_preset_have_an_axis_of_their_unit() {
        let tour = ["Four panes", "Path searches"].map(tour_panes);
        let presets = defaults().presets.into_iter().map(|preset| preset.panes);
        for pane in presets.chain(tour).flatten() {
            assert_ne!(pane.graph.range, ValueRange::Shared, "{:?}", pane.paths);
        }
    }

    #[test]
    fn the_readme_lists_the_presets_in_their_order() {
        let readme = include_str!("../../README.md");
        let listed = readme
            .split("\n## ")
            .find(|part| part.starts_with("Presets"));
        let rows = listed.expect("a section").lines();
        let names: Vec<&str> = rows
            .filter_map(|row| row.strip_prefix("| ")?.split(" |").next())
            .filter(|name| *name != "preset")
            .collect();
        let presets = read("overlay.json", DEFAULTS).presets;
        let expected: Vec<&str> = presets.iter().map(|preset| preset.name.as_str()).collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn every_preset_that_the_code_names_is_in_the_files() {
        let presets = read("overlay.json", DEFAULTS).presets;
        let named = [
            FIRST,
            DISTRIBUTIONS,
            STATISTICS,
            GPU,
            MEMORY,
            MEMORY_AND_NETWORK,
        ];
        for name in named {
            assert!(presets.iter().any(|preset| preset.name == name), "{name}");
        }
        assert_eq!(tour_panes("Four panes").len(), 4);
        assert_eq!(tour_panes("Path searches").len(), 2);
    }
}
