use std::time::{Duration, Instant};

use stats_core::{Recorder, Timer, timer};

use crate::values;

#[test]
fn a_timer_records_milliseconds_and_calls() {
    static WORK: Timer = Timer::new("test/timers/work");
    let mut recorder = Recorder::new();
    let (ms, calls) = (recorder.watch(WORK.id()), recorder.watch(WORK.calls_id()));
    WORK.record(Duration::from_micros(1500));
    WORK.record_ms(0.5);
    recorder.end_frame();
    recorder.end_frame();
    WORK.record_ms(3);
    recorder.end_frame();
    assert_eq!(values(&recorder, &ms), [2.0, 0.0, 3.0]);
    assert_eq!(values(&recorder, &calls), [2.0, 0.0, 1.0]);
}

#[test]
fn a_scope_lasts_until_it_is_dropped() {
    let timer = timer("test/timers/scope");
    let mut recorder = Recorder::new();
    let (ms, calls) = (recorder.watch(timer.id()), recorder.watch(timer.calls_id()));
    let begun = Instant::now();
    {
        let _scope = timer.scope();
        std::thread::sleep(Duration::from_millis(4));
        recorder.end_frame();
    }
    assert_eq!(timer.time(|| 42), 42);
    recorder.end_frame();
    let [before, after] = values(&recorder, &ms)[..] else {
        panic!("two frames")
    };
    assert_eq!(before, 0.0, "a scope belongs to the frame in which it ends");
    assert!(
        after >= 3.99 && after <= begun.elapsed().as_secs_f64() * 1e3,
        "{after}"
    );
    assert_eq!(values(&recorder, &calls), [0.0, 2.0]);
}

#[test]
fn a_scope_that_panics_is_timed() {
    let timer = timer("test/timers/panic");
    let mut recorder = Recorder::new();
    let calls = recorder.watch(timer.calls_id());
    std::panic::catch_unwind(|| timer.time(|| std::panic::resume_unwind(Box::new("on purpose"))))
        .unwrap_err();
    recorder.end_frame();
    assert_eq!(values(&recorder, &calls), [1.0]);
}

#[test]
fn a_scope_may_end_on_another_thread() {
    let timer = timer("test/timers/moved");
    let mut recorder = Recorder::new();
    let (ms, calls) = (recorder.watch(timer.id()), recorder.watch(timer.calls_id()));
    let scope = timer.scope();
    std::thread::spawn(move || drop(scope)).join().unwrap();
    recorder.end_frame();
    assert_eq!(values(&recorder, &calls), [1.0]);
    assert!(values(&recorder, &ms)[0] >= 0.0);
}
