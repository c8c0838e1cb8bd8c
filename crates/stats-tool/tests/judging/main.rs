//! `stats compare`, `stats gate`, `stats trend`, `stats summarize` and `stats query`, run on
//! captures that these tests record.

#[path = "../common/command.rs"]
mod command;
mod compare;
mod config;
mod gate;
mod hostile;
mod lake;
mod trend;

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use command::{Output, stats_with};
use stats_capture::{Capture, CaptureOptions};
use stats_core::{Gauge, Timer};
use stats_testing::{Folder, Random};

static DRAW_CALLS: Gauge = Gauge::new("renderer/draw-calls");
static PATHS: Timer = Timer::new("ai/paths").budget(4.0);

/// The series belong to the process, so only one run is recorded at a time.
static RECORDING: Mutex<()> = Mutex::new(());

/// A made-up run.
#[derive(Clone)]
struct Run {
    /// The usual time of a frame.
    ms: f64,
    draw_calls: f64,
    /// The time of path searches in a frame.
    paths_ms: f64,
    /// The number of frames from one slow path search to the next; 0 for never. A slow search takes
    /// ten times as long.
    slow_every: u64,
    frames: u64,
    scenario: &'static str,
    commit: String,
    build: Option<String>,
    /// The value of the label `release`.
    release: Option<String>,
}

impl Default for Run {
    fn default() -> Self {
        Self {
            ms: 10.0,
            draw_calls: 500.0,
            paths_ms: 1.0,
            slow_every: 0,
            frames: 700,
            scenario: "fly-through",
            commit: "abc".into(),
            build: Some("test".into()),
            release: None,
        }
    }
}

impl Run {
    /// Records the run. Its usual frame time varies by up to 1 %, and its frames by up to 10 %.
    fn record(&self, file: impl AsRef<Path>, random: &mut Random) {
        let _one_at_a_time = RECORDING.lock().expect("no test fails while it records");
        let mut options = CaptureOptions::default();
        options.scenario = Some(self.scenario.to_owned());
        options.commit = Some(self.commit.clone());
        options.build = self.build.clone();
        let release = self.release.iter().cloned();
        (options.labels).extend(release.map(|release| ("release".to_owned(), release)));
        let mut capture = Capture::create(file, options).expect("a temporary file");
        let mut even = || random.below(1001) as f64 / 1000.0 - 0.5;
        let usual = self.ms * (1.0 + 0.02 * even());
        let mut now = 0.0;
        // Must precede the first frame, which would otherwise have the value of the previous
        // recording.
        DRAW_CALLS.set(self.draw_calls);
        capture.end_frame_at(now);
        for frame in 0..self.frames {
            let is_slow = self.slow_every > 0 && frame % self.slow_every == 0;
            PATHS.record_ms(self.paths_ms * if is_slow { 10.0 } else { 1.0 });
            now += usual * (1.0 + 0.2 * even()) / 1e3;
            capture.end_frame_at(now);
        }
        capture.finish().expect("a temporary file");
    }

    /// Records the run several times into a folder, and returns the folder.
    fn record_times(&self, times: usize, folder: PathBuf) -> String {
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        let text = folder.to_str().expect("UTF-8").to_owned();
        // Uses only the name: the rest of the path contains the process id, which differs between
        // test runs.
        let name = folder.file_name().unwrap_or_default().as_encoded_bytes();
        let seed: u64 = name.iter().map(|byte| u64::from(*byte)).sum();
        let mut random = Random::new(seed + self.ms as u64);
        for at in 0..times {
            self.record(folder.join(format!("run-{at:03}.parquet")), &mut random);
        }
        text
    }
}

/// Runs `stats` in a folder.
fn stats(folder: &Folder, arguments: &[&str]) -> Output {
    stats_with(&folder.0, arguments)
}

/// Writes `stats.toml` into a folder.
fn write_config(folder: &Folder, text: &str) {
    std::fs::write(folder.0.join("stats.toml"), text).expect("a temporary file");
}
