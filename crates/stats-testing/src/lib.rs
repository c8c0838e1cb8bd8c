//! Shared test support: deterministic random data, temporary folders, counted allocations, and
//! forked children.
//!
//! Randomized tests must fail the same way on every machine, so they draw from [`Random`] with a
//! fixed seed, whose series look like those of games. This crate is a dev-dependency only.

use std::io::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

mod allocations;
#[cfg(unix)]
mod fork;

pub use allocations::{
    Counting, allocations, at_each_allocation, count_held_bytes, grown_bytes, held_bytes,
    largest_allocation, most_grown_bytes,
};
#[cfg(unix)]
pub use fork::in_child;

/// Waits until no other test of the process holds the guard: for tests of what a process has once, such
/// as the registry of series.
pub fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns how many rounds a randomized test plays: `usual`, times the whole number in the variable
/// `STATS_TEST_TIMES` of the environment if there is one. `scripts/test --night` sets it.
///
/// # Panics
///
/// Panics if the variable is not a whole number.
pub fn rounds(usual: usize) -> usize {
    let times = std::env::var("STATS_TEST_TIMES");
    let times = times.map_or(1, |times| times.parse().expect("a whole number"));
    usual.saturating_mul(times)
}

/// A small random number generator (SplitMix64), with the same numbers on every run and platform.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Returns a generator whose numbers are determined by `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next number, any of 64 bits.
    #[expect(
        clippy::should_implement_trait,
        reason = "an endless iterator would promise more than a number"
    )]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `bound`; 0 if that is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 { 0 } else { self.next() % bound }
    }

    /// Returns an index into a list of `len` items; 0 if that is 0.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// Returns a finite value of either sign, sometimes 0, 5 or ±10³⁰⁰.
    pub fn value(&mut self) -> f64 {
        match self.below(10) {
            0 => 0.0,
            1 => 1e300,
            2 => -1e300,
            3 => 5.0,
            _ => (self.below(2_000_001) as f64 - 1_000_000.0) / 1000.0,
        }
    }

    /// Returns a series like those of games: a level that shifts, ramps, pulses and rests, with
    /// noise and spikes. One in four series consists of random values instead.
    pub fn series(&mut self, frames: usize) -> Vec<f64> {
        if self.below(4) == 0 {
            return (0..frames).map(|_| self.value()).collect();
        }
        let (mut level, mut slope, mut period, mut noise) = (10.0, 0.0, 0, 100);
        let next = |frame: usize| {
            if self.below(100) == 0 {
                level = self.below(100) as f64;
                slope = [0.0, 0.0, 0.1, -0.1][self.index(4)];
                period = self.index(12);
                noise = [0, 0, 10, 1000][self.index(4)];
            }
            level += slope;
            let beat = if period > 1 && frame.is_multiple_of(period) {
                20.0
            } else {
                0.0
            };
            let spike = if self.below(60) == 0 {
                self.below(200) as f64
            } else {
                0.0
            };
            level + beat + spike + self.below(noise) as f64 / 100.0
        };
        (0..frames).map(next).collect()
    }

    /// Returns a path of one to four segments from a small alphabet, so that paths share prefixes.
    pub fn path(&mut self) -> String {
        const SEGMENTS: [&str; 12] = [
            "a",
            "A",
            "b",
            "ab",
            "a-b",
            "x1",
            "x10",
            "x2",
            "x02",
            "Über",
            "draw calls",
            "renderer",
        ];
        let count = 1 + self.below(4);
        let segments: Vec<&str> = (0..count).map(|_| SEGMENTS[self.index(12)]).collect();
        segments.join("/")
    }
}

/// Returns the content of a ring buffer of `capacity` frames after frame `end`: the older slice,
/// the newer slice, and the index of the first frame. `values` begin at frame `first`.
pub fn ring(values: &[f64], first: u64, end: u64, capacity: u64) -> (Vec<f64>, Vec<f64>, u64) {
    let start = first.max(end.saturating_sub(capacity));
    let held = &values[(start - first) as usize..(end - first) as usize];
    let split = held.len().min((capacity - start % capacity) as usize);
    (held[..split].to_vec(), held[split..].to_vec(), start)
}

/// A temporary folder for a test, initially empty, and removed when dropped.
pub struct Folder(
    /// Its path.
    pub std::path::PathBuf,
);

impl Folder {
    /// Creates the folder, whose path contains `name`. Each call has a folder of its own.
    ///
    /// # Panics
    ///
    /// Panics if the folder cannot be created.
    pub fn new(name: &str) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        // Relaxed: only that each number is given once matters.
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let process = std::process::id();
        let folder = std::env::temp_dir().join(format!("stats-overlay-{process}-{number}-{name}"));
        // Left over by an earlier process with the same number.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a temporary folder can be created");
        Self(folder)
    }

    /// Returns the names of the files in the folder, sorted.
    ///
    /// # Panics
    ///
    /// Panics if the folder cannot be read.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("the folder can be read");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("the folder can be read").file_name())
            .map(|name| name.into_string().expect("tests name files in UTF-8"))
            .collect();
        names.sort();
        names
    }

    /// Creates a device in the folder that drops everything, like `/dev/null`. Returns `None`
    /// where that is not possible: it needs Unix, a root user, and a file system with devices.
    #[must_use]
    pub fn device(&self, name: &str) -> Option<std::path::PathBuf> {
        self.node(name, "mknod", &["c", "1", "3"])
    }

    /// Creates a device in the folder that is always full, like `/dev/full`, where
    /// [`device`](Self::device) can.
    #[must_use]
    pub fn full_device(&self, name: &str) -> Option<std::path::PathBuf> {
        self.node(name, "mknod", &["c", "1", "7"])
    }

    /// Creates a pipe in the folder, which needs no root user. Returns `None` where there are none:
    /// not on Unix.
    #[must_use]
    pub fn pipe(&self, name: &str) -> Option<std::path::PathBuf> {
        self.node(name, "mkfifo", &[])
    }

    /// Creates a link to a new pipe in the folder, where there are pipes.
    #[must_use]
    pub fn link_to_pipe(&self, name: &str) -> Option<std::path::PathBuf> {
        let pipe = self.pipe(&format!("{name}-pipe"))?;
        #[cfg(unix)]
        {
            let link = self.0.join(name);
            std::os::unix::fs::symlink(pipe, &link).ok()?;
            Some(link)
        }
        #[cfg(not(unix))]
        {
            drop(pipe);
            None
        }
    }

    fn node(&self, name: &str, program: &str, kind: &[&str]) -> Option<std::path::PathBuf> {
        let path = self.0.join(name);
        let mut command = std::process::Command::new(program);
        let made = command.arg(&path).args(kind).output();
        let is_made = made.is_ok_and(|made| made.status.success());
        // Some file systems list devices that cannot be opened.
        let opens = || program != "mknod" || std::fs::File::open(&path).is_ok();
        let node = (is_made && opens()).then_some(path);
        if node.is_none() {
            // Not with `eprintln`, whose text is hidden if the test passes.
            let mut out = std::io::stderr();
            let _ = writeln!(out, "skipped: {program} {kind:?} does not work here");
        }
        node
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
