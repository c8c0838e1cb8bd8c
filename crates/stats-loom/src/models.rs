//! The core's own code.

use loom::sync::Arc;
use loom::{model, thread};

use crate::block::{Block, BlockList};
use crate::layout::Spot;
use crate::lazy_slot;
use crate::moments::Moments;
use crate::owned::OwnedList;
use crate::sync::{AtomicU32, Link, Mutex, Ordering};
use crate::tally::{Reading, Tally, Total};

/// Every interleaving with up to three preemptions, which is where bugs of this kind show: of
/// models that have too many others to try.
fn bounded_model(run: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(run);
}

fn list() -> Arc<BlockList> {
    Arc::new(OwnedList(Link::new()))
}

fn add(block: &Block, n: f64) {
    assert!(block.cell(0).add(n, true));
}

/// A recorder with one counter: cuts the total into frames.
#[derive(Default)]
struct Frames {
    previous: f64,
    frames: Vec<f64>,
}

impl Frames {
    fn push(&mut self, list: &BlockList) {
        let total = list.total(0);
        self.frames.push(total - self.previous);
        self.previous = total;
    }
}

#[test]
fn each_add_is_in_one_frame_of_each_recorder_while_a_thread_adds() {
    model(|| {
        let list = list();
        let adder = {
            let list = Arc::clone(&list);
            thread::spawn(move || {
                let block = list.claim();
                add(block, 1.0);
                add(block, 16.0);
                block.release();
            })
        };
        let mut recorders = [Frames::default(), Frames::default()];
        recorders
            .iter_mut()
            .for_each(|recorder| recorder.push(&list));
        recorders[0].push(&list);
        adder.join().unwrap();
        for mut recorder in recorders {
            recorder.push(&list);
            assert!(
                recorder.frames.iter().all(|value| *value >= 0.0),
                "{:?}",
                recorder.frames
            );
            assert_eq!(recorder.frames.iter().sum::<f64>(), 17.0);
        }
    });
}

#[test]
fn no_block_is_lost_when_two_threads_bring_their_first_at_once() {
    bounded_model(|| {
        let list = list();
        let adders = [1.0, 16.0].map(|n| {
            let list = Arc::clone(&list);
            thread::spawn(move || add(list.claim(), n))
        });
        let mut recorder = Frames::default();
        recorder.push(&list);
        adders.into_iter().for_each(|adder| adder.join().unwrap());
        recorder.push(&list);
        assert_eq!(recorder.frames.iter().sum::<f64>(), 17.0);
    });
}

#[test]
fn what_a_dying_thread_left_is_kept_by_whoever_adopts_its_blocks() {
    model(|| {
        let list = list();
        let live = |list: &BlockList, n| {
            let block = list.claim();
            add(block, n);
            block.release();
        };
        let other = {
            let list = Arc::clone(&list);
            thread::spawn(move || live(&list, 1.0))
        };
        live(&list, 16.0);
        live(&list, 256.0);
        other.join().unwrap();
        assert_eq!(list.total(0), 273.0);
        let mut blocks = 0;
        list.for_each(|_| blocks += 1);
        assert!(blocks <= 2, "{blocks}");
    });
}

#[test]
fn a_block_is_adopted_rather_than_made_when_one_is_free() {
    model(|| {
        let list = list();
        for _ in 0..3 {
            let block = list.claim();
            add(block, 1.0);
            block.release();
        }
        let mut blocks = 0;
        list.for_each(|_| blocks += 1);
        assert_eq!((blocks, list.total(0)), (1, 3.0));
    });
}

#[test]
fn adds_after_the_end_of_a_thread_claim_and_release_and_lose_nothing() {
    model(|| {
        let list = list();
        let dying = {
            let list = Arc::clone(&list);
            thread::spawn(move || {
                let block = list.claim();
                add(block, 1.0);
                block.release();
                // The destructor of a thread-local that outlived the core's guard.
                let block = list.claim();
                add(block, 16.0);
                block.release();
            })
        };
        add(list.claim(), 256.0);
        dying.join().unwrap();
        assert_eq!(list.total(0), 273.0);
    });
}

