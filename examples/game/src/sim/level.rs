//! The two levels: their plans, their loading, and the memory that each occupies while it is
//! loaded.
use std::sync::Arc;

use serde::Deserialize;
use stats_core::{Counter, Gauge, Timer, Unit, UpDownCounter};
use stats_memory::{Tag, Tagged};

use super::jobs::Pool;
use super::map::TileMap;
use super::rng::Rng;
use super::scenery::Scenery;
use super::{Vec2, terrain};
use crate::memory::LEVEL;

static LOAD: Timer =
    Timer::new("level/load").describe("loading a level: terrain, sites and scenery");
static LOADS: Counter = Counter::new("level/loads").describe("levels loaded");
static UNLOADS: Counter = Counter::new("level/unloads").describe("levels unloaded");
static LOADED: UpDownCounter = UpDownCounter::new("level/loaded").describe("levels in memory");
static INDEX: Gauge =
    Gauge::new("level/index").describe("the current level, counted from 0; 2 is the menu");
static MAP_BYTES: Gauge = Gauge::new("level/memory/map")
    .unit(Unit::Bytes)
    .describe("tiles, and the obstacles on them");
static SCENERY_BYTES: Gauge = Gauge::new("level/memory/scenery")
    .unit(Unit::Bytes)
    .describe("the baked ground and distance field");
static HISTORY_BYTES: Gauge = Gauge::new("level/memory/history")
    .unit(Unit::Bytes)
    .describe("recorded positions of the agents");
static BYTES: Gauge = Gauge::new("level/memory/total")
    .unit(Unit::Bytes)
    .describe("memory of the level; it drops when the next level is loaded");
static SNAPSHOTS: Counter =
    Counter::new("level/history-snapshots").describe("snapshots written to the history");

/// The number of snapshots in the history of a level.
const KEPT_SNAPSHOTS: usize = 20;

pub(crate) const LEVELS: usize = 2;
/// The index of the menu: a small level that is not played, below the title.
pub(crate) const MENU: usize = LEVELS;

/// A part of a level, from one column of tiles to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    pub(crate) name: &'static str,
    pub(crate) left: f32,
    pub(crate) right: f32,
}

/// A place where a gate slides back and forth between two points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GateSite {
    pub(crate) from: Vec2,
    pub(crate) to: Vec2,
    pub(crate) half: Vec2,
    /// The duration of a full cycle, there and back, in seconds.
    pub(crate) period: f32,
}

/// A loaded level.
pub(crate) struct Level {
    pub(crate) index: usize,
    pub(crate) name: &'static str,
    pub(crate) ground: Ground,
    pub(crate) map: Arc<TileMap>,
    pub(crate) regions: [Region; 3],
    pub(crate) landing: Vec2,
    pub(crate) hives: Vec<Vec2>,
    pub(crate) beacons: Arc<[Vec2]>,
    pub(crate) gates: Vec<GateSite>,
    /// The number of motes that the level should have.
    pub(crate) motes: f32,
    /// The share of crates among the loose bodies; the rest are rocks.
    pub(crate) crate_share: f32,
    pub(crate) palette: Palette,
    /// The textures, if there is a renderer.
    pub(crate) scenery: Option<Arc<Scenery>>,
    /// The newest snapshots of the positions of all agents, in 1/256 of a meter.
    history: Tagged<Vec<[u16; 2]>>,
    /// The number of snapshots so far.
    snapshots: usize,
}

/// The kind of ground of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Ground {
    Caves,
    Foundry,
}

/// The colors of a level, in linear RGB.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Palette {
    /// The light where no lamp reaches.
    pub(crate) ambient: [f32; 3],
    /// Glowing veins.
    pub(crate) accent: [f32; 3],
    pub(crate) stone: [f32; 3],
}

/// The plan from which a level is generated: a file in `assets/game/levels`.
///
/// Points are shares of the level's size.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    name: &'static str,
    ground: Ground,
    /// In tiles.
    size: (i32, i32),
    /// From west to east.
    regions: [&'static str; 3],
    landing: (f32, f32),
    hives: Vec<(f32, f32)>,
    beacons: Vec<(f32, f32)>,
    motes: f32,
    crate_share: f32,
    palette: Palette,
}

/// The files of the levels, by name and contents.
const PLANS: [(&str, &str); LEVELS + 1] = [
    (
        "hollow.json",
        include_str!("../../../../assets/game/levels/hollow.json"),
    ),
    (
        "foundry.json",
        include_str!("../../../../assets/game/levels/foundry.json"),
    ),
    (
        "menu.json",
        include_str!("../../../../assets/game/levels/menu.json"),
    ),
];

impl Plan {
    /// Reads the plan of level `index`. The files are compiled into the program, and are thus valid
    /// unless a developer has just broken one.
    fn read(index: usize) -> Self {
        let (file, text) = PLANS[index];
        serde_json::from_str(text)
            .unwrap_or_else(|error| panic!("assets/game/levels/{file} cannot be read: {error}"))
    }
}

