//! Models of slots.

use loom::sync::Arc;
use loom::thread;

use super::{Slot, Zeroed};
use crate::sync::{AtomicU32, Ordering, check, relaxed};

struct Value {
    prepared: AtomicU32,
}

impl Zeroed for Value {
    fn zeroed() -> Self {
        Self {
            prepared: AtomicU32::new(0),
        }
    }
}

/// Two threads need the same value at once.
#[test]
fn the_value_of_a_slot_is_prepared_and_the_same_for_all() {
    check(3, || {
        let slot = Arc::new(Slot::<Value>::new());
        let get = |slot: &Slot<Value>| {
            let value = slot
                .get_or_make(|value| value.prepared.store(1, Ordering::Relaxed))
                .unwrap();
            assert_eq!(value.prepared.load(Ordering::Relaxed), 1, "not prepared");
            std::ptr::from_ref(value).addr()
        };
        let other = {
            let slot = Arc::clone(&slot);
            thread::spawn(move || get(&slot))
        };
        if let Some(value) = slot.get() {
            assert_eq!(value.prepared.load(Ordering::Relaxed), 1, "not prepared");
        }
        let own = get(&slot);
        assert_eq!(own, other.join().unwrap());
    });
}

#[test]
#[should_panic(expected = "ausality violation")]
fn control_a_slot() {
    relaxed(the_value_of_a_slot_is_prepared_and_the_same_for_all);
}
