//! The tracker that the memory of the statistics is charged to.

use std::sync::OnceLock;

/// The functions of the tracker.
#[derive(Debug)]
struct Tracker {
    enter: fn(owner: &'static str) -> u64,
    leave: fn(number: u64),
}

static TRACKER: OnceLock<Tracker> = OnceLock::new();

pub(crate) fn set_memory_tracker(enter: fn(&'static str) -> u64, leave: fn(u64)) {
    let _ = TRACKER.set(Tracker { enter, leave });
}

/// A charge of the thread's memory to an owner, which ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Charge(Option<(&'static Tracker, u64)>);

impl Charge {
    #[inline]
    pub(crate) fn begin(owner: &'static str) -> Self {
        let tracker = TRACKER.get();
        Self(tracker.map(|tracker| (tracker, (tracker.enter)(owner))))
    }
}

impl Drop for Charge {
    #[inline]
    fn drop(&mut self) {
        if let Some((tracker, number)) = self.0 {
            (tracker.leave)(number);
        }
    }
}
