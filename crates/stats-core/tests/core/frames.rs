use stats_core::{Counter, Recorder, counter};
use stats_testing::allocations;

use crate::{Random, values};

#[test]
fn a_value_is_in_the_frame_in_which_it_was_added() {
    static PACKETS: Counter = Counter::new("test/frames/packet-size");
    let events = [(3.5, 782), (6.1, 1003), (6.3, 450), (9.2, 510)];
    let mut recorder = Recorder::new();
    let watch = recorder.watch(PACKETS.id());
    for frame in 0..=10 {
        let (begin, end) = (f64::from(frame), f64::from(frame + 1));
        events
            .iter()
            .filter(|(time, _)| (begin..end).contains(time))
            .for_each(|(_, size)| PACKETS.add(*size));
        recorder.end_frame_at(end);
    }
    assert_eq!(
        values(&recorder, &watch),
        [0.0, 0.0, 0.0, 782.0, 0.0, 0.0, 1453.0, 0.0, 0.0, 510.0, 0.0]
    );
    assert_eq!(recorder.history(&watch, 4).first_frame(), 7);
    assert_eq!(recorder.frame(6).unwrap().start_secs, 6.0);
    assert_eq!(recorder.frame(6).unwrap().duration_ms, 1000.0);
}

#[test]
fn every_recorder_sees_each_add_once() {
    static EVENTS: Counter = Counter::new("test/frames/several-recorders");
    let mut random = Random::new(1);
    let mut recorders = [
        Recorder::new(),
        Recorder::with_history(100_000),
        Recorder::new(),
    ];
    let watches = recorders
        .each_mut()
        .map(|recorder| recorder.watch(EVENTS.id()));
    let mut added = 0;
    for _ in 0..2000 {
        let n = random.below(1000);
        EVENTS.add(n);
        added += n;
        recorders[random.below(3) as usize].end_frame();
    }
    recorders.iter_mut().for_each(Recorder::end_frame);
    for (recorder, watch) in recorders.iter().zip(&watches) {
        assert_eq!(values(recorder, watch).iter().sum::<f64>(), added as f64);
    }
}

#[test]
fn a_static_a_handle_and_a_call_site_with_one_path_share_a_series() {
    static HITS: Counter = Counter::new("test/frames/one-series");
    let mut recorder = Recorder::new();
    let watch = recorder.watch(HITS.id());
    HITS.add(1);
    counter("test/frames/one-series").add(20);
    stats_core::counter!("test/frames/one-series").add(300);
    stats_core::count!("test/frames/one-series", 4000);
    stats_core::count!("test/frames/one-series");
    let mut local = HITS.local();
    local += 50_000;
    local -= 1;
    recorder.end_frame();
    assert_eq!(values(&recorder, &watch), [54_321.0]);
}

#[test]
fn the_clock_never_runs_backward() {
    let mut recorder = Recorder::new();
    for time in [1.0, 0.5, f64::NAN, f64::INFINITY, -3.0, 1.5, f64::MAX, 2.0] {
        recorder.end_frame_at(time);
    }
    let durations: Vec<f64> = recorder.frame_times(usize::MAX).iter().collect();
    assert_eq!(durations[..6], [1000.0, 0.0, 0.0, 0.0, 0.0, 500.0]);
    assert!(
        durations.iter().all(|ms| ms.is_finite() && *ms >= 0.0),
        "{durations:?}"
    );
    let starts: Vec<f64> = recorder
        .frames()
        .map(|frame| recorder.frame(frame).unwrap().start_secs)
        .collect();
    assert!(starts.is_sorted(), "{starts:?}");
}

#[test]
fn the_recorders_own_clock_gives_durations_that_add_up() {
    let (begun, mut recorder) = (std::time::Instant::now(), Recorder::new());
    for _ in 0..100 {
        recorder.end_frame();
    }
    std::thread::sleep(std::time::Duration::from_millis(3));
    recorder.end_frame();
    let total: f64 = recorder.frame_times(usize::MAX).iter().sum();
    assert!(
        total >= 3.0 && total <= begun.elapsed().as_secs_f64() * 1e3,
        "{total}"
    );
}

#[test]
fn adding_and_ending_frames_allocate_nothing_in_the_steady_state() {
    static STEADY: Counter = Counter::new("test/frames/steady");
    let (timer, gauge) = (
        stats_core::timer("test/frames/steady-timer"),
        stats_core::gauge("test/frames/steady-gauge"),
    );
    let mut recorder = Recorder::with_history(64);
    let watches =
        [STEADY.id(), timer.id(), timer.calls_id(), gauge.id()].map(|id| recorder.watch(id));
    let mut frame = || {
        STEADY.add(2.5);
        timer.time(|| gauge.set(1));
        let mut local = STEADY.local();
        local += 1;
        recorder.peek(gauge.id());
        recorder.end_frame();
        assert!(!recorder.history(&watches[0], 10).is_empty());
    };
    frame();
    assert_eq!(allocations(|| (0..5000).for_each(|_| frame())), 0);
}

#[test]
fn restarting_a_frame_loses_no_counts() {
    let series = counter("test/frames/restarted");
    let mut recorder = Recorder::new();
    let watch = recorder.watch(series.id());
    series.add(5);
    std::thread::sleep(std::time::Duration::from_millis(30));
    let begun = std::time::Instant::now();
    recorder.restart_frame();
    recorder.end_frame();
    let after = begun.elapsed().as_secs_f64() * 1e3;
    let frame = recorder.frame(0).unwrap();
    assert!(
        frame.duration_ms <= after && frame.start_secs >= 0.03,
        "{frame:?}"
    );
    assert_eq!(values(&recorder, &watch), [5.0]);
}
