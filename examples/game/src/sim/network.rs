//! A simulated network. The state of the agents is encoded into packets, which cross a lossy link
//! with latency and jitter. A simulated peer decodes and acknowledges the packets that arrive, and
//! knows nothing else about the world.
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use stats_core::{Counter, Gauge, Histogram, Timer, Unit, UpDownCounter};

use super::agents::Agent;
use super::clock::charge;
use super::rng::Rng;
use super::{STEP, Vec2};
use crate::memory::NETWORK;

static STEPPING: Timer =
    Timer::new("network/step").describe("sending, delivering and resending packets");
static ENCODE: Timer = Timer::new("network/encode").describe("encoding packets");
static DECODE: Timer = Timer::new("network/decode").describe("decoding packets at the peer");
static OUT_PACKETS: Counter = Counter::new("network/out/packets")
    .budget(40.0)
    .describe("packets handed to the link");
static OUT_BYTES: Counter = Counter::new("network/out/bytes")
    .unit(Unit::Bytes)
    .budget(40_000.0)
    .describe("bytes handed to the link");
static PACKET: Histogram = Histogram::new("network/packet-size")
    .unit(Unit::Bytes)
    .describe("sizes of the packets handed to the link");
static OUT_ENTITIES: Counter =
    Counter::new("network/out/entities").describe("agents whose state was sent");
static IN_PACKETS: Counter =
    Counter::new("network/in/packets").describe("acknowledgments received");
static IN_BYTES: Counter = Counter::new("network/in/bytes")
    .unit(Unit::Bytes)
    .describe("bytes received");
static LOST: Counter = Counter::new("network/lost").describe("packets lost on the link");
static RESENT: Counter = Counter::new("network/resent")
    .describe("packets sent again because they were not acknowledged");
static GIVEN_UP: Counter = Counter::new("network/given-up")
    .describe("packets not sent again, because newer state has been sent");
static IN_FLIGHT: UpDownCounter = UpDownCounter::new("network/in-flight")
    .budget(120.0)
    .describe("packets on the link");
static UNACKNOWLEDGED: Gauge =
    Gauge::new("network/unacknowledged").describe("packets waiting for their acknowledgment");
static BURSTS: Counter =
    Counter::new("network/bursts").describe("snapshots of all agents, sent at once");
static ROUND_TRIP: Gauge = Gauge::new("network/round-trip")
    .unit(Unit::Milliseconds)
    .budget(250.0)
    .describe("round-trip time of the last acknowledged packet");
static GHOSTS: Gauge = Gauge::new("network/ghosts").describe("agents that the peer knows");
static STALENESS: Gauge = Gauge::new("network/peer-lag")
    .unit(Unit::Milliseconds)
    .describe("age of the newest state at the peer");
static CORRUPT: Counter =
    Counter::new("network/corrupt").describe("packets that the peer could not decode");

/// The size of the largest packet, including its header.
const PACKET_BYTES: usize = 1_200;
const HEADER_BYTES: usize = 10;
const ENTITY_BYTES: usize = 7;
const ENTITIES_PER_PACKET: usize = (PACKET_BYTES - HEADER_BYTES) / ENTITY_BYTES;
/// How long it takes to encode or decode an entity, for tests.
const PER_ENTITY: Duration = Duration::from_nanos(100);
/// Steps between regular updates: 20 per second.
const UPDATE_STEPS: u64 = 3;
/// Steps after which an unacknowledged packet is sent again. It is sent again only once.
const RESEND_STEPS: u64 = 24;
/// The number of agents in a regular update.
const UPDATE_ENTITIES: usize = 240;

/// A packet on the link.
struct InFlight {
    arrives_at: u64,
    to_peer: bool,
    bytes: Vec<u8>,
}

struct Unacknowledged {
    sent_at: u64,
    bytes: Vec<u8>,
    resent: bool,
}

/// Both ends, and the link between them.
pub(crate) struct Network {
    rng: Rng,
    sequence: u32,
    next_agent: usize,
    link: VecDeque<InFlight>,
    waiting: BTreeMap<u32, Unacknowledged>,
    ghosts: BTreeMap<u16, Vec2>,
    newest_at_peer: u64,
}

