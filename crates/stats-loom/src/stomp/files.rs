//! The files themselves, with as little around them as they need: loom pays for every atomic.

#[path = "../../../stats-memory/src/stomp/live/lock.rs"]
pub(super) mod lock;
pub(in crate::stomp) mod models;
#[path = "../../../stats-memory/src/stomp/live/once.rs"]
pub(super) mod once;
#[path = "../../../stats-memory/src/stomp/live/record.rs"]
pub(super) mod record;
#[path = "../../../stats-memory/src/stomp/live/slots.rs"]
pub(super) mod slots;

use super::sync;

mod system {
    pub(super) use loom::thread::yield_now;
}

/// An array, where the allocator has memory of the system's.
mod table {
    use super::record::Record;

    pub(crate) struct Table(pub(super) Vec<Record>);

    impl Table {
        pub(crate) fn get(&self, slot: usize) -> Option<&Record> {
            self.0.get(slot)
        }
    }
}
