//! What the game offers in the overlay's menu: eight views, most of which show a planted fault or
//! two.
use stats_overlay::{FRAME_TIME, PaneView, Preset, SavedPane, SavedSort, StatsOverlay, ValueRange};

use crate::memory::{GROUPS, TRACKED};

/// The preset that a new player sees.
pub(super) const FIRST: &str = "Frame";
/// The preset that shows how values are distributed.
pub(crate) const DISTRIBUTIONS: &str = "Distributions";
/// The preset that shows the frame times in figures.
pub(crate) const STATISTICS: &str = "Frame statistics";

/// The preset that shows what the processor and the graphics device take of a frame.
pub(crate) const GPU: &str = "GPU";
/// The preset that shows who holds the memory.
pub(crate) const MEMORY: &str = "Memory";

/// What the HUD shows of a new player's game.
pub(super) const PINNED: [&str; 6] = [
    "frame/cpu",
    "gpu/frame",
    "sim/step",
    "render/draw-calls",
    "agents/alive",
    "paths/nodes-expanded",
];

/// Offers them all.
pub(super) fn register(overlay: &mut StatsOverlay) {
    for preset in all() {
        overlay.add_preset(preset);
    }
}

fn all() -> Vec<Preset> {
    let all = [
        frame(),
        ai(),
        renderer(),
        gpu(),
        memory(),
        memory_and_network(),
        distributions(),
        statistics(),
    ];
    all.into_iter()
        .filter_map(|preset| {
            if TRACKED {
                Some(preset)
            } else {
                without_memory(preset)
            }
        })
        .collect()
}

/// A preset without what only the tracker counts; `None` where nothing is left.
fn without_memory(mut preset: Preset) -> Option<Preset> {
    for pane in &mut preset.panes {
        pane.paths.retain(|path| !path.starts_with("memory/"));
    }
    preset.panes.retain(|pane| !pane.paths.is_empty());
    (!preset.panes.is_empty()).then_some(preset)
}

/// Where a frame's time goes. Path hitch: spikes of `paths/serve`. Worker stall: `flock/step` and
/// `particles/step` swell.
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

/// What the agents think, and with which threads. Path hitch: expanded tiles and failures. Worker
/// stall: one worker is busier.
fn ai() -> Preset {
    let searches = SavedPane::new([
        "paths/nodes-expanded",
        "paths/requested",
        "paths/failed",
        "paths/queued",
        "paths/cache/hits",
    ]);
    let mut workers = SavedPane::new([
        "jobs/worker-0/busy",
        "jobs/worker-1/busy",
        "jobs/main-thread-wait",
        "paths/a-star",
    ]);
    workers.weight = 0.8;
    let mut agents = SavedPane::new([
        "agents/alive",
        "flock/neighbours-examined",
        "squads/repaths/due",
        "squads/without-path",
        "paths/failed",
    ]);
    (agents.view, agents.weight) = (PaneView::Table, 0.8);
    Preset::new("AI", vec![searches, workers, agents])
}

/// What is drawn and what that costs. Draw calls: many more of them, but no more instances, and
/// only in region 2.
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
    (counts.view, counts.weight) = (PaneView::Table, 0.9);
    Preset::new("Renderer", vec![drawn, passes, counts])
}

/// Whether a frame waits for the processor or for the graphics device, and for which part. Draw
/// calls: `render/record` swells, and what the device takes does not.
fn gpu() -> Preset {
    let mut sides = SavedPane::new([FRAME_TIME, "frame/cpu", "gpu/frame"]);
    let mut parts = SavedPane::new([
        "frame/simulate",
        "render/record",
        "gpu/light",
        "gpu/world",
        "gpu/particles",
        "gpu/bloom",
        "gpu/composite",
        "gpu/ui",
    ]);
    (sides.range, parts.range) = (ValueRange::Shared, ValueRange::Shared);
    parts.weight = 2.5;
    Preset::new(GPU, vec![sides, parts])
}

