//! The autopilot, which plays the game in a scripted run: it tours the level, and shoots at nearby
//! targets.
use stats_core::{Counter, Gauge};

use super::Vec2;
use super::agents::Kind;
use super::map::center;
use super::paths::{NOBODY, Path, Requester};
use super::player::Controls;
use super::stage::Stage;
use crate::memory::AI;

static STOPS: Counter =
    Counter::new("pilot/stops").describe("stops of its tour that the autopilot reached");
static REQUESTS: Counter =
    Counter::new("pilot/path-requests").describe("paths that the autopilot requested");
static THREATS: Gauge = Gauge::new("pilot/threats").describe("hostile agents near the ship");

/// The autopilot as a requester of paths.
pub(super) const PILOT: Requester = NOBODY - 1;

/// The autopilot.
#[derive(Default)]
pub(crate) struct Pilot {
    stop: usize,
    path: Option<Path>,
    cursor: usize,
    requested_at: Option<u64>,
}

impl Pilot {
    pub(super) fn fly(&mut self, step: u64, stage: &mut Stage) -> Controls {
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

    /// Receives the answer to its request. If there is no path, it skips the stop.
    pub(super) fn take(&mut self, path: Option<Path>) {
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
            (self.path, self.requested_at) = (None, None);
        }
        if self
            .requested_at
            .is_none_or(|requested| step > requested + 150)
        {
            self.request_path(step, ship, stage);
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

    fn request_path(&mut self, step: u64, ship: Vec2, stage: &mut Stage) {
        let map = &stage.level.map;
        let goal = stop(self.stop, stage);
        if let (Some(start), Some(goal)) = (map.nearest_open(ship), map.nearest_open(goal)) {
            REQUESTS.increment();
            self.requested_at = Some(step);
            stage.paths.request(PILOT, start, goal);
        }
    }
}

/// Returns a stop of the tour, which visits every beacon and then the landing.
fn stop(index: usize, stage: &Stage) -> Vec2 {
    let beacons = &stage.level.beacons;
    match index % (beacons.len() + 1) {
        at if at < beacons.len() => beacons[(at * 3 + 2) % beacons.len()],
        _ => stage.level.landing,
    }
}

/// Returns the target to shoot at, and the number of hostile agents nearby. Hostile agents within
/// 10 m come first, then hives, then all others.
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
