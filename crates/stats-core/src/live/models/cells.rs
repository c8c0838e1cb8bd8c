//! Cells and their adoption, and the slot of a `static`.

use loom::sync::Arc;
use loom::{model, thread};

use crate::live::counter::{Block, BlockList, Spot, resolve};
use crate::live::owned::{Owned, OwnedList};
use crate::live::sync::{AtomicU32, Mutex, Ordering, weakened};

/// Tries every interleaving with up to three preemptions, which is where bugs of this kind show.
/// For models with too many interleavings to try all.
fn bounded_model(run: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(run);
}

fn list() -> Arc<BlockList> {
    Arc::new(OwnedList::new())
}

fn add(block: &Owned<Block>, n: f64) {
    assert!(block.value().cell(0).add(n, true));
}

/// A recorder that watches one counter.
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
fn no_block_is_lost_if_two_threads_append_their_first_blocks_at_once() {
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

fn a_thread_adopts_the_block_of_a_thread_that_ended() {
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
        assert_eq!(list.total(0), 273.0, "lost adds");
        let mut blocks = 0;
        list.for_each(|_| blocks += 1);
        assert!(blocks <= 2, "{blocks}");
    });
}

#[test]
fn an_adopted_block_keeps_the_totals_of_the_thread_that_ended() {
    a_thread_adopts_the_block_of_a_thread_that_ended();
}

#[test]
#[should_panic(expected = "lost adds")]
fn without_orderings_an_adopted_block_loses_totals() {
    weakened(a_thread_adopts_the_block_of_a_thread_that_ended);
}

#[test]
fn a_free_block_is_adopted_before_a_new_one_is_added() {
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

fn a_thread_adds_in_the_destructor_of_a_thread_local() {
    model(|| {
        let list = list();
        let dying = {
            let list = Arc::clone(&list);
            thread::spawn(move || {
                let block = list.claim();
                add(block, 1.0);
                block.release();
                // The destructor of a thread-local that outlives the core's guard.
                let block = list.claim();
                add(block, 16.0);
                block.release();
            })
        };
        add(list.claim(), 256.0);
        dying.join().unwrap();
        assert_eq!(list.total(0), 273.0, "lost adds");
    });
}

#[test]
fn adds_after_the_end_of_a_thread_are_not_lost() {
    a_thread_adds_in_the_destructor_of_a_thread_local();
}

#[test]
#[should_panic(expected = "lost adds")]
fn without_orderings_adds_after_the_end_of_a_thread_are_lost() {
    weakened(a_thread_adds_in_the_destructor_of_a_thread_local);
}

/// Two threads and this one add to one cell.
fn three_threads_add(add: impl Fn(&Owned<Block>) + Send + Sync + Copy + 'static) {
    model(move || {
        let list = list();
        let block = list.claim();
        let threads = [(); 2].map(|()| thread::spawn(move || add(block)));
        add(block);
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(list.total(0), 3.0, "lost adds");
    });
}

#[test]
fn shared_adds_of_several_threads_are_all_counted() {
    three_threads_add(|block| assert!(block.value().cell(0).add_shared(1.0)));
}

#[test]
#[should_panic(expected = "lost adds")]
fn control_adds_of_an_owner_from_several_threads() {
    three_threads_add(|block| add(block, 1.0));
}

#[test]
fn threads_that_register_a_static_at_the_same_time_agree_on_its_slot() {
    bounded_model(|| {
        let stored = Arc::new(AtomicU32::new(Spot::UNREGISTERED.to_bits()));
        // As the registry does it: the same path always gets the same slot, under a lock.
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
            thread::spawn(move || resolve(&stored, || register(&registered)))
        });
        let own = resolve(&stored, || register(&registered));
        let slots = threads.map(|thread| thread.join().unwrap());
        let slot = Spot::from_bits(0);
        assert_eq!(
            (slots, own, stored.load(Ordering::Relaxed)),
            ([slot; 2], slot, 0)
        );
        assert_eq!(registered.lock().unwrap().len(), 1);
    });
}
