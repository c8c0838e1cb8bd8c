//! The two levels: where things stand, and the memory that loading one takes and unloading it gives
//! back.
use std::sync::Arc;

use stats_core::{Counter, Gauge, Timer, Unit, UpDownCounter};

use super::jobs::Pool;
use super::map::TileMap;
use super::rng::Rng;
use super::scenery::Scenery;
use super::{Vec2, terrain};
use crate::memory::LEVEL;

static LOAD: Timer =
    Timer::new("level/load").describe("generating a level: terrain, sites and scenery");
static LOADS: Counter = Counter::new("level/loads").describe("levels loaded");
static UNLOADS: Counter =
    Counter::new("level/unloads").describe("levels dropped, with all they held");
static LOADED: UpDownCounter = UpDownCounter::new("level/loaded").describe("levels in memory");
static INDEX: Gauge = Gauge::new("level/index").describe("which level is being played");
static MAP_BYTES: Gauge = Gauge::new("level/memory/map")
    .unit(Unit::Bytes)
    .describe("tiles and what covers them");
static SCENERY_BYTES: Gauge = Gauge::new("level/memory/scenery")
    .unit(Unit::Bytes)
    .describe("baked ground and distance field");
static HISTORY_BYTES: Gauge = Gauge::new("level/memory/history")
    .unit(Unit::Bytes)
    .describe("the recorded positions of this level's run");
static BYTES: Gauge = Gauge::new("level/memory/total")
    .unit(Unit::Bytes)
    .describe("what the level holds: it saws as levels come and go");
static SNAPSHOTS: Counter =
    Counter::new("level/history-snapshots").describe("snapshots appended to the level's history");

/// How many levels there are.
pub(crate) const LEVELS: usize = 2;

/// A stretch of a level, with a density of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    pub(crate) name: &'static str,
    /// From this column (in tiles) to the next region's.
    pub(crate) left: f32,
    pub(crate) right: f32,
}

/// A door of steel that slides to and fro between two points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GateSite {
    pub(crate) from: Vec2,
    pub(crate) to: Vec2,
    pub(crate) half: Vec2,
    pub(crate) period: f32,
}

/// Everything that is loaded and unloaded as one.
pub(crate) struct Level {
    pub(crate) index: usize,
    pub(crate) name: &'static str,
    pub(crate) map: Arc<TileMap>,
    pub(crate) regions: [Region; 3],
    pub(crate) landing: Vec2,
    pub(crate) hives: Vec<Vec2>,
    pub(crate) beacons: Arc<[Vec2]>,
    pub(crate) gates: Vec<GateSite>,
    /// What only a renderer needs; absent where nothing is drawn.
    pub(crate) scenery: Option<Arc<Scenery>>,
    history: Vec<Vec<[u16; 2]>>,
}

