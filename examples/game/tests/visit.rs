//! The visit of both levels: the work that the game counts is the same in every run.
#![cfg(all(feature = "enabled", feature = "memory"))]

use std::path::Path;
use std::process::Command;

use stats_capture::{CaptureFile, RecordedKind};
use stats_core::Source;

/// Series that depend on the machine: those of the workers, which vary in their jobs and in the
/// frames that count them; what the system tells about the thread of the frames; allocations of
/// threads and of the overlay; the HUD, whose texts contain times; and the core's own series.
const NOT_WORK: [&str; 5] = ["frame/", "jobs/worker-", "memory/", "render/ui/", "stats/"];

/// The fault that needs drawing. The other faults are visited without drawing, which saves minutes.
const DRAWN: &str = "draw-calls";

fn visit(capture: &Path, fault: Option<&str>) -> CaptureFile {
    let mut game = Command::new(env!("CARGO_BIN_EXE_game"));
    game.args("--headless --visit 0.15 --size 64x64 --workers 2".split(' '))
        .args(fault.iter().flat_map(|fault| ["--fault", fault]))
        // Only this fault is meant to exceed its memory budget.
        .args((fault == Some("growing-array")).then_some("--allow-over-budget"))
        .env("STATS_CAPTURE", capture);
    if fault != Some(DRAWN) {
        // Without a driver there is no adapter: the game says so, and simulates without drawing. A
        // build with other crates may have OpenGL, too.
        game.env("WGPU_BACKEND", "vulkan")
            .env("VK_DRIVER_FILES", "none")
            .env("VK_ICD_FILENAMES", "none");
    }
    let output = game.output().expect("the game can be started");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    CaptureFile::open(capture).expect("the run was recorded")
}

/// Returns the counters of work, with their values by frame. A series has no values for frames
/// before it was registered.
fn work(run: &CaptureFile) -> Vec<(String, Vec<Option<f64>>)> {
    let is_work = |path: &str| !NOT_WORK.iter().any(|other| path.starts_with(other));
    let counters = run.series().iter().filter(|series| {
        series.kind == RecordedKind::Counter && series.unit != "ms" && is_work(&series.path)
    });
    counters
        .map(|series| {
            let column = run.read(&series.path).expect("it can be read");
            let values = run.frames().map(|frame| column.slice().at(frame));
            (series.path.clone(), values.collect())
        })
        .collect()
}

#[test]
fn a_visit_loads_each_level_twice_and_does_the_same_work_in_every_run() {
    let folder = stats_testing::Folder::new("visit");
    // Without `periodic-stall` and `late-worker`, which only wait and would take minutes.
    let faults = [
        "path-hitch",
        "growing-array",
        "draw-calls",
        "worker-stall",
        "packet-storm",
        "one-in-a-thousand",
        "slow-leak",
        "two-systems",
    ];
    for fault in std::iter::once(None).chain(faults.into_iter().map(Some)) {
        let name = fault.unwrap_or("none");
        let file = |run| folder.0.join(format!("{name}-{run}.parquet"));
        let (one, two) = std::thread::scope(|scope| {
            let one = scope.spawn(|| visit(&file(1), fault));
            let two = visit(&file(2), fault);
            (one.join().expect("the first run succeeds"), two)
        });
        assert_eq!(one.frames(), two.frames(), "{name}");
        let [first, second] = [work(&one), work(&two)];
        let paths = |work: &[(String, Vec<Option<f64>>)]| {
            work.iter()
                .map(|(path, _)| path.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(paths(&first), paths(&second), "{name}");
        let differing: Vec<&str> = (first.iter().zip(&second))
            .filter(|(one, two)| one != two)
            .map(|(one, _)| one.0.as_str())
            .collect();
        assert!(differing.is_empty(), "{name}: {differing:?}");
        assert!(first.len() > 50, "{} counters", first.len());
        for (mark, times) in [
            ("loading The Hollow", 2),
            ("loading The Foundry", 2),
            ("starting", 1),
            ("loading menu", 1),
            ("back to menu", 4),
        ] {
            let spans = one
                .marks()
                .iter()
                .filter(|span| span.name == mark && !span.is_point);
            assert_eq!(spans.count(), times, "{name}: {mark}");
        }
    }
}
