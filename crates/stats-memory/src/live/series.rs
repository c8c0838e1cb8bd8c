//! The series of a scope, of a group, and of all.

use stats_core::{CounterHandle, Unit, UpDownCounterHandle};

use super::cell::Sum;
use super::{groups, tags};

/// The series of one thing that is told of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Series {
    /// What is held; the whole process has gauges of its own for it.
    held: Option<(UpDownCounterHandle, UpDownCounterHandle)>,
    frame_allocations: CounterHandle,
    frame_bytes: CounterHandle,
}

impl Series {
    /// Of a tag's scopes, by their names; tags that differ in group or name alone add up. Without a
    /// scope: `memory/unscoped`.
    pub(crate) fn of_scope(tag: u32) -> Self {
        let mut path = String::from("memory/scopes");
        // A path has no empty segments, as an empty name or a `/` too many would be.
        tags::for_each_scope(tag, &mut |scope| {
            for segment in scope.split('/').filter(|segment| !segment.is_empty()) {
                path.push('/');
                path.push_str(segment);
            }
        });
        if path == "memory/scopes" {
            path = String::from("memory/unscoped");
        }
        Self::new(&path, None, true)
    }

    /// Of a group.
    pub(crate) fn of_group(group: u32) -> Self {
        Self::new(
            &format!("memory/groups/{}", groups::name(group)),
            groups::budget_bytes(group),
            true,
        )
    }

    /// Says the budget of a group, where it was not known when the series began.
    pub(crate) fn set_budget(&self, budget_bytes: u64) {
        if let Some((bytes, _)) = self.held {
            // What is known already stands.
            let _ = bytes.budget(budget_bytes as f64);
        }
    }

    /// Of the whole process.
    pub(crate) fn of_all() -> Self {
        Self::new("memory", None, false)
    }

    fn new(path: &str, budget_bytes: Option<u64>, has_held: bool) -> Self {
        let held = || {
            let mut bytes = stats_core::up_down_counter(&format!("{path}/total"))
                .unit(Unit::Bytes)
                .describe("bytes held");
            if let Some(budget) = budget_bytes {
                bytes = bytes.budget(budget as f64);
            }
            (
                bytes,
                stats_core::up_down_counter(&format!("{path}/allocations"))
                    .describe("allocations held"),
            )
        };
        Self {
            held: has_held.then(held),
            frame_allocations: stats_core::counter(&format!("{path}/frame-allocations"))
                .describe("allocations made in the frame"),
            frame_bytes: stats_core::counter(&format!("{path}/frame-bytes"))
                .unit(Unit::Bytes)
                .describe("bytes allocated in the frame"),
        }
    }

    /// Adds what was counted since the last time. Where `is_frame` is false, to what is held alone.
    #[inline]
    pub(crate) fn add(&self, change: &Sum, is_frame: bool) {
        if let Some((bytes, allocations)) = self.held
            && (change.live_bytes() != 0 || change.live() != 0)
        {
            bytes.add(change.live_bytes());
            allocations.add(change.live());
        }
        // A moment beside a writer shows the bytes of an allocation before its number.
        if is_frame && (change.allocations != 0 || change.bytes != 0) {
            // Signed, which a processor turns into a float at once; the numbers of a frame are far
            // below the limit.
            self.frame_allocations.add(change.allocations as i64);
            self.frame_bytes.add(change.bytes as i64);
        }
    }
}
