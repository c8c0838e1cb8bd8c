//! The autopilot: tours the level along paths of its own, shoots what is near, and so plays the
//! game in a smoke run.
use stats_core::{Counter, Gauge};

use super::Vec2;
use super::agents::Kind;
use super::map::center;
use super::paths::{Asker, NOBODY, Path};
use super::player::Controls;
use super::stage::Stage;
use crate::memory::AI;

static STOPS: Counter =
    Counter::new("pilot/stops").describe("stops of its tour that the autopilot reached");
static REQUESTS: Counter =
    Counter::new("pilot/path-requests").describe("paths that the autopilot asked for");
static THREATS: Gauge = Gauge::new("pilot/threats").describe("hostile agents near the ship");

/// The autopilot's name in the path service.
pub(crate) const PILOT: Asker = NOBODY - 1;

/// Where it is going.
#[derive(Default)]
pub(crate) struct Pilot {
    stop: usize,
    path: Option<Path>,
    cursor: usize,
    asked_at: Option<u64>,
}

impl Pilot {
    /// This step's orders.
    pub(crate) fn fly(&mut self, step: u64, stage: &mut Stage) -> Controls {
        let _memory = stats_memory::scope!("pilot", group: AI);
        let ship = stage.bodies.ship().at;
        let thrust = self.steer(step, ship, stage);
        let (target, threats) = target(ship, stage);
        THREATS.set(threats);
        Controls {
            thrust,
            aim: target.unwrap_or(ship + thrust),
            fire: target.is_some(),
            nova: threats > 12,
        }
    }

    /// Takes the path that was asked for.
    pub(crate) fn take(&mut self, path: Option<Path>) {
        if path.is_none() {
            self.stop += 1;
        }
        (self.path, self.cursor) = (path, 0);
    }

    fn steer(&mut self, step: u64, ship: Vec2, stage: &mut Stage) -> Vec2 {
        let goal = stop(self.stop, stage);
        if goal.distance(ship) < 3.0 {
            STOPS.increment();
            self.stop += 1;
            (self.path, self.asked_at) = (None, None);
        }
        if self.asked_at.is_none_or(|asked| step > asked + 150) {
            self.ask(step, ship, stage);
        }
        let Some(path) = &self.path else {
            return Vec2::ZERO;
        };
        while self.cursor + 1 < path.len() && center(path[self.cursor]).distance(ship) < 1.3 {
            self.cursor += 1;
        }
        let ahead = path.get(self.cursor).map_or(ship, |&cell| center(cell));
        (ahead - ship).normalize_or_zero() * 0.8
    }

    fn ask(&mut self, step: u64, ship: Vec2, stage: &mut Stage) {
        let map = &stage.level.map;
        let goal = stop(self.stop, stage);
        if let (Some(start), Some(goal)) = (map.nearest_open(ship), map.nearest_open(goal)) {
            REQUESTS.increment();
            self.asked_at = Some(step);
            stage.paths.request(PILOT, start, goal);
        }
    }
}

/// The tour: every beacon west to east, and back home.
fn stop(index: usize, stage: &Stage) -> Vec2 {
    let beacons = &stage.level.beacons;
    match index % (beacons.len() + 1) {
        at if at < beacons.len() => beacons[(at * 3 + 2) % beacons.len()],
        _ => stage.level.landing,
    }
}

/// What to shoot at, and how many are close. Hostile agents first, then hives, then motes in the
/// way.
fn target(ship: Vec2, stage: &Stage) -> (Option<Vec2>, usize) {
    let (mut best, mut threats) = (None::<(f32, Vec2)>, 0);
    for index in stage.grid.near(ship, 11.0) {
        let Some(agent) = stage.agents.get(index) else {
            continue;
        };
        let distance = agent.at.distance(ship);
        let hostile = matches!(agent.kind, Kind::Hunter | Kind::Spitter);
        threats += usize::from(hostile && distance < 6.0);
        let weight = distance + if hostile { 0.0 } else { 14.0 };
        if distance < 11.0 && best.is_none_or(|(least, _)| weight < least) {
            best = Some((weight, agent.at + agent.velocity * (distance / 26.0)));
        }
    }
    let hive = stage
        .hives
        .iter()
        .find(|hive| hive.health > 0 && hive.at.distance(ship) < 9.0)
        .map(|hive| (10.0, hive.at));
    let best = [best, hive]
        .into_iter()
        .flatten()
        .min_by(|a, b| a.0.total_cmp(&b.0));
    (
        best.map(|(_, at)| at)
            .filter(|&at| stage.level.map.sees(ship, at)),
        threats,
    )
}
