//! The agents: who they are, and how many of each are alive.
use stats_core::{Counter, CounterHandle, UpDownCounter, UpDownCounterHandle};

use super::Vec2;

static ALIVE: UpDownCounter = UpDownCounter::new("agents/alive")
    .budget(6_000.0)
    .describe("agents of all kinds");
static SPAWNED: Counter = Counter::new("agents/spawned").describe("agents that came to life");
static DIED: Counter = Counter::new("agents/died").describe("agents that were killed or left");

/// What an agent is and does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Drifts around its beacon in a flock, harmless.
    Mote,
    /// Runs along its squad's path to the player and bites.
    Hunter,
    /// Keeps its distance and spits.
    Spitter,
    /// Hauls ore from beacon to beacon.
    Carrier,
}

impl Kind {
    pub(crate) const ALL: [Self; 4] = [Self::Mote, Self::Hunter, Self::Spitter, Self::Carrier];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Mote => "mote",
            Self::Hunter => "hunter",
            Self::Spitter => "spitter",
            Self::Carrier => "carrier",
        }
    }

    /// Metres a second.
    pub(crate) const fn top_speed(self) -> f32 {
        match self {
            Self::Mote => 2.6,
            Self::Hunter => 4.4,
            Self::Spitter => 3.0,
            Self::Carrier => 2.2,
        }
    }

    pub(crate) const fn radius(self) -> f32 {
        match self {
            Self::Mote => 0.16,
            Self::Hunter => 0.34,
            Self::Spitter => 0.42,
            Self::Carrier => 0.48,
        }
    }

    pub(crate) const fn health(self) -> i16 {
        match self {
            Self::Mote => 1,
            Self::Hunter => 3,
            Self::Spitter => 5,
            Self::Carrier => 9,
        }
    }

    pub(crate) const fn score(self) -> u64 {
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
    /// The squad whose path it walks; for a mote, the beacon it circles.
    pub(crate) squad: u16,
    /// How far it has come along its squad's path.
    pub(crate) cursor: u16,
    /// Steps until it may bite or spit again.
    pub(crate) cooldown: u16,
    /// Flashes white for this many steps after a hit.
    pub(crate) flash: u8,
    /// Tells it apart from its like: its place in the swing of things.
    pub(crate) seed: u32,
}

impl Agent {
    pub(crate) const fn new(kind: Kind, at: Vec2, squad: u16, seed: u32) -> Self {
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

/// The living of one kind, under run-time names.
#[derive(Clone, Copy)]
struct Census {
    alive: UpDownCounterHandle,
    killed: CounterHandle,
}

/// Keeps the counts of agents by kind.
pub(crate) struct Roster {
    kinds: [Census; 4],
    counts: [usize; 4],
}

impl Roster {
    pub(crate) fn new() -> Self {
        let kinds = Kind::ALL.map(|kind| Census {
            alive: stats_core::up_down_counter(&format!("agents/{}/alive", kind.name()))
                .describe("agents of this kind"),
            killed: stats_core::counter(&format!("agents/{}/killed", kind.name()))
                .describe("agents of this kind that died"),
        });
        Self {
            kinds,
            counts: [0; 4],
        }
    }

    pub(crate) const fn count(&self, kind: Kind) -> usize {
        self.counts[kind as usize]
    }

    pub(crate) fn born(&mut self, kind: Kind) {
        self.counts[kind as usize] += 1;
        self.kinds[kind as usize].alive.increment();
        ALIVE.increment();
        SPAWNED.increment();
    }

    pub(crate) fn died(&mut self, kind: Kind) {
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