impl Network {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            rng: Rng::stream(seed, 9),
            sequence: 0,
            next_agent: 0,
            link: VecDeque::new(),
            waiting: BTreeMap::new(),
            ghosts: BTreeMap::new(),
            newest_at_peer: 0,
        }
    }

    /// Simulates one step: sends the packets that are due, delivers those that arrive, and resends
    /// lost ones. Sends a snapshot of all agents `bursts` times.
    pub(super) fn step(&mut self, step: u64, agents: &[Agent], bursts: usize) {
        let _stepping = STEPPING.scope();
        let _memory = stats_memory::scope!("network", group: NETWORK);
        if bursts > 0 {
            BURSTS.increment();
            (0..bursts).for_each(|_| self.send(step, agents, 0, agents.len()));
        } else if step.is_multiple_of(UPDATE_STEPS) && !agents.is_empty() {
            let from = self.next_agent % agents.len();
            let count = UPDATE_ENTITIES.min(agents.len() - from);
            self.send(step, agents, from, count);
            self.next_agent = from + count;
        }
        self.deliver(step);
        self.resend(step);
        UNACKNOWLEDGED.set(self.waiting.len());
        GHOSTS.set(self.ghosts.len());
        STALENESS.set(step.saturating_sub(self.newest_at_peer) as f32 * STEP * 1e3);
    }

    fn send(&mut self, step: u64, agents: &[Agent], from: usize, count: usize) {
        for (index, chunk) in agents[from..from + count]
            .chunks(ENTITIES_PER_PACKET)
            .enumerate()
        {
            self.sequence += 1;
            let bytes = ENCODE.time(|| {
                encode(
                    self.sequence,
                    step,
                    from + index * ENTITIES_PER_PACKET,
                    chunk,
                )
            });
            OUT_ENTITIES.add(chunk.len());
            let _name = stats_memory::alloc_name!("unacknowledged");
            self.waiting.insert(
                self.sequence,
                Unacknowledged {
                    sent_at: step,
                    bytes: bytes.clone(),
                    resent: false,
                },
            );
            self.put_on_link(step, true, bytes);
        }
    }

    fn put_on_link(&mut self, step: u64, to_peer: bool, bytes: Vec<u8>) {
        if to_peer {
            OUT_PACKETS.increment();
            OUT_BYTES.add(bytes.len());
            PACKET.record(bytes.len());
        }
        // The link loses one packet in fifty, and more while it is crowded.
        let crowding = self.link.len() as f32 / 2_000.0;
        if self.rng.chance(0.02 + crowding.min(0.2)) {
            LOST.increment();
            return;
        }
        let jitter = self.rng.below(3) as u64 + (crowding * 40.0) as u64;
        IN_FLIGHT.increment();
        self.link.push_back(InFlight {
            arrives_at: step + 3 + jitter,
            to_peer,
            bytes,
        });
    }

    fn deliver(&mut self, step: u64) {
        let (arrived, in_flight) = std::mem::take(&mut self.link)
            .into_iter()
            .partition(|packet| packet.arrives_at <= step);
        self.link = in_flight;
        let arrived: VecDeque<InFlight> = arrived;
        for packet in arrived {
            IN_FLIGHT.decrement();
            if packet.to_peer {
                self.receive_at_peer(step, &packet.bytes);
            } else {
                self.receive_acknowledgment(step, &packet.bytes);
            }
        }
    }

    /// Decodes a packet at the peer and acknowledges it.
    fn receive_at_peer(&mut self, step: u64, bytes: &[u8]) {
        let Some((sequence, sent_at)) = DECODE.time(|| decode(bytes, &mut self.ghosts)) else {
            CORRUPT.increment();
            return;
        };
        self.newest_at_peer = self.newest_at_peer.max(sent_at);
        self.put_on_link(step, false, sequence.to_le_bytes().to_vec());
    }

    fn receive_acknowledgment(&mut self, step: u64, bytes: &[u8]) {
        IN_PACKETS.increment();
        IN_BYTES.add(bytes.len());
        let Some(sent) = bytes
            .try_into()
            .ok()
            .and_then(|bytes| self.waiting.remove(&u32::from_le_bytes(bytes)))
        else {
            return;
        };
        ROUND_TRIP.set((step - sent.sent_at) as f32 * STEP * 1e3);
    }

    fn resend(&mut self, step: u64) {
        let late: Vec<u32> = self
            .waiting
            .iter()
            .filter(|(_, sent)| step - sent.sent_at >= RESEND_STEPS)
            .map(|(&at, _)| at)
            .collect();
        for sequence in late {
            let Some(mut sent) = self.waiting.remove(&sequence) else {
                continue;
            };
            if sent.resent {
                GIVEN_UP.increment();
                continue;
            }
            RESENT.increment();
            self.put_on_link(step, true, sent.bytes.clone());
            (sent.resent, sent.sent_at) = (true, step);
            self.waiting.insert(sequence, sent);
        }
    }

    /// Returns the number of agents that the peer knows.
    #[cfg(test)]
    pub(super) fn ghosts(&self) -> usize {
        self.ghosts.len()
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        IN_FLIGHT.add(-(self.link.len() as f64));
    }
}

