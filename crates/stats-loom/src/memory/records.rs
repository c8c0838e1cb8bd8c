//! Records, a handful of them.

#[path = "../../../stats-memory/src/live/records/record.rs"]
mod record;
#[path = "../../../stats-memory/src/live/records/stash.rs"]
mod stash;
#[path = "../../../stats-memory/src/live/records/table.rs"]
#[expect(dead_code, reason = "nobody asks here whether there are any")]
mod table;

pub(super) use record::{Live, Record};
pub(super) use stash::Stash;
pub(super) use table::Table;

use std::array::from_fn;

use super::own::Zeroed;
use super::slot::Slot;
use super::sync;

const CHUNK: usize = 4;
const CHUNKS: usize = 2;
const STASH: usize = 2;
const BATCH: u32 = 2;

/// The records that there can be.
pub(super) const NUMBERS: std::ops::Range<u32> = BATCH..(CHUNK * CHUNKS) as u32;

impl Zeroed for Record {
    fn zeroed() -> Self {
        Self {
            what: sync::AtomicU64::new(0),
            size: sync::AtomicU64::new(0),
        }
    }
}

impl Zeroed for table::Chunk {
    fn zeroed() -> Self {
        Self(from_fn(|_| Record::zeroed()))
    }
}

impl Zeroed for Table {
    fn zeroed() -> Self {
        // All chunks are there, so that what is seen of them is up to the batches alone.
        let directory = from_fn(|_| Slot(sync::AtomicPtr::new(std::ptr::null_mut())));
        directory.iter().for_each(|slot: &Slot<table::Chunk>| {
            slot.get_or_make(|_| {});
        });
        Self {
            directory,
            next: sync::AtomicU32::new(BATCH),
            batches: sync::AtomicU64::new(0),
        }
    }
}

impl Zeroed for Stash {
    fn zeroed() -> Self {
        Self {
            len: sync::AtomicU32::new(0),
            free: from_fn(|_| sync::AtomicU32::new(0)),
        }
    }
}
