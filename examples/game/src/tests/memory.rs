//! Memory: the planted leak is the largest growth, jobs count toward the scope that started them,
//! and a healthy step allocates little.
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _, by};
use stats_memory_panel::MemoryPanel;

use super::{alone, frame, measured, small};
use crate::args::Args;
use crate::game::Game;
use crate::sim::Sim;
use crate::sim::faults::Fault;
use crate::sim::jobs::Pool;
use crate::sim::level::MENU;
use crate::sim::player::Controls;

/// The owner of a line of a dump: its group, its scopes from the outermost to the innermost, its
/// name.
type Owner = Vec<String>;

/// Writes a dump and returns the number of its lines.
type Dump = fn(&mut Vec<u8>) -> std::io::Result<u64>;

/// Writes one line per live allocation.
fn allocations(out: &mut Vec<u8>) -> std::io::Result<u64> {
    stats_memory::dump(out)
}

/// Writes one line per owner.
fn owners(out: &mut Vec<u8>) -> std::io::Result<u64> {
    stats_memory::dump_tags(out)
}

/// Returns the bytes of each owner in a dump.
fn bytes_by_owner(dump: Dump) -> BTreeMap<Owner, i64> {
    let mut text = Vec::new();
    let lines = dump(&mut text).expect("memory can be written to");
    let text = String::from_utf8(text).expect("names are UTF-8");
    assert_eq!(lines, text.lines().count() as u64);
    let mut owners = BTreeMap::new();
    // The first line has the budgets.
    for line in text.lines().skip(1) {
        // No name in the game has a comma, a quote, a `|` or a `\`.
        assert!(!line.contains(['"', '\\']), "{line}");
        let fields: Vec<&str> = line.split(',').collect();
        let owner = std::iter::once(fields[2])
            .chain(fields[4].split('|'))
            .chain([fields[5]]);
        *owners
            .entry(owner.map(str::to_owned).collect())
            .or_default() += fields[3].parse::<i64>().expect("bytes");
    }
    owners
}

/// Returns how many bytes each owner grew by.
fn growth(before: &BTreeMap<Owner, i64>, after: &BTreeMap<Owner, i64>) -> Vec<(Owner, i64)> {
    after
        .iter()
        .map(|(owner, bytes)| (owner.clone(), bytes - before.get(owner).unwrap_or(&0)))
        .collect()
}

/// Descends from the root of the tree, at each level into the branch that grew most.
fn follow_largest(grown: &[(Owner, i64)]) -> Owner {
    let mut path: Owner = Vec::new();
    loop {
        let mut branches: BTreeMap<&String, i64> = BTreeMap::new();
        for (owner, bytes) in grown
            .iter()
            .filter(|(owner, _)| owner.starts_with(&path) && owner.len() > path.len())
        {
            *branches.entry(&owner[path.len()]).or_default() += bytes;
        }
        let Some((branch, _)) = branches.into_iter().max_by_key(|(_, bytes)| *bytes) else {
            return path;
        };
        path.push(branch.clone());
    }
}

#[test]
fn the_planted_leak_is_the_largest_growth_between_two_dumps() {
    let _alone = alone();
    let dumps: [Dump; 2] = [allocations, owners];
    let mut game = Game::new(
        &Args {
            smoke: Some(1.0),
            size: (320, 200),
            workers: 2,
            ..Args::default()
        },
        false,
    );
    // As in a real game, the overlay has drawn frames and the agents have paths before the first
    // dump.
    (0..30).for_each(|_| frame(&mut game, None));
    let before = dumps.map(bytes_by_owner);
    game.sim.faults.set(Fault::GrowingArray, true);
    (0..150).for_each(|_| frame(&mut game, None));
    let leak = ["simulation", "sim/step", "faults", "growing-array"];
    for (dump, before) in dumps.into_iter().zip(before) {
        let grown = growth(&before, &bytes_by_owner(dump));
        let (owner, bytes) = grown
            .iter()
            .max_by_key(|(_, bytes)| *bytes)
            .expect("the dump has lines");
        assert_eq!(owner, &leak);
        assert!(*bytes >= 300 * 65_536, "{bytes} bytes");
        assert_eq!(follow_largest(&grown), leak);
    }
    game.sim.faults.set(Fault::GrowingArray, false);
    assert!(
        !bytes_by_owner(dumps[0]).contains_key(leak.map(str::to_owned).as_slice()),
        "the array is freed when its fault is switched off"
    );
}

#[test]
fn a_job_counts_toward_the_scope_that_started_it() {
    let _alone = alone();
    let pool = Pool::new(3);
    let _scope = stats_memory::scope!("start jobs", group: crate::memory::AI);
    let results = pool.run((0..6).map(|_| || vec![7u8; 100_000]).collect());
    let owner: Owner = ["ai", "start jobs", ""].map(str::to_owned).to_vec();
    let bytes = || {
        bytes_by_owner(allocations)
            .get(&owner)
            .copied()
            .unwrap_or(0)
    };
    // Slightly more than the jobs allocate: the counters of a new thread allocate when they are
    // first used.
    assert!((600_000..700_000).contains(&bytes()), "{}", bytes());
    let mut threads = Vec::new();
    allocations(&mut threads).expect("memory can be written to");
    let threads = String::from_utf8(threads).expect("names are UTF-8");
    for worker in ["worker-0", "worker-1", "worker-2"] {
        let lines = threads
            .lines()
            .filter(|line| line.contains(worker) && line.contains(",ai,100000,start jobs,"));
        assert_eq!(lines.count(), 2, "{worker}: {threads}");
    }
    drop(results);
    assert!(bytes() < 100_000, "{}", bytes());
}

