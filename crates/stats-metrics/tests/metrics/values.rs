//! Values, paths, descriptions and limits.

use metrics::{
    Label, Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
    with_local_recorder,
};
use stats_core::segment::MAX_NAME;
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
fn a_value_that_wrapped_around_hides_no_later_one() {
    let wrapped = 3_u64.wrapping_sub(5);
    let mut highest = 0;
    let values = frame(
        ["metrics/wrapped absolute", "metrics/wrapped increment"],
        || {
            let counters = [counter!("wrapped absolute"), counter!("wrapped increment")];
            for n in [wrapped, 1 << 53, u64::MAX] {
                counters[0].absolute(n);
                counters[1].increment(n);
            }
            highest += 100;
            counters[0].absolute(highest);
            counters[1].increment(100);
        },
    );
    assert_eq!(values, [Some(100.0); 2]);
    for path in ["metrics/wrapped absolute", "metrics/wrapped increment"] {
        let is_reported = |problem: &Problem| matches!(problem, Problem::RefusedValue { path: of, .. } if of == path);
        assert!(problems().iter().any(is_reported), "{path}");
    }
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
fn a_name_of_several_kinds_has_a_series_of_each() {
    let paths = [
        "metrics/jobs",
        "metrics/jobs/gauge",
        "metrics/jobs/gauge/queue=a",
        "metrics/jobs/queue=a",
        "metrics/jobs/histogram",
    ];
    let values = frame(paths, || {
        // Another recorder, such as one of a `Fanout`, is the same program.
        with_local_recorder(&StatsRecorder::new(), || counter!("jobs").increment(1));
        gauge!("jobs").set(7.5);
        gauge!("jobs", "queue" => "a").set(8.5);
        counter!("jobs", "queue" => "a").increment(2);
        histogram!("jobs").record(3.0);
        histogram!("jobs").record(4.0);
    });
    assert_eq!(
        values,
        [Some(1.0), Some(7.5), Some(8.5), Some(2.0), Some(7.0)]
    );
    let kinds = [
        "metrics/jobs",
        "metrics/jobs/gauge",
        "metrics/jobs/histogram",
    ];
    let kinds = kinds.map(|path| info(path).map(|series| series.kind));
    let expected = [
        SeriesKind::Counter,
        SeriesKind::Gauge,
        SeriesKind::Histogram,
    ];
    assert_eq!(kinds, expected.map(Some));
    assert!(
        !problems()
            .iter()
            .any(|problem| matches!(problem, Problem::KindClash { .. }))
    );
}

#[test]
fn a_description_takes_no_name_and_a_kind_keeps_its_path() {
    let run = || {
        with_local_recorder(&StatsRecorder::new().max_label_sets(1), || {
            describe_counter!("tasks", Unit::Bytes, "never used");
            gauge!("tasks").set(1.0);
            histogram!("tasks", "a" => "b").record(1.0);
            histogram!("tasks", "a" => "c").record(1.0);
        });
    };
    run();
    run();
    let unit = info("metrics/tasks").map(|series| (series.kind, series.unit));
    assert_eq!(unit, Some((SeriesKind::Gauge, stats_core::Unit::Count)));
    assert!(info("metrics/tasks/histogram/a=b").is_some());
    assert!(info("metrics/tasks/histogram/over-limit").is_some());
}

/// Labels whose texts could be taken for each other have different series.
#[test]
fn different_labels_are_different_series() {
    let texts = [
        "",
        "b",
        "b=",
        "=",
        "b=c",
        "c=d",
        "=d",
        "d",
        "b%3Dc",
        "%",
        "%3D",
        "a/b",
        "/",
        " ",
        "b ",
        "unnamed",
        "over-limit",
        "gauge",
    ];
    let long = "=".repeat(MAX_NAME) + "b=c";
    let texts: Vec<&str> = texts.into_iter().chain([&long[..], &long[1..]]).collect();
    let pairs = || {
        texts
            .iter()
            .flat_map(|key| texts.iter().map(move |value| (*key, *value)))
    };
    let stats = StatsRecorder::new().max_label_sets(usize::MAX);
    let run = || {
        with_local_recorder(&stats, || {
            for (at, (key, value)) in pairs().enumerate() {
                counter!("pairs", key.to_owned() => value.to_owned()).increment(at as u64);
                // Two labels are not one.
                let one = format!("{at}/{key}={value}");
                counter!("pairs", "x" => one).increment(1_000);
                let two = vec![
                    Label::new(key.to_owned(), value.to_owned()),
                    Label::new("x", "y"),
                ];
                counter!("pairs", two).increment(2_000 + at as u64);
            }
        });
    };
    run();
    let mut recorder = Recorder::new();
    let mut watches = Vec::new();
    for_each_series(|series| {
        if series.path.starts_with("metrics/pairs/") {
            watches.push(recorder.watch(series.id));
        }
    });
    let count = pairs().count();
    assert_eq!(watches.len(), 3 * count);
    run();
    recorder.end_frame();
    let mut values: Vec<f64> = watches
        .iter()
        .filter_map(|watch| recorder.history(watch, 1).last())
        .collect();
    values.sort_by(f64::total_cmp);
    let at = |from: u64| (0..count as u64).map(move |at| (from + at) as f64);
    let expected = at(0).chain(vec![1_000.0; count]).chain(at(2_000));
    assert_eq!(values, expected.collect::<Vec<_>>());
    assert!(find("metrics/pairs/b%3Dc=d").is_some() && find("metrics/pairs/b=c=d").is_some());
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
        // The first description counts, and the second is not a problem of the program.
        describe_counter!("described", Unit::Seconds, "what was received");
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
    let is_clash = |problem: &Problem| matches!(problem, Problem::UnitClash { .. });
    assert!(!problems().iter().any(is_clash));
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
