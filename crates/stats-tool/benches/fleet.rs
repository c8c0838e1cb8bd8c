//! What summaries and questions cost with many runs:
//!
//! ```sh
//! cargo bench -p stats-tool --no-default-features --bench fleet -- \
//!     [RUNS…] [FRAMESf] [spark://HOST:PORT]
//! ```
//!
//! Records captures of ten builds, with 120 series and FRAMES frames (default: 20000f), until the
//! lake has RUNS of them (default: 100), and measures each step. Then does the same for the next
//! number of runs. Prints the time, the processor time and the peak memory of each step, including
//! the processes that the command starts, but not those of a cluster.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use stats_capture::{Capture, CaptureOptions};
use stats_core::{CounterHandle, MarkEvent, TimerHandle};
use stats_testing::{Folder, Random};

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
    let (mut counts, mut frames, mut engines) = (Vec::new(), 20_000, vec!["duckdb".to_owned()]);
    for word in std::env::args().skip(1).filter(|word| word != "--bench") {
        if let Some(number) = word.strip_suffix('f') {
            frames = number.parse().expect("FRAMES is a number before an f");
        } else if let Ok(runs) = word.parse() {
            counts.push(runs);
        } else {
            engines.push(word);
        }
    }
    if counts.is_empty() {
        counts.push(100);
    }
    let folder = Folder::new("bench-fleet");
    let lake = folder.0.join("lake");
    let series = Series::new();
    println!("120 series, {frames} frames");
    println!("| step | runs | seconds | of processors | MB of memory |");
    println!("|---|---|---|---|---|");
    let mut recorded = 0;
    for runs in counts {
        let mut bytes = 0;
        let new = runs - recorded;
        while recorded < runs {
            bytes += record_into(&lake, recorded, frames, &series);
            recorded += 1;
        }
        let lake = lake.to_str().expect("the path is UTF-8");
        measure(
            &format!("`stats summarize`, {new} new"),
            runs,
            &["summarize", lake],
        );
        measure("`stats summarize`, nothing new", runs, &["summarize", lake]);
        measure("`stats trend`", runs, &["trend", lake]);
        for engine in &engines {
            for question in QUESTIONS {
                let name = engine.split(':').next().unwrap_or(engine);
                let line = ["query", lake, "--ask", question, "--engine", engine];
                measure(&format!("`{question}` by {name}"), runs, &line);
            }
        }
        println!(
            "{new} captures of {:.2} MB; a summary of {:.3} MB",
            bytes as f64 / 1e6 / new as f64,
            size(&Path::new(lake).join("summary")) as f64 / 1e6
        );
    }
}

/// The series of a game: 30 timers, which have three columns each, and 30 counters.
struct Series {
    timers: Vec<TimerHandle>,
    counters: Vec<CounterHandle>,
}

impl Series {
    fn new() -> Self {
        Self {
            timers: (0..30)
                .map(|n| stats_core::timer(&format!("system-{}/task-{n}", n % 6)))
                .collect(),
            counters: (0..30)
                .map(|n| stats_core::counter(&format!("count/items-{n}")))
                .collect(),
        }
    }
}

/// Records a run into a lake, and returns the size of its capture.
fn record_into(lake: &Path, run: usize, frames: u64, series: &Series) -> u64 {
    let build = format!("1.{}", run % BUILDS);
    let folder = lake.join(format!("build={build}/platform=test/scenario=fight"));
    fs::create_dir_all(&folder).expect("a temporary folder");
    let path = folder.join(format!("{run:05}.parquet"));
    // Repeats the recording if the writer did not keep up, as may happen under load.
    while record(&path, &build, run as u64, frames, series) > 0 {}
    fs::metadata(&path).expect("it was recorded").len()
}

/// Returns the size of all files in a folder and its subfolders.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).expect("it was written").flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => size(&entry.path()),
        metadata => metadata.map_or(0, |metadata| metadata.len()),
    });
    sizes.sum()
}

/// Records a run, and returns the number of frames that are missing.
fn record(path: &Path, build: &str, seed: u64, frames: u64, series: &Series) -> u64 {
    let mut options = CaptureOptions::default();
    options.build = Some(build.to_owned());
    options.scenario = Some("fight".to_owned());
    let mut capture = Capture::create(path, options).expect("a temporary file");
    let mut random = Random::new(seed);
    let mut now = 0.0;
    capture.end_frame_at(now);
    capture.mark("level", MarkEvent::Begin);
    for frame in 0..frames {
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
        // Lets the writer keep up.
        if frame % 512 == 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    capture.mark("level", MarkEvent::End);
    let dropped = capture.dropped_frames();
    capture.finish().expect("a temporary file");
    dropped
}

/// Runs `stats`, and prints how much time and memory it took.
fn measure(title: &str, runs: usize, arguments: &[&str]) {
    let (began, before) = (Instant::now(), seconds_of_children());
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
    let failed = if matches!(status.code(), Some(0..=2)) {
        ""
    } else {
        " (failed)"
    };
    println!(
        "| {title}{failed} | {runs} | {:.2} | {:.2} | {:.0} |",
        began.elapsed().as_secs_f64(),
        seconds_of_children() - before,
        most as f64 / 1e6
    );
}

/// Returns the processor time of this process's descendants that have ended; 0 except on Linux.
fn seconds_of_children() -> f64 {
    /// A clock tick: 1/100 s on Linux.
    const TICKS: f64 = 100.0;
    let status = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in parentheses, may contain spaces. It is the second field.
    let fields = status.rsplit(')').next().unwrap_or_default();
    let fields = fields.split_whitespace().skip(13).take(2);
    fields
        .filter_map(|field| field.parse::<f64>().ok())
        .sum::<f64>()
        / TICKS
}

/// Returns the resident bytes of a process and its descendants; 0 except on Linux.
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
