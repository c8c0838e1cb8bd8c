//! A run to record, with typical series of a game.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use stats_capture::{Capture, CaptureOptions};
use stats_core::{CounterHandle, GaugeHandle, TimerHandle, counter, gauge, timer};

/// A folder for the files of the bench, removed when dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("stats-bench-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("there is a temporary folder");
        Self(folder)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The series of a game. Half of them are timers, which take three columns each.
pub(crate) struct Series {
    timers: Vec<TimerHandle>,
    counters: Vec<CounterHandle>,
    gauges: Vec<GaugeHandle>,
    positions: Vec<f64>,
    state: u64,
}

impl Series {
    /// Registers 30 timers, 20 counters and 10 gauges: 120 columns.
    pub(crate) fn new() -> Self {
        Self {
            timers: (0..30)
                .map(|n| timer(&format!("bench/timer/{n}")))
                .collect(),
            counters: (0..20)
                .map(|n| counter(&format!("bench/counter/{n}")))
                .collect(),
            gauges: (0..10)
                .map(|n| gauge(&format!("bench/gauge/{n}")))
                .collect(),
            positions: vec![500.0; 10],
            state: 1,
        }
    }

    fn random(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    /// Returns a number from 0 to 1.
    fn part(&mut self) -> f64 {
        self.random() as f64 / u64::MAX as f64
    }

    /// Records the values of a frame, distributed as in the demo game. Times are lognormal, 20 µs to 6 ms,
    /// and nine in ten are below 1.3 × the median. Numbers repeat, and positions move.
    pub(crate) fn count(&mut self) {
        for at in 0..self.timers.len() {
            let median_ms = 0.02 * 300_f64.powf(at as f64 / 29.0);
            // Twelve uniform numbers have a variance of 1 (Irwin and Hall).
            let normal = (0..12).map(|_| self.part()).sum::<f64>() - 6.0;
            self.timers[at].record_ms(median_ms * (0.2 * normal).exp());
        }
        for at in 0..self.counters.len() {
            let number = 100 * at as u64 + self.random() % 16;
            self.counters[at].add(number);
        }
        for at in 0..self.gauges.len() {
            self.positions[at] += self.part() - 0.5;
            self.gauges[at].set(self.positions[at]);
        }
    }
}

/// Records a run, slowly enough that no frame is dropped.
pub(crate) fn record(path: &Path, series: &mut Series, frames: u64) -> PathBuf {
    let mut capture = Capture::create(path, CaptureOptions::default()).expect("it can be written");
    for frame in 1..=frames {
        series.count();
        let noise = (series.random() % 1_000_000) as f64 / 1e9;
        capture.end_frame_at(frame as f64 / 60.0 + noise);
        if frame.is_multiple_of(100) {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    assert_eq!(capture.dropped_frames(), 0, "the writer thread is too slow");
    capture.finish().expect("it can be written")
}
