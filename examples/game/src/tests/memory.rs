//! Memory: the planted leak is the largest growth, jobs count to whoever began them, a healthy step
//! allocates little.
use std::collections::BTreeMap;

use super::{alone, frame, measured, small};
use crate::args::Args;
use crate::game::Game;
use crate::sim::Sim;
use crate::sim::faults::Fault;
use crate::sim::jobs::Pool;
use crate::sim::player::Controls;

/// What a line of a dump belongs to: group, scopes from outside in, name.
type Place = Vec<String>;

/// Writes a dump and says how many lines it has.
type Dump = fn(&mut Vec<u8>) -> std::io::Result<u64>;

/// A line for each live allocation.
fn allocations(out: &mut Vec<u8>) -> std::io::Result<u64> {
    stats_memory::dump(out)
}

/// A line for each place.
fn places(out: &mut Vec<u8>) -> std::io::Result<u64> {
    stats_memory::dump_tags(out)
}

/// A dump, its lines folded by their place: bytes of each.
fn folded(dump: Dump) -> BTreeMap<Place, i64> {
    let mut text = Vec::new();
    let lines = dump(&mut text).expect("memory can be written to");
    let text = String::from_utf8(text).expect("names are text");
    assert_eq!(lines, text.lines().count() as u64);
    let mut held = BTreeMap::new();
    for line in text.lines() {
        // No name in the game has a comma, a quote, a `|` or a `\`.
        assert!(!line.contains(['"', '\\']), "{line}");
        let fields: Vec<&str> = line.split(',').collect();
        let place = std::iter::once(fields[2])
            .chain(fields[4].split('|'))
            .chain([fields[5]]);
        *held.entry(place.map(str::to_owned).collect()).or_default() +=
            fields[3].parse::<i64>().expect("bytes");
    }
    held
}

/// What grew and by how much.
fn growth(before: &BTreeMap<Place, i64>, after: &BTreeMap<Place, i64>) -> Vec<(Place, i64)> {
    after
        .iter()
        .map(|(place, bytes)| (place.clone(), bytes - before.get(place).unwrap_or(&0)))
        .collect()
}

/// Down the tree from its root, at each fork along the branch that grew most.
fn along_the_largest(grown: &[(Place, i64)]) -> Place {
    let mut way: Place = Vec::new();
    loop {
        let mut branches: BTreeMap<&String, i64> = BTreeMap::new();
        for (place, bytes) in grown
            .iter()
            .filter(|(place, _)| place.starts_with(&way) && place.len() > way.len())
        {
            *branches.entry(&place[way.len()]).or_default() += bytes;
        }
        let Some((branch, _)) = branches.into_iter().max_by_key(|(_, bytes)| *bytes) else {
            return way;
        };
        way.push(branch.clone());
    }
}

#[test]
fn the_planted_leak_is_the_largest_growth_between_two_dumps() {
    let _alone = alone();
    let dumps: [Dump; 2] = [allocations, places];
    let mut game = Game::new(
        &Args {
            smoke: Some(1.0),
            size: (320, 200),
            workers: 2,
            ..Args::default()
        },
        false,
    );
    // The overlay has its first frames and the agents their paths before the first dump, as when
    // someone plays.
    (0..30).for_each(|_| frame(&mut game, None));
    let before = dumps.map(folded);
    game.sim.faults.set(Fault::GrowingArray, true);
    (0..150).for_each(|_| frame(&mut game, None));
    let leak = ["simulation", "simulation", "faults", "growing-array"];
    for (dump, before) in dumps.into_iter().zip(before) {
        let grown = growth(&before, &folded(dump));
        let (place, bytes) = grown
            .iter()
            .max_by_key(|(_, bytes)| *bytes)
            .expect("something is held");
        assert_eq!(place, &leak);
        assert!(*bytes >= 300 * 65_536, "{bytes} bytes");
        assert_eq!(along_the_largest(&grown), leak);
    }
    game.sim.faults.set(Fault::GrowingArray, false);
    assert!(
        !folded(dumps[0]).contains_key(leak.map(str::to_owned).as_slice()),
        "it is freed with its fault"
    );
}

#[test]
fn a_job_counts_to_the_scope_that_began_it() {
    let _alone = alone();
    let pool = Pool::new(3);
    let _scope = stats_memory::scope!("began it", group: crate::memory::AI);
    let held = pool.run((0..6).map(|_| || vec![7u8; 100_000]).collect());
    let place: Place = ["ai", "began it", ""].map(str::to_owned).to_vec();
    let bytes = || folded(allocations).get(&place).copied().unwrap_or(0);
    // A little more than asked for: what the counters of a new thread keep is counted where they
    // are first added to.
    assert!((600_000..700_000).contains(&bytes()), "{}", bytes());
    let mut threads = Vec::new();
    allocations(&mut threads).expect("memory can be written to");
    let threads = String::from_utf8(threads).expect("names are text");
    for worker in ["worker-0", "worker-1", "worker-2"] {
        let lines = threads
            .lines()
            .filter(|line| line.contains(worker) && line.contains(",ai,100000,began it,"));
        assert_eq!(lines.count(), 2, "{worker}: {threads}");
    }
    drop(held);
    assert!(bytes() < 100_000, "{}", bytes());
}

/// Grids, gates and physics keep their memory from step to step; what is left are messages to the
/// workers and their results.
#[test]
fn a_step_makes_few_allocations_once_everything_has_its_size() {
    let _alone = alone();
    let mut sim = small(2, 0);
    let steps = |sim: &mut Sim| (0..200).for_each(|_| sim.step(Controls::default()));
    steps(&mut sim);
    let scopes = ["grid", "gates", "bodies", "particles", "agents/flock"];
    let paths = scopes.map(|scope| format!("memory/scopes/simulation/{scope}/frame-allocations"));
    stats_memory::publish();
    let made = measured(&paths.each_ref().map(String::as_str), || steps(&mut sim));
    let most = |scope: &str, most: f64| {
        let path = format!("memory/scopes/simulation/{scope}/frame-allocations");
        let a_step = made.get(&path).copied().unwrap_or(0.0) / 200.0;
        assert!(a_step <= most, "{scope}: {a_step} in a step, of {made:?}");
    };
    most("grid", 0.05);
    most("gates", 6.0);
    most("bodies", 8.0);
    most("particles", 14.0);
    most("agents/flock", 18.0);
}

#[test]
fn a_level_is_a_scope_of_its_own_and_its_map_goes_when_it_is_unloaded() {
    let _alone = alone();
    let mut sim = small(1, 0);
    // By name: what counters keep of the thread that loads is counted to the level too, and stays.
    let held = |level: &str| {
        let dump = folded(allocations);
        let is_map = |place: &Place| {
            place.iter().any(|part| part == level)
                && place.last().is_some_and(|name| name == "tiles")
        };
        dump.iter()
            .filter(|(place, _)| is_map(place))
            .map(|(_, bytes)| bytes)
            .sum::<i64>()
    };
    let tiles = |sim: &Sim| sim.stage.level.map.size().element_product() as i64;
    assert!(
        held("The Hollow") >= tiles(&sim) && held("The Foundry") == 0,
        "{} and {}",
        held("The Hollow"),
        held("The Foundry")
    );
    sim.next_level();
    assert!(
        held("The Hollow") == 0 && held("The Foundry") >= tiles(&sim),
        "{} and {}",
        held("The Hollow"),
        held("The Foundry")
    );
}
