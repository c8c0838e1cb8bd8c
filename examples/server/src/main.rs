//! A server without a screen: 30 ticks a second, each of which is a frame of the statistics. It prints
//! an address, with which `stats view` shows the ticks in the views of the overlay, on this machine or
//! through a tunnel. Neither egui nor an asynchronous runtime is in this program.
//!
//! `server-example TICKS` ends after some ticks.
#![forbid(unsafe_code)]

use std::thread;
use std::time::{Duration, Instant};

use stats_core::{Counter, Gauge, Recorder, Timer};
use stats_remote::{Remote, RemoteOptions};

static TICK: Timer = Timer::new("server/tick")
    .budget(20.0)
    .describe("the work of a tick");
static PACKETS: Counter = Counter::new("net/packets").describe("packets that arrived");
static PLAYERS: Gauge = Gauge::new("server/players");

const TICK_TIME: Duration = Duration::from_millis(33);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ticks = std::env::args().nth(1).map(|text| text.parse::<u64>());
    let ticks = ticks
        .transpose()
        .map_err(|_| "TICKS is no number: give a whole number, such as 300, or nothing")?
        .unwrap_or(u64::MAX);
    let mut recorder = Recorder::new();
    let mut remote = match Remote::from_env()? {
        Some(remote) => remote,
        None => Remote::start(RemoteOptions::default())?,
    };
    // Without the statistics, nothing listens.
    if stats_core::ENABLED {
        println!("stats view '{}'", remote.address());
    }
    let begun = Instant::now();
    for tick in 0..ticks {
        TICK.time(|| simulate(tick));
        recorder.end_frame();
        remote.publish(&mut recorder);
        let next = TICK_TIME.saturating_mul(u32::try_from(tick + 1).unwrap_or(u32::MAX));
        thread::sleep(next.saturating_sub(begun.elapsed()));
    }
    Ok(())
}

/// Does the work of a tick: more of it with more players, and now and then much more.
fn simulate(tick: u64) {
    let players = 20 + tick / 30 % 40;
    PLAYERS.set(players as f64);
    PACKETS.add(players * 3 + tick % 5);
    let steps = players
        * if tick.is_multiple_of(200) {
            100_000
        } else {
            5_000
        };
    std::hint::black_box((0..steps).fold(tick, |sum, step| sum ^ std::hint::black_box(step)));
}
