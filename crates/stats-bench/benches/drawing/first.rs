//! What happens once: the first frames of a mode, and the memory that it takes.
//!
//! Each row is measured once, in a process of its own: memory that was touched before, and glyphs
//! that were drawn before, would hide what a player sees.

use std::process::Command;
use std::time::Duration;

use egui::{Event, Key, Modifiers};
use stats_bench::{Bar, Table};
use stats_core::counter;
use stats_overlay::Mode;

use crate::clock::cpu_time;
use crate::host::{Host, path, value};
use crate::tree::{TYPED, register};
use stats_testing::{count_held_bytes, held_bytes};

/// The first argument of the process of a row; the name of the row and the number of series follow.
pub(crate) const ROW: &str = "--row";

const MIB: f64 = (1 << 20) as f64;

/// Measures the longest frames of work that is spread over many frames.
pub(crate) fn measure_frames(table: &mut Table) {
    frames(table, 100_000, "100,000 counters", 4.0);
}

/// The same with a million counters.
pub(crate) fn measure_million(table: &mut Table) {
    frames(table, 1_000_000, "a million counters", 8.0);
}

/// The most series that `spiking` searches; it says that there are too many beyond that.
const MAX_SEARCHED: usize = 1 << 18;

fn frames(table: &mut Table, series: usize, among: &str, bar_ms: f64) {
    for (row, what) in [
        ("hud", "the first HUD, of 8 counters"),
        ("full", "opening the full overlay"),
        ("keys", "a key of a search"),
        ("spiking", "`spiking`"),
        ("reopen", "hiding for four seconds, and opening again"),
    ] {
        if row == "spiking" && series > MAX_SEARCHED {
            continue;
        }
        let [ns, frames] = in_own_process(row, series);
        let what = format!(
            "worst frame of the whole overlay with {among}, in a process of its own: {what}, \
             {frames} frames"
        );
        table.row(&what, &[ns], ns / 1e6, "ms", Bar::AtMost(bar_ms));
    }
}

/// Measures the memory of the modes.
pub(crate) fn measure_memory(table: &mut Table) {
    for (series, among) in [(1_000, "1,000 counters"), (100_000, "100,000 counters")] {
        for (row, what, mib, each) in [
            ("hud-memory", "the HUD", 1.0, 64.0),
            ("full-memory", "tree and panes on screen", 4.0, 320.0),
            ("hidden-memory", "four seconds after hiding", 0.3, 64.0),
        ] {
            let [bytes] = in_own_process(row, series);
            let max_mib = mib + each * series as f64 / MIB;
            let bar = Bar::AtMost((max_mib * 100.0).floor() / 100.0);
            let what = format!("memory of the overlay with {among}: {what}");
            table.row(&what, &[], bytes / MIB, "MiB", bar);
        }
    }
}

/// Runs a row in a process of its own, and returns its figures.
fn in_own_process<const N: usize>(row: &str, series: usize) -> [f64; N] {
    let bench = std::env::current_exe().expect("the path of this process is known");
    let mut process = Command::new(bench);
    let output = process.args([ROW, row, &series.to_string()]).output();
    let output = output.expect("this program runs once more");
    let text = String::from_utf8_lossy(&output.stdout);
    let figures = text.split_whitespace().map(str::parse);
    let figures: Result<Vec<f64>, _> = figures.collect();
    let figures = figures.ok().and_then(|figures| figures.try_into().ok());
    figures.unwrap_or_else(|| panic!("{row}: {output:?}"))
}

/// Measures a row in this process, and prints its figures.
pub(crate) fn run(row: &str, series: usize) {
    if row.ends_with("-memory") {
        return println!("{}", memory(row, series));
    }
    register(0..series);
    let worst = match row {
        "hud" => {
            let mut host = Host::new(Mode::Hidden, 8, 600);
            (0..8).for_each(|number| host.overlay.pin(&path(number)));
            host.overlay.set_mode(Mode::Hud);
            Worst::of(&settle(&mut host))
        }
        "full" => {
            // The HUD has already drawn its text.
            let mut host = Host::new(Mode::Hud, 8, 600);
            host.overlay.set_mode(Mode::Full);
            Worst::of(&settle(&mut host))
        }
        "reopen" => {
            let mut host = Host::new(Mode::Full, 8, 600);
            settle(&mut host);
            host.overlay.set_mode(Mode::Hidden);
            let hidden = (0..240)
                .map(|_| timed_frame(&mut host, Vec::new()))
                .collect::<Vec<_>>();
            host.overlay.set_mode(Mode::Full);
            Worst::of(&hidden).max(Worst::of(&settle(&mut host)))
        }
        "keys" => {
            let mut host = Host::new(Mode::Full, 0, 600);
            settle(&mut host);
            let slash = Worst::of(&[
                timed_frame(&mut host, slash()),
                timed_frame(&mut host, Vec::new()),
            ]);
            let keys = TYPED.iter().chain(&["u", "updates", ""]).map(|typed| {
                host.overlay.set_search(typed);
                Worst::of(&settle(&mut host))
            });
            keys.fold(slash, Worst::max)
        }
        _ => {
            let mut host = Host::new(Mode::Full, 0, 600);
            settle(&mut host);
            host.overlay.set_search("spiking");
            Worst::of(&settle(&mut host))
        }
    };
    println!("{} {}", worst.frame.as_nanos(), worst.frames);
}

