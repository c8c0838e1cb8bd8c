//! The game's thread allocates nothing in a frame, and asks the system nothing, however much is watched.
#![cfg(feature = "enabled")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use stats_core::{Recorder, Source, counter};
use stats_remote::{Remote, RemoteAddress, RemoteOptions, RemoteSource};
use stats_testing::{allocations, grown_bytes};

#[global_allocator]
static ALLOCATOR: stats_testing::Counting = stats_testing::Counting;

const SERIES: usize = 300;
const FRAMES: u64 = 10_000;

/// Watches all series and shows rows, and asks for nothing more once it has their values.
fn watch(address: &RemoteAddress, is_ready: &AtomicBool, is_over: &AtomicBool) {
    let mut viewer = RemoteSource::connect(address).expect("the game answers");
    let mut watches = Vec::new();
    while !is_ready.load(Ordering::Acquire) && !is_over.load(Ordering::Acquire) {
        viewer.pump();
        if watches.is_empty() && viewer.find("allocations/299").is_some() {
            for number in 0..SERIES {
                let id = viewer.find(&format!("allocations/{number}"));
                watches.extend(id.map(|id| viewer.watch(id)));
            }
        }
        let rows = (0..20).filter_map(|n| viewer.find(&format!("allocations/{n}")));
        let rows: Vec<_> = rows.collect();
        let has_rows = rows.iter().filter(|id| viewer.peek(**id).is_some()).count() == 20;
        let has = |watch| viewer.history(watch, 1).last().is_some();
        if has_rows && watches.len() == SERIES && watches.iter().all(has) {
            is_ready.store(true, Ordering::Release);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    while !is_over.load(Ordering::Acquire) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Plays until a viewer has 300 series and 20 rows, and then gives `run` the frames of a game that goes on.
fn play(run: impl FnOnce(&mut dyn FnMut())) {
    let counters: Vec<_> = (0..SERIES)
        .map(|n| counter(&format!("allocations/{n}")))
        .collect();
    let mut options = RemoteOptions::default();
    options.port = 0;
    let mut remote = Remote::start(options).expect("a port is free");
    let mut recorder = Recorder::new();
    recorder.mark("from here", stats_core::MarkEvent::Begin);
    let address = remote.address().clone();
    let (is_ready, is_over) = (AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| watch(&address, &is_ready, &is_over));
        let mut frame = |number: u64| {
            counters.iter().for_each(|counter| counter.add(number));
            recorder.end_frame();
            remote.publish(&mut recorder);
        };
        let begun = Instant::now();
        while !is_ready.load(Ordering::Acquire) && begun.elapsed() < Duration::from_secs(60) {
            frame(1);
            std::thread::sleep(Duration::from_micros(500));
        }
        let mut number = 0;
        run(&mut || {
            number += 1;
            frame(number);
            // Time for the hub, without a system call: otherwise most frames would find no room.
            let ended = Instant::now();
            while ended.elapsed() < Duration::from_micros(50) {
                std::hint::spin_loop();
            }
        });
        is_over.store(true, Ordering::Release);
        assert!(
            is_ready.load(Ordering::Acquire),
            "the viewer sees all series"
        );
    });
}

#[test]
fn a_frame_with_300_watched_series_and_rows_on_screen_allocates_nothing() {
    play(|frame| {
        let mut made = u64::MAX;
        // Nothing is freed either.
        let grown = grown_bytes(|| made = allocations(|| (0..FRAMES).for_each(|_| frame())));
        assert_eq!((made, grown), (0, 0));
    });
}

/// This test again, in a process under strace, which writes down each call of the system. It is left out
/// where strace cannot trace.
#[cfg(target_os = "linux")]
#[test]
fn a_frame_with_300_watched_series_and_rows_on_screen_makes_no_system_call() {
    use std::process::Command;

    const NAME: &str = "a_frame_with_300_watched_series_and_rows_on_screen_makes_no_system_call";
    const IS_TRACED: &str = "STATS_TEST_IS_TRACED";
    // No such file: to ask for it is a call of the system.
    const BOUNDARY: &str = "/boundary-of-the-frames";
    if std::env::var_os(IS_TRACED).is_some() {
        return play(|frame| {
            let boundary = || assert!(!std::path::Path::new(BOUNDARY).exists());
            boundary();
            (0..FRAMES).for_each(|_| frame());
            boundary();
        });
    }
    let folder = stats_testing::Folder::new("remote-strace");
    let log = folder.0.join("log");
    let itself = std::env::current_exe().expect("it runs");
    let mut strace = Command::new("strace");
    strace.arg("-f").arg("-o").arg(&log).arg(itself);
    strace.args(["--exact", NAME]).env(IS_TRACED, "1");
    // Many containers have it and let it trace nothing.
    let can_trace = Command::new("strace")
        .args(["-o", "/dev/null", "true"])
        .output();
    if !can_trace.is_ok_and(|output| output.status.success()) {
        return eprintln!("left out: strace is not installed, or may not trace");
    }
    let status = strace.status().expect("strace starts");
    assert!(status.success(), "{status}");
    let log = std::fs::read_to_string(log).expect("strace wrote it");
    let calls: Vec<(&str, &str)> = log
        .lines()
        .filter_map(|line| line.trim_start().split_once(' '))
        // The end of a call that another thread interrupts is a line of its own, and so are signals and
        // the ends of threads.
        .map(|(thread, call)| (thread, call.trim_start()))
        .filter(|(_, call)| !call.contains(" resumed>"))
        .filter(|(_, call)| !call.starts_with("---") && !call.starts_with("+++"))
        .collect();
    let is_boundary = |(_, call): &(&str, &str)| call.contains(BOUNDARY);
    let first = calls.iter().position(is_boundary).expect("it began");
    let last = calls.iter().rposition(is_boundary).expect("it ended");
    assert!(first < last);
    let between = &calls[first + 1..last];
    let of_others = between
        .iter()
        .filter(|(thread, _)| *thread != calls[first].0);
    assert!(of_others.count() > 0, "other threads make calls");
    let of_game: Vec<_> = between
        .iter()
        .filter(|(thread, _)| *thread == calls[first].0)
        .collect();
    assert!(of_game.is_empty(), "{of_game:?}");
}
