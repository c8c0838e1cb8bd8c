//! How long it takes from a dump to the first rows, and from a click to others; printed by
//! `cargo test --release -p stats-overlay --lib memory::speed -- --ignored --nocapture`.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use super::filter::{Changes, Filter};
use super::list::RowList;
use super::snapshot::MemorySnapshot;
use super::testing::read;
use super::tree::{Levels, MemoryTree, Order, SortBy};
use stats_testing::Random;

const LINES: u64 = 600_000;

const LARGEST: Order = Order {
    by: SortBy::Bytes,
    descending: true,
};

/// As a game has them: 4,175 stacks of scopes, each in one group and mostly on one thread, a few
/// names, mixed sizes.
fn realistic(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut dump = String::new();
    for line in 0..LINES {
        let stack = random.below(4175);
        let thread = if random.below(10) == 0 {
            random.below(18)
        } else {
            stack % 18
        };
        let size = if random.below(3) == 0 {
            1 + random.below(4096)
        } else {
            16 << random.below(8)
        };
        let _ = write!(
            dump,
            "0x{:016x},worker-thread-{thread},group-{},{size},",
            line * 64,
            stack % 12
        );
        let _ = write!(
            dump,
            "Game/Frame|System-{}/Update|Stage-{}/Load|Entities/Kind-{stack}",
            stack % 20,
            stack % 300
        );
        let _ = writeln!(
            dump,
            ",{}",
            if random.below(2) == 0 {
                String::new()
            } else {
                format!("component-{}", random.below(30))
            }
        );
    }
    dump
}

/// Nothing equal.
fn distinct() -> String {
    let mut dump = String::new();
    for line in 0..LINES {
        let _ = writeln!(
            dump,
            "0x{:016x},main,rendering,{},Game/Frame|Level/Load,texture-number-{line}.png",
            line * 64,
            line % 5000 + 1
        );
    }
    dump
}

/// What this thread took of a processor, where the system says so: the machine may be busy with
/// other things.
fn on_processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace()
        .next()?
        .parse()
        .ok()
        .map(Duration::from_nanos)
}

/// Says how long something takes, the best of three, waiting aside.
fn time<T>(what: &str, mut run: impl FnMut() -> T) -> Duration {
    let once = || {
        let (begun, begun_on_processor) = (Instant::now(), on_processor());
        std::hint::black_box(run());
        let elapsed = begun.elapsed();
        // Told at ticks of its clock only, so short ones by the wall.
        match (on_processor(), begun_on_processor) {
            (Some(now), Some(begun)) if now > begun => now - begun,
            _ => elapsed,
        }
    };
    let best = std::iter::repeat_with(once).take(3).min().unwrap();
    println!("{what:50} {:8.1} ms", best.as_secs_f64() * 1e3);
    best
}

/// What is open where the largest row of each level is.
fn way_to_largest(tree: &mut MemoryTree, rows: &mut Vec<u32>) -> HashSet<u64> {
    let mut open = HashSet::new();
    loop {
        tree.visible(&open, LARGEST, rows);
        let next = rows
            .get(open.len())
            .map(|&row| tree.row(row))
            .filter(|row| row.has_children);
        let Some(row) = next else { return open };
        open.insert(row.key);
    }
}

fn measure(dump: &str, before: &str) -> Duration {
    let floor = time("lines alone, with memchr", || {
        memchr::memchr_iter(b'\n', dump.as_bytes()).count()
    });
    let snapshot = read(dump);
    println!(
        "{} MB, {} entries, {} sites",
        dump.len() >> 20,
        snapshot.entries(),
        snapshot.held.sites.len()
    );
    let reading = time("reading", || MemorySnapshot::read(dump.as_bytes()));
    println!(
        "reading is {:.1} times the floor",
        reading.as_secs_f64() / floor.as_secs_f64()
    );
    let new = |filter: &Filter| MemoryTree::new(&snapshot, None, Levels::default(), filter);
    let mut rows = Vec::new();
    let building = time("first tree and rows", || {
        let mut list = RowList::default();
        list.set_tree(new(&Filter::default()));
        list.reveal_first();
        list.len()
    });
    let mut tree = new(&Filter::default());
    println!("{} nodes", tree.len());
    time("filter by names", || {
        new(&Filter {
            name: "co 7".to_owned(),
            ..Filter::default()
        })
    });
    time("filter by scopes", || {
        new(&Filter {
            scope: "kind 7".to_owned(),
            ..Filter::default()
        })
    });
    time("without threads", || {
        MemoryTree::new(
            &snapshot,
            None,
            Levels {
                threads: false,
                ..Levels::default()
            },
            &Filter::default(),
        )
    });
    time("scopes alone", || {
        let levels = Levels {
            threads: false,
            groups: false,
            names: false,
            sizes: false,
            scopes: true,
        };
        MemoryTree::new(&snapshot, None, levels, &Filter::default())
    });
    let mut all = HashSet::new();
    time("opening all, level by level", || {
        let mut known = 1;
        while all.len() != known {
            known = all.len();
            tree.visible(&all, LARGEST, &mut rows);
            all.extend(
                rows.iter()
                    .map(|&row| tree.row(row))
                    .filter(|row| row.has_children)
                    .map(|row| row.key),
            );
        }
    });
    println!("{} rows", rows.len());
    for by in [SortBy::Bytes, SortBy::Label, SortBy::Count] {
        let mut descending = false;
        time(&format!("sorting all by {by:?}, all open"), || {
            descending = !descending;
            tree.visible(&all, Order { by, descending }, &mut rows);
        });
        let path = way_to_largest(&mut tree, &mut rows);
        time(&format!("sorting by {by:?}, one path open"), || {
            descending = !descending;
            tree.visible(&path, Order { by, descending }, &mut rows);
        });
    }
    let before = read(before);
    time("a comparison", || {
        MemoryTree::new(
            &snapshot,
            Some(&before),
            Levels::default(),
            &Filter::default(),
        )
    });
    let mut list = RowList::default();
    list.set_tree(MemoryTree::new(
        &snapshot,
        Some(&before),
        Levels::default(),
        &Filter::default(),
    ));
    time("opening the way to the largest growth", || {
        list.reveal_growth()
    });
    let grown = Filter {
        changes: Changes::Grown,
        ..Filter::default()
    };
    time("a comparison, what has grown", || {
        MemoryTree::new(&snapshot, Some(&before), Levels::default(), &grown)
    });
    tree.visible(&HashSet::new(), LARGEST, &mut rows);
    reading + building
}

#[test]
#[ignore = "prints what it takes; in release builds"]
fn of_600_000_allocations() {
    let taken = measure(&realistic(1), &realistic(2));
    assert!(taken < Duration::from_secs(1), "{taken:?}");
}

#[test]
#[ignore = "prints what it takes; in release builds"]
fn of_600_000_different_allocations() {
    let dump = distinct();
    let taken = measure(&dump, &dump);
    assert!(taken < Duration::from_secs(2), "{taken:?}");
}