/// Who holds the memory, and how much of it is made anew in each frame. Growing array: the group
/// `simulation` climbs.
fn memory() -> Preset {
    let held = SavedPane::new(["memory/total", "memory/peak", "memory/overhead"]);
    let totals = GROUPS.map(|group| format!("memory/groups/{group}/total"));
    let mut groups = SavedPane::new(totals.iter().map(String::as_str));
    // Room for the names of all groups below it.
    (groups.stacked, groups.weight) = (true, 2.2);
    let made = SavedPane::new(["memory/frame-allocations", "memory/allocations"]);
    Preset::new(MEMORY, vec![held, groups, made])
}

/// What is held and what is sent. Growing array: it climbs, whatever the level does. Packet storm:
/// bursts, and then losses.
fn memory_and_network() -> Preset {
    let held = SavedPane::new([
        "process/memory-resident",
        "memory/total",
        "level/memory/total",
        "faults/growing-array",
        "render/memory/buffers",
        "render/memory/textures",
        "gpu/memory-allocated",
    ]);
    let mut loading = SavedPane::new([
        "level/load",
        "level/loads",
        "level/baked-texels",
        "render/upload/textures",
    ]);
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

/// How often which values occurred. Path hitch: a few searches look at every tile. Draw calls:
/// batches of one. Worker stall: the jobs of one worker are a peak of their own. Packet storm: many
/// more packets of the full size.
fn distributions() -> Preset {
    let mut costs = SavedPane::new([
        "frame/time",
        "jobs/duration",
        "paths/search-cost",
        "paths/length",
    ]);
    let mut sizes = SavedPane::new(["flock/crowd", "render/batch-size", "network/packet-size"]);
    (costs.view, sizes.view) = (PaneView::Distribution, PaneView::Distribution);
    // By the number of their series, so that all of them are in sight.
    sizes.weight = 0.75;
    Preset::new(DISTRIBUTIONS, vec![costs, sizes])
}

/// The frame times in figures, over the graph that they are of.
fn statistics() -> Preset {
    let mut figures = SavedPane::new([FRAME_TIME]);
    figures.view = PaneView::Statistics;
    let mut graph = SavedPane::new([FRAME_TIME, "frame/simulate", "frame/ui", "render/submit"]);
    (graph.range, graph.weight) = (ValueRange::Shared, 0.6);
    Preset::new(STATISTICS, vec![figures, graph])
}

/// Four panes at once, for the tour: graphs, a stacked one among them, and a table.
pub(super) fn four_panes() -> [SavedPane; 4] {
    let mut frame = SavedPane::new([FRAME_TIME, "frame/simulate", "frame/ui", "render/submit"]);
    frame.range = ValueRange::Shared;
    let mut systems = SavedPane::new([
        "flock/step",
        "paths/serve",
        "bodies/step",
        "particles/step",
        "grid/build",
        "sim/fight",
    ]);
    systems.stacked = true;
    let searches = SavedPane::new([
        "paths/nodes-expanded",
        "paths/requested",
        "paths/failed",
        "paths/queued",
    ]);
    let mut table = SavedPane::new([
        FRAME_TIME,
        "paths/nodes-expanded",
        "paths/failed",
        "render/draw-calls",
        "agents/alive",
    ]);
    (table.view, table.weight) = (PaneView::Table, 1.2);
    [frame, systems, searches, table]
}

/// Searches for paths as a graph, and the frames with the most of them in a table.
pub(super) fn searches() -> [SavedPane; 2] {
    let mut graph = SavedPane::new(["paths/nodes-expanded", "paths/failed", "paths/serve"]);
    graph.weight = 0.7;
    let mut table = SavedPane::new([
        "paths/nodes-expanded",
        "paths/failed",
        "paths/found",
        "paths/a-star",
        "paths/serve",
    ]);
    table.view = PaneView::Table;
    table.sort = Some(SavedSort::new("paths/nodes-expanded", true));
    [graph, table]
}

/// All paths that presets, the HUD and the tour name, each once; the frame time, which the overlay
/// itself brings, is not among them.
pub(super) fn paths() -> Vec<String> {
    let panes = all()
        .into_iter()
        .flat_map(|preset| preset.panes)
        .chain(four_panes())
        .chain(searches());
    let shown = panes
        .flat_map(|pane| pane.paths)
        .chain(PINNED.map(str::to_owned));
    let mut paths: Vec<String> = shown.filter(|path| path != FRAME_TIME).collect();
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
