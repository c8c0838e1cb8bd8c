//! Planted faults, for practice with the overlay. Each is off by default, is toggled by a number
//! key, and can be found by the counters that it affects.
use std::time::Duration;

use stats_core::{Counter, Gauge, Unit};

static ARRAY: Gauge = Gauge::new("faults/growing-array")
    .unit(Unit::Bytes)
    .budget(16.0 * 1024.0 * 1024.0)
    .describe("an array that is never cleared");
static ACTIVE: Gauge = Gauge::new("faults/active").describe("planted faults that are on");
static TOGGLED: Counter =
    Counter::new("faults/toggled").describe("times that a fault was switched on or off");

/// The planted faults, in the order of their keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Every 90 steps, requests a path that makes the search visit the whole map.
    PathHitch,
    /// An array that grows by 64 KiB per step.
    GrowingArray,
    /// One draw call per object, without instancing, while the camera is over the third region.
    DrawCalls,
    /// One worker thread sleeps before each of its jobs.
    WorkerStall,
    /// Every four steps, a snapshot of all agents is sent.
    PacketStorm,
}

impl Fault {
    pub(crate) const ALL: [Self; 5] = [
        Self::PathHitch,
        Self::GrowingArray,
        Self::DrawCalls,
        Self::WorkerStall,
        Self::PacketStorm,
    ];

    /// Returns the name on the command line and in marks.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::PathHitch => "path-hitch",
            Self::GrowingArray => "growing-array",
            Self::DrawCalls => "draw-calls",
            Self::WorkerStall => "worker-stall",
            Self::PacketStorm => "packet-storm",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fault| fault.name() == name)
    }
}

/// Which faults are on, and the state that they need.
#[derive(Default)]
pub(crate) struct Faults {
    on: [bool; 5],
    array: Vec<u64>,
}

/// Steps between two requests of [`Fault::PathHitch`].
const FLOOD_STEPS: u64 = 90;
/// Steps between two snapshots of [`Fault::PacketStorm`].
const STORM_STEPS: u64 = 4;
/// Bytes that [`Fault::GrowingArray`] adds per step.
const ARRAY_STEP_BYTES: usize = 64 * 1024;
/// The size at which [`Fault::GrowingArray`] stops, to spare the machine.
const ARRAY_LIMIT_BYTES: usize = 1024 * 1024 * 1024;

impl Faults {
    pub(crate) const fn is_on(&self, fault: Fault) -> bool {
        self.on[fault as usize]
    }

    pub(crate) fn set(&mut self, fault: Fault, on: bool) {
        if std::mem::replace(&mut self.on[fault as usize], on) != on {
            TOGGLED.increment();
        }
        if !self.is_on(Fault::GrowingArray) {
            self.array = Vec::new();
        }
        ARRAY.set(size_of_val(self.array.as_slice()));
        ACTIVE.set(self.on.iter().filter(|&&on| on).count());
    }

    pub(crate) fn toggle(&mut self, fault: Fault) {
        self.set(fault, !self.is_on(fault));
    }

    /// Performs one step of the active faults that act on their own.
    pub(super) fn step(&mut self, step: u64) {
        if self.is_on(Fault::GrowingArray) && size_of_val(self.array.as_slice()) < ARRAY_LIMIT_BYTES
        {
            let _memory = stats_memory::scope!("faults");
            let _name = stats_memory::alloc_name!("growing-array");
            self.array
                .extend((0..ARRAY_STEP_BYTES as u64 / 8).map(|word| word ^ step));
        }
        // Set even while the fault is off, so that the series can be found in the tree.
        ARRAY.set(size_of_val(self.array.as_slice()));
    }

    /// Returns whether to plant a path request in this step.
    pub(super) const fn floods(&self, step: u64) -> bool {
        self.is_on(Fault::PathHitch) && step.is_multiple_of(FLOOD_STEPS)
    }

    /// Returns whether to send a snapshot of all agents in this step.
    pub(super) const fn storms(&self, step: u64) -> bool {
        self.is_on(Fault::PacketStorm) && step.is_multiple_of(STORM_STEPS)
    }

    /// Returns how long the stalled worker sleeps before each job.
    pub(super) const fn stall(&self) -> Duration {
        if self.is_on(Fault::WorkerStall) {
            Duration::from_millis(3)
        } else {
            Duration::ZERO
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_off_by_default_and_is_found_by_its_name() {
        let faults = Faults::default();
        for fault in Fault::ALL {
            assert!(!faults.is_on(fault));
            assert_eq!(Fault::from_name(fault.name()), Some(fault));
        }
        assert_eq!(Fault::from_name("no-such-fault"), None);
    }

    #[test]
    fn the_array_grows_while_its_fault_is_on_and_is_freed_with_it() {
        let mut faults = Faults::default();
        faults.step(1);
        assert!(faults.array.is_empty());
        faults.toggle(Fault::GrowingArray);
        (0..3).for_each(|step| faults.step(step));
        assert_eq!(size_of_val(faults.array.as_slice()), 3 * ARRAY_STEP_BYTES);
        faults.toggle(Fault::GrowingArray);
        assert_eq!(faults.array.capacity(), 0);
    }
}
