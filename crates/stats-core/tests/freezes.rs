//! Frames that do not end. The polls are counted, so no test waits. A watch sees all recorders of a
//! process, so these tests have a process of their own.
#![cfg(feature = "enabled")]

use std::sync::mpsc;
use std::time::Duration;

use stats_core::limits::{MAX_FRAME_LOG_LINES, MAX_LOG_LINES};
use stats_core::{
    FROZEN, Freeze, FreezeWatch, LogLevel, LogLine, Recorder, STOOD_STILL, Ticks, timer,
};
use stats_testing::alone;

const LIMIT: Duration = Duration::from_secs(2);

fn watch(limit: Duration) -> FreezeWatch {
    FreezeWatch::begin(limit).expect("counters are enabled")
}

/// Polls for some times, and returns the freezes with the number of the poll.
fn polled(watch: &mut FreezeWatch, times: u32) -> Vec<(u32, Freeze)> {
    let polls = (1..=times).filter_map(|poll| Some((poll, watch.poll()?)));
    polls.collect()
}

fn paths(freeze: &Freeze, thread: &str) -> Vec<String> {
    let of_name = freeze.threads.iter().filter(|one| one.name == thread);
    let scopes = of_name.flat_map(|one| &one.scopes);
    scopes.map(|(path, _)| path.clone()).collect()
}

/// Returns the lines of a target in the newest frame.
fn lines(recorder: &Recorder, target: &str) -> Vec<String> {
    let newest = recorder.frames().end - 1;
    let marks = recorder.marks().iter();
    let of_frame = marks.filter(|mark| mark.frames.start == newest);
    let lines = of_frame.filter_map(|mark| LogLine::of_mark(&mark.name));
    let of_target = lines.filter(|line| line.target == target);
    of_target.map(|line| line.text.to_owned()).collect()
}

#[test]
fn a_frame_that_does_not_end_is_told_once_with_the_open_scopes_of_each_thread() {
    let _alone = alone();
    let mut watch = watch(LIMIT);
    assert_eq!(watch.interval(), LIMIT / 20);
    let mut recorder = Recorder::new();
    recorder.end_frame();
    let (opened, is_open) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let worker = std::thread::Builder::new().name("freezes-worker".to_owned());
    let worker = worker.spawn(move || {
        let _outer = timer("freezes/job").scope();
        let _ended = timer("freezes/ended").scope();
        drop(_ended);
        let _inner = timer("freezes/lock").scope();
        opened.send(()).unwrap();
        released.recv().unwrap();
    });
    is_open.recv().unwrap();
    let frame = timer("freezes/frame").scope();
    // The first poll sees the frame that has ended.
    let found = polled(&mut watch, 100);
    assert_eq!(found.len(), 1, "{found:?}");
    let (poll, freeze) = &found[0];
    assert_eq!((*poll, freeze.seconds), (21, 2.0));
    assert_eq!(
        paths(freeze, "freezes-worker"),
        ["freezes/job", "freezes/lock"]
    );
    let main = std::thread::current();
    assert_eq!(paths(freeze, main.name().unwrap()), ["freezes/frame"]);
    let text = freeze.to_string();
    assert!(text.starts_with("no frame for 2.0 s\n"), "{text}");
    drop(frame);
    release.send(()).unwrap();
    worker.unwrap().join().unwrap();
    // The frame ends, and says what it waited for.
    recorder.end_frame();
    let of_frame = lines(&recorder, FROZEN);
    assert_eq!(of_frame[0], "no frame for 2.0 s");
    assert!(
        of_frame.iter().any(|line| line.contains("> freezes/lock")),
        "{of_frame:?}"
    );
    recorder.end_frame();
    assert_eq!(lines(&recorder, FROZEN), Vec::<String>::new());
    // A second freeze is reported, too, without the scopes that have ended.
    let found = polled(&mut watch, 100);
    assert_eq!(found.len(), 1);
    assert_eq!(paths(&found[0].1, "freezes-worker"), Vec::<String>::new());
}

#[test]
fn frames_that_end_are_no_freeze() {
    let _alone = alone();
    let mut watch = watch(LIMIT);
    let mut recorder = Recorder::new();
    for _ in 0..50 {
        recorder.end_frame();
        assert_eq!(polled(&mut watch, 20), []);
    }
    // Nor is a recorder that is gone, or one that has not ended a frame.
    drop(recorder);
    let _idle = Recorder::new();
    assert_eq!(polled(&mut watch, 100), []);
}

