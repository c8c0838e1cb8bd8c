//! What `Remote::publish` takes of the game's frame: with nobody connected, with watched series, beside its
//! floor, which is to copy as many numbers from as many places, and while a viewer shows scopes.
//!
//! Frames are 4 ms apart and read 16 MiB, so that code and memory are in no cache near the processor, except
//! what the recorder has just written. To read the clock takes a part of each figure, that of the first row:
//! bars are for what is more.

use std::cell::RefCell;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use stats_core::{Source, timer};
use stats_remote::{RemoteAddress, RemoteSource};

use super::{SERIES, game, is_kept, percentiles, watch_listed};

const FRAMES: usize = 2_000;

/// The most series of a game with default options that are recorded.
const RECORDED: usize = 960;

/// The scopes of a frame.
const SCOPES: usize = 1_000;

pub(crate) fn run() {
    let mut scene = Scene(vec![1; 2 << 20]);
    println!("| publish | median | p99 | bar | kept |\n|---|---|---|---|---|");
    let of_clock = row("nothing is called", &scene.frames(|| (), || ()), 0.0, None);
    nobody(&mut scene, of_clock);
    for (series, bar) in [(SERIES, Some(2_000.0)), (RECORDED, None)] {
        let places = RefCell::new(Places::new(series));
        let floor = scene.frames(
            || places.borrow_mut().write(),
            || places.borrow_mut().copy(),
        );
        row(
            &format!("{series} numbers are copied"),
            &floor,
            of_clock,
            None,
        );
        let watched = watched(&mut scene, series, 0);
        row(
            &format!("{series} series are watched"),
            &watched,
            of_clock,
            bar,
        );
    }
    let watched = watched(&mut scene, SERIES, SCOPES);
    let name = format!("{SERIES} series, and a view shows {SCOPES} scopes a frame");
    row(&name, &watched, of_clock, None);
    println!("\nBars are for what is more than in the first row, which is to read the clock.");
}

/// Prints what a game without a viewer takes: in a frame, and if everything is in the cache.
fn nobody(scene: &mut Scene, of_clock: f64) {
    const CALLS: usize = 1_000;
    let (_, mut remote, recorder) = game(0);
    let recorder = RefCell::new(recorder);
    let begin = || recorder.borrow_mut().end_frame();
    let cold = scene.frames(begin, || remote.publish(&mut recorder.borrow_mut()));
    row("nobody is connected", &cold, of_clock, None);
    let warm = scene.frames(begin, || {
        (0..CALLS).for_each(|_| remote.publish(&mut recorder.borrow_mut()));
    });
    let warm: Vec<f64> = warm.iter().map(|ns| ns / CALLS as f64).collect();
    row(
        "nobody is connected, from the cache",
        &warm,
        0.0,
        Some(50.0),
    );
}

/// Prints a row, and returns its median. The bar is the most that the median may be above `of_clock`.
fn row(name: &str, ns: &[f64], of_clock: f64, bar: Option<f64>) -> f64 {
    let [median, p99] = percentiles(ns.to_vec());
    let (bar, kept) = match bar {
        Some(bar) => (format!("≤ {bar} ns"), is_kept(median - of_clock <= bar)),
        None => (String::new(), ""),
    };
    println!("| {name} | {median:.0} ns | {p99:.0} ns | {bar} | {kept} |");
    median
}

/// What the rest of a frame reads.
struct Scene(Vec<u64>);

impl Scene {
    /// Returns the times of a call in nanoseconds, one for each frame.
    fn frames(&mut self, mut begin: impl FnMut(), mut call: impl FnMut()) -> Vec<f64> {
        let frames = (0..FRAMES).map(|_| {
            self.play();
            begin();
            let start = Instant::now();
            call();
            let took = start.elapsed();
            thread::sleep(Duration::from_millis(4));
            took.as_secs_f64() * 1e9
        });
        frames.collect()
    }

    fn play(&mut self) {
        self.0.iter_mut().for_each(|word| *word += 1);
        black_box(&self.0);
    }
}

/// Returns what each frame of a game takes that has a viewer.
fn watched(scene: &mut Scene, series: usize, scopes: usize) -> Vec<f64> {
    let (gauges, mut remote, recorder) = game(series);
    let (address, of_game) = (remote.address().clone(), timer("remote-scope"));
    let recorder = RefCell::new(recorder);
    let mut number = 0;
    let mut begin = || {
        number += 1;
        for (at, gauge) in gauges.iter().enumerate() {
            gauge.set((number * at) as f64);
        }
        (0..scopes).for_each(|_| drop(of_game.scope()));
        recorder.borrow_mut().end_frame();
    };
    let mut call = || remote.publish(&mut recorder.borrow_mut());
    let (is_ready, is_over) = (&AtomicBool::new(false), &AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(move || watch_all(&address, (series, scopes > 0), is_ready, is_over));
        while !is_ready.load(Ordering::Acquire) {
            begin();
            call();
            thread::sleep(Duration::from_millis(4));
        }
        let times = scene.frames(begin, call);
        is_over.store(true, Ordering::Release);
        times
    })
}

/// Rings like those of a recorder.
struct Places {
    rings: Vec<Vec<f64>>,
    frame: usize,
    copied: Vec<f64>,
}

impl Places {
    const FRAMES: usize = 4096;

    fn new(series: usize) -> Self {
        // Their newest values are in different sets of the cache.
        let ring = |at: usize| vec![0.0; Self::FRAMES + at % 64 * 8];
        Self {
            rings: (0..series).map(ring).collect(),
            frame: 0,
            copied: Vec::with_capacity(series),
        }
    }

    fn write(&mut self) {
        self.frame += 1;
        for (at, ring) in self.rings.iter_mut().enumerate() {
            ring[at % 64 * 8 + self.frame % Self::FRAMES] = (self.frame * at) as f64;
        }
    }

    fn copy(&mut self) {
        let rings = self.rings.iter().enumerate();
        let newest = rings.map(|(at, ring)| ring[at % 64 * 8 + self.frame % Self::FRAMES]);
        self.copied.clear();
        self.copied.extend(newest);
        black_box(&self.copied);
    }
}

/// Watches all series, and shows scopes if wanted, until it is over.
fn watch_all(
    address: &RemoteAddress,
    (series, has_scopes): (usize, bool),
    is_ready: &AtomicBool,
    is_over: &AtomicBool,
) {
    let mut viewer = RemoteSource::connect(address).expect("the game answers");
    let mut watches = Vec::new();
    while !is_over.load(Ordering::Acquire) {
        viewer.pump();
        watch_listed(&mut viewer, series, &mut watches);
        let end = viewer.frames().end;
        let has_calls = !has_scopes
            || viewer
                .timeline(&[end.saturating_sub(60)..end])
                .is_some_and(|timeline| timeline.frames().next().is_some());
        let has_value = |watch| viewer.history(watch, 1).last().is_some();
        if has_calls && !watches.is_empty() && watches.iter().all(has_value) {
            is_ready.store(true, Ordering::Release);
        }
        thread::sleep(Duration::from_millis(10));
    }
}
