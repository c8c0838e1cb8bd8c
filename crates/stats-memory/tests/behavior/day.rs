//! A great many frames of a game: the series of each frame match the work of that frame, and the
//! tracker's own memory does not grow.

use std::collections::VecDeque;
use std::sync::Barrier;
use std::thread;

use stats_core::{Recorder, Watch, find};
use stats_memory::{Group, Tag, current_tag, dump, publish, totals};

use super::{Block, COUNT, RECORDS, Random, TAGS, alone, times};

static DAY: Group = Group::new("day").budget_bytes(1 << 20);

/// Systems of the game. Each has a scope, and all share the group.
const SYSTEMS: [&str; 4] = ["physics", "ai", "sound", "threads"];

/// The frames of a minute.
const MINUTE: usize = 3600;

/// The allocations and bytes of a system: first those of the frame, then the live ones.
type Expected = [u64; 4];

/// An allocation in any mode.
enum Held {
    Counted(Block<stats_memory::TrackingAllocator<std::alloc::System, stats_memory::Count>>),
    Tagged(Block<stats_memory::TrackingAllocator<std::alloc::System, stats_memory::Tags>>),
    Records(Block<stats_memory::TrackingAllocator<std::alloc::System, stats_memory::Records>>),
}

struct Day {
    random: Random,
    recorder: Recorder,
    tags: [Tag; 4],
    watches: Vec<[Watch; 4]>,
    expected: [Expected; 4],
    /// Allocations that stay live for a while, with their systems.
    held: VecDeque<(usize, Held)>,
}

fn of_scope(tag: Tag, make: impl FnOnce() -> Held) -> Held {
    let _scope = tag.enter();
    make()
}

impl Day {
    fn new() -> Self {
        let root = Tag::default().scope("day").group(&DAY);
        let tags = SYSTEMS.map(|system| root.scope(system));
        // Publishes twice, so that all of them have series.
        tags.iter()
            .for_each(|tag| drop(of_scope(*tag, || Held::Tagged(Block::new(&TAGS, 1, 8)))));
        publish();
        publish();
        let mut recorder = Recorder::new();
        recorder.end_frame();
        let scopes = SYSTEMS
            .iter()
            .map(|system| format!("memory/scopes/day/{system}"));
        let watches = scopes
            .chain(["memory/groups/day".into()])
            .map(|path| {
                ["frame-allocations", "frame-bytes", "allocations", "total"]
                    .map(|end| recorder.watch(find(&format!("{path}/{end}")).unwrap()))
            })
            .collect();
        Self {
            random: Random::new(7),
            recorder,
            tags,
            watches,
            expected: [[0; 4]; 4],
            held: VecDeque::new(),
        }
    }

    fn expect(&mut self, system: usize, bytes: u64) {
        let [allocations, frame_bytes, ..] = &mut self.expected[system];
        *allocations += 1;
        *frame_bytes += bytes;
        self.expect_held(system, 1, bytes);
    }

    fn expect_held(&mut self, system: usize, allocations: u64, bytes: u64) {
        let [.., held, held_bytes] = &mut self.expected[system];
        *held = held.wrapping_add(allocations);
        *held_bytes = held_bytes.wrapping_add(bytes);
    }

    /// Allocates in a system, in any mode.
    fn allocate(&mut self, system: usize) {
        let bytes = self.random.index(900) + 1;
        let mode = self.random.index(8);
        if mode > 0 {
            self.expect(system, bytes as u64);
        }
        let make = || match mode {
            // Has no tag, and belongs to no system.
            0 => Held::Counted(Block::new(&COUNT, bytes, 8)),
            1..5 => Held::Tagged(Block::zeroed(&TAGS, bytes, 16)),
            _ => Held::Records(Block::new(&RECORDS, bytes, 8)),
        };
        self.held
            .push_back((system, of_scope(self.tags[system], make)));
    }

    /// Returns the oldest allocation, which is no longer expected.
    fn give(&mut self) -> Option<Held> {
        let (system, held) = self.held.pop_front()?;
        if let Some(bytes) = bytes(&held) {
            self.expect_held(system, 1_u64.wrapping_neg(), bytes.wrapping_neg());
        }
        Some(held)
    }

    fn resize(&mut self) {
        let bytes = self.random.index(1200) + 1;
        let Some((system, mut held)) = self.held.pop_front() else {
            return;
        };
        match &mut held {
            Held::Counted(block) => block.resize(bytes),
            Held::Tagged(block) => block.resize(bytes),
            Held::Records(block) => block.resize(bytes),
        }
        self.held.push_back((system, held));
    }

