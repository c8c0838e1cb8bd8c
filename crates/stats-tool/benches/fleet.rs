//! What summaries and questions cost with many runs:
//!
//! ```sh
//! cargo bench -p stats-tool --no-default-features --bench fleet -- RUNS [spark://HOST:PORT]
//! ```
//!
//! Generates a lake of RUNS captures (default: 100) of 120 series and 20,000 frames, of ten builds.
//! Fifty captures are recorded. The others are hard links to them, which every reader reads as
//! separate files. Prints the time and the peak memory of each step, including the processes that
//! the command starts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use stats_capture::{Capture, CaptureOptions};
use stats_core::{CounterHandle, MarkEvent, TimerHandle};
use stats_testing::{Folder, Random};

const FRAMES: u64 = 20_000;

/// The number of recorded captures.
const RECORDED: usize = 50;

/// The number of builds.
const BUILDS: usize = 10;

const QUESTIONS: [&str; 6] = [
    "frame-percentiles",
    "worst-hitches",
    "changed-series",
    "memory-by-level",
    "over-budget",
    "machines-that-differ",
];

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let runs = words
        .first()
        .map_or(100, |word| word.parse().expect("RUNS is a number"));
    let folder = Folder::new("bench-fleet");
    let lake = folder.0.join("lake");
    let bytes = generate(&lake, runs);
    println!(
        "{runs} captures of 120 series and {FRAMES} frames, {:.1} MB each",
        bytes as f64 / 1e6
    );
    println!("| step | seconds | MB of memory |");
    println!("|---|---|---|");
    let lake = lake.to_str().expect("the path is UTF-8");
    measure("`stats summarize`", &["summarize", lake]);
    measure("`stats summarize`, nothing new", &["summarize", lake]);
    measure("`stats trend`", &["trend", lake]);
    let mut engines = vec!["duckdb"];
    engines.extend(words.get(1).map(String::as_str));
    for engine in engines {
        for question in QUESTIONS {
            let title = format!(
                "`{question}` by {}",
                engine.split(':').next().unwrap_or(engine)
            );
            measure(
                &title,
                &["query", lake, "--ask", question, "--engine", engine],
            );
        }
    }
}

/// The series of a game: 30 timers, which have three columns each, and 30 counters.
struct Series {
    timers: Vec<TimerHandle>,
    counters: Vec<CounterHandle>,
}

/// Creates a lake, and returns the mean size of a capture.
fn generate(lake: &Path, runs: usize) -> u64 {
    let series = Series {
        timers: (0..30)
            .map(|n| stats_core::timer(&format!("system-{}/task-{n}", n % 6)))
            .collect(),
        counters: (0..30)
            .map(|n| stats_core::counter(&format!("count/items-{n}")))
            .collect(),
    };
    let recorded = runs.min(RECORDED);
    let mut bytes = 0;
    for run in 0..recorded {
        let build = format!("1.{}", run % BUILDS);
        let folder = lake.join(format!("build={build}/platform=test/scenario=fight"));
        fs::create_dir_all(&folder).expect("a temporary folder");
        let path = folder.join(format!("{run:05}.parquet"));
        record(&path, &build, run as u64, &series);
        bytes += fs::metadata(&path).expect("it was recorded").len();
        for copy in (run + recorded..runs).step_by(recorded) {
            fs::hard_link(&path, folder.join(format!("{copy:05}.parquet"))).expect("a link");
        }
    }
    bytes / recorded as u64
}

fn record(path: &Path, build: &str, seed: u64, series: &Series) {
    let options = CaptureOptions {
        build: Some(build.to_owned()),
        scenario: Some("fight".to_owned()),
        ..CaptureOptions::default()
    };
    let mut capture = Capture::create(path, options).expect("a temporary file");
    let mut random = Random::new(seed);
    let mut now = 0.0;
    capture.end_frame_at(now);
    capture.mark("level", MarkEvent::Begin);
    for frame in 0..FRAMES {
        let is_hitch = frame % 1000 == 999;
        let mut frame_ms = 8.0;
        for (at, timer) in series.timers.iter().enumerate() {
            let usual = 0.1 + 0.01 * at as f64;
            let noise = 0.02 * random.below(1000) as f64 / 1000.0;
            let more = if is_hitch && at == 7 { 12.0 } else { 0.0 };
            timer.record_ms(usual + noise + more);
            frame_ms += noise + more;
        }
        for (at, counter) in series.counters.iter().enumerate() {
            counter.add(100 * at as u64 + random.below(8));
        }
        now += frame_ms / 1e3;
        capture.end_frame_at(now);
        // The writer keeps up: no frame is dropped.
        if frame % 512 == 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    capture.mark("level", MarkEvent::End);
    assert_eq!(capture.dropped_frames(), 0);
    capture.finish().expect("a temporary file");
}

/// Runs `stats`, and prints how long it took and how much memory it had.
fn measure(title: &str, arguments: &[&str]) {
    let began = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_stats"))
        .args(arguments)
        .stdout(Stdio::null())
        .spawn()
        .expect("the command starts");
    let mut most = 0;
    let status = loop {
        if let Some(status) = child.try_wait().expect("it is a child") {
            break status;
        }
        most = most.max(memory_of(child.id()));
        std::thread::sleep(Duration::from_millis(20));
    };
    let seconds = began.elapsed().as_secs_f64();
    let failed = if matches!(status.code(), Some(0..=2)) {
        ""
    } else {
        " (failed)"
    };
    println!(
        "| {title}{failed} | {seconds:.2} | {:.0} |",
        most as f64 / 1e6
    );
}

/// Returns the resident bytes of a process and its descendants, as far as the system lists them.
fn memory_of(process: u32) -> u64 {
    let folder = PathBuf::from(format!("/proc/{process}"));
    let status = fs::read_to_string(folder.join("status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|text| text.trim().trim_end_matches(" kB").parse::<u64>().ok());
    let children = fs::read_to_string(folder.join(format!("task/{process}/children")));
    let children = children.unwrap_or_default();
    let children = children
        .split_whitespace()
        .filter_map(|child| child.parse().ok());
    kib.unwrap_or(0) * 1024 + children.map(memory_of).sum::<u64>()
}