/// Returns the bytes by which a mode grows the memory of a hidden overlay that was never opened,
/// without the glyphs that egui keeps.
fn memory(row: &str, series: usize) -> i64 {
    const FRAMES: usize = 600;
    let counters = (0..series).map(|number| {
        let system = ["renderer", "physics", "game", "audio", "ai"][number % 5];
        counter(&format!("{system}/level-{}/enemy-{number}", number % 300))
    });
    let counters: Vec<_> = counters.collect();
    count_held_bytes();
    let mut host = Host::new(Mode::Hidden, 0, 600);
    let play = |host: &mut Host, mode, frames| {
        host.overlay.set_mode(mode);
        (0..frames).for_each(|frame| {
            for (number, counter) in counters.iter().enumerate() {
                counter.add(value(number, frame as u64));
            }
            host.record_frame();
            host.draw();
        });
    };
    // An overlay that is dropped leaves the glyphs behind.
    let mut other = Host::new(Mode::Hidden, 0, 600);
    host.swap_overlay(&mut other);
    play(&mut host, Mode::Hud, FRAMES);
    play(&mut host, Mode::Full, FRAMES);
    host.overlay.set_search("enemy");
    play(&mut host, Mode::Full, FRAMES);
    play(&mut host, Mode::Hud, FRAMES);
    play(&mut host, Mode::Hidden, 240);
    host.swap_overlay(&mut other);
    drop(other);
    play(&mut host, Mode::Hidden, 240);
    let before = held_bytes();
    play(&mut host, Mode::Hud, FRAMES);
    if row != "hud-memory" {
        play(&mut host, Mode::Full, FRAMES);
    }
    if row == "hidden-memory" {
        play(&mut host, Mode::Hidden, 240);
    }
    held_bytes() - before
}

/// The longest frame, and the number of frames until nothing is left to do.
#[derive(Clone, Copy, Default)]
struct Worst {
    frame: Duration,
    frames: usize,
}

impl Worst {
    fn of(frames: &[Duration]) -> Self {
        let shortest = frames.iter().min().copied().unwrap_or_default();
        let has_work = |frame: &Duration| *frame > shortest + HARDLY;
        Self {
            frame: frames.iter().max().copied().unwrap_or_default(),
            frames: frames.iter().rposition(has_work).map_or(0, |last| last + 1),
        }
    }

    fn max(self, other: Self) -> Self {
        Self {
            frame: self.frame.max(other.frame),
            frames: self.frames.max(other.frames),
        }
    }
}

/// A frame that takes longer than the shortest one by this much has work to do.
const HARDLY: Duration = Duration::from_micros(400);

/// Draws frames until they are short, and returns their times. Each is a new frame of the recorder,
/// whose end counts as well: it surveys the series.
fn settle(host: &mut Host) -> Vec<Duration> {
    /// The work is done when this number of frames in a row took hardly longer than the shortest.
    const LAST: usize = 30;
    const MAX_FRAMES: usize = 1000;
    let (mut frames, mut shortest, mut worked) = (Vec::new(), Duration::MAX, 0);
    while frames.len() < (worked + LAST).min(MAX_FRAMES) {
        let frame = timed_frame(host, Vec::new());
        frames.push(frame);
        shortest = shortest.min(frame);
        if frame > shortest + HARDLY {
            worked = frames.len();
        }
    }
    frames
}

/// Returns the events of the key that begins a search.
fn slash() -> Vec<Event> {
    let key = Event::Key {
        key: Key::Slash,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    vec![key, Event::Text("/".to_owned())]
}

/// Draws a frame with the user's input, and returns its time.
fn timed_frame(host: &mut Host, events: Vec<Event>) -> Duration {
    let begun = cpu_time();
    host.record_frame();
    host.draw_with(events);
    cpu_time().saturating_sub(begun)
}