/// Grids, gates and physics reuse their memory from step to step. The remaining allocations are
/// messages to the workers, and their results.
#[test]
fn a_step_makes_few_allocations_in_the_steady_state() {
    let _alone = alone();
    let mut sim = small(2, 0);
    let steps = |sim: &mut Sim| (0..200).for_each(|_| sim.step(Controls::default()));
    steps(&mut sim);
    let scopes = [
        "grid",
        "gates/move",
        "bodies",
        "particles/step",
        "agents/flock/step",
    ];
    let paths = scopes.map(|scope| format!("memory/scopes/sim/step/{scope}/frame-allocations"));
    stats_memory::publish();
    let allocations = measured(&paths.each_ref().map(String::as_str), || steps(&mut sim));
    let most = |scope: &str, most: f64| {
        let path = format!("memory/scopes/sim/step/{scope}/frame-allocations");
        let per_step = allocations.get(&path).copied().unwrap_or(0.0) / 200.0;
        assert!(
            per_step <= most,
            "{scope}: {per_step} per step, of {allocations:?}"
        );
    };
    most("grid", 0.05);
    most("gates/move", 6.0);
    most("bodies", 8.0);
    most("particles/step", 14.0);
    most("agents/flock/step", 18.0);
}

#[test]
fn a_level_has_its_own_scope_and_its_map_is_freed_when_it_is_unloaded() {
    let _alone = alone();
    let mut sim = small(1, 0);
    // Only the map: allocations of the loading thread's counters count toward the level too, and
    // are not freed with it.
    let bytes = |level: &str| {
        let dump = bytes_by_owner(allocations);
        let is_map = |owner: &Owner| {
            owner.iter().any(|part| part == level)
                && owner.last().is_some_and(|name| name == "tiles")
        };
        dump.iter()
            .filter(|(owner, _)| is_map(owner))
            .map(|(_, bytes)| bytes)
            .sum::<i64>()
    };
    let tiles = |sim: &Sim| sim.stage.level.map.size().element_product() as i64;
    assert!(
        bytes("The Hollow") >= tiles(&sim) && bytes("The Foundry") == 0,
        "{} and {}",
        bytes("The Hollow"),
        bytes("The Foundry")
    );
    sim.next_level();
    assert!(
        bytes("The Hollow") == 0 && bytes("The Foundry") >= tiles(&sim),
        "{} and {}",
        bytes("The Hollow"),
        bytes("The Foundry")
    );
}

#[test]
fn path_requests_belong_to_the_level_whichever_system_makes_them() {
    let _alone = alone();
    let mut sim = small(1, 0);
    (0..10).for_each(|_| sim.step(Controls::default()));
    let levels = || {
        bytes_by_owner(allocations)
            .into_keys()
            .filter(|owner| owner.last().is_some_and(|name| name == "path requests"))
            .collect::<Vec<_>>()
    };
    let owner = |level: &str| {
        vec![
            ["ai", "level", level, "path requests"]
                .map(str::to_owned)
                .to_vec(),
        ]
    };
    assert_eq!(levels(), owner("The Hollow"));
    sim.next_level();
    (0..10).for_each(|_| sim.step(Controls::default()));
    assert_eq!(levels(), owner("The Foundry"));
}

/// Steps a memory view until a condition has been met in 20 steps, so that other threads can
/// finish.
fn wait(
    view: &mut egui_kittest::Harness<'_, MemoryPanel>,
    is_met: impl Fn(&egui_kittest::Harness<'_, MemoryPanel>) -> bool,
) {
    let mut more = 20;
    for _ in 0..5_000 {
        view.step();
        more -= i32::from(is_met(view));
        if more == 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("it never becomes idle");
}

/// Takes snapshots in the memory view as the overlay does at the marks of a game, and reads what
/// the view shows after one click.
#[test]
fn a_leak_of_a_level_is_found_from_two_automatic_snapshots() {
    let _alone = alone();
    let taken = Arc::new(AtomicU64::new(0));
    let mut panel = MemoryPanel::new();
    let counted = Arc::clone(&taken);
    panel.set_dump(move |out| {
        let lines = stats_memory::dump(out);
        counted.fetch_add(1, Ordering::Relaxed);
        lines
    });
    panel.set_takes_at_marks(true);
    let mut view = egui_kittest::Harness::builder()
        .with_size(egui::vec2(1280.0, 800.0))
        .build_ui_state(|ui, panel: &mut MemoryPanel| panel.ui(ui), panel);
    // The view takes a snapshot when it is first drawn.
    wait(&mut view, |_| taken.load(Ordering::Relaxed) == 1);
    let mut sim = small(2, 0);
    for visit in 0..3 {
        // The leak is on during the last visit to the level.
        sim.faults.set(Fault::GrowingArray, visit == 2);
        sim.load(0);
        (0..60).for_each(|_| sim.step(Controls::default()));
        sim.load(MENU);
        view.state_mut().mark("back to menu ends");
        wait(&mut view, |_| taken.load(Ordering::Relaxed) == 2 + visit);
    }
    view.get_by_label("Left behind").click();
    wait(&mut view, |view| {
        let mut notes = view.query_all_by_label("Memory");
        notes.all(|note| {
            !note
                .accesskit_node()
                .value()
                .unwrap_or_default()
                .contains('…')
        })
    });
    let rows = view.query_all(by().role(Role::TreeItem));
    let names: Vec<String> = rows
        .filter_map(|row| row.accesskit_node().label())
        .collect();
    for owner in [
        "group simulation",
        "scope sim/step",
        "scope faults",
        "name growing-array",
    ] {
        assert!(names.iter().any(|name| name == owner), "{owner}: {names:?}");
    }
}