#[test]
fn threads_that_register_one_static_at_once_agree_on_its_slot() {
    bounded_model(|| {
        let stored = Arc::new(AtomicU32::new(Spot::UNREGISTERED.to_bits()));
        // A registry as the core's: the same path always gets the same slot, under a lock.
        let registered = Arc::new(Mutex::new(Vec::new()));
        let register = |registered: &Mutex<Vec<&str>>| {
            let mut paths = registered.lock().unwrap();
            let slot = paths
                .iter()
                .position(|path| *path == "a/b")
                .unwrap_or_else(|| {
                    paths.push("a/b");
                    paths.len() - 1
                });
            Spot::from_bits(slot as u32)
        };
        let threads = [(); 2].map(|()| {
            let (stored, registered) = (Arc::clone(&stored), Arc::clone(&registered));
            thread::spawn(move || lazy_slot::resolve(&stored, || register(&registered)))
        });
        let own = lazy_slot::resolve(&stored, || register(&registered));
        let slots = threads.map(|thread| thread.join().unwrap());
        let slot = Spot::from_bits(0);
        assert_eq!(
            (slots, own, stored.load(Ordering::Relaxed)),
            ([slot; 2], slot, 0)
        );
        assert_eq!(registered.lock().unwrap().len(), 1);
    });
}

/// What a thread reads of a tally that this one writes.
///
/// In this order, the reader beside and the owner here: loom looks for another order at the last
/// access to an atomic alone, and an owner that loads before it stores would hide a reader that
/// came before.
fn read_beside(own: fn(&Tally), check: fn(Reading)) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    // Each load of a dozen numbers may see any of their values: too many ways to try them all. What
    // breaks it is found within seconds.
    builder.max_duration = Some(std::time::Duration::from_secs(10));
    builder.check(move || {
        let tally = Arc::new(Tally::new());
        let reader = {
            let tally = Arc::clone(&tally);
            thread::spawn(move || tally.try_read().map_or((), check))
        };
        own(&tally);
        reader.join().unwrap();
        check(tally.try_read().unwrap());
    });
}

#[test]
fn a_tally_is_read_whole_or_not_at_all() {
    // The second sample takes the last place, and the third one that becomes free.
    let own = |tally: &Tally| {
        [5.0, 1.0, 9.0]
            .into_iter()
            .for_each(|sample| tally.add(sample, 0))
    };
    // Sum, least, greatest and squared distances after each of them.
    const AFTER: [(f64, f64, f64, f64); 4] = [
        (0.0, f64::INFINITY, f64::NEG_INFINITY, 0.0),
        (5.0, 5.0, 5.0, 0.0),
        (6.0, 1.0, 5.0, 8.0),
        (15.0, 1.0, 9.0, 32.0),
    ];
    read_beside(own, |reading| {
        let Moments {
            count,
            sum,
            min,
            max,
            squares,
            ..
        } = reading.moments;
        assert_eq!((sum, min, max, squares), AFTER[count as usize]);
    });
}

#[test]
fn the_sums_of_a_run_are_never_those_of_another() {
    let own = |tally: &Tally| {
        [(5.0, 0), (1.0, 1)]
            .into_iter()
            .for_each(|(sample, run)| tally.add(sample, run))
    };
    read_beside(own, |reading| {
        let of = |Moments {
                      count,
                      sum,
                      min,
                      max,
                      ..
                  }: Moments| (count, sum, min, max);
        let none = of(Moments::NONE);
        let (five, one) = ((1, 5.0, 5.0, 5.0), (1, 1.0, 1.0, 1.0));
        let Total { count, sum } = reading.before;
        let found = (reading.run, of(reading.moments), (count, sum));
        let ended = of(reading.ended.1);
        let first = [(0, none, (0, 0.0)), (0, five, (0, 0.0))].contains(&found) && ended.0 == 0;
        let second = [(1, none, (1, 5.0)), (1, one, (1, 5.0))].contains(&found)
            && (reading.ended.0, ended) == (0, five);
        assert!(first || second, "{reading:?}");
    });
}