struct Plan {
    name: &'static str,
    size: (i32, i32),
    regions: [&'static str; 3],
    hives: [(f32, f32); 6],
    beacons: [(f32, f32); 10],
}

const PLANS: [Plan; LEVELS] = [
    Plan {
        name: "The Hollow",
        size: (168, 96),
        regions: ["drift", "quarry", "nest"],
        hives: [
            (0.72, 0.28),
            (0.80, 0.62),
            (0.90, 0.40),
            (0.68, 0.80),
            (0.93, 0.78),
            (0.50, 0.22),
        ],
        beacons: [
            (0.20, 0.30),
            (0.30, 0.72),
            (0.42, 0.40),
            (0.55, 0.66),
            (0.66, 0.48),
            (0.76, 0.42),
            (0.84, 0.24),
            (0.86, 0.56),
            (0.75, 0.72),
            (0.94, 0.58),
        ],
    },
    Plan {
        name: "The Foundry",
        size: (184, 104),
        regions: ["dock", "works", "core"],
        hives: [
            (0.66, 0.30),
            (0.74, 0.70),
            (0.86, 0.30),
            (0.88, 0.72),
            (0.94, 0.50),
            (0.46, 0.70),
        ],
        beacons: [
            (0.18, 0.62),
            (0.28, 0.26),
            (0.40, 0.50),
            (0.52, 0.30),
            (0.60, 0.74),
            (0.70, 0.48),
            (0.78, 0.28),
            (0.80, 0.54),
            (0.86, 0.86),
            (0.93, 0.20),
        ],
    },
];

impl Level {
    /// Generates level `index % LEVELS`; with `scenery`, also what only a renderer needs.
    pub(crate) fn load(index: usize, seed: u64, pool: &Pool, scenery: bool) -> Self {
        let _load = LOAD.scope();
        let index = index % LEVELS;
        let plan = &PLANS[index];
        let _memory = stats_memory::scope!("level", group: LEVEL);
        // A name that is known only now: each level is a scope of its own.
        let _level = stats_memory::current_tag().scope(plan.name).enter();
        let mut rng = Rng::stream(seed, 100 + index as u64);
        let size = Vec2::new(plan.size.0 as f32, plan.size.1 as f32);
        let place = |&(x, y): &(f32, f32)| (Vec2::new(x, y) * size).floor() + Vec2::splat(0.5);
        let landing = place(&(0.09, 0.5));
        let hives: Vec<Vec2> = plan.hives.iter().map(place).collect();
        let beacons: Arc<[Vec2]> = plan.beacons.iter().map(place).collect();
        let map = Arc::new(ground(
            index, &mut rng, plan.size, landing, &hives, &beacons,
        ));
        let gates = gate_sites(&mut rng, &map, landing);
        let scenery = scenery.then(|| Arc::new(Scenery::bake(index, seed, &map, &hives, pool)));
        LOADS.increment();
        LOADED.increment();
        INDEX.set(index);
        map.report();
        Self {
            index,
            name: plan.name,
            regions: regions(plan, size),
            map,
            landing,
            hives,
            beacons,
            gates,
            scenery,
            history: Vec::new(),
        }
    }

    /// The region under a point, by number.
    pub(crate) fn region_at(&self, at: Vec2) -> usize {
        self.regions
            .iter()
            .position(|region| at.x < region.right)
            .unwrap_or(self.regions.len() - 1)
    }

    /// Appends where everyone is: the level's history grows until the level is unloaded.
    pub(crate) fn remember(&mut self, positions: impl Iterator<Item = Vec2>) {
        let _memory = stats_memory::scope!("level", group: LEVEL);
        let _level = stats_memory::current_tag().scope(self.name).enter();
        let _name = stats_memory::alloc_name!("history");
        self.history.push(
            positions
                .map(|at| [(at.x * 256.0) as u16, (at.y * 256.0) as u16])
                .collect(),
        );
        SNAPSHOTS.increment();
    }

    /// Publishes the level's memory.
    pub(crate) fn report(&self) {
        let history: usize = self
            .history
            .iter()
            .map(|snapshot| size_of_val(snapshot.as_slice()))
            .sum();
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

fn ground(
    index: usize,
    rng: &mut Rng,
    size: (i32, i32),
    landing: Vec2,
    hives: &[Vec2],
    beacons: &[Vec2],
) -> TileMap {
    let mut keep = vec![(landing, 7.0)];
    keep.extend(beacons.iter().map(|&at| (at, 4.5)));
    keep.extend(hives.iter().map(|&at| (at, 4.0)));
    // West to east, so that the tunnels between neighbours are short.
    keep.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
    if index == 0 {
        terrain::caves(rng, size.0, size.1, &keep)
    } else {
        terrain::foundry(rng, size.0, size.1, &keep)
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

/// Up to twenty-four gates, each where a corridor leaves it room to slide.
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
            let way = Vec2::new(along.0 as f32, along.1 as f32);
            let half = if along.0 == 1 {
                Vec2::new(0.45, 1.45)
            } else {
                Vec2::new(1.45, 0.45)
            };
            sites.push(GateSite {
                from,
                to: from + way * travel as f32,
                half,
                period: rng.between(5.0, 11.0),
            });
        }
    }
    sites
}
