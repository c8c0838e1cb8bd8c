//! Pathfinding. Requests are queued, a few of them per step run on the workers as A* searches, and
//! the paths are cached until they expire or an obstacle moves into them.
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use pathfinding::prelude::astar;
use stats_core::{Counter, Gauge, Histogram, LogLevel, LogLine, Timer, Unit, UpDownCounter};
use stats_memory::{Tag, Tagged};

use super::clock::charge;
use super::jobs::Pool;
use super::map::{Cell, TileMap};
use crate::memory::AI;

static SERVE: Timer = Timer::new("paths/serve")
    .budget(4.0)
    .describe("the path service on the main thread, including its wait for the workers");
static SEARCH: Timer = Timer::new("paths/a-star")
    .budget(6.0)
    .describe("A* searches, summed over the workers");
static REQUESTED: Counter = Counter::new("paths/requested").describe("paths requested");
static QUEUED: UpDownCounter = UpDownCounter::new("paths/queued")
    .budget(64.0)
    .describe("requests waiting for a search");
static CACHED: Counter =
    Counter::new("paths/cache/hits").describe("requests answered from the cache");
static MISSED: Counter =
    Counter::new("paths/cache/misses").describe("requests that needed a search");
static ENTRIES: UpDownCounter =
    UpDownCounter::new("paths/cache/entries").describe("paths in the cache");
static STALE: Counter =
    Counter::new("paths/cache/expired").describe("cached paths dropped because they expired");
static BLOCKED: Counter = Counter::new("paths/cache/blocked")
    .describe("cached paths dropped because an obstacle moved into them");
static FOUND: Counter = Counter::new("paths/found").describe("searches that reached their goal");
static FAILED: Counter = Counter::new("paths/failed").describe("searches that ran out of tiles");
static EXPANDED: Counter = Counter::new("paths/nodes-expanded")
    .budget(6_000.0)
    .describe("tiles whose neighbors A* examined");
static GENERATED: Counter =
    Counter::new("paths/nodes-generated").describe("neighbors that A* generated");
static TILES: Counter = Counter::new("paths/tiles").describe("tiles of the paths found");
static LAST_LENGTH: Gauge = Gauge::new("paths/last-length")
    .unit(Unit::Meters)
    .describe("length of the path that was found last");
static COST: Histogram = Histogram::new("paths/search-cost")
    .unit(Unit::Custom("tiles"))
    .describe("tiles expanded by each search");
static LENGTH: Histogram = Histogram::new("paths/length")
    .unit(Unit::Meters)
    .describe("lengths of the paths found");
static FLOODS: Counter = Counter::new("paths/floods").describe("requests from the planted fault");

/// The maximum number of searches in one step.
const SEARCHES_PER_STEP: usize = 6;
/// Steps after which a cached path expires.
const CACHE_STEPS: u64 = 480;
/// How long it takes to expand a tile, for tests.
const PER_TILE: Duration = Duration::from_nanos(500);
/// The cost of a straight step.
const STRAIGHT: u32 = 10;
/// The cost of a diagonal step.
const DIAGONAL: u32 = 14;

/// A walk from tile to tile, including start and goal.
pub(super) type Path = Arc<Vec<Cell>>;

/// Identifies the requester of a path, so that the answer reaches it.
pub(super) type Requester = usize;

/// The requester of planted requests. Nobody waits for their answers.
pub(super) const NOBODY: Requester = usize::MAX;

#[derive(Clone, Copy)]
struct Request {
    requester: Requester,
    key: Key,
}

/// Start and goal.
type Key = (Cell, Cell);

struct Cached {
    path: Path,
    found_at: u64,
}

/// The result of a search, and its cost.
#[derive(Debug)]
pub(super) struct Search {
    pub(super) path: Option<Vec<Cell>>,
    pub(super) expanded: usize,
}

/// Answers path requests.
#[derive(Default)]
pub(crate) struct PathService {
    /// Grows in the scopes of all systems that request paths.
    queue: Tagged<VecDeque<Request>>,
    cache: Tagged<BTreeMap<Key, Cached>>,
    seen_version: u32,
}

impl PathService {
    /// Names the memory of the service after a level.
    pub(super) fn rename(&mut self, level: Tag) {
        let tag = level.group(&AI);
        self.queue.rename(tag.name("path requests"));
        self.cache.rename(tag.name("path cache"));
    }

