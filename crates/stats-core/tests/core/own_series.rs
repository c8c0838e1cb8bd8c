use stats_core::{
    FRAME_TIME, Recorder, SeriesId, SeriesKind, Unit, cell_block_sets, counter, find,
    for_each_series, histogram, timer,
};
use stats_testing::allocations;

use crate::{Random, survey, surveyed_value, values};

fn own(path: &str) -> SeriesId {
    find(path).unwrap_or_else(|| panic!("{path}"))
}

/// Returns the values of `stats/fps` for these frame times.
fn rates(frames_ms: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut rate = 0.0;
    let rate_of = |ms: f64| {
        rate = if ms > 0.0 {
            (1e3 / ms).min(f64::MAX)
        } else {
            rate
        };
        rate
    };
    frames_ms.into_iter().map(rate_of).collect()
}

#[test]
fn each_series_about_the_core_is_listed_once() {
    let mut listed = Vec::new();
    for_each_series(|info| {
        if info.path.starts_with("stats/") {
            assert!(
                info.description.is_some() && info.budget.is_none() && info.calls.is_none(),
                "{info:?}"
            );
            listed.push((info.path, info.kind, info.unit));
        }
    });
    let expected = [
        ("stats/refused-samples", SeriesKind::Counter, Unit::Count),
        ("stats/problems", SeriesKind::Counter, Unit::Count),
        ("stats/registered-series", SeriesKind::Gauge, Unit::Count),
        ("stats/cell-block-sets", SeriesKind::Gauge, Unit::Count),
        ("stats/fps", SeriesKind::Gauge, Unit::Hertz),
        ("stats/late-dropped", SeriesKind::Counter, Unit::Count),
    ];
    assert_eq!(listed, expected);
}

#[test]
fn the_frame_rate_describes_each_single_frame() {
    let fps = own("stats/fps");
    let mut recorder = Recorder::new();
    let watch = recorder.watch(fps);
    assert_eq!(recorder.peek(fps), Some(0.0), "no frame yet");
    for time in [0.0, f64::NAN, 0.01, 0.03, 0.03, 0.02, 1.03] {
        recorder.end_frame_at(time);
    }
    let rounded: Vec<f64> = values(&recorder, &watch)
        .into_iter()
        .map(f64::round)
        .collect();
    assert_eq!(
        rounded,
        [0.0, 0.0, 100.0, 50.0, 50.0, 50.0, 1.0],
        "a frame of duration 0 keeps the rate before it"
    );
    assert_eq!(
        values(&recorder, &watch),
        rates(recorder.frame_times(usize::MAX).iter())
    );
}

#[test]
fn the_frame_rate_is_finite_for_any_frame_times() {
    let mut recorder = Recorder::new();
    let watch = recorder.watch(own("stats/fps"));
    for time in [5e-324, 1e-320, 1e-310, 1.0, f64::INFINITY, f64::MAX, 2.0] {
        recorder.end_frame_at(time);
    }
    let rates = values(&recorder, &watch);
    assert!(
        rates.iter().all(|rate| rate.is_finite() && *rate > 0.0),
        "{rates:?}"
    );
    assert_eq!(rates[0], f64::MAX);
}

#[test]
fn each_recorder_has_the_rate_of_its_own_clock_in_watches_peeks_and_surveys() {
    let _surveys = crate::with_surveys();
    each_has_the_rate_of_its_own_clock(3_000, false);
    // Few steps, because a survey visits all series that other tests registered.
    each_has_the_rate_of_its_own_clock(40, true);
}

fn each_has_the_rate_of_its_own_clock(steps: usize, is_surveyed: bool) {
    let fps = own("stats/fps");
    let mut random = Random::new(3);
    let mut recorders = [Recorder::new(), Recorder::with_history(50), Recorder::new()];
    let watches = recorders.each_mut().map(|recorder| recorder.watch(fps));
    let mut now = [0.0; 3];
    let mut frames_ms = [const { Vec::new() }; 3];
    for _ in 0..steps {
        let at = random.below(3) as usize;
        let recorder = &mut recorders[at];
        recorder.peek(fps);
        if is_surveyed {
            survey(recorder);
        }
        now[at] += [0.0, 0.01, 0.002][random.below(3) as usize] * (at + 1) as f64;
        recorder.end_frame_at(now[at]);
        frames_ms[at].extend(recorder.frame_times(1).last());
        let newest = rates(frames_ms[at].iter().copied()).pop();
        assert_eq!(
            [recorder.history(&watches[at], 1).last(), recorder.peek(fps)],
            [newest; 2]
        );
        if is_surveyed {
            assert_eq!(surveyed_value(recorder, fps), newest);
        }
    }
    for ((recorder, watch), frames_ms) in recorders.iter().zip(&watches).zip(frames_ms) {
        let held = values(recorder, watch);
        assert!(rates(frames_ms).ends_with(&held) && held.len() == recorder.frames().count());
    }
}