#[test]
fn the_ticks_of_a_clock_are_no_frames() {
    let _alone = alone();
    let mut watch = watch(LIMIT);
    let ticks = Ticks::new("freezes clock");
    ticks.end();
    assert_eq!(polled(&mut watch, 100), [], "a clock may rest");
    let mut recorder = Recorder::new();
    recorder.end_frame();
    let found = (0..100).map(|_| {
        ticks.end();
        polled(&mut watch, 1).len()
    });
    assert_eq!(found.sum::<usize>(), 1, "and it hides no frame");
}

#[test]
fn the_recorders_of_a_thread_freeze_together() {
    let _alone = alone();
    let mut watch = watch(LIMIT);
    let (mut first, mut second) = (Recorder::new(), Recorder::new());
    first.end_frame();
    assert_eq!(polled(&mut watch, 3), []);
    second.end_frame();
    assert_eq!(polled(&mut watch, 100).len(), 1);
}

#[test]
fn a_recorder_that_rests_is_no_freeze_while_another_of_its_thread_goes_on() {
    let _alone = alone();
    let mut watch = watch(LIMIT);
    let (mut rests, mut goes_on) = (Recorder::new(), Recorder::new());
    rests.end_frame();
    for _ in 0..100 {
        goes_on.end_frame();
        assert_eq!(polled(&mut watch, 1), []);
    }
    // One of another thread does not hide it.
    rests.end_frame();
    let other = std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let mut recorder = Recorder::new();
            let polls = (0..100).map(|_| {
                recorder.end_frame();
                polled(&mut watch, 1).len()
            });
            polls.sum::<usize>()
        });
        thread.join().unwrap()
    });
    assert_eq!(other, 1);
    // Nor does one that has rested hide the other.
    goes_on.end_frame();
    assert_eq!(polled(&mut watch, 100).len(), 1);
}

#[test]
fn the_lines_of_a_freeze_are_kept_beside_a_flood_of_others() {
    let _alone = alone();
    let mut watch = watch(LIMIT);
    let mut recorder = Recorder::new();
    recorder.end_frame();
    for _ in 0..2 * MAX_LOG_LINES {
        LogLine::keep(LogLevel::Info, "game::net", format_args!("again"));
    }
    assert_eq!(polled(&mut watch, 100).len(), 1);
    for _ in 0..2 * MAX_LOG_LINES {
        LogLine::keep(LogLevel::Info, "game::net", format_args!("again"));
    }
    recorder.end_frame();
    assert_eq!(
        lines(&recorder, FROZEN)[0].split(';').next(),
        Some("no frame for 2.0 s")
    );
    assert_eq!(lines(&recorder, "game::net").len(), MAX_FRAME_LOG_LINES);
}

#[test]
fn a_scope_that_began_before_the_watch_is_not_known() {
    let _alone = alone();
    let _before = timer("freezes/before").scope();
    let mut watch = watch(LIMIT);
    let mut recorder = Recorder::new();
    recorder.end_frame();
    let found = polled(&mut watch, 100);
    let freeze = &found[0].1;
    assert!(
        freeze
            .threads
            .iter()
            .all(|thread| { (thread.scopes.iter()).all(|(path, _)| path != "freezes/before") })
    );
    assert_eq!(
        freeze.to_string(),
        "no frame for 2.0 s; no scope is known to be open"
    );
}

/// A limit of a tenth of a second, so that a frame takes longer without a wait in the test that could
/// be too short: it spins until the time has passed.
#[test]
fn a_frame_without_polls_is_one_in_which_the_program_stood_still() {
    let _alone = alone();
    let mut watch = watch(Duration::from_millis(100));
    let mut recorder = Recorder::new();
    recorder.end_frame();
    let wait = || {
        let begun = std::time::Instant::now();
        while begun.elapsed() < Duration::from_millis(110) {
            std::thread::yield_now();
        }
    };
    wait();
    assert_eq!(polled(&mut watch, 2), []);
    recorder.end_frame();
    let of_frame = lines(&recorder, STOOD_STILL);
    assert_eq!(of_frame.len(), 1, "{of_frame:?}");
    assert!(of_frame[0].starts_with("the whole program stood still for "));
    // A frame as long in which the watch was polled all the time is a long frame, and nothing else.
    wait();
    polled(&mut watch, 10_000);
    recorder.end_frame();
    assert_eq!(lines(&recorder, STOOD_STILL), Vec::<String>::new());
    // The time before a restart belongs to no frame.
    wait();
    recorder.restart_frame();
    recorder.end_frame();
    assert_eq!(lines(&recorder, STOOD_STILL), Vec::<String>::new());
    // Without a watch, nothing is reported.
    drop(watch);
    recorder.end_frame();
    wait();
    recorder.end_frame();
    assert_eq!(lines(&recorder, STOOD_STILL), Vec::<String>::new());
}
