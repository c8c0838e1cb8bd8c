//! Random work on several threads, compared with plain bookkeeping of the same work.

use std::alloc::GlobalAlloc;
use std::collections::HashMap;
use std::sync::mpsc;
use std::thread;

use stats_memory::{Tag, Tagged, Totals, current_tag, totals};

use super::{Block, COUNT, RECORDS, Random, TAGS, alone, dumps, times};

/// The counts of a naive tracker for one thread's work.
#[derive(Default)]
struct Model {
    held: HashMap<&'static str, (i64, i64)>,
    made: u64,
    allocated: u64,
}

impl Model {
    fn allocated(&mut self, scope: &'static str, bytes: usize) {
        self.made += 1;
        self.allocated += bytes as u64;
        self.moved(scope, bytes as i64, 1);
    }

    fn moved(&mut self, scope: &'static str, bytes: i64, allocations: i64) {
        let held = self.held.entry(scope).or_default();
        *held = (held.0 + bytes, held.1 + allocations);
    }

    fn merge(&mut self, other: Self) {
        self.made += other.made;
        self.allocated += other.allocated;
        other
            .held
            .into_iter()
            .for_each(|(scope, (bytes, allocations))| self.moved(scope, bytes, allocations));
    }
}

type Kept<A> = (&'static str, Block<A>);

const SCOPES: [&str; 5] = ["model-a", "model-b", "model-c", "model-d", "model-e"];

/// Allocates, reallocates and frees. Blocks move from thread to thread through the channels.
fn work<A: GlobalAlloc + Sync>(
    allocator: &'static A,
    seed: u64,
    steps: usize,
    (to, from): (&mpsc::Sender<Kept<A>>, &mpsc::Receiver<Kept<A>>),
) -> (Model, Vec<Kept<A>>) {
    let (mut random, mut model, mut kept) =
        (Random::new(seed), Model::default(), Vec::<Kept<A>>::new());
    let tags: Vec<Tag> = SCOPES
        .iter()
        .map(|scope| current_tag().scope(scope))
        .collect();
    for _ in 0..steps {
        kept.extend(from.try_recv());
        match random.index(10) {
            0..4 => {
                let (scope, bytes, align) = (
                    random.index(SCOPES.len()),
                    random.index(700) + 1,
                    1 << random.index(9),
                );
                let _scope = tags[scope].enter();
                model.allocated(SCOPES[scope], bytes);
                let make = if random.index(4) == 0 {
                    Block::zeroed
                } else {
                    Block::new
                };
                kept.push((SCOPES[scope], make(allocator, bytes, align)));
            }
            4..6 if !kept.is_empty() => {
                let at = random.index(kept.len());
                let (scope, block) = &mut kept[at];
                let bytes = random.index(3000) + 1;
                model.moved(scope, -(block.bytes() as i64), -1);
                // In a scope, the block keeps its tag. In an edit, it gets the tag of the edit.
                let other = random.index(SCOPES.len());
                let _scope = tags[other].enter();
                let mut edited = Tagged::new(tags[other], block);
                if random.index(2) == 0 {
                    *scope = SCOPES[other];
                    edited.edit().resize(bytes);
                    edited.edit().fail_to_resize();
                } else {
                    edited.into_inner().resize(bytes);
                }
                model.allocated(scope, bytes);
            }
            6..9 if !kept.is_empty() => {
                let (scope, block) = kept.swap_remove(random.index(kept.len()));
                model.moved(scope, -(block.bytes() as i64), -1);
            }
            9 if !kept.is_empty() => {
                to.send(kept.swap_remove(random.index(kept.len()))).unwrap();
            }
            _ => {}
        }
    }
    (model, kept)
}

/// Runs the work on several threads in a ring, twice, so that shards are adopted. Returns the
/// counts of all models, and the blocks that are still live.
fn run<A: GlobalAlloc + Sync>(
    allocator: &'static A,
    threads: usize,
    steps: usize,
) -> (Model, Vec<Kept<A>>) {
    let (mut whole, mut held) = (Model::default(), Vec::new());
    for round in 0..2 {
        let (senders, receivers): (Vec<_>, Vec<_>) =
            (0..threads).map(|_| mpsc::channel::<Kept<A>>()).unzip();
        thread::scope(|scope| {
            let started = receivers.into_iter().enumerate().map(|(at, receiver)| {
                let sender = senders[(at + 1) % threads].clone();
                scope.spawn(move || {
                    let (model, mut kept) = work(
                        allocator,
                        (round * threads + at) as u64,
                        steps,
                        (&sender, &receiver),
                    );
                    drop(sender);
                    (
                        model,
                        {
                            kept.extend(receiver.try_iter());
                            kept
                        },
                        receiver,
                    )
                })
            });
            let started: Vec<_> = started.collect();
            let ended: Vec<_> = started
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect();
            for (model, kept, receiver) in ended {
                whole.merge(model);
                held.extend(kept);
                held.extend(receiver.try_iter());
            }
        });
    }
    (whole, held)
}

fn since(now: Totals, before: Totals) -> (i64, i64, u64, u64) {
    (
        now.bytes as i64 - before.bytes as i64,
        now.allocations as i64 - before.allocations as i64,
        now.allocated_bytes - before.allocated_bytes,
        now.allocations_made - before.allocations_made,
    )
}

fn assert_totals_match_the_model<A: GlobalAlloc + Sync>(
    allocator: &'static A,
) -> (Model, Vec<Kept<A>>) {
    let before = totals();
    let (model, held) = run(allocator, 4, times(10_000));
    let bytes: i64 = model.held.values().map(|held| held.0).sum();
    let allocations: i64 = model.held.values().map(|held| held.1).sum();
    assert_eq!(
        (bytes, allocations as usize),
        (
            held.iter().map(|held| held.1.bytes() as i64).sum(),
            held.len()
        )
    );
    assert_eq!(
        since(totals(), before),
        (bytes, allocations, model.allocated, model.made)
    );
    (model, held)
}

#[test]
fn totals_of_random_work_on_threads_are_exact() {
    let _alone = alone();
    let before = totals();
    drop(assert_totals_match_the_model(&COUNT));
    let now = totals();
    assert_eq!(
        (now.bytes, now.allocations),
        (before.bytes, before.allocations)
    );
}

#[test]
fn each_scope_has_exactly_the_memory_allocated_in_it() {
    let _alone = alone();
    let (model, held) = assert_totals_match_the_model(&TAGS);
    let lines = dumps::lines_of_tags();
    for scope in SCOPES {
        let line = lines.iter().find(|line| line.scopes == [scope]).unwrap();
        assert_eq!((line.bytes as i64, line.count), model.held[scope]);
    }
    drop(held);
    assert!(
        !dumps::lines_of_tags()
            .iter()
            .any(|line| SCOPES.contains(&line.scopes.first().map_or("", String::as_str)))
    );
}

#[test]
fn the_dump_lists_exactly_the_live_allocations() {
    let _alone = alone();
    let (_, held) = assert_totals_match_the_model(&RECORDS);
    let mut dumped: Vec<_> = dumps::lines()
        .into_iter()
        .map(|line| (line.address, line.bytes, line.scopes.join("|")))
        .collect();
    let mut expected: Vec<_> = held
        .iter()
        .map(|(scope, block)| {
            (
                block.address() as u64,
                block.bytes() as u64,
                (*scope).to_owned(),
            )
        })
        .collect();
    dumped.sort();
    expected.sort();
    assert_eq!(dumped, expected);
    drop(held);
    assert_eq!(dumps::lines(), []);
}