#[test]
fn a_restarted_frame_has_the_rate_of_its_remaining_time() {
    let mut recorder = Recorder::new();
    let watch = recorder.watch(own("stats/fps"));
    std::thread::sleep(std::time::Duration::from_millis(30));
    recorder.restart_frame();
    recorder.end_frame();
    recorder.set_history(100);
    recorder.end_frame();
    let frames_ms: Vec<f64> = recorder.frame_times(usize::MAX).iter().collect();
    assert!(frames_ms[0] < 30.0 || values(&recorder, &watch)[0] < 1e3 / 30.0);
    assert_eq!(values(&recorder, &watch), rates(frames_ms));
}

/// Returns the newest value of a series by a history, a peek and a survey. All three are equal if
/// nothing changes in between.
fn newest(recorder: &mut Recorder, id: SeriesId) -> [f64; 3] {
    let watch = recorder.watch(id);
    recorder.peek(id);
    survey(recorder);
    recorder.end_frame();
    [
        recorder.history(&watch, 1).last(),
        recorder.peek(id),
        surveyed_value(recorder, id),
    ]
    .map(Option::unwrap)
}

#[test]
fn registered_series_is_the_number_of_listed_series() {
    let _surveys = crate::with_surveys();
    fn listed() -> f64 {
        let mut listed = 0.0;
        for_each_series(|_| listed += 1.0);
        listed
    }
    // Other tests register series at the same time, so the numbers before and after are bounds.
    let mut recorder = Recorder::new();
    for round in 0..4 {
        let before = listed();
        let seen = newest(&mut recorder, own("stats/registered-series"));
        let after = listed();
        assert!(
            seen.iter().all(|seen| (before..=after).contains(seen)),
            "{before} {seen:?} {after}"
        );
        for kind in [0, 1] {
            let _ = counter(&format!("test/own-series/counter-{round}-{kind}"));
            let _ = timer(&format!("test/own-series/timer-{round}"));
            let _ = histogram(&format!("test/own-series/histogram-{}", round / 2));
        }
        assert!(
            newest(&mut recorder, own("stats/registered-series"))
                .iter()
                .all(|seen| *seen >= before + 3.0)
        );
    }
}

#[test]
fn the_series_of_cell_block_sets_agrees_with_the_function() {
    let _surveys = crate::with_surveys();
    let series = counter("test/own-series/threads");
    let mut recorder = Recorder::new();
    let before = cell_block_sets() as f64;
    let seen = newest(&mut recorder, own("stats/cell-block-sets"));
    assert!(
        seen.iter()
            .all(|seen| (before..=cell_block_sets() as f64).contains(seen)),
        "{before} {seen:?}"
    );
    let barrier = std::sync::Barrier::new(20);
    std::thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| {
                series.add(1);
                barrier.wait();
            });
        }
    });
    let seen = newest(&mut recorder, own("stats/cell-block-sets"));
    assert!(
        seen.iter()
            .all(|seen| (20.0..=cell_block_sets() as f64).contains(seen)),
        "{seen:?}"
    );
}

#[test]
fn series_about_the_core_allocate_nothing_in_the_steady_state() {
    let all = [
        "refused-samples",
        "problems",
        "registered-series",
        "cell-block-sets",
        "fps",
    ]
    .map(|name| own(&format!("stats/{name}")));
    let mut recorder = Recorder::with_history(16);
    let _watches = all.map(|id| recorder.watch(id));
    let mut frame = || {
        all.iter()
            .for_each(|id| assert!(recorder.peek(*id).is_some() || recorder.frames().is_empty()));
        recorder.end_frame();
    };
    frame();
    assert_eq!(allocations(|| (0..1_000).for_each(|_| frame())), 0);
}

#[test]
fn the_frame_time_is_a_series_with_the_history_of_the_clock() {
    let _surveys = crate::with_surveys();
    let mut listed = Vec::new();
    for_each_series(|info| {
        if info.kind == SeriesKind::FrameTime {
            listed.push((info.id, info.path, info.unit));
        }
    });
    let id = find(FRAME_TIME).unwrap();
    assert_eq!(listed, [(id, FRAME_TIME, Unit::Milliseconds)]);
    let mut recorder = Recorder::with_history(4);
    assert_eq!(recorder.peek(id), None, "no frame has ended");
    for time in [0.5, 0.75, 0.75] {
        recorder.end_frame_at(time);
    }
    // The frames before the watch are known, too.
    let watch = recorder.watch(id);
    assert_eq!(values(&recorder, &watch), [500.0, 250.0, 0.0]);
    recorder.survey();
    for time in [1.0, f64::NAN, 3.0] {
        recorder.end_frame_at(time);
        let newest = recorder.frame_times(1).last();
        assert_eq!(recorder.peek(id), newest);
        assert_eq!(recorder.survey().unwrap_or_default().value(id), newest);
        let all = recorder.history(&watch, usize::MAX);
        assert_eq!(all, recorder.frame_times(usize::MAX));
        assert_eq!(
            recorder.history(&watch, 2),
            recorder.frame_times(2),
            "the newest two"
        );
    }
}
