use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use stats_core::{
    Distribution, Histogram, HistogramHandle, Precision, Problem, RecentDistribution, Recorder,
    SeriesKind, Unit, counter, find, for_each_series, gauge, histogram, problems, timer,
};
use stats_testing::{allocations, grown_bytes};

use crate::numbers::refused;
use crate::{Random, values};

#[test]
fn count_sum_and_extremes_are_exact() {
    static PACK: Histogram = Histogram::new("test/histograms/pack").unit(Unit::Milliseconds);
    let handle = histogram("test/histograms/pack");
    for n in 1..=500 {
        PACK.record(n);
        handle.record(-f64::from(n));
    }
    let run = PACK.snapshot();
    assert_eq!(
        (run.count(), run.sum(), run.min(), run.max()),
        (1000, 0.0, Some(-500.0), Some(500.0))
    );
    assert_eq!(run.buckets().map(|bucket| bucket.count).sum::<u64>(), 1000);
    assert_eq!(run.mean(), Some(0.0));
    assert!(
        (run.std_dev().unwrap() - 289.1081_f64).abs() < 1e-3,
        "{:?}",
        run.std_dev()
    );
    assert_eq!(handle.snapshot(), run);
}

#[test]
fn one_line_records_a_sample_with_its_unit() {
    for n in 1..=100 {
        stats_core::sample!("test/histograms/line", n);
        stats_core::sample!(
            "test/histograms/line-ms",
            f64::from(n) * 0.5,
            Unit::Milliseconds
        );
    }
    let [plain, ms] =
        ["test/histograms/line", "test/histograms/line-ms"].map(|path| histogram(path).snapshot());
    assert_eq!(
        (plain.count(), plain.sum(), ms.count(), ms.sum()),
        (100, 5050.0, 100, 2525.0)
    );
    let mut units = Vec::new();
    for_each_series(|info| {
        units.extend(
            info.path
                .starts_with("test/histograms/line")
                .then_some(info.unit),
        )
    });
    units.sort_by_key(|unit| unit.symbol());
    assert_eq!(units, [Unit::Count, Unit::Milliseconds]);
}

#[test]
fn sums_are_exact_with_any_number_of_pending_samples() {
    let series = histogram("test/histograms/pending");
    let mut random = Random::new(11);
    let (mut sum, mut least, mut greatest) = (0, u64::MAX, 0);
    for count in 1..=200 {
        let sample = (1 << 44) + random.below(1 << 44);
        series.record(sample);
        (sum, least, greatest) = (sum + sample, least.min(sample), greatest.max(sample));
        let run = series.snapshot();
        assert_eq!((run.count(), run.sum()), (count, sum as f64));
        assert_eq!(
            (run.min(), run.max()),
            (Some(least as f64), Some(greatest as f64))
        );
    }
}

#[test]
fn no_samples_have_no_statistics_and_one_sample_is_every_statistic() {
    let series = histogram("test/histograms/one");
    let none = series.snapshot();
    assert_eq!(
        (none.count(), none.sum(), none.min(), none.max()),
        (0, 0.0, None, None)
    );
    assert_eq!(
        (
            none.mean(),
            none.std_dev(),
            none.median(),
            none.percentile_by_time(95.0)
        ),
        (None, None, None, None)
    );
    series.record(16.7);
    let one = series.snapshot();
    assert_eq!(
        (one.min(), one.max(), one.median(), one.mean()),
        (Some(16.7), Some(16.7), Some(16.7), Some(16.7))
    );
    assert_eq!(
        (one.std_dev(), one.quantile(0.0), one.quantile(1.0)),
        (Some(0.0), Some(16.7), Some(16.7))
    );
}

