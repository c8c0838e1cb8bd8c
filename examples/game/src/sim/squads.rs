//! Squads: groups that share one path. Hunters and spitters go for the player, carriers from beacon
//! to beacon.
use stats_core::{Counter, Gauge, Timer};

use super::Vec2;
use super::agents::{Agent, Kind};
use super::map::{Cell, TileMap, cell_of, center};
use super::paths::{Path, PathService};

static UPDATE: Timer = Timer::new("squads/update")
    .budget(1.0)
    .describe("gathering squads and deciding who needs a new path");
static ACTIVE: Gauge = Gauge::new("squads/active").describe("squads with members");
static PATHLESS: Gauge =
    Gauge::new("squads/without-path").describe("squads that wait for their first path");
static DUE: Counter =
    Counter::new("squads/repaths/due").describe("new paths because the old one grew old");
static BLOCKED: Counter = Counter::new("squads/repaths/blocked")
    .describe("new paths because an obstacle lay in the old one");
static ARRIVED: Counter =
    Counter::new("squads/arrivals").describe("squads of carriers that reached their beacon");

/// Squads of hunters and of spitters that one hive keeps.
const SQUADS_PER_HIVE: usize = 6;
/// Squads of carriers.
pub(crate) const CARRIER_SQUADS: usize = 20;

/// A group with one path.
pub(crate) struct Squad {
    carriers: bool,
    goal: Cell,
    path: Option<Path>,
    waiting: bool,
    due: u64,
    beacon: usize,
    members: u32,
    middle: Vec2,
}

/// All squads of a level: those of the hives first, then the carriers'.
pub(crate) struct Squads {
    squads: Vec<Squad>,
    hunters: usize,
    seen_version: u32,
}

impl Squads {
    pub(crate) fn new(hives: usize) -> Self {
        let hunters = hives * SQUADS_PER_HIVE;
        let squad = |index: usize| Squad {
            carriers: index >= hunters,
            goal: (0, 0),
            path: None,
            waiting: false,
            due: 0,
            beacon: index,
            members: 0,
            middle: Vec2::ZERO,
        };
        Self {
            squads: (0..hunters + CARRIER_SQUADS).map(squad).collect(),
            hunters,
            seen_version: 0,
        }
    }

    /// The squad that a hive's next wave joins.
    pub(crate) const fn of_hive(&self, hive: usize, wave: usize) -> u16 {
        (hive * SQUADS_PER_HIVE + wave % SQUADS_PER_HIVE) as u16
    }

    pub(crate) const fn of_carriers(&self, index: usize) -> u16 {
        (self.hunters + index % CARRIER_SQUADS) as u16
    }

    /// Every squad's path, for the agents to follow.
    pub(crate) fn paths(&self) -> Vec<Option<Path>> {
        self.squads.iter().map(|squad| squad.path.clone()).collect()
    }

    /// Takes a path that was asked for; an asker that is no squad is ignored.
    pub(crate) fn take(&mut self, asker: usize, path: Option<Path>) {
        if let Some(squad) = self.squads.get_mut(asker) {
            squad.waiting = false;
            if path.is_some() {
                squad.path = path;
            }
        }
    }

    /// Gathers the members and asks for the paths that are needed.
    pub(crate) fn update(
        &mut self,
        step: u64,
        agents: &[Agent],
        map: &TileMap,
        beacons: &[Vec2],
        player: Vec2,
        paths: &mut PathService,
    ) {
        let _update = UPDATE.scope();
        let _memory = stats_memory::scope!("squads");
        self.gather(agents);
        let changed = std::mem::replace(&mut self.seen_version, map.version()) != map.version();
        for (index, squad) in self
            .squads
            .iter_mut()
            .enumerate()
            .filter(|(_, squad)| squad.members > 0)
        {
            squad.decide(step, index, map, beacons, player, changed, paths);
        }
        ACTIVE.set(self.squads.iter().filter(|squad| squad.members > 0).count());
        PATHLESS.set(
            self.squads
                .iter()
                .filter(|squad| squad.members > 0 && squad.path.is_none())
                .count(),
        );
    }

    fn gather(&mut self, agents: &[Agent]) {
        for squad in &mut self.squads {
            (squad.members, squad.middle) = (0, Vec2::ZERO);
        }
        for agent in agents.iter().filter(|agent| agent.kind != Kind::Mote) {
            if let Some(squad) = self.squads.get_mut(usize::from(agent.squad)) {
                squad.members += 1;
                squad.middle += agent.at;
            }
        }
        for squad in &mut self.squads {
            squad.middle /= squad.members.max(1) as f32;
        }
    }
}

impl Squad {
    #[expect(
        clippy::too_many_arguments,
        reason = "what a squad looks at, each of it owned by another system"
    )]
    fn decide(
        &mut self,
        step: u64,
        index: usize,
        map: &TileMap,
        beacons: &[Vec2],
        player: Vec2,
        changed: bool,
        paths: &mut PathService,
    ) {
        self.choose_beacon(beacons);
        let blocked = changed
            && self
                .path
                .as_ref()
                .is_some_and(|path| path.iter().any(|&cell| !map.is_open(cell)));
        if self.waiting || (step < self.due && !blocked) {
            return;
        }
        let target = if self.carriers {
            beacons[self.beacon % beacons.len().max(1)]
        } else {
            player
        };
        let (Some(start), Some(goal)) = (
            map.nearest_open(snapped(self.middle)),
            map.nearest_open(snapped(target)),
        ) else {
            return;
        };
        (if blocked { &BLOCKED } else { &DUE }).increment();
        self.goal = goal;
        self.waiting = true;
        self.due = step + if self.carriers { 420 } else { 90 } + index as u64 % 17;
        paths.request(index, start, goal);
    }

    fn choose_beacon(&mut self, beacons: &[Vec2]) {
        if self.carriers
            && self.path.is_some()
            && center(self.goal).distance(self.middle) < 3.5
            && cell_of(self.middle) != (0, 0)
        {
            ARRIVED.increment();
            self.beacon = (self.beacon * 7 + 3) % beacons.len().max(1);
            (self.path, self.due, self.goal) = (None, 0, (-100, -100));
        }
    }
}

/// Snapped to blocks of two tiles, so that near requests share a path.
fn snapped(at: Vec2) -> Vec2 {
    (at / 2.0).floor() * 2.0 + Vec2::splat(0.5)
}
