//! Squads: groups of agents that share one path. Hunters and spitters follow the player; carriers
//! go from beacon to beacon.
use stats_core::{Counter, Gauge, Timer};

use super::Vec2;
use super::agents::{Agent, Kind};
use super::map::{Cell, TileMap, cell_of, center};
use super::paths::{Path, PathService};

static UPDATE: Timer = Timer::new("squads/update")
    .budget(1.0)
    .describe("locating squads and deciding which need a new path");
static ACTIVE: Gauge = Gauge::new("squads/active").describe("squads with members");
static PATHLESS: Gauge =
    Gauge::new("squads/without-path").describe("squads waiting for their first path");
static DUE: Counter =
    Counter::new("squads/repaths/due").describe("paths requested because the old one expired");
static BLOCKED: Counter = Counter::new("squads/repaths/blocked")
    .describe("paths requested because an obstacle blocked the old one");
static ARRIVED: Counter =
    Counter::new("squads/arrivals").describe("carrier squads that reached their beacon");

const SQUADS_PER_HIVE: usize = 6;
pub(super) const CARRIER_SQUADS: usize = 20;

/// A group of agents with one path.
pub(super) struct Squad {
    carriers: bool,
    goal: Cell,
    path: Option<Path>,
    waiting: bool,
    due: u64,
    beacon: usize,
    members: u32,
    middle: Vec2,
}

/// All squads of a level: first those of the hives, then those of the carriers.
pub(crate) struct Squads {
    squads: Vec<Squad>,
    hunters: usize,
    seen_version: u32,
}

impl Squads {
    pub(super) fn new(hives: usize) -> Self {
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

    /// Returns the squad that a hive's next wave joins.
    pub(super) const fn of_hive(&self, hive: usize, wave: usize) -> u16 {
        (hive * SQUADS_PER_HIVE + wave % SQUADS_PER_HIVE) as u16
    }

    /// Returns the squad of the carrier with this index.
    pub(super) const fn of_carriers(&self, index: usize) -> u16 {
        (self.hunters + index % CARRIER_SQUADS) as u16
    }

    /// Returns the path of each squad, for its agents to follow.
    pub(super) fn paths(&self) -> Vec<Option<Path>> {
        self.squads.iter().map(|squad| squad.path.clone()).collect()
    }

    /// Receives the answer to a request. A requester that is not a squad is ignored.
    pub(super) fn take(&mut self, requester: usize, path: Option<Path>) {
        if let Some(squad) = self.squads.get_mut(requester) {
            squad.waiting = false;
            if path.is_some() {
                squad.path = path;
            }
        }
    }

    /// Locates the members of each squad, and requests the paths that are needed.
    pub(super) fn update(
        &mut self,
        step: u64,
        agents: &[Agent],
        map: &TileMap,
        beacons: &[Vec2],
        player: Vec2,
        paths: &mut PathService,
    ) {
        let _scope = stats_memory::scope!(UPDATE);
        self.locate(agents);
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

    fn locate(&mut self, agents: &[Agent]) {
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
    /// Requests a new path if the squad needs one.
    #[expect(
        clippy::too_many_arguments,
        reason = "each argument belongs to another system"
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
        self.advance_beacon(beacons);
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

    /// Chooses the next beacon of a carrier squad that has arrived.
    fn advance_beacon(&mut self, beacons: &[Vec2]) {
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

/// Snaps a point to blocks of two by two tiles, so that nearby requests share a cached path.
fn snapped(at: Vec2) -> Vec2 {
    (at / 2.0).floor() * 2.0 + Vec2::splat(0.5)
}
