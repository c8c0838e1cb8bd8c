//! What `Remote::publish` takes of the game's frame: with nobody connected, and with 300 watched series,
//! beside its floor: to copy 300 numbers from as many places.
//!
//! Frames are 4 ms apart and read 16 MiB, so that code and memory are in no cache near the processor, except
//! what the recorder has just written.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use stats_core::Source;
use stats_remote::{Remote, RemoteSource};

use super::{SERIES, game, print, watch_listed};

const FRAMES: usize = 2_000;

pub(crate) fn run() {
    let (gauges, mut remote, mut recorder) = game();
    let mut scene = vec![1_u64; 2 << 20];
    let mut play = || {
        scene.iter_mut().for_each(|word| *word += 1);
        black_box(&scene);
    };
    let mut places = Places::new();
    let floor: Vec<f64> = (0..FRAMES)
        .map(|number| {
            play();
            places.write(number);
            timed(|| places.copy(number))
        })
        .collect();
    let mut frame = |number: usize, remote: &mut Remote| {
        for (at, gauge) in gauges.iter().enumerate() {
            gauge.set((number * at) as f64);
        }
        play();
        recorder.end_frame();
        timed(|| remote.publish(&mut recorder))
    };
    println!("| publish | median | p99 |\n|---|---|---|");
    let nobody = (0..FRAMES).map(|number| frame(number, &mut remote));
    print("nobody is connected", "ns", nobody.collect());
    print(&format!("{SERIES} numbers are copied"), "ns", floor);
    let address = remote.address().clone();
    let (is_ready, is_over) = (&AtomicBool::new(false), &AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(move || watch_all(&address, is_ready, is_over));
        while !is_ready.load(Ordering::Acquire) {
            frame(0, &mut remote);
        }
        let watched = (0..FRAMES).map(|number| frame(number, &mut remote));
        print(
            &format!("{SERIES} series are watched"),
            "ns",
            watched.collect(),
        );
        is_over.store(true, Ordering::Release);
    });
}

/// Returns the time of a call in nanoseconds, and waits for the next frame.
fn timed(call: impl FnOnce()) -> f64 {
    let start = Instant::now();
    call();
    let took = start.elapsed();
    thread::sleep(Duration::from_millis(4));
    took.as_secs_f64() * 1e9
}

/// Rings like those of a recorder.
struct Places {
    rings: Vec<Vec<f64>>,
    copied: Vec<f64>,
}

impl Places {
    const FRAMES: usize = 4096;

    fn new() -> Self {
        // Their newest values are in different sets of the cache.
        let ring = |at: usize| vec![0.0; Self::FRAMES + at % 64 * 8];
        Self {
            rings: (0..SERIES).map(ring).collect(),
            copied: Vec::with_capacity(SERIES),
        }
    }

    fn write(&mut self, frame: usize) {
        for (at, ring) in self.rings.iter_mut().enumerate() {
            ring[at % 64 * 8 + frame % Self::FRAMES] = (frame * at) as f64;
        }
    }

    fn copy(&mut self, frame: usize) {
        let rings = self.rings.iter().enumerate();
        let newest = rings.map(|(at, ring)| ring[at % 64 * 8 + frame % Self::FRAMES]);
        self.copied.clear();
        self.copied.extend(newest);
        black_box(&self.copied);
    }
}

/// Watches all series until it is over.
fn watch_all(address: &stats_remote::RemoteAddress, is_ready: &AtomicBool, is_over: &AtomicBool) {
    let mut viewer = RemoteSource::connect(address).expect("the game answers");
    let mut watches = Vec::new();
    while !is_over.load(Ordering::Acquire) {
        viewer.pump();
        watch_listed(&mut viewer, &mut watches);
        let has_value = |watch| viewer.history(watch, 1).last().is_some();
        if !watches.is_empty() && watches.iter().all(has_value) {
            is_ready.store(true, Ordering::Release);
        }
        thread::sleep(Duration::from_millis(10));
    }
}
