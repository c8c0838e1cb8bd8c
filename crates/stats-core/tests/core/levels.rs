use stats_core::{Gauge, Recorder, UpDownCounter, gauge, up_down_counter};

use crate::values;

#[test]
fn an_up_down_counter_keeps_its_level_from_before_the_watch() {
    static ENEMIES: UpDownCounter = UpDownCounter::new("test/levels/enemies");
    ENEMIES.add(10);
    let mut recorder = Recorder::new();
    let watch = recorder.watch(ENEMIES.id());
    recorder.end_frame();
    ENEMIES.increment();
    ENEMIES.decrement();
    ENEMIES.sub(4_u8);
    recorder.end_frame();
    recorder.end_frame();
    ENEMIES.add(-6);
    recorder.end_frame();
    assert_eq!(values(&recorder, &watch), [10.0, 6.0, 6.0, 0.0]);
}

#[test]
fn one_thread_may_subtract_what_another_added() {
    let level = up_down_counter("test/levels/threads");
    std::thread::spawn(move || level.add(1000)).join().unwrap();
    std::thread::spawn(move || level.add(-999)).join().unwrap();
    let mut recorder = Recorder::new();
    assert_eq!(recorder.peek(level.id()), Some(1.0));
}

#[test]
fn a_gauge_is_the_value_last_set_by_any_thread() {
    static CAMERA: Gauge = Gauge::new("test/levels/camera");
    let mut recorder = Recorder::new();
    let watch = recorder.watch(CAMERA.id());
    recorder.end_frame();
    CAMERA.set(1);
    CAMERA.set(-2.5_f32);
    recorder.end_frame();
    std::thread::spawn(|| CAMERA.set(8_u64)).join().unwrap();
    recorder.end_frame();
    recorder.end_frame();
    CAMERA.set(0);
    recorder.end_frame();
    assert_eq!(values(&recorder, &watch), [0.0, -2.5, 8.0, 8.0, 0.0]);
}

#[test]
fn a_gauge_that_two_threads_set_at_once_has_one_of_their_values() {
    let shared = gauge("test/levels/race");
    let (a, b) = (1.0e300, -1.0e-300);
    shared.set(a);
    std::thread::scope(|scope| {
        for value in [a, b] {
            scope.spawn(move || (0..10_000).for_each(|_| shared.set(value)));
        }
        let mut recorder = Recorder::new();
        for _ in 0..10_000 {
            let seen = recorder.peek(shared.id()).unwrap();
            assert!(seen == a || seen == b, "{seen}");
            recorder.end_frame();
        }
    });
}

#[test]
fn a_gauge_loses_no_add_of_any_thread_and_refuses_values_that_are_not_finite() {
    let level = stats_core::gauge("test/levels/added");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for at in 0..10_000 {
                    level.add(if at % 4 == 3 { -1 } else { 1 });
                }
            });
        }
    });
    let mut recorder = Recorder::new();
    let watch = recorder.watch(level.id());
    let mut value = || {
        recorder.end_frame();
        recorder.history(&watch, 1).last()
    };
    assert_eq!(value(), Some(20_000.0));
    for n in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        level.add(n);
    }
    assert_eq!(value(), Some(20_000.0));
    level.set(f64::MAX);
    level.add(f64::MAX);
    assert_eq!(value(), Some(f64::MAX));
    level.set(5);
    level.add(0.5);
    assert_eq!(value(), Some(5.5));
}
