//! The series of a scope, of a group, and of the whole process.

use stats_core::{CounterHandle, Unit, UpDownCounterHandle};

use crate::live::counts::Sum;
use crate::live::tags;

/// The series of one scope or group, or of the whole process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Series {
    /// The live bytes and allocations. The whole process has gauges of its own for them.
    held: Option<(UpDownCounterHandle, UpDownCounterHandle)>,
    frame_allocations: CounterHandle,
    frame_bytes: CounterHandle,
}

impl Series {
    /// Creates the series of a tag's scopes, whose path has their names. Tags that differ only in group or
    /// name have the same series. A tag without a scope has `memory/unscoped`.
    pub(super) fn of_scope(tag: u32) -> Self {
        let mut path = String::from("memory/scopes");
        // A path has no empty segments, which an empty name or an extra `/` would produce.
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

    /// Creates the series of a group.
    pub(super) fn of_group(group: u32) -> Self {
        Self::new(
            &format!("memory/groups/{}", tags::group_name(group)),
            tags::budget_bytes(group),
            true,
        )
    }

    /// Sets the budget of a group that was not known when the series was created.
    pub(super) fn set_budget(&self, budget_bytes: u64) {
        if let Some((bytes, _)) = self.held {
            // A budget that is already set stays.
            let _ = bytes.budget(budget_bytes as f64);
        }
    }

    /// Creates the series of the whole process.
    pub(super) fn of_all() -> Self {
        Self::new("memory", None, false)
    }

    fn new(path: &str, budget_bytes: Option<u64>, has_held: bool) -> Self {
        let held = || {
            let mut bytes = stats_core::up_down_counter(&format!("{path}/total"))
                .unit(Unit::Bytes)
                .describe("live bytes");
            if let Some(budget) = budget_bytes {
                bytes = bytes.budget(budget as f64);
            }
            (
                bytes,
                stats_core::up_down_counter(&format!("{path}/allocations"))
                    .describe("live allocations"),
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

    /// Adds the counts since the last call. If `is_frame` is false, adds them only to the live
    /// bytes and allocations.
    #[inline]
    pub(super) fn add(&self, change: &Sum, is_frame: bool) {
        if let Some((bytes, allocations)) = self.held
            && (change.live_bytes() != 0 || change.live() != 0)
        {
            bytes.add(change.live_bytes());
            allocations.add(change.live());
        }
        // While another thread allocates, a reader may see the bytes of an allocation before its
        // count.
        if is_frame && (change.allocations != 0 || change.bytes != 0) {
            // Signed integers, which a processor converts to a float in one step. The counts of a
            // frame are far below the limit.
            self.frame_allocations.add(change.allocations as i64);
            self.frame_bytes.add(change.bytes as i64);
        }
    }
}
