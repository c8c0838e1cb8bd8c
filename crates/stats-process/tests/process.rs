//! The memory series of a game, with and without the feature `enabled`.

use std::time::Duration;

use stats_process::{SAMPLES_PER_SECOND, keep_sampling, keep_sampling_if_started, start};

const RESIDENT: &str = "process/memory-resident";
#[cfg(feature = "enabled")]
const VIRTUAL: &str = "process/memory-virtual";

/// Waits for two samples, even on a busy machine.
fn wait() {
    std::thread::sleep(
        Duration::from_millis(2000) / SAMPLES_PER_SECOND + Duration::from_millis(200),
    );
}

/// Returns the number of threads of this process with the sampler's name.
#[cfg(target_os = "linux")]
fn samplers() -> usize {
    let names = std::fs::read_dir("/proc/self/task")
        .expect("Linux lists threads")
        .filter_map(|task| {
            // The thread may end while its name is read.
            std::fs::read_to_string(task.ok()?.path().join("comm")).ok()
        });
    names.filter(|name| name.trim() == "stats-process").count()
}

#[cfg(feature = "enabled")]
fn values() -> [f64; 2] {
    let mut recorder = stats_core::Recorder::new();
    [RESIDENT, VIRTUAL].map(|path| {
        let watch = recorder.watch(stats_core::find(path).expect("the series is registered"));
        recorder.end_frame();
        recorder
            .history(&watch, 1)
            .last()
            .expect("a frame was ended")
    })
}

#[cfg(all(
    feature = "enabled",
    any(target_os = "linux", target_os = "macos", windows)
))]
#[test]
fn memory_that_is_allocated_and_written_shows_up_in_a_later_sample() {
    const MIB: f64 = 1024.0 * 1024.0;
    assert!(start());
    assert!(
        values()[0] > 0.5 * MIB,
        "the first sample is taken at once: {:?}",
        values()
    );
    wait();
    let before = values();
    // Not zero, because zeroed memory need not be resident.
    let allocated = std::hint::black_box(vec![1_u8; 64 << 20]);
    wait();
    let grown = (values()[0] - before[0]) / MIB;
    assert!((60.0..72.0).contains(&grown), "grew by {grown} MiB");
    assert!(values()[1] >= before[1] + 60.0 * MIB || cfg!(windows));
    drop(allocated);
    wait();
    let left = (values()[0] - before[0]) / MIB;
    assert!(left < 8.0, "{left} MiB are still resident");
}

#[cfg(all(feature = "enabled", target_os = "linux"))]
#[test]
fn any_number_of_starts_creates_one_thread() {
    let starters: Vec<_> = (0..8)
        .map(|_| std::thread::spawn(|| (0..1000).all(|_| start())))
        .collect();
    assert!(
        starters
            .into_iter()
            .all(|starter| starter.join().expect("start does not panic"))
    );
    // A thread sets its name a moment after it was started.
    wait();
    assert_eq!(samplers(), 1);
}

/// Calls `ask` in every frame until a condition is true.
#[cfg(all(feature = "enabled", target_os = "linux"))]
fn until(what: &str, ask: impl Fn(), is_true: impl Fn() -> bool) {
    let begun = std::time::Instant::now();
    while !is_true() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        ask();
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(all(feature = "enabled", target_os = "linux"))]
#[test]
fn a_machine_tells_its_load_and_lists_what_it_does_not_tell() {
    let listed = |wanted: &str| {
        let mut found = None;
        stats_core::for_each_series(|info| {
            if info.path == wanted {
                found = Some(info.unavailable);
            }
        });
        found
    };
    let is_listed = |path: &str| listed(path).is_some();
    let ask = || assert!(keep_sampling());
    until("the battery is listed", ask, || {
        is_listed("machine/battery")
    });
    for path in [
        "process/cpu",
        "process/threads",
        "process/memory-peak",
        "machine/cpu",
        "machine/core-0/load",
        "machine/memory-available",
    ] {
        until(path, ask, || is_listed(path));
        assert_eq!(listed(path), Some(None), "{path} has a value");
    }
    let of = |path: &str| {
        let mut recorder = stats_core::Recorder::new();
        let watch = recorder.watch(stats_core::find(path).expect("it is listed"));
        recorder.end_frame();
        recorder.history(&watch, 1).last().unwrap_or(f64::NAN)
    };
    assert!(of("process/threads") >= 2.0);
    assert!(of("process/memory-peak") > 1e6);
    assert!((0.0..=100.0).contains(&of("machine/cpu")));
    // After a second without a call, nothing is read until somebody asks again.
    std::thread::sleep(Duration::from_millis(1500));
    const HELD: usize = 40;
    let barrier = std::sync::Barrier::new(HELD + 1);
    std::thread::scope(|scope| {
        for _ in 0..HELD {
            scope.spawn(|| barrier.wait());
        }
        // A sampler that is late on a busy machine may take one more sample.
        let is_asleep = (0..20).any(|_| {
            let before = of("process/threads");
            std::thread::sleep(Duration::from_millis(600));
            of("process/threads") == before
        });
        assert!(start());
        let ask = keep_sampling_if_started;
        let has_grown = || of("process/threads") >= HELD as f64;
        until("the threads are counted", ask, has_grown);
        barrier.wait();
        assert!(is_asleep, "nothing is read");
    });
}

#[cfg(not(feature = "enabled"))]
#[test]
fn without_the_feature_there_is_neither_a_series_nor_a_thread() {
    assert!(!start() && !keep_sampling());
    keep_sampling_if_started();
    wait();
    assert_eq!(stats_core::find(RESIDENT), None);
    #[cfg(target_os = "linux")]
    assert_eq!(samplers(), 0);
}
