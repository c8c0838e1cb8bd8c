//! A value that one thread uses, and upkeep that another asks for.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering};
use loom::thread;

use crate::live::exclusive::Exclusive;
use crate::live::sync::weakened;

/// Two threads ask for upkeep, each after a change, and one of them used the value before. None waits
/// for another, and the upkeep sees both changes.
fn upkeep_beside_a_use() {
    loom::model(|| {
        struct Value {
            changes: Arc<AtomicU32>,
            seen: u32,
        }
        let changes = Arc::new(AtomicU32::new(0));
        let value = Value {
            changes: Arc::clone(&changes),
            seen: 0,
        };
        let exclusive = Arc::new(Exclusive::new(value, |value| {
            value.seen = value.changes.load(Ordering::Relaxed);
        }));
        let asking = {
            let (exclusive, changes) = (Arc::clone(&exclusive), Arc::clone(&changes));
            thread::spawn(move || {
                changes.fetch_add(1, Ordering::Relaxed);
                exclusive.ask_for_upkeep();
            })
        };
        drop(exclusive.try_lock());
        changes.fetch_add(1, Ordering::Relaxed);
        exclusive.ask_for_upkeep();
        asking.join().unwrap();
        assert_eq!(exclusive.lock().seen, 2, "upkeep is missing");
    });
}

#[test]
fn upkeep_is_done_by_whoever_can() {
    upkeep_beside_a_use();
}

#[test]
#[should_panic(expected = "upkeep is missing")]
fn upkeep_needs_its_orderings() {
    weakened(upkeep_beside_a_use);
}

/// A thread that is interrupted for good while it uses the value keeps nobody waiting.
#[test]
fn an_interrupted_use_keeps_nobody_waiting() {
    loom::model(|| {
        let exclusive = Exclusive::new((), |()| {});
        let interrupted = exclusive.lock();
        exclusive.ask_for_upkeep();
        assert!(exclusive.try_lock().is_none());
        drop(interrupted);
    });
}