    /// Queues a request.
    pub(super) fn request(&mut self, requester: Requester, start: Cell, goal: Cell) {
        REQUESTED.increment();
        QUEUED.increment();
        self.queue.edit().push_back(Request {
            requester,
            key: (start, goal),
        });
    }

    /// Queues a request that cannot succeed, so that its search visits every reachable tile: the
    /// planted fault.
    pub(super) fn flood(&mut self, start: Cell) {
        FLOODS.increment();
        QUEUED.increment();
        // Outside of the map: it is never reached, and it is so far away that the heuristic prefers
        // no direction.
        self.queue.edit().push_back(Request {
            requester: NOBODY,
            key: (start, (-9_000, -9_000)),
        });
    }

    /// Answers requests from the cache, and runs searches for up to [`SEARCHES_PER_STEP`] others.
    /// Returns the answers in the order of the requests.
    pub(super) fn serve(
        &mut self,
        step: u64,
        map: &Arc<TileMap>,
        pool: &Pool,
    ) -> Vec<(Requester, Option<Path>)> {
        let _scope = stats_memory::scope!(SERVE);
        self.evict(step, map);
        let mut answers = Vec::new();
        let mut searches: Vec<(usize, Request)> = Vec::new();
        while searches.len() < SEARCHES_PER_STEP {
            let Some(request) = self.queue.edit().pop_front() else {
                break;
            };
            QUEUED.decrement();
            if let Some(cached) = self.cache.get(&request.key) {
                CACHED.increment();
                answers.push((request.requester, Some(Arc::clone(&cached.path))));
            } else {
                MISSED.increment();
                searches.push((answers.len(), request));
                answers.push((request.requester, None));
            }
        }
        let jobs = searches.iter().map(|(_, request)| {
            let (map, (start, goal)) = (Arc::clone(map), request.key);
            move || search(&map, start, goal)
        });
        let found = pool.run(jobs.collect());
        for ((slot, request), search) in searches.into_iter().zip(found) {
            answers[slot].1 = self.keep(request.key, search, step);
        }
        answers
    }

    fn keep(&mut self, key: Key, search: Search, step: u64) -> Option<Path> {
        EXPANDED.add(search.expanded);
        COST.record(search.expanded);
        // Adds zero as well, so that the series exists before the first search fails.
        FAILED.add(u32::from(search.path.is_none()));
        if search.path.is_none() {
            let ((x, y), tiles) = (key.0, search.expanded);
            let text = format_args!("no path from tile {x}, {y}: searched {tiles} tiles");
            LogLine::keep(LogLevel::Warn, "game::paths", text);
        }
        let _name = stats_memory::alloc_name!("found paths");
        let path = Arc::new(search.path?);
        FOUND.increment();
        TILES.add(path.len());
        LAST_LENGTH.set(path.len());
        LENGTH.record(path.len());
        if self
            .cache
            .edit()
            .insert(
                key,
                Cached {
                    path: Arc::clone(&path),
                    found_at: step,
                },
            )
            .is_none()
        {
            ENTRIES.increment();
        }
        Some(path)
    }

    /// Drops cached paths that have expired, or that an obstacle moved into.
    fn evict(&mut self, step: u64, map: &TileMap) {
        let moved = std::mem::replace(&mut self.seen_version, map.version()) != map.version();
        self.cache.edit().retain(|_, cached| {
            let old = step.saturating_sub(cached.found_at) > CACHE_STEPS;
            let blocked = moved && !old && !cached.path.iter().all(|&cell| map.is_open(cell));
            let reason = if old {
                Some(&STALE)
            } else {
                blocked.then_some(&BLOCKED)
            };
            if let Some(reason) = reason {
                reason.increment();
                ENTRIES.decrement();
            }
            reason.is_none()
        });
    }

    #[cfg(test)]
    pub(super) fn queued(&self) -> usize {
        self.queue.len()
    }
}

impl Drop for PathService {
    fn drop(&mut self) {
        QUEUED.add(-(self.queue.len() as f64));
        ENTRIES.add(-(self.cache.len() as f64));
    }
}

