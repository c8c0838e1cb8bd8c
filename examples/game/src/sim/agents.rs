//! The agents: their kinds, and how many of each are alive.
use stats_core::{Counter, CounterHandle, UpDownCounter, UpDownCounterHandle};

use super::Vec2;

static ALIVE: UpDownCounter = UpDownCounter::new("agents/alive")
    .budget(6_000.0)
    .describe("live agents of all kinds");
static SPAWNED: Counter = Counter::new("agents/spawned").describe("agents spawned");
static DIED: Counter = Counter::new("agents/died").describe("agents killed");

/// The kind of an agent, which decides what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Circles its beacon in a flock. Harmless.
    Mote,
    /// Follows its squad's path to the player, and bites.
    Hunter,
    /// Keeps its distance from the player, and spits.
    Spitter,
    /// Hauls ore from beacon to beacon.
    Carrier,
}

impl Kind {
    pub(super) const ALL: [Self; 4] = [Self::Mote, Self::Hunter, Self::Spitter, Self::Carrier];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Mote => "mote",
            Self::Hunter => "hunter",
            Self::Spitter => "spitter",
            Self::Carrier => "carrier",
        }
    }

    /// Returns the top speed in meters per second.
    pub(super) const fn top_speed(self) -> f32 {
        match self {
            Self::Mote => 2.6,
            Self::Hunter => 4.4,
            Self::Spitter => 3.0,
            Self::Carrier => 2.2,
        }
    }

    pub(super) const fn radius(self) -> f32 {
        match self {
            Self::Mote => 0.16,
            Self::Hunter => 0.34,
            Self::Spitter => 0.42,
            Self::Carrier => 0.48,
        }
    }

    pub(super) const fn health(self) -> i16 {
        match self {
            Self::Mote => 1,
            Self::Hunter => 3,
            Self::Spitter => 5,
            Self::Carrier => 9,
        }
    }

    pub(super) const fn score(self) -> u64 {
        match self {
            Self::Mote => 1,
            Self::Hunter => 10,
            Self::Spitter => 25,
            Self::Carrier => 15,
        }
    }
}

/// One agent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Agent {
    pub(crate) at: Vec2,
    pub(crate) velocity: Vec2,
    pub(crate) kind: Kind,
    pub(crate) health: i16,
    /// The squad whose path it follows. For a mote, the beacon that it circles.
    pub(crate) squad: u16,
    /// Its position along the path of its squad.
    pub(crate) cursor: u16,
    /// Steps until it can bite or spit again.
    pub(crate) cooldown: u16,
    /// Steps for which it still flashes after a hit.
    pub(crate) flash: u8,
    /// Varies its motion and looks from agent to agent.
    pub(crate) seed: u32,
}

impl Agent {
    pub(super) const fn new(kind: Kind, at: Vec2, squad: u16, seed: u32) -> Self {
        Self {
            at,
            velocity: Vec2::ZERO,
            kind,
            health: kind.health(),
            squad,
            cursor: 0,
            cooldown: (seed % 90) as u16,
            flash: 0,
            seed,
        }
    }
}

/// The counters of one kind, whose names are built at run time.
#[derive(Clone, Copy)]
struct Census {
    alive: UpDownCounterHandle,
    killed: CounterHandle,
}

/// Counts the live agents by kind.
pub(crate) struct Roster {
    kinds: [Census; 4],
    counts: [usize; 4],
}

impl Roster {
    pub(super) fn new() -> Self {
        let kinds = Kind::ALL.map(|kind| Census {
            alive: stats_core::up_down_counter(&format!("agents/{}/alive", kind.name()))
                .describe("live agents of this kind"),
            killed: stats_core::counter(&format!("agents/{}/killed", kind.name()))
                .describe("agents of this kind that were killed"),
        });
        Self {
            kinds,
            counts: [0; 4],
        }
    }

    pub(super) const fn count(&self, kind: Kind) -> usize {
        self.counts[kind as usize]
    }

    pub(super) fn born(&mut self, kind: Kind) {
        self.counts[kind as usize] += 1;
        self.kinds[kind as usize].alive.increment();
        ALIVE.increment();
        SPAWNED.increment();
    }

    pub(super) fn died(&mut self, kind: Kind) {
        self.left(kind);
        self.kinds[kind as usize].killed.increment();
        DIED.increment();
    }

    fn left(&mut self, kind: Kind) {
        self.counts[kind as usize] -= 1;
        self.kinds[kind as usize].alive.decrement();
        ALIVE.decrement();
    }
}

impl Drop for Roster {
    fn drop(&mut self) {
        for kind in Kind::ALL {
            for _ in 0..self.counts[kind as usize] {
                self.left(kind);
            }
        }
    }
}