#[test]
fn zero_tiny_and_huge_samples_follow_their_rules() {
    let series = histogram("test/histograms/rules");
    for sample in [0.0, -0.0, 1e-12, -1e-12, 5e-324] {
        series.record(sample);
    }
    let tiny = series.snapshot();
    assert_eq!(
        (tiny.count(), tiny.buckets().count(), tiny.median()),
        (5, 1, Some(0.0))
    );
    assert_eq!((tiny.min(), tiny.max()), (Some(-1e-12), Some(1e-12)));
    (0..20).for_each(|n| series.record(1e20 + f64::from(n) * 1e19));
    let huge = series.snapshot();
    assert_eq!(
        (huge.count(), huge.max(), huge.quantile(0.9)),
        (25, Some(2.9e20), Some(2.9e20))
    );
    series.record(1e140);
    series.record(-1e140);
    let both = series.snapshot();
    assert_eq!(
        (both.count(), both.min(), both.max()),
        (27, Some(-1e140), Some(1e140))
    );
    assert!(both.std_dev().unwrap().is_finite());
}

#[test]
fn a_sample_too_large_to_square_is_refused_and_counted() {
    let series = histogram("test/histograms/refused");
    series.record(3);
    let before = series.snapshot();
    let bad = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        1.1e140,
        -f64::MAX,
    ];
    assert_eq!(
        refused(|| bad.into_iter().for_each(|sample| series.record(sample))),
        5.0
    );
    assert_eq!(series.snapshot(), before);
    assert_eq!(
        refused(|| histogram("test/histograms/refused-first").record(f64::NAN)),
        1.0
    );
}

#[test]
fn negative_samples_are_mirrored() {
    let series = histogram("test/histograms/negative");
    (1..=1000).for_each(|n| series.record(-n));
    let run = series.snapshot();
    assert!(
        (run.median().unwrap() + 501.0).abs() <= 501.0 * 0.05,
        "{:?}",
        run.median()
    );
    assert!(run.quantile(0.01).unwrap() < run.quantile(0.99).unwrap());
    assert_eq!(
        run.percentile_by_frame(50.0),
        None,
        "negative numbers are not frame times"
    );
}

#[test]
fn two_threads_lose_nothing_and_a_thread_that_ends_leaves_its_buckets_to_the_next() {
    static BOTH: Histogram =
        Histogram::new("test/histograms/threads").precision(Precision::ThreeDigits);
    for _ in 0..20 {
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| (1..=1000).for_each(|n| BOTH.record(n)));
            }
        });
    }
    let run = BOTH.snapshot();
    assert_eq!(
        (run.count(), run.sum(), run.min(), run.max()),
        (40_000, 20.0 * 1_001_000.0, Some(1.0), Some(1000.0))
    );
    assert!(
        run.buckets().all(|bucket| bucket.count % 40 == 0),
        "each value was recorded equally often"
    );
}

struct RecordsAtExit(HistogramHandle);

impl Drop for RecordsAtExit {
    fn drop(&mut self) {
        self.0.record(2);
        self.0.record(-3);
    }
}

thread_local! {
    static AT_EXIT: std::cell::RefCell<Option<RecordsAtExit>> = const { std::cell::RefCell::new(None) };
}

#[test]
fn samples_from_the_destructors_of_thread_locals_count_too() {
    let series = histogram("test/histograms/exit");
    for _ in 0..50 {
        let record = move || {
            AT_EXIT.set(Some(RecordsAtExit(series)));
            series.record(1);
        };
        thread::spawn(record).join().unwrap();
    }
    let run = series.snapshot();
    assert_eq!((run.count(), run.sum(), run.min()), (150, 0.0, Some(-3.0)));
}