/// Searches a path with A* over open tiles with eight neighbors each. Diagonal steps do not cut
/// corners.
pub(super) fn search(map: &TileMap, start: Cell, goal: Cell) -> Search {
    let _scope = stats_memory::scope!(SEARCH);
    let mut expanded = 0;
    let found = astar(
        &start,
        |&cell| {
            expanded += 1;
            neighbors(map, cell)
        },
        |&cell| octile(cell, goal),
        |&cell| cell == goal,
    );
    charge(expanded, PER_TILE);
    Search {
        path: found.map(|(path, _)| path),
        expanded,
    }
}

fn neighbors(map: &TileMap, (x, y): Cell) -> impl Iterator<Item = (Cell, u32)> {
    let open = |dx: i32, dy: i32| map.is_open((x + dx, y + dy));
    let straight = [(1, 0), (-1, 0), (0, 1), (0, -1)]
        .map(|(dx, dy)| (open(dx, dy), ((x + dx, y + dy), STRAIGHT)));
    let diagonal = [(1, 1), (1, -1), (-1, 1), (-1, -1)].map(|(dx, dy)| {
        (
            open(dx, 0) && open(0, dy) && open(dx, dy),
            ((x + dx, y + dy), DIAGONAL),
        )
    });
    let all = straight
        .into_iter()
        .chain(diagonal)
        .filter(|(open, _)| *open)
        .map(|(_, step)| step);
    GENERATED.add(all.clone().count());
    all
}

/// Returns the cost without obstacles. It is never more than the true cost, so A* finds a shortest
/// path.
fn octile(from: Cell, to: Cell) -> u32 {
    let (dx, dy) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
    DIAGONAL * dx.min(dy) + STRAIGHT * dx.abs_diff(dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a room of 20 × 12 tiles, divided by a wall with one gap at its lower end.
    fn divided() -> TileMap {
        TileMap::new(
            20,
            12,
            (0..240).map(|at| at % 20 == 10 && at / 20 < 10).collect(),
        )
    }

    #[test]
    fn a_path_leads_from_start_to_goal_over_open_tiles_one_at_a_time() {
        let map = divided();
        let path = search(&map, (2, 2), (17, 2)).path.expect("there is a gap");
        assert_eq!((path.first(), path.last()), (Some(&(2, 2)), Some(&(17, 2))));
        assert!(path.iter().all(|&cell| map.is_open(cell)));
        assert!(
            path.windows(2).all(
                |pair| (pair[0].0 - pair[1].0).abs() <= 1 && (pair[0].1 - pair[1].1).abs() <= 1
            )
        );
        assert!(path.contains(&(10, 10)), "the path leads through the gap");
    }

    #[test]
    fn a_search_without_a_path_visits_the_whole_map() {
        let map = divided();
        let search = search(&map, (2, 2), (-9_000, -9_000));
        assert!(search.path.is_none());
        assert_eq!(search.expanded, map.floor().count());
    }

    #[test]
    fn an_obstacle_in_a_cached_path_forces_a_new_search() {
        let (pool, mut service) = (Pool::new(2), PathService::default());
        let mut map = divided();
        let serve = |service: &mut PathService, map: &TileMap| {
            service.request(0, (2, 2), (8, 2));
            let answers = service.serve(1, &Arc::new(map.clone()), &pool);
            answers[0].1.clone().expect("the goal is open")
        };
        let first = serve(&mut service, &map);
        assert!(
            Arc::ptr_eq(&first, &serve(&mut service, &map)),
            "the second answer comes from the cache"
        );
        map.cover((5, 2), true);
        let detour = serve(&mut service, &map);
        assert!(first.contains(&(5, 2)) && !detour.contains(&(5, 2)));
    }

    #[test]
    fn requests_beyond_the_limit_of_a_step_wait_in_order() {
        let (pool, map, mut service) = (Pool::new(3), Arc::new(divided()), PathService::default());
        for requester in 0..10 {
            service.request(requester, (1 + requester as i32 % 8, 1), (8, 8));
        }
        let first = service.serve(0, &map, &pool);
        let second = service.serve(1, &map, &pool);
        let order: Vec<Requester> = first
            .iter()
            .chain(&second)
            .map(|&(requester, _)| requester)
            .collect();
        assert_eq!(order, (0..10).collect::<Vec<_>>());
        assert_eq!(service.queued(), 0);
    }
}
