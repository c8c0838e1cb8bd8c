//! What the game offers in the overlay's menu: four views, each of which shows a planted fault or two.
use stats_overlay::{FRAME_TIME, Preset, SavedPane, SavedSort, StatsOverlay, ValueRange, View};

/// The preset that a new player sees.
pub(super) const FIRST: &str = "Frame";

/// Offers them all.
pub(super) fn register(overlay: &mut StatsOverlay) {
    for preset in all() {
        overlay.add_preset(preset);
    }
}

fn all() -> [Preset; 4] {
    [frame(), ai(), renderer(), memory_and_network()]
}

/// Where a frame's time goes. Path hitch: spikes of `paths/serve`. Worker stall: `flock/step` and `particles/step` swell.
fn frame() -> Preset {
    let mut parts = SavedPane::new([
        FRAME_TIME,
        "frame/simulate",
        "frame/ui",
        "frame/overlay",
        "render/extract",
        "render/record",
        "render/ui/tessellate",
        "render/submit",
    ]);
    let mut systems = SavedPane::new([
        "flock/step",
        "paths/serve",
        "bodies/step",
        "particles/step",
        "grid/build",
        "sim/fight",
        "network/encode",
        "sim/report",
    ]);
    parts.range = ValueRange::Shared;
    systems.stacked = true;
    Preset::new(FIRST, vec![parts, systems])
}

/// What the agents think, and with which threads. Path hitch: expanded tiles and failures. Worker stall: one worker is busier.
fn ai() -> Preset {
    let searches = SavedPane::new(["paths/nodes-expanded", "paths/requested", "paths/failed", "paths/queued", "paths/cache/hits"]);
    let mut workers = SavedPane::new(["jobs/worker-0/busy", "jobs/worker-1/busy", "jobs/main-thread-wait", "paths/a-star"]);
    workers.weight = 0.8;
    let mut agents =
        SavedPane::new(["agents/alive", "flock/neighbours-examined", "squads/repaths/due", "squads/without-path", "paths/failed"]);
    (agents.view, agents.weight) = (View::Table, 0.8);
    Preset::new("AI", vec![searches, workers, agents])
}

/// What is drawn and what that costs. Draw calls: many more of them, but no more instances, and only in region 2.
fn renderer() -> Preset {
    let drawn = SavedPane::new(["render/draw-calls", "render/instances", "camera/region"]);
    let mut passes = SavedPane::new([
        "render/light/record",
        "render/world/record",
        "render/particles/record",
        "render/bloom/record",
        "render/composite/record",
        "render/ui/record",
    ]);
    passes.stacked = true;
    let mut counts = SavedPane::new([
        "render/draw-calls",
        "render/instances",
        "render/vertices",
        "render/upload/bytes",
        "render/visible/agents",
        "render/visible/lights",
        "camera/region",
    ]);
    (counts.view, counts.weight) = (View::Table, 0.9);
    Preset::new("Renderer", vec![drawn, passes, counts])
}

/// What is held and what is sent. Growing array: it climbs, whatever the level does. Packet storm: bursts, and then losses.
fn memory_and_network() -> Preset {
    let held = SavedPane::new([
        "level/memory/total",
        "level/memory/history",
        "faults/growing-array",
        "render/memory/buffers",
        "render/memory/textures",
    ]);
    let mut loading = SavedPane::new(["level/load", "level/loads", "level/baked-texels", "render/upload/textures"]);
    loading.weight = 0.6;
    let sent = SavedPane::new([
        "network/out/bytes",
        "network/bursts",
        "network/in-flight",
        "network/lost",
        "network/resent",
        "network/round-trip",
    ]);
    Preset::new("Memory and network", vec![held, loading, sent])
}

/// Four panes at once, for the tour: graphs, a stacked one among them, and a table.
pub(super) fn four_panes() -> [SavedPane; 4] {
    let mut frame = SavedPane::new([FRAME_TIME, "frame/simulate", "frame/ui", "render/submit"]);
    frame.range = ValueRange::Shared;
    let mut systems = SavedPane::new(["flock/step", "paths/serve", "bodies/step", "particles/step", "grid/build", "sim/fight"]);
    systems.stacked = true;
    let searches = SavedPane::new(["paths/nodes-expanded", "paths/requested", "paths/failed", "paths/queued"]);
    let mut table = SavedPane::new([FRAME_TIME, "paths/nodes-expanded", "paths/failed", "render/draw-calls", "agents/alive"]);
    (table.view, table.weight) = (View::Table, 1.2);
    [frame, systems, searches, table]
}

/// Searches for paths as a graph, and the frames with the most of them in a table.
pub(super) fn searches() -> [SavedPane; 2] {
    let mut graph = SavedPane::new(["paths/nodes-expanded", "paths/failed", "paths/serve"]);
    graph.weight = 0.7;
    let mut table = SavedPane::new(["paths/nodes-expanded", "paths/failed", "paths/found", "paths/a-star", "paths/serve"]);
    table.view = View::Table;
    table.sort = Some(SavedSort::new("paths/nodes-expanded", true));
    [graph, table]
}

/// All paths that presets and the tour name, each once; the frame time, which the overlay itself brings, is not among them.
pub(super) fn paths() -> Vec<String> {
    let panes = all().into_iter().flat_map(|preset| preset.panes).chain(four_panes()).chain(searches());
    let mut paths: Vec<String> = panes.flat_map(|pane| pane.paths).filter(|path| path != FRAME_TIME).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_offered_under_its_name_and_has_one_to_three_panes() {
        let mut overlay = StatsOverlay::new();
        register(&mut overlay);
        for preset in all() {
            assert!((1..=3).contains(&preset.panes.len()), "{}", preset.name);
            assert!(overlay.show_preset(&preset.name), "{}", preset.name);
            assert_eq!(overlay.panes(), preset.panes.len());
        }
        assert!(overlay.show_preset(FIRST));
    }
}