#[test]
fn a_snapshot_while_others_record_counts_the_samples_in_its_buckets() {
    let series = histogram("test/histograms/consistent");
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for seed in 0..2 {
            let stop = &stop;
            scope.spawn(move || {
                let mut random = Random::new(seed);
                while !stop.load(Ordering::Relaxed) {
                    series.record(1000 + random.below(9));
                }
            });
        }
        let mut last = 0;
        for _ in 0..2000 {
            let run = series.snapshot();
            assert_eq!(
                run.count(),
                run.buckets().map(|bucket| bucket.count).sum::<u64>()
            );
            assert!(run.count() >= last, "samples do not disappear");
            last = run.count();
            if let Some(mean) = run.mean() {
                assert!(
                    (1000.0..=1008.0).contains(&mean) && run.std_dev().unwrap() <= 4.5,
                    "{mean} {:?}",
                    run.std_dev()
                );
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_histogram_as_series_has_the_sum_and_the_count_of_each_frame() {
    static SIZES: Histogram = Histogram::new("test/histograms/series")
        .unit(Unit::Bytes)
        .budget(1e6)
        .describe("Sizes.");
    let mut recorder = Recorder::new();
    let watches = [SIZES.id(), SIZES.samples_id()].map(|id| recorder.watch(id));
    for samples in [&[700.0, 82.0][..], &[], &[5.0]] {
        samples.iter().for_each(|sample| SIZES.record(*sample));
        recorder.end_frame();
    }
    assert_eq!(
        watches.map(|watch| values(&recorder, &watch)),
        [[782.0, 0.0, 5.0], [2.0, 0.0, 1.0]]
    );
    let mut found = None;
    for_each_series(|info| {
        if info.path == "test/histograms/series" {
            assert!(found.replace(info).is_none(), "listed once");
        }
    });
    let info = found.unwrap();
    assert_eq!(
        (info.kind, info.unit, info.budget, info.description),
        (
            SeriesKind::Histogram,
            Unit::Bytes,
            Some(1e6),
            Some("Sizes.")
        )
    );
    assert_eq!(
        (Some(info.id), info.calls),
        (find("test/histograms/series"), Some(SIZES.samples_id()))
    );
    assert_eq!(stats_core::snapshot(info.id), Some(SIZES.snapshot()));
    assert_eq!(stats_core::snapshot(SIZES.samples_id()), None);
}

#[test]
fn a_clash_is_reported_and_samples_of_the_second_are_dropped() {
    let first = counter("test/histograms/clash");
    let second = histogram("test/histograms/clash");
    second.record(5);
    first.add(1);
    let clash = Problem::KindClash {
        path: "test/histograms/clash".into(),
        first: SeriesKind::Counter,
        second: SeriesKind::Histogram,
    };
    assert!(problems().contains(&clash));
    let fine = histogram("test/histograms/precision").precision(Precision::FourDigits);
    let late = histogram("test/histograms/precision-late");
    late.record(1);
    let (fine, late) = (
        fine.precision(Precision::TwoDigits),
        late.precision(Precision::ThreeDigits),
    );
    assert_eq!(fine.snapshot().precision(), Precision::FourDigits);
    assert_eq!(late.snapshot().precision(), Precision::TwoDigits);
    let clashes = problems()
        .iter()
        .filter(|problem| matches!(problem, Problem::PrecisionClash { .. }))
        .count();
    assert_eq!(clashes, 2);
}

#[test]
fn samples_of_a_refused_histogram_are_dropped() {
    let refused: Vec<HistogramHandle> = (0..2)
        .map(|n| {
            let path = format!("test/histograms/refused-kind/{n}");
            counter(&path).add(1);
            histogram(&path)
        })
        .collect();
    static REFUSED: Histogram = Histogram::new("test/histograms/refused-kind/1");
    for _ in 0..100 {
        refused.iter().for_each(|series| series.record(5));
        REFUSED.record(7);
    }
    for series in refused {
        assert_eq!(series.snapshot(), Distribution::default());
    }
    assert_eq!(REFUSED.snapshot(), Distribution::default());
}

#[test]
fn three_decades_take_four_kibibytes_a_thread_for_any_number_of_samples() {
    let series = histogram("test/histograms/memory");
    // The other costs of a thread: its part of the list of problems, and its guard.
    histogram("test/histograms/memory-other").record(1);
    let three_decades = || (10..10_000).for_each(|n| series.record(f64::from(n) * 0.1));
    let grown = grown_bytes(three_decades);
    assert!((2 * 1024..=4096).contains(&grown), "{grown}");
    assert_eq!(allocations(three_decades), 0);
}

#[test]
fn the_largest_memory_is_as_documented() {
    let cases = [
        (Precision::TwoDigits, 37),
        (Precision::ThreeDigits, 360),
        (Precision::FourDigits, 3686),
    ];
    for (precision, kib) in cases {
        let series =
            histogram(&format!("test/histograms/worst/{precision:?}")).precision(precision);
        let steps = 10_i32.pow(precision.digits() as u32 - 1);
        let all = || {
            for decade in -10..17 {
                for step in steps..10 * steps {
                    let sample = f64::from(step) / f64::from(steps) * 10_f64.powi(decade);
                    series.record(sample);
                    series.record(-sample);
                }
            }
        };
        let grown = grown_bytes(all);
        assert!(
            (kib * 900..=kib * 1024).contains(&grown),
            "{precision:?}: {grown}"
        );
    }
}

#[test]
fn counts_are_exact_in_any_order_of_merging() {
    let mut random = Random::new(7);
    let mut parts = [(); 5].map(|()| {
        let mut part = Distribution::default();
        (0..random.below(2000))
            .for_each(|_| assert!(part.record(random.below(100_000) as f64 - 5e4)));
        part
    });
    let merged = |parts: &[Distribution]| {
        let mut all = Distribution::default();
        parts.iter().for_each(|part| all.merge(part));
        all
    };
    let forward = merged(&parts);
    let nested = merged(&[merged(&parts[..2]), merged(&parts[2..])]);
    parts.reverse();
    for other in [nested, merged(&parts)] {
        assert!(forward.buckets().eq(other.buckets()));
        let exact = |all: &Distribution| (all.count(), all.sum(), all.min(), all.max());
        assert_eq!(exact(&forward), exact(&other));
        assert!((forward.std_dev().unwrap() / other.std_dev().unwrap() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn a_recent_distribution_has_the_last_seconds_in_bounded_memory() {
    let series = histogram("test/histograms/recent");
    let mut recent = RecentDistribution::new(series.id(), Duration::from_secs(5));
    let mut random = Random::new(3);
    let mut samples: Vec<(f64, u64)> = Vec::new();
    // Sixty frames per second for a minute. Not every update is at a step.
    for frame in 1..=3600 {
        let now = f64::from(frame) / 60.0;
        let sample = 100 + random.below(900);
        samples.push((now, sample));
        series.record(sample);
        recent.update(now);
        let last = recent.distribution();
        let within = |secs: f64| {
            samples
                .iter()
                .rev()
                .take_while(move |(at, _)| *at > now - secs)
                .count() as u64
        };
        assert!(
            (within(4.99)..=within(5.6)).contains(&last.count()),
            "{} at {now}",
            last.count()
        );
        let sum: u64 = samples
            .iter()
            .rev()
            .take(last.count() as usize)
            .map(|(_, sample)| sample)
            .sum();
        assert_eq!(last.sum(), sum as f64);
    }
    assert_eq!(series.snapshot().count(), 3600);
    let before = grown_bytes(|| (0..600).for_each(|n| recent.update(61.0 + f64::from(n) * 0.5)));
    assert!(before <= 16 * 1024, "{before}");
    assert_eq!(
        (recent.distribution().count(), recent.distribution().min()),
        (0, None)
    );
}

#[test]
fn a_series_of_the_program_is_not_taken_for_peaks_or_single_calls() {
    let own = [
        "test/taken/histogram/largest",
        "test/taken/timer/longest",
        "test/taken/calls/single",
    ];
    let gauges = [own[0], own[1]].map(gauge);
    let calls = histogram(own[2]);
    let packets = histogram("test/taken/histogram").largest();
    let timers = ["test/taken/timer", "test/taken/calls"].map(|path| timer(path).calls());
    let mut recorder = Recorder::new();
    let gauge_watches = gauges.map(|gauge| recorder.watch(gauge.id()));
    let call_watch = recorder.watch(calls.id());
    gauges.iter().for_each(|gauge| gauge.set(5.0));
    packets.record(9.0);
    timers
        .iter()
        .for_each(|timer| timer.record(Duration::from_millis(7)));
    recorder.end_frame();
    for watch in &gauge_watches {
        assert_eq!(newest(&recorder, watch), 5.0);
    }
    assert_eq!(newest(&recorder, &call_watch), 0.0);
    for path in own {
        let is_it = |problem: &Problem| matches!(problem, Problem::ReservedPath { given, .. } if given == path);
        assert_eq!(
            problems().iter().filter(|problem| is_it(problem)).count(),
            1,
            "{path}"
        );
    }
    // Declaring them again changes nothing.
    let _ = histogram("test/taken/histogram").largest();
    let _ = timer("test/taken/timer").calls();
    recorder.end_frame();
    for watch in &gauge_watches {
        assert_eq!(newest(&recorder, watch), 5.0);
    }
}

/// Returns the value of the newest frame.
fn newest(recorder: &Recorder, watch: &stats_core::Watch) -> f64 {
    recorder
        .history(watch, 1)
        .last()
        .expect("a frame has ended")
}

#[test]
fn the_largest_sample_of_each_frame_is_exact_whatever_the_precision() {
    static PACKETS: Histogram = Histogram::new("test/histograms/packets")
        .unit(Unit::Bytes)
        .largest();
    assert_eq!(find("test/histograms/packets/largest"), None);
    let _ = PACKETS.id();
    let largest = find("test/histograms/packets/largest").expect("it is registered");
    let mut listed = None;
    for_each_series(|info| {
        if info.id == largest {
            listed = Some((info.kind, info.unit));
        }
    });
    assert_eq!(listed, Some((SeriesKind::Gauge, Unit::Bytes)));
    let mut recorder = Recorder::new();
    let (sums, peaks) = (recorder.watch(PACKETS.id()), recorder.watch(largest));
    for frame in 0..=10 {
        let samples: &[f64] = match frame {
            3 => &[782.0],
            6 => &[1003.0, 450.0],
            9 => &[510.0],
            10 => &[-7.0, -9.0, f64::NAN],
            _ => &[],
        };
        samples.iter().for_each(|sample| PACKETS.record(*sample));
        recorder.end_frame();
    }
    let sums = values(&recorder, &sums);
    assert_eq!(sums, [0., 0., 0., 782., 0., 0., 1453., 0., 0., 510., -16.]);
    let peaks = values(&recorder, &peaks);
    assert_eq!(peaks, [0., 0., 0., 782., 0., 0., 1003., 0., 0., 510., -7.]);
}

#[test]
fn keeping_the_largest_sample_changes_nothing_else() {
    static PLAIN: Histogram = Histogram::new("test/histograms/plain");
    let peaked = histogram("test/histograms/peaked").largest();
    let largest = find("test/histograms/peaked/largest").expect("it is registered");
    assert_eq!(find("test/histograms/plain/largest"), None);
    let mut random = Random::new(45);
    let mut recorders: Vec<_> = (0..3)
        .map(|_| {
            let mut recorder = Recorder::new();
            let watch = recorder.watch(largest);
            (recorder, watch, None::<f64>)
        })
        .collect();
    for step in 0..3000_u64 {
        for _ in 0..random.below(3) {
            let magnitude = 10_f64.powi(random.below(30) as i32 - 12);
            let sample = match random.below(9) {
                0 => 0.0,
                1 => -magnitude,
                _ => magnitude * random.below(1000) as f64,
            };
            PLAIN.record(sample);
            // On another thread, now and then.
            if random.below(50) == 0 {
                let other = thread::spawn(move || peaked.record(sample));
                other.join().expect("it ends");
            } else {
                peaked.record(sample);
            }
            for (.., largest) in &mut recorders {
                *largest = Some(largest.map_or(sample, |largest| largest.max(sample)));
            }
        }
        for (at, (recorder, watch, largest)) in recorders.iter_mut().enumerate() {
            // The third has frames of 30 frames of the others.
            if step % [1, 1, 30][at] == 0 {
                recorder.end_frame();
                let expected = largest.take().unwrap_or(0.0);
                assert_eq!(newest(recorder, watch), expected, "{step}, {at}");
            }
        }
    }
    let [plain, peaked] = [PLAIN.snapshot(), peaked.snapshot()];
    let figures = |run: &Distribution| (run.count(), run.min(), run.max());
    assert_eq!(figures(&plain), figures(&peaked));
    assert!(plain.buckets().eq(peaked.buckets()));
    assert!((plain.sum() - peaked.sum()).abs() <= 1e-9 * plain.sum().abs());
}
