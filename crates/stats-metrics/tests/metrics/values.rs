//! Values, paths, descriptions and limits.

use metrics::{
    Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
    with_local_recorder,
};
use stats_core::{
    Problem, Recorder, SeriesInfo, SeriesKind, find, for_each_series, problems, snapshot,
};
use stats_metrics::{MAX_NAMES, StatsRecorder};

fn info(path: &str) -> Option<SeriesInfo<'static>> {
    let mut found = None;
    for_each_series(|series| found = found.or((series.path == path).then_some(series)));
    found
}

/// Returns the values of series in a frame in which `work` runs a second time.
fn frame<const N: usize>(paths: [&str; N], mut work: impl FnMut()) -> [Option<f64>; N] {
    let stats = StatsRecorder::new();
    let mut run = || with_local_recorder(&stats, &mut work);
    run();
    let mut recorder = Recorder::new();
    let watches = paths.map(|path| find(path).map(|id| recorder.watch(id)));
    run();
    recorder.end_frame();
    watches.map(|watch| recorder.history(&watch?, 1).last())
}

#[test]
fn counters_gauges_and_histograms_are_series_of_their_kinds() {
    let values = frame(
        [
            "metrics/a counter",
            "metrics/a gauge",
            "metrics/a histogram",
        ],
        || {
            counter!("a counter").increment(2);
            counter!("a counter").increment(3);
            gauge!("a gauge").set(10.0);
            gauge!("a gauge").increment(2.5);
            gauge!("a gauge").decrement(0.5);
            histogram!("a histogram").record(4.0);
            histogram!("a histogram").record_many(2.0, 3);
        },
    );
    assert_eq!(values, [Some(5.0), Some(12.0), Some(10.0)]);
    let kind = |path| info(path).map(|series| series.kind);
    assert_eq!(kind("metrics/a counter"), Some(SeriesKind::Counter));
    assert_eq!(kind("metrics/a gauge"), Some(SeriesKind::Gauge));
    let id = info("metrics/a histogram").map(|series| series.id);
    assert_eq!(
        snapshot(id.expect("it is listed")).map(|run| run.count()),
        Some(8)
    );
}

#[test]
fn an_absolute_value_adds_its_increase() {
    let mut at = 0;
    let absolute = [7_u64, 5, 7, 10, 10, 0];
    let total = frame(["metrics/absolute"], || {
        // The second run is the frame: from 7 to 10, and never down.
        for value in &absolute[at..at + 3] {
            counter!("absolute").absolute(*value);
        }
        at += 3;
    });
    assert_eq!(total, [Some(3.0)]);
}

#[test]
fn labels_are_segments_in_the_order_of_their_names() {
    let paths = [
        "metrics/requests/method=GET/status=200",
        "metrics/requests/method=GET %2F a/status=",
        "metrics/requests",
    ];
    let values = frame(paths, || {
        counter!("requests", "status" => "200", "method" => "GET").increment(1);
        counter!("requests", "method" => "GET", "status" => "200").increment(1);
        let method = String::from("GET / a");
        counter!("requests", "method" => method, "status" => "").increment(1);
        counter!("requests").increment(5);
    });
    assert_eq!(values, [Some(2.0), Some(1.0), Some(5.0)]);
}

#[test]
fn unusual_names_are_one_segment_each() {
    let values = frame(["metrics/a%2Fb", "metrics/unnamed"], || {
        counter!("a/b").increment(1);
        counter!("").increment(1);
    });
    assert_eq!(values, [Some(1.0); 2]);
}

