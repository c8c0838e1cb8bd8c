use std::time::{Duration, Instant};

use stats_core::{Recorder, Timer, timer};
use stats_testing::Random;

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

/// Returns the newest value of a watched series.
fn newest(recorder: &Recorder, watch: &stats_core::Watch) -> f64 {
    recorder
        .history(watch, 1)
        .at(recorder.frames().end - 1)
        .expect("it has ended")
}

#[test]
fn a_timer_keeps_its_single_calls_and_the_longest_of_each_frame_of_any_recorder() {
    static CALLS: Timer = Timer::new("timers/calls").calls();
    let id = |path: &str| stats_core::find(path).expect("it is registered");
    let _ = CALLS.id();
    let (single, longest) = (id("timers/calls/single"), id("timers/calls/longest"));
    let mut random = Random::new(5);
    let mut recorders: Vec<(Recorder, stats_core::Watch, f64)> = (0..3)
        .map(|_| {
            let mut recorder = Recorder::new();
            let watch = recorder.watch(longest);
            (recorder, watch, 0.0)
        })
        .collect();
    let mut all = Vec::new();
    let run_time = timer("timers/calls");
    for step in 0..3000_u64 {
        for _ in 0..random.below(3) {
            let ms = random.below(100_000) as f64 / 1e3;
            all.push(ms);
            let by_handle = random.below(2) == 0;
            // On another thread, now and then.
            if random.below(50) == 0 {
                std::thread::spawn(move || CALLS.record_ms(ms))
                    .join()
                    .expect("it ends");
            } else if by_handle {
                run_time.record_ms(ms);
            } else {
                CALLS.record_ms(ms);
            }
            for (_, _, longest) in &mut recorders {
                *longest = longest.max(ms);
            }
        }
        for (at, (recorder, watch, longest)) in recorders.iter_mut().enumerate() {
            // The third has frames of 30 frames of the others.
            if step % [1, 1, 30][at] == 0 {
                recorder.end_frame();
                assert_eq!(newest(recorder, watch), *longest, "{step}, {at}");
                *longest = 0.0;
            }
        }
    }
    let distribution = stats_core::snapshot(single).expect("it is a histogram");
    all.sort_by(f64::total_cmp);
    assert_eq!(distribution.count(), all.len() as u64);
    assert_eq!(distribution.max(), all.last().copied());
    let exact = all[(all.len() * 99).div_ceil(100) - 1];
    let p99 = distribution.quantile(0.99).expect("there are samples");
    assert!((p99 - exact).abs() <= 1e-4 * exact + 0.2, "{p99} {exact}");
}

#[test]
fn a_survey_and_a_peek_have_the_longest_call_and_scopes_count_as_calls() {
    let _surveys = crate::with_surveys();
    let timer = timer("timers/peeked").calls();
    let longest = stats_core::find("timers/peeked/longest").expect("it is registered");
    let mut recorder = Recorder::new();
    // Other tests register many series, and a survey adds some in each frame.
    while recorder.survey().unwrap_or_default().values().len() <= longest.number() as usize {
        recorder.end_frame();
    }
    recorder.end_frame();
    assert_eq!(recorder.peek(longest), None);
    timer.record_ms(2);
    timer.record_ms(7);
    recorder.end_frame();
    assert_eq!(recorder.peek(longest), Some(7.0));
    assert_eq!(
        recorder.survey().unwrap_or_default().value(longest),
        Some(7.0)
    );
    let took = timer.scope().end();
    recorder.end_frame();
    assert_eq!(recorder.peek(longest), Some(took.ms));
    recorder.end_frame();
    assert_eq!(recorder.peek(longest), Some(0.0));
    assert_eq!(
        recorder.survey().unwrap_or_default().value(longest),
        Some(0.0)
    );
}

#[test]
fn a_timer_without_calls_lists_none_and_a_conflict_is_reported() {
    let plain = timer("timers/plain");
    plain.record_ms(1);
    assert_eq!(stats_core::find("timers/plain/single"), None);
    stats_core::counter("timers/taken/single").add(1);
    let taken = timer("timers/taken").calls();
    taken.record_ms(3);
    assert!(stats_core::problems().iter().any(|problem| {
        matches!(problem, stats_core::Problem::KindClash { path, .. } if path == "timers/taken/single")
    }));
    assert_eq!(stats_core::find("timers/taken/longest"), None);
}
