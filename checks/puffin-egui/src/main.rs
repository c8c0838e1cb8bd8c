//! The CPU time of a timeline per frame, UI code and tessellation together, compared with puffin_egui
//! over the same scopes. puffin_egui draws with egui 0.33, and the overlay with egui 0.37, so a ratio
//! compares two versions of egui as well.
//!
//! Both draw in turn in headless contexts of one process, of 1280 × 800 points, without a GPU: the whole
//! overlay with one timeline, and the window of puffin_egui as it is by default. Times are processor times
//! of the thread. A frame has four threads, whose scopes lie in up to four levels.

#[path = "../../../crates/stats-bench/benches/drawing/clock.rs"]
mod clock;
mod ours;
mod peer;
mod scopes;

use stats_bench::{Bar, Contest, Table};

use crate::clock::cpu_time;
use crate::ours::Ours;
use crate::peer::Peer;
use crate::scopes::Played;

/// The size of both windows, in points.
const WIDTH: f32 = 1280.0;
const HEIGHT: f32 = 800.0;
/// The passes in a round of a contest.
const PASSES: u64 = 4;

fn main() {
    // Any game has freed a block of 30 MiB. Without one, each frame's meshes would take new pages from
    // the kernel (mallopt(3), M_MMAP_THRESHOLD).
    drop(std::hint::black_box(vec![1_u8; 30 << 20]));
    let mut table = Table::default();
    beside_peer(&mut table);
    many(&mut table);
    println!("{table}");
    println!("Times are those of one frame, in the order in which the row names its contenders.");
}

/// Adds the rows of 5,000 scopes.
fn beside_peer(table: &mut Table) {
    let frames = Played::frames(16, 5_000);
    let (mut other, mut same) = (Ours::new(&frames, 1), Ours::new(&frames, 1));
    let (mut other_peer, mut same_peer) = (Peer::new(&frames), Peer::new(&frames));
    same_peer.pause();
    let outcome = Contest::timed_by(cpu_time)
        .with(PASSES, || (0..PASSES).for_each(|_| other.draw_other()))
        .with(PASSES, || (0..PASSES).for_each(|_| other_peer.draw_other()))
        .with(PASSES, || (0..PASSES).for_each(|_| same.draw()))
        .with(PASSES, || (0..PASSES).for_each(|_| same_peer.draw()))
        .run();
    for (first, how) in [
        (0, "another frame in each pass"),
        (2, "the same frame, paused"),
    ] {
        table.row(
            &format!("timeline of 5,000 scopes, {how}: whole overlay / puffin_egui"),
            &[outcome.ns(first), outcome.ns(first + 1)],
            outcome.ratio(first, first + 1),
            "×",
            Bar::AtMost(0.15),
        );
    }
}

/// Adds the rows of 100,000 scopes, in 20 frames beside each other.
fn many(table: &mut Table) {
    let frames = Played::frames(60, 5_000);
    let (mut other, mut same) = (Ours::new(&frames, 20), Ours::new(&frames, 20));
    let outcome = Contest::timed_by(cpu_time)
        .with(1, || other.draw_other())
        .with(1, || same.draw())
        .run();
    for (at, how) in [
        (0, "other frames in each pass"),
        (1, "the same frames, paused"),
    ] {
        table.row(
            &format!("timeline of 20 frames with 100,000 scopes, {how}: whole overlay"),
            &[outcome.ns(at)],
            outcome.ns(at) * 1e-6,
            "ms",
            Bar::AtMost(2.0),
        );
    }
}
