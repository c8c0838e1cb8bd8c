//! The CPU time of a timeline per frame, UI code and tessellation together, compared with puffin_egui
//! over the same scopes. *Timeline alone* is a pane over a game, with the name of the frame, the axis and
//! the lanes. *Whole overlay* is the panel with the same pane, and with the tree, the bars and the graph
//! of the frame times, which puffin_egui does not have or draws simpler. The promise is about the
//! timeline alone; the whole overlay has the same bar.
//! puffin_egui draws its window as it is by default, a strip of frames and the flame graph. It draws with
//! egui 0.33, and the overlay with egui 0.37, so a ratio compares two versions of egui as well.
//!
//! All draw in turn in headless contexts of one process, of 1280 × 800 points, without a GPU. Times are
//! processor times of the thread. A frame has four threads, whose scopes lie in up to four levels.

#[path = "../../../crates/stats-bench/benches/drawing/clock.rs"]
mod clock;
mod ours;
mod peer;
mod scopes;

use stats_bench::{Bar, Contest, Table};
use stats_overlay::Mode;

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
    let ours = |mode| Ours::new(mode, &frames, 1);
    let (mut other, mut same) = (ours(Mode::Watch), ours(Mode::Watch));
    let (mut other_whole, mut same_whole) = (ours(Mode::Full), ours(Mode::Full));
    let (mut other_peer, mut same_peer) = (Peer::new(&frames), Peer::new(&frames));
    same_peer.pause();
    let outcome = Contest::timed_by(cpu_time)
        .with(PASSES, || (0..PASSES).for_each(|_| other_peer.draw_other()))
        .with(PASSES, || (0..PASSES).for_each(|_| other.draw_other()))
        .with(PASSES, || {
            (0..PASSES).for_each(|_| other_whole.draw_other())
        })
        .with(PASSES, || (0..PASSES).for_each(|_| same_peer.draw()))
        .with(PASSES, || (0..PASSES).for_each(|_| same.draw()))
        .with(PASSES, || (0..PASSES).for_each(|_| same_whole.draw()))
        .run();
    for (peer, how) in [
        (0, "another frame in each pass"),
        (3, "the same frame, paused"),
    ] {
        for (ours, what) in [(peer + 1, "timeline alone"), (peer + 2, "whole overlay")] {
            table.row(
                &format!("5,000 scopes, {how}: {what} / puffin_egui"),
                &[outcome.ns(ours), outcome.ns(peer)],
                outcome.ratio(ours, peer),
                "×",
                Bar::AtMost(0.15),
            );
        }
    }
}

/// Adds the rows of 100,000 scopes, in 20 frames beside each other.
fn many(table: &mut Table) {
    let frames = Played::frames(60, 5_000);
    let ours = || Ours::new(Mode::Full, &frames, 20);
    let (mut other, mut same) = (ours(), ours());
    let outcome = Contest::timed_by(cpu_time)
        .with(1, || other.draw_other())
        .with(1, || same.draw())
        .run();
    for (at, how) in [
        (0, "other frames in each pass"),
        (1, "the same frames, paused"),
    ] {
        table.row(
            &format!("20 frames with 100,000 scopes, {how}: whole overlay"),
            &[outcome.ns(at)],
            outcome.ns(at) * 1e-6,
            "ms",
            Bar::AtMost(2.0),
        );
    }
}