    fn frame(&mut self, n: usize) {
        self.expected
            .iter_mut()
            .for_each(|[allocations, bytes, ..]| (*allocations, *bytes) = (0, 0));
        (0..self.random.index(4)).for_each(|_| {
            let system = self.random.index(3);
            self.allocate(system);
        });
        if let Some((system, held)) = self.held.front()
            && n.is_multiple_of(3)
        {
            let (system, old) = (*system, bytes(held));
            self.resize();
            if let Some((old, (_, held))) = old.zip(self.held.back()) {
                let new = bytes(held).unwrap_or(0);
                self.expect_held(system, 1_u64.wrapping_neg(), old.wrapping_neg());
                self.expect(system, new);
            }
        }
        while self.held.len() > 60 {
            drop(self.give());
        }
        if n.is_multiple_of(50) {
            self.threads_come_and_go();
        }
        publish();
        self.recorder.end_frame();
        self.check();
    }

    /// Starts threads that free memory of others, allocate memory that others free, and end.
    fn threads_come_and_go(&mut self) {
        let tag = self.tags[3];
        let given = [self.give(), self.give()];
        // Both run at the same time, so that the first minute sees as many threads as any later
        // one.
        let both = Barrier::new(2);
        let live = |given: Option<Held>, bytes| {
            drop(given);
            both.wait();
            of_scope(tag, || Held::Records(Block::new(&RECORDS, bytes, 8)))
        };
        let made = thread::scope(|scope| {
            let [one, two] = given;
            let threads = [
                scope.spawn(|| live(one, 300)),
                scope.spawn(|| live(two, 500)),
            ];
            threads.map(|thread| thread.join().unwrap())
        });
        for held in made {
            self.expect(3, bytes(&held).unwrap());
            self.held.push_back((3, held));
        }
    }

    /// Compares the series of the frame with the work that was done.
    fn check(&mut self) {
        let group: Expected =
            std::array::from_fn(|at| self.expected.iter().map(|expected| expected[at]).sum());
        for (watches, expected) in self
            .watches
            .iter()
            .zip(self.expected.iter().chain([&group]))
        {
            let published = watches.each_ref().map(|watch| {
                self.recorder
                    .history(watch, 1)
                    .iter()
                    .next()
                    .unwrap_or(f64::NAN)
            });
            assert_eq!(published, expected.map(|number| number as f64));
        }
    }

    /// Returns the size of the tracker's own memory, and the number of tags. Checks the rest.
    fn own(&mut self) -> (u64, f64) {
        let lines = self
            .held
            .iter()
            .filter(|(_, held)| matches!(held, Held::Records(_)))
            .count();
        // A heading comes first if a group has a budget, as one has in another test.
        let mut text = Vec::new();
        let dumped = dump(&mut text).unwrap();
        let heading = u64::from(text.starts_with(b"address,"));
        assert_eq!(dumped, lines as u64 + heading);
        drop(text);
        let totals = totals();
        assert_eq!(totals.allocations, self.held.len() as u64);
        // The header of each live allocation is not growth.
        (
            totals.overhead_bytes - 8 * totals.allocations,
            self.recorder
                .peek(find("memory/tags").unwrap())
                .unwrap_or(f64::NAN),
        )
    }
}

/// Returns the bytes of an allocation that has a tag.
fn bytes(held: &Held) -> Option<u64> {
    match held {
        Held::Counted(_) => None,
        Held::Tagged(block) => Some(block.bytes() as u64),
        Held::Records(block) => Some(block.bytes() as u64),
    }
}

fn frames(count: usize) {
    let _alone = alone();
    let before = (totals().bytes, current_tag());
    assert_eq!(totals().allocations, 0, "another test left something");
    let mut day = Day::new();
    (0..MINUTE).for_each(|n| day.frame(n));
    day.own();
    day.recorder.end_frame();
    let first = day.own();
    for n in MINUTE..count {
        day.frame(n);
        if n.is_multiple_of(MINUTE) {
            assert_eq!(day.own(), first, "after {n} frames");
        }
    }
    assert_eq!(day.own(), first);
    day.held.clear();
    assert_eq!((totals().bytes, current_tag()), before);
}

#[test]
fn nothing_grows_over_minutes_of_frames() {
    frames(MINUTE + times(16_400));
}

/// At 60 frames per second: `cargo test --release -p stats-memory --test tracking -- --ignored`,
/// half a minute.
#[test]
#[ignore = "a day of frames takes half a minute in a release build"]
fn nothing_grows_over_a_day_of_frames() {
    frames(24 * 60 * MINUTE);
}