/// Encodes agents. `first` is the index of the first one:
///
/// ```text
/// ┌────────────┬────────┬─────────┬ entity ────┬─────────────┬─────────────┬────────┐
/// │ sequence 4 │ step 4 │ count 2 │ index 2    │ x·64 2      │ y·64 2      │ kind 1 │ …
/// └────────────┴────────┴─────────┴────────────┴─────────────┴─────────────┴────────┘ little-endian
/// ```
fn encode(sequence: u32, step: u64, first: usize, agents: &[Agent]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER_BYTES + agents.len() * ENTITY_BYTES);
    bytes.extend(sequence.to_le_bytes());
    bytes.extend((step as u32).to_le_bytes());
    bytes.extend((agents.len() as u16).to_le_bytes());
    charge(agents.len(), PER_ENTITY);
    for (index, agent) in agents.iter().enumerate() {
        bytes.extend(((first + index) as u16).to_le_bytes());
        bytes.extend(((agent.at.x * 64.0) as u16).to_le_bytes());
        bytes.extend(((agent.at.y * 64.0) as u16).to_le_bytes());
        bytes.push(agent.kind as u8);
    }
    bytes
}

/// Decodes a packet into the state that the peer knows. Returns the packet's sequence number and
/// step, or `None` if it is malformed.
fn decode(bytes: &[u8], ghosts: &mut BTreeMap<u16, Vec2>) -> Option<(u32, u64)> {
    let (header, body) = bytes.split_at_checked(HEADER_BYTES)?;
    let sequence = u32::from_le_bytes(header[0..4].try_into().ok()?);
    let step = u32::from_le_bytes(header[4..8].try_into().ok()?);
    let count = u16::from_le_bytes(header[8..10].try_into().ok()?);
    charge(usize::from(count), PER_ENTITY);
    let entities = body.chunks_exact(ENTITY_BYTES);
    if entities.len() != usize::from(count) || !entities.remainder().is_empty() {
        return None;
    }
    for entity in entities {
        let word = |at: usize| u16::from_le_bytes([entity[at], entity[at + 1]]);
        ghosts.insert(
            word(0),
            Vec2::new(f32::from(word(2)) / 64.0, f32::from(word(4)) / 64.0),
        );
    }
    Some((sequence, u64::from(step)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::agents::Kind;

    fn agents(count: u32) -> Vec<Agent> {
        (0..count)
            .map(|seed| Agent::new(Kind::Mote, Vec2::new(seed as f32 * 0.5, 3.25), 0, seed))
            .collect()
    }

    #[test]
    fn decoding_reverses_encoding() {
        let mut ghosts = BTreeMap::new();
        let bytes = encode(77, 1234, 5, &agents(9));
        assert_eq!(decode(&bytes, &mut ghosts), Some((77, 1234)));
        assert_eq!(ghosts.len(), 9);
        assert_eq!(ghosts[&13], Vec2::new(4.0, 3.25));
    }

    #[test]
    fn a_truncated_packet_is_refused() {
        let bytes = encode(1, 1, 0, &agents(3));
        for len in 0..bytes.len() {
            assert_eq!(
                decode(&bytes[..len], &mut BTreeMap::new()),
                None,
                "{len} bytes"
            );
        }
    }

    #[test]
    fn the_peer_learns_every_agent_despite_losses() {
        let (mut network, agents) = (Network::new(3), agents(1000));
        for step in 0..300 {
            network.step(step, &agents, usize::from(step == 10));
        }
        assert_eq!(network.ghosts(), 1000);
    }
}