impl Level {
    /// Generates the menu, or level `index % LEVELS`. If `scenery` is set, bakes its textures.
    pub(super) fn load(index: usize, seed: u64, pool: &Pool, scenery: bool) -> Self {
        let _scope = stats_memory::scope!(LOAD, group: LEVEL);
        let index = if index == MENU { MENU } else { index % LEVELS };
        let plan = Plan::read(index);
        // A scope whose name is known only at run time: that of the level.
        let _level = stats_memory::current_tag().scope(plan.name).enter();
        let mut rng = Rng::stream(seed, 100 + index as u64);
        let size = Vec2::new(plan.size.0 as f32, plan.size.1 as f32);
        let place = |&(x, y): &(f32, f32)| (Vec2::new(x, y) * size).floor() + Vec2::splat(0.5);
        let landing = place(&plan.landing);
        let hives: Vec<Vec2> = plan.hives.iter().map(place).collect();
        let beacons: Arc<[Vec2]> = plan.beacons.iter().map(place).collect();
        let map = Arc::new(generate(&plan, &mut rng, landing, &hives, &beacons));
        let gates = gate_sites(&mut rng, &map, landing);
        let scenery =
            scenery.then(|| Arc::new(Scenery::bake(plan.ground, seed, &map, &hives, pool)));
        LOADS.increment();
        LOADED.increment();
        INDEX.set(index);
        map.publish();
        Self {
            index,
            name: plan.name,
            ground: plan.ground,
            regions: regions(&plan, size),
            map,
            landing,
            hives,
            beacons,
            gates,
            motes: plan.motes,
            crate_share: plan.crate_share,
            palette: plan.palette,
            scenery,
            history: Tagged::new(tag(plan.name).name("history"), Vec::new()),
            snapshots: 0,
        }
    }

    /// Returns the tag of the level, for containers that grow in the scopes of other systems.
    pub(super) fn tag(&self) -> Tag {
        tag(self.name)
    }

    /// Returns the index of the region under a point.
    pub(crate) fn region_at(&self, at: Vec2) -> usize {
        self.regions
            .iter()
            .position(|region| at.x < region.right)
            .unwrap_or(self.regions.len() - 1)
    }

    /// Writes the positions of all agents to the history, in place of the oldest ones. The first
    /// snapshot determines the size of the history, which never grows.
    pub(super) fn remember(&mut self, positions: impl ExactSizeIterator<Item = Vec2>) {
        let mut history = self.history.edit();
        if history.is_empty() {
            history.resize(KEPT_SNAPSHOTS * positions.len(), [0; 2]);
        }
        let room = history.len() / KEPT_SNAPSHOTS;
        let begin = self.snapshots % KEPT_SNAPSHOTS * room;
        for (slot, at) in history[begin..begin + room].iter_mut().zip(positions) {
            *slot = [(at.x * 256.0) as u16, (at.y * 256.0) as u16];
        }
        self.snapshots += 1;
        SNAPSHOTS.increment();
    }

    /// Sets the gauges of the level's memory.
    pub(super) fn publish(&self) {
        let history = size_of_val(self.history.as_slice());
        let scenery = self.scenery.as_ref().map_or(0, |scenery| scenery.bytes());
        MAP_BYTES.set(self.map.bytes());
        SCENERY_BYTES.set(scenery);
        HISTORY_BYTES.set(history);
        BYTES.set(self.map.bytes() + scenery + history);
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        UNLOADS.increment();
        LOADED.decrement();
    }
}

fn tag(level: &str) -> Tag {
    Tag::default().group(&LEVEL).scope("level").scope(level)
}

/// Generates the map, with open floor around the landing, the hives and the beacons.
fn generate(
    plan: &Plan,
    rng: &mut Rng,
    landing: Vec2,
    hives: &[Vec2],
    beacons: &[Vec2],
) -> TileMap {
    let mut keep = vec![(landing, 7.0)];
    keep.extend(beacons.iter().map(|&at| (at, 4.5)));
    keep.extend(hives.iter().map(|&at| (at, 4.0)));
    // From west to east, so that the tunnels between neighbors are short.
    keep.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
    let (width, height) = plan.size;
    match plan.ground {
        Ground::Caves => terrain::caves(rng, width, height, &keep),
        Ground::Foundry => terrain::foundry(rng, width, height, &keep),
    }
}

fn regions(plan: &Plan, size: Vec2) -> [Region; 3] {
    let edges = [0.0, 0.34, 0.62, 1.0];
    std::array::from_fn(|at| Region {
        name: plan.regions[at],
        left: edges[at] * size.x,
        right: edges[at + 1] * size.x,
    })
}

/// Chooses the sites of up to 24 gates, each where a corridor leaves it room to slide.
fn gate_sites(rng: &mut Rng, map: &TileMap, landing: Vec2) -> Vec<GateSite> {
    let floor: Vec<_> = map.floor().collect();
    let mut sites: Vec<GateSite> = Vec::new();
    for _ in 0..4000 {
        if sites.len() == 24 || floor.is_empty() {
            break;
        }
        let (x, y) = floor[rng.below(floor.len())];
        let along = if rng.chance(0.5) { (1, 0) } else { (0, 1) };
        let travel = 4 + rng.below(4) as i32;
        let from = super::map::center((x, y));
        let free = (-1..=travel + 1).all(|d| {
            (-1..=1).all(|side| {
                !map.is_wall((
                    x + along.0 * d + along.1 * side,
                    y + along.1 * d + along.0 * side,
                ))
            })
        });
        let spaced = sites.iter().all(|site| site.from.distance(from) > 9.0)
            && from.distance(landing) > 10.0;
        if free && spaced {
            let direction = Vec2::new(along.0 as f32, along.1 as f32);
            let half = if along.0 == 1 {
                Vec2::new(0.45, 1.45)
            } else {
                Vec2::new(1.45, 0.45)
            };
            sites.push(GateSite {
                from,
                to: from + direction * travel as f32,
                half,
                period: rng.between(5.0, 11.0),
            });
        }
    }
    sites
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_plan_can_be_read_and_its_points_lie_in_the_level() {
        for index in 0..LEVELS {
            let plan = Plan::read(index);
            let points = plan
                .hives
                .iter()
                .chain(&plan.beacons)
                .chain([&plan.landing]);
            for (x, y) in points {
                assert!((0.0..1.0).contains(x) && (0.0..1.0).contains(y), "{x}, {y}");
            }
            assert!(!plan.hives.is_empty() && !plan.beacons.is_empty());
        }
    }
}
