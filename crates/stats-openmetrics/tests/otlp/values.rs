//! The values that are sent.

use std::sync::Barrier;
use std::thread;

use stats_core::{Recorder, Unit};

use crate::collector::{Collector, Export, text};
use crate::{alone, export_to};

#[test]
fn each_kind_has_the_values_that_were_counted() {
    let _turn = alone();
    stats_core::counter("values/shots").add(1_000);
    let collector = Collector::start(&[]);
    let otlp = export_to(collector.endpoint());
    stats_core::counter("values/shots").add(3);
    stats_core::counter("values/bytes")
        .unit(Unit::Bytes)
        .add(0.5);
    stats_core::up_down_counter("values/enemies").add(-2);
    stats_core::gauge("values/wind").set(7.5);
    stats_core::timer("values/update").record_ms(250.0);
    stats_core::timer("values/update").record_ms(500.0);
    collector.next();
    stats_core::counter("values/shots").add(4);
    stats_core::gauge("values/wind").set(-8.0);
    drop(otlp);
    let export = collector.newest();
    for (name, path, value) in [
        ("stats.counter", "values/shots", 7.0),
        ("stats.counter", "values/bytes", 0.5),
        ("stats.level", "values/enemies", -2.0),
        ("stats.level", "values/wind", -8.0),
        ("stats.timer", "values/update", 0.75),
        ("stats.timer_calls", "values/update", 2.0),
        ("stats.series_over_limit", "", 0.0),
        ("stats.frame_max", "", 0.0),
        ("stats.frames_over_60_ms", "", 0.0),
    ] {
        assert_eq!(export.value(name, path), Some(value), "{name} {path}");
    }
    let units = ["stats.counter", "stats.timer", "stats.frame"].map(|name| export.unit(name));
    assert_eq!(units, ["", "s", "s"]);
    let unit_of = |path| {
        let point = export.point("stats.counter", path);
        point.map(|point| text(&point.attributes, "unit"))
    };
    assert_eq!(unit_of("values/bytes"), Some("B"));
    assert_eq!(unit_of("values/shots"), Some(""));
}

#[test]
fn totals_of_several_threads_are_cumulative_over_several_exports() {
    const THREADS: usize = 4;
    const EXPORTS: usize = 5;
    const STEPS: u32 = 2_000;
    let _turn = alone();
    let collector = Collector::start(&[]);
    let otlp = export_to(collector.endpoint());
    let (counter, samples) = (
        stats_core::counter("threads/count"),
        stats_core::histogram("threads/samples"),
    );
    let round = Barrier::new(THREADS + 1);
    let mut exports = Vec::new();
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for _ in 0..EXPORTS {
                    for _ in 0..STEPS {
                        counter.add(1);
                        stats_core::timer("threads/time").record_ms(1.0);
                        samples.record(3.0);
                    }
                    round.wait();
                }
            });
        }
        for _ in 0..EXPORTS {
            round.wait();
            exports.push(collector.next());
        }
    });
    drop(otlp);
    exports.push(collector.newest());
    let values = |export: &Export| {
        let samples = export.histogram("stats.samples", "threads/samples");
        [
            export.value("stats.counter", "threads/count"),
            export.value("stats.timer_calls", "threads/time"),
            samples.map(|samples| samples.count as f64),
            samples.and_then(|samples| samples.sum.map(|sum| sum / 3.0)),
        ]
    };
    let mut before = [Some(0.0); 4];
    for export in &exports {
        let now = values(export);
        let grew = now.iter().zip(&before).all(|(now, before)| now >= before);
        assert!(grew, "{before:?} {now:?}");
        before = now;
    }
    let all = (THREADS * EXPORTS) as f64 * f64::from(STEPS);
    assert_eq!(before, [Some(all); 4]);
    let points: Vec<_> = exports
        .iter()
        .filter_map(|export| export.point("stats.counter", "threads/count"))
        .collect();
    assert_eq!(points.len(), exports.len());
    for pair in points.windows(2) {
        assert_eq!(pair[0].start_time_unix_nano, pair[1].start_time_unix_nano);
        assert!(pair[0].time_unix_nano < pair[1].time_unix_nano);
    }
}

