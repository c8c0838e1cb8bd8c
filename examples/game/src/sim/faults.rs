//! Planted faults, for practice with the overlay. Each is off by default, is toggled by a number
//! key, and can be found by the counters that it affects.
use std::time::Duration;

use stats_core::{Counter, Gauge, LogLevel, LogLine, Timer, TimerHandle, Unit, UpDownCounter};

use super::clock::take;

static ARRAY: Gauge = Gauge::new("faults/growing-array")
    .unit(Unit::Bytes)
    .budget(16.0 * 1024.0 * 1024.0)
    .describe("an array that is never cleared");
static DECALS: UpDownCounter = UpDownCounter::new("level/decals")
    .budget(1_000.0)
    .describe("marks on the ground, which should fade");
static AUTOSAVE: Timer = Timer::new("level/autosave").describe("writing the saved game");
static MIX: Timer = Timer::new("audio/mix").describe("mixing all voices");
static PARSE: Timer = Timer::new("dialogue/parse").describe("reading a dialogue");
static ACTIVE: Gauge = Gauge::new("faults/active").describe("planted faults that are on");
static TOGGLED: Counter =
    Counter::new("faults/toggled").describe("times that a fault was switched on or off");

/// The planted faults, in the order of their keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Fault {
    /// Every 90 steps, requests a path that makes the search visit the whole map.
    PathHitch,
    /// An array that grows by 64 KiB per step.
    GrowingArray,
    /// One draw call per object, without instancing, while the camera is over the third region.
    DrawCalls,
    /// One worker thread sleeps before each of its jobs.
    WorkerStall,
    /// Every four steps, a snapshot of all agents is sent to each of several peers.
    PacketStorm,
    /// Of a thousand props, each with a scope of its own, one takes long every 150 steps.
    OneInAThousand,
    /// A count of the level that grows by 12 per second.
    SlowLeak,
    /// Every 120 steps, which is two seconds, the game is saved on the main thread.
    PeriodicStall,
    /// Every 150 steps, one job of a worker takes long, and the main thread waits for it.
    LateWorker,
    /// Every 150 steps, two systems take long in the same step.
    TwoSystems,
}

impl Fault {
    pub(crate) const ALL: [Self; 10] = [
        Self::PathHitch,
        Self::GrowingArray,
        Self::DrawCalls,
        Self::WorkerStall,
        Self::PacketStorm,
        Self::OneInAThousand,
        Self::SlowLeak,
        Self::PeriodicStall,
        Self::LateWorker,
        Self::TwoSystems,
    ];

    /// Returns the name on the command line and in marks.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::PathHitch => "path-hitch",
            Self::GrowingArray => "growing-array",
            Self::DrawCalls => "draw-calls",
            Self::WorkerStall => "worker-stall",
            Self::PacketStorm => "packet-storm",
            Self::OneInAThousand => "one-in-a-thousand",
            Self::SlowLeak => "slow-leak",
            Self::PeriodicStall => "periodic-stall",
            Self::LateWorker => "late-worker",
            Self::TwoSystems => "two-systems",
        }
    }
}

/// Which faults are on, and the state that they need.
#[derive(Default)]
pub(crate) struct Faults {
    on: [bool; Fault::ALL.len()],
    array: Vec<u64>,
    /// The timers of the props, made when their fault is switched on first.
    props: Vec<TimerHandle>,
    leaked_decals: u64,
    /// The decals that were counted.
    decals: u64,
}

/// Steps between two requests of [`Fault::PathHitch`].
const FLOOD_STEPS: u64 = 90;
/// Steps between two snapshots of [`Fault::PacketStorm`].
const STORM_STEPS: u64 = 4;
/// The number of peers that [`Fault::PacketStorm`] sends each snapshot to.
const STORM_PEERS: usize = 4;
/// The period of [`Fault::OneInAThousand`], [`Fault::LateWorker`] and [`Fault::TwoSystems`] in
/// steps, and the step in it that takes long.
const LONG_STEPS: u64 = 150;
const LONG_STEP: u64 = 100;
/// Steps between two saves of [`Fault::PeriodicStall`].
const SAVE_STEPS: u64 = 120;
/// The number of props of [`Fault::OneInAThousand`], and which of them takes long.
const PROPS: usize = 1_000;
const LONG_PROP: usize = 417;
/// How long a long scope takes.
const LONG: Duration = Duration::from_millis(50);
/// The number of decals of a level, and the steps in which [`Fault::SlowLeak`] adds one.
const LEVEL_DECALS: u64 = 600;
const DECAL_STEPS: u64 = 5;
/// Bytes that [`Fault::GrowingArray`] adds per step.
const ARRAY_STEP_BYTES: usize = 64 * 1024;
/// The size at which [`Fault::GrowingArray`] stops, to spare the machine.
const ARRAY_LIMIT_BYTES: usize = 1024 * 1024 * 1024;

impl Drop for Faults {
    fn drop(&mut self) {
        DECALS.sub(self.decals);
    }
}

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
        if self.is_on(Fault::OneInAThousand) && self.props.is_empty() {
            let timer = |prop| stats_core::timer(&format!("props/{prop:03}"));
            self.props = (0..PROPS).map(timer).collect();
        }
        if !self.is_on(Fault::SlowLeak) {
            self.leaked_decals = 0;
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
        let leaks = self.is_on(Fault::SlowLeak) && step.is_multiple_of(DECAL_STEPS);
        self.leaked_decals += u64::from(leaks);
        DECALS.sub(self.decals);
        self.decals = LEVEL_DECALS + self.leaked_decals;
        DECALS.add(self.decals);
        self.take_long(step);
    }

    /// Spends the time of the faults that only take time.
    fn take_long(&self, step: u64) {
        let is_long = step % LONG_STEPS == LONG_STEP;
        if self.is_on(Fault::OneInAThousand) {
            for (prop, timer) in self.props.iter().enumerate() {
                let _scope = timer.scope();
                if is_long && prop == LONG_PROP {
                    take(LONG);
                }
            }
        }
        if self.is_on(Fault::PeriodicStall) && step % SAVE_STEPS == SAVE_STEPS / 2 {
            AUTOSAVE.time(|| take(LONG));
            LogLine::keep(
                LogLevel::Info,
                "game::level",
                format_args!("saved the game"),
            );
        }
        if self.is_on(Fault::TwoSystems) && is_long {
            MIX.time(|| take(LONG * 5 / 9));
            PARSE.time(|| take(LONG * 4 / 9));
        }
    }

    /// Returns whether to plant a path request in this step.
    pub(super) const fn floods(&self, step: u64) -> bool {
        self.is_on(Fault::PathHitch) && step.is_multiple_of(FLOOD_STEPS)
    }

    /// Returns to how many peers to send a snapshot of all agents in this step.
    pub(super) const fn storms(&self, step: u64) -> usize {
        if self.is_on(Fault::PacketStorm) && step.is_multiple_of(STORM_STEPS) {
            STORM_PEERS
        } else {
            0
        }
    }

    /// Returns by how long the next job of a worker is delayed.
    pub(super) const fn late(&self, step: u64) -> Duration {
        if self.is_on(Fault::LateWorker) && step % LONG_STEPS == LONG_STEP {
            LONG
        } else {
            Duration::ZERO
        }
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
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn every_fault_is_off_by_default_and_is_found_by_its_name() {
        let faults = Faults::default();
        for fault in Fault::ALL {
            assert!(!faults.is_on(fault));
            assert_eq!(Fault::from_str(fault.name(), false), Ok(fault));
        }
        assert_eq!(Fault::value_variants(), Fault::ALL);
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