#[test]
fn descriptions_and_units_apply_to_earlier_and_later_series() {
    with_local_recorder(&StatsRecorder::new(), || {
        counter!("described", "at" => "first").increment(1);
        describe_counter!("described", Unit::Bytes, "what was sent");
        counter!("described", "at" => "second").increment(1);
        describe_gauge!("rate", Unit::CountPerSecond, "");
        gauge!("rate").set(1);
        describe_histogram!("large", Unit::Kibibytes, "sizes");
        histogram!("large").record(1);
    });
    for path in ["metrics/described/at=first", "metrics/described/at=second"] {
        let series = info(path).expect("it is listed");
        assert_eq!(series.unit, stats_core::Unit::Bytes);
        assert_eq!(series.description, Some("what was sent"));
    }
    let rate = info("metrics/rate").expect("it is listed");
    assert_eq!(
        (rate.unit, rate.description),
        (stats_core::Unit::Hertz, None)
    );
    let large = info("metrics/large").expect("it is listed");
    assert_eq!(large.unit, stats_core::Unit::Custom("KiB"));
}

#[test]
fn values_that_are_not_finite_are_refused() {
    let values = frame(["metrics/odd gauge", "metrics/odd histogram"], || {
        gauge!("odd gauge").set(3.0);
        for odd in [f64::NAN, f64::INFINITY] {
            gauge!("odd gauge").set(odd);
            gauge!("odd gauge").increment(odd);
            histogram!("odd histogram").record(odd);
        }
        histogram!("odd histogram").record(1.0);
    });
    assert_eq!(values, [Some(3.0), Some(1.0)]);
}

#[test]
fn further_labels_share_a_series_and_are_reported_once_and_nothing_is_lost() {
    let stats = StatsRecorder::new().max_label_sets(10);
    let run = || {
        with_local_recorder(&stats, || {
            for id in 0..1_000 {
                counter!("unbounded", "id" => id.to_string()).increment(1);
            }
        });
    };
    run();
    let mut recorder = Recorder::new();
    let mut watches = Vec::new();
    for_each_series(|series| {
        if series.path.starts_with("metrics/unbounded/") {
            watches.push((series.path, recorder.watch(series.id)));
        }
    });
    assert_eq!(watches.len(), 11);
    run();
    recorder.end_frame();
    for (path, watch) in &watches {
        let expected = if path.ends_with("/over-limit") {
            990.0
        } else {
            1.0
        };
        assert_eq!(recorder.history(watch, 1).last(), Some(expected), "{path}");
    }
    let expected = Problem::OverLimit {
        path: "metrics/unbounded/over-limit".to_owned(),
        limit: 10,
    };
    assert_eq!(
        problems()
            .iter()
            .filter(|problem| **problem == expected)
            .count(),
        1
    );
}

#[test]
fn names_beyond_the_limit_are_dropped_and_reported() {
    with_local_recorder(&StatsRecorder::new(), || {
        for at in 0..2 * MAX_NAMES {
            gauge!(format!("name {at}")).set(1);
            describe_gauge!(format!("name {at}"), "described");
        }
    });
    let mut listed = 0;
    for_each_series(|series| listed += usize::from(series.path.starts_with("metrics/name ")));
    assert_eq!(listed, MAX_NAMES);
    let expected = Problem::OverLimit {
        path: "metrics/over-limit".to_owned(),
        limit: MAX_NAMES,
    };
    assert!(problems().contains(&expected));
}

#[test]
fn threads_that_register_and_increment_at_once_lose_nothing() {
    let stats = StatsRecorder::new();
    let run = || {
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    with_local_recorder(&stats, || {
                        for at in 0..1_000 {
                            counter!("raced", "at" => (at % 10).to_string()).increment(1);
                        }
                    });
                });
            }
        });
    };
    run();
    let mut recorder = Recorder::new();
    let watches: Vec<_> = (0..10)
        .filter_map(|at| find(&format!("metrics/raced/at={at}")))
        .map(|id| recorder.watch(id))
        .collect();
    run();
    recorder.end_frame();
    let values: Vec<_> = watches
        .iter()
        .map(|watch| recorder.history(watch, 1).last())
        .collect();
    assert_eq!(values, [Some(400.0); 10]);
}