#[test]
fn a_histogram_has_the_counts_between_its_bounds() {
    let _turn = alone();
    let collector = Collector::start(&[]);
    let otlp = export_to(collector.endpoint());
    let positive = [0.15, 0.15, 1.5, 30.0, 700.0, 0.0];
    let mixed = [-4.0, 0.15, 1.5];
    for n in positive {
        stats_core::histogram("buckets/positive").record(n);
    }
    for n in mixed {
        stats_core::histogram("buckets/mixed").record(n);
    }
    drop(otlp);
    let export = collector.newest();
    for (path, samples) in [
        ("buckets/positive", &positive[..]),
        ("buckets/mixed", &mixed),
    ] {
        let point = export.histogram("stats.samples", path).expect("it is sent");
        assert_eq!(point.count, samples.len() as u64);
        let mut from = f64::NEG_INFINITY;
        let bounds = point.explicit_bounds.iter().chain([&f64::INFINITY]);
        for (to, count) in bounds.zip(&point.bucket_counts) {
            let within = samples.iter().filter(|n| **n > from && *n <= to);
            assert_eq!(within.count() as u64, *count, "{path}: {from} to {to}");
            from = *to;
        }
    }
    let sum = |path| {
        let point = export.histogram("stats.samples", path);
        point.and_then(|point| point.sum)
    };
    assert_eq!(sum("buckets/positive"), Some(positive.iter().sum()));
    assert_eq!(sum("buckets/mixed"), None, "a total does not decrease");
}

#[test]
fn a_histogram_has_the_same_bounds_and_start_in_all_exports_and_runs() {
    let _turn = alone();
    let samples = stats_core::histogram("runs/samples").unit(Unit::Milliseconds);
    samples.record(3.0);
    let collector = Collector::start(&[]);
    let otlp = export_to(collector.endpoint());
    let point = |export: &Export| {
        let point = export.histogram("stats.samples", "runs/samples");
        point.cloned().expect("it is sent")
    };
    let first = point(&collector.next());
    // None that were recorded before the start, which is the same for all exports.
    assert_eq!((first.count, first.sum), (0, Some(0.0)));
    samples.record(250.0);
    samples.record(3.0);
    stats_core::begin_run();
    samples.record(4.0);
    drop(otlp);
    let second = point(&collector.newest());
    assert_eq!((second.count, second.sum), (3, Some(257.0)));
    assert_eq!(first.explicit_bounds, second.explicit_bounds);
    assert_eq!(first.bucket_counts, [0; 26]);
    assert_eq!(first.start_time_unix_nano, second.start_time_unix_nano);
    assert!(first.start_time_unix_nano < first.time_unix_nano);
    let bounds = second.explicit_bounds.iter().zip(&second.bucket_counts);
    let filled = bounds.filter(|(_, count)| **count > 0);
    assert_eq!(filled.collect::<Vec<_>>(), [(&5.0, &2), (&500.0, &1)]);
}

#[test]
fn frames_have_a_histogram_a_maximum_and_a_count_over_60_ms() {
    let _turn = alone();
    let collector = Collector::start(&[]);
    let mut otlp = export_to(collector.endpoint());
    let mut recorder = Recorder::new();
    let mut time = 0.0;
    for ms in [16.0, 16.0, 96.0, 16.0, 32.0] {
        time += ms / 1e3;
        recorder.end_frame_at(time);
        otlp.end_frame(&recorder);
        otlp.end_frame(&recorder);
    }
    drop(otlp);
    let export = collector.newest();
    let frames = export.histogram("stats.frame", "").expect("it is sent");
    assert_eq!(frames.count, 5);
    let up_to = |bound: f64| -> u64 {
        let counts = frames.bucket_counts.iter().zip(&frames.explicit_bounds);
        counts
            .filter(|(_, of)| **of <= bound)
            .map(|(count, _)| count)
            .sum()
    };
    assert_eq!([0.017, 0.034, 0.101].map(up_to), [3, 4, 5]);
    let close = |a: Option<f64>, b: f64| a.is_some_and(|a| (a - b).abs() < 1e-9);
    assert!(close(frames.sum, time), "{frames:?}");
    assert!(close(export.value("stats.frame_max", ""), 0.096));
    assert_eq!(export.value("stats.frames_over_60_ms", ""), Some(1.0));
}

#[test]
fn the_resource_identifies_the_process() {
    let _turn = alone();
    let ids = [(), ()].map(|()| {
        let collector = Collector::start(&[]);
        drop(export_to(collector.endpoint()));
        let resource = collector.next().resource;
        assert_eq!(text(&resource, "service.name"), "a game");
        assert_eq!(text(&resource, "service.version"), "1.2");
        assert_eq!(text(&resource, "telemetry.sdk.language"), "rust");
        let keys: Vec<&str> = resource.iter().map(|key| &key.key[..]).collect();
        assert!(keys.contains(&"process.pid"));
        text(&resource, "service.instance.id").to_owned()
    });
    assert_ne!(ids[0], ids[1]);
}
