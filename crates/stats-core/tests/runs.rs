//! Runs begin for all histograms of a process, so their tests have their own process.
#![cfg(feature = "enabled")]

use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use stats_core::{
    Distribution, Histogram, RecentDistribution, Recorder, Report, ReportTotal, Unit, begin_run,
    counter, gauge, histogram, report, snapshot_of_all_runs, timer, up_down_counter,
};

static SIZES: Histogram = Histogram::new("runs/sizes").unit(Unit::Bytes);
static BUSY: Histogram = Histogram::new("runs/busy");

#[test]
fn a_run_has_only_its_own_samples_and_none_is_lost_between_runs() {
    // Runs belong to the process, so tests cannot run side by side.
    check_a_longer_run();
    begin_run();
    (1..=1000).for_each(|n| SIZES.record(n));
    let mut recent = RecentDistribution::new(SIZES.id(), Duration::from_secs(60));
    recent.update(0.0);
    begin_run();
    assert!(SIZES.snapshot().is_empty() && report().rows.is_empty());
    assert_eq!(
        (
            SIZES.snapshot().min(),
            SIZES.snapshot().mean(),
            SIZES.snapshot().median()
        ),
        (None, None, None)
    );
    [300.5, 400.25, 351.0]
        .into_iter()
        .for_each(|size| SIZES.record(size));
    recent.update(1.0);
    assert_eq!(recent.distribution().count(), 3, "samples of this run");
    let run = SIZES.snapshot();
    assert_eq!(
        (run.count(), run.sum(), run.min(), run.max()),
        (3, 1051.75, Some(300.5), Some(400.25))
    );
    assert!((run.mean().unwrap() - 1051.75 / 3.0).abs() < 1e-9);
    assert!(
        (run.std_dev().unwrap() - 40.7238).abs() < 1e-3,
        "{:?}",
        run.std_dev()
    );
    let text = report().to_string();
    assert!(
        text.contains("runs/sizes [B]") && text.lines().count() == 2,
        "{text}"
    );
    assert_eq!(
        begin_run().to_string(),
        text,
        "the report of the run that ended"
    );
    assert_eq!(begin_run(), Report::default());
    check_totals();
    sums_of_a_run_lose_no_digits_to_earlier_runs();
    runs_begin_while_other_threads_record();
    no_report_mixes_two_runs();
}

/// Sum, mean and deviation are those of the run's own samples, regardless of earlier ones.
fn sums_of_a_run_lose_no_digits_to_earlier_runs() {
    let many: Vec<f64> = (0..1_000_000).map(|n| 1.0 + f64::from(n % 1004)).collect();
    let cases: [(&[f64], &[f64]); 4] = [
        (&[1e6; 1000], &[0.5, 0.7, 0.9]),
        (&[1e140, -1e140], &[1.5, 0.1, 1e-7]),
        (&many, &[7.0]),
        (&[-1e-3; 33], &[1e9, 1e9 + 1.0]),
    ];
    for (at, (before, samples)) in cases.into_iter().enumerate() {
        let series = histogram(&format!("runs/precise/{at}"));
        let fresh = histogram(&format!("runs/precise/{at}/fresh"));
        before.iter().for_each(|sample| series.record(*sample));
        begin_run();
        // Another thread still has the previous run.
        thread::scope(|scope| {
            scope.spawn(|| before.iter().for_each(|sample| series.record(*sample)));
        });
        begin_run();
        samples.iter().for_each(|sample| {
            [series, fresh]
                .iter()
                .for_each(|series| series.record(*sample))
        });
        let expected = fresh.snapshot();
        assert_eq!(series.snapshot(), expected, "case {at}");
        let rows = begin_run().rows;
        assert!(
            rows.iter().all(|row| row.distribution == expected) && rows.len() == 2,
            "{rows:?}"
        );
        assert!(series.snapshot().is_empty());
    }
}

/// Each report has the totals and the histograms of one run, however many threads ask.
fn no_report_mixes_two_runs() {
    const THREADS: usize = 3;
    static PAIRED: Histogram = Histogram::new("runs/paired/histogram");
    let paired = counter("runs/paired/counter");
    let both = |report: Report| {
        let total = report
            .totals
            .iter()
            .find(|total| total.path == "runs/paired/counter");
        let row = report
            .rows
            .iter()
            .find(|row| row.path == "runs/paired/histogram");
        let count = row.map_or(0, |row| row.distribution.count());
        (count as f64, total.map_or(0.0, |total| total.value))
    };
    begin_run();
    let barrier = Barrier::new(THREADS);
    let read = |thread: usize| {
        let once = |_| {
            if thread == 0 {
                PAIRED.record(1);
                paired.increment();
            }
            barrier.wait();
            let pair = both(if thread < 2 { begin_run() } else { report() });
            barrier.wait();
            pair
        };
        (0..2_000).map(once).collect::<Vec<_>>()
    };
    // Compared at the end: a thread that panics would let the others wait.
    let pairs: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                scope.spawn({
                    let read = &read;
                    move || read(thread)
                })
            })
            .collect();
        let pairs = threads
            .into_iter()
            .map(|thread| thread.join().expect("no thread panics"));
        pairs.flatten().collect()
    });
    let mixed = pairs.iter().filter(|(samples, counted)| samples != counted);
    assert_eq!(mixed.count(), 0, "reports of {}", pairs.len());
}

/// Begins a run and returns the samples of `BUSY` in the previous one.
fn end_run() -> Distribution {
    let ended = begin_run()
        .rows
        .into_iter()
        .find(|row| row.path == "runs/busy");
    ended.map_or_else(Distribution::default, |row| row.distribution)
}

/// Returns whether no bucket of `before` has more samples than in `now`.
fn is_part(before: &Distribution, now: &Distribution) -> bool {
    let count = |from: f64| {
        let bucket = now.buckets().find(|bucket| bucket.from == from);
        bucket.map_or(0, |bucket| bucket.count)
    };
    before.sum() <= now.sum()
        && before
            .buckets()
            .all(|bucket| bucket.count <= count(bucket.from))
}

/// Each sample is in exactly one run, even if several runs begin while it is recorded.
fn runs_begin_while_other_threads_record() {
    const EACH: u64 = 200_000;
    let mut recorder = Recorder::new();
    let watch = recorder.watch(BUSY.samples_id());
    let threads_left = AtomicU64::new(2);
    let runs_begun = AtomicU64::new(0);
    let sample = |n: u64| 1 + n % 7;
    let mut runs: Vec<Distribution> = Vec::new();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for n in 0..EACH {
                    BUSY.record(sample(n));
                    // Lets runs begin in between even on a machine with one processor.
                    if n % 1000 == 0 {
                        thread::yield_now();
                    }
                    // Even on a busy machine, no three of these 40 samples are in the same run.
                    if n % 5000 == 0 {
                        let begun = runs_begun.load(Ordering::Relaxed);
                        while runs_begun.load(Ordering::Relaxed) == begun {
                            thread::yield_now();
                        }
                    }
                }
                threads_left.fetch_sub(1, Ordering::Release);
            });
        }
        let mut before = Distribution::default();
        while threads_left.load(Ordering::Acquire) > 0 {
            runs.push(end_run());
            let all = snapshot_of_all_runs(BUSY.id()).expect("it is a histogram");
            assert!(is_part(&before, &all), "{before:?} {all:?}");
            before = all;
            runs_begun.fetch_add(1, Ordering::Relaxed);
        }
    });
    runs.push(end_run());
    // Whole numbers have exact sums, so a lost or doubled sample would show.
    let sum: f64 = runs.iter().map(Distribution::sum).sum();
    assert_eq!(runs.iter().map(Distribution::count).sum::<u64>(), 2 * EACH);
    assert_eq!(sum, 2.0 * (0..EACH).map(sample).sum::<u64>() as f64);
    for run in runs.iter().filter(|run| !run.is_empty()) {
        assert!(
            (run.sum() / run.count() as f64 / run.mean().unwrap_or(f64::NAN) - 1.0).abs() < 1e-12,
            "the sum has as many samples as the count: {run:?}"
        );
        assert_eq!(
            run.buckets().map(|bucket| bucket.count).sum::<u64>(),
            run.count()
        );
        let (min, max) = (run.min().unwrap_or(f64::NAN), run.max().unwrap_or(f64::NAN));
        // To within their bucket, if a thread recorded when the run ended.
        assert!(1.0 <= min && min <= max && max <= 7.05, "{run:?}");
        let mean = run.mean().unwrap_or(f64::NAN);
        assert!(min <= mean && mean <= max, "{run:?}");
        assert!(
            (1.0..=7.05).contains(&run.median().unwrap_or(f64::NAN)),
            "{run:?}"
        );
    }
    assert!(
        runs.iter().filter(|run| run.count() > 0).count() >= 20,
        "{}",
        runs.len()
    );
    assert!(BUSY.snapshot().is_empty() && end_run().is_empty());
    let all = snapshot_of_all_runs(BUSY.id()).expect("it is a histogram");
    assert_eq!((all.count(), all.sum()), (2 * EACH, sum));
    assert_eq!((all.min(), all.max()), (Some(1.0), Some(7.0)));
    for bucket in all.buckets() {
        let value = bucket.value as u64;
        let expected = (0..EACH).filter(|n| sample(*n) == value).count() as u64;
        assert_eq!(bucket.count, 2 * expected, "{bucket:?}");
    }
    // Runs do not affect what a recorder sees.
    recorder.end_frame();
    assert_eq!(recorder.history(&watch, 1).last(), Some(2.0 * EACH as f64));
}

/// A recent window notices a run with more samples than the previous one.
fn check_a_longer_run() {
    static FEW: Histogram = Histogram::new("runs/few");
    FEW.record(5);
    let mut recent = RecentDistribution::new(FEW.id(), Duration::from_secs(60));
    begin_run();
    [5, 5, 7].into_iter().for_each(|sample| FEW.record(sample));
    recent.update(1.0);
    assert_eq!(recent.distribution().count(), 3);
}

/// Counters and timers start at zero with each run, each add is in exactly one, and levels stay.
fn check_totals() {
    let (shots, work, enemies, camera) = (
        counter("runs/shots").unit(Unit::Custom("shots")),
        timer("runs/work"),
        up_down_counter("runs/enemies"),
        gauge("runs/camera").unit(Unit::Meters),
    );
    begin_run();
    let total = |report: &Report, path: &str| {
        let is_it = |total: &&ReportTotal| total.path == path;
        let found = report.totals.iter().find(is_it).cloned();
        found.map(|total| (total.value, total.calls, total.self_ms))
    };
    for run in 1..=3 {
        shots.add(10 * run);
        work.record_ms(2.5);
        work.record_ms(0.5 * f64::from(run));
        enemies.add(2);
        camera.set(run);
        SIZES.record(run);
        let ms = 2.5 + 0.5 * f64::from(run);
        let current = report();
        assert_eq!(
            total(&current, "runs/shots"),
            Some((f64::from(10 * run), None, None))
        );
        assert_eq!(total(&current, "runs/work"), Some((ms, Some(2), Some(ms))));
        assert_eq!(
            total(&current, "runs/enemies"),
            Some((f64::from(2 * run), None, None))
        );
        assert_eq!(
            total(&current, "runs/camera"),
            Some((f64::from(run), None, None))
        );
        let text = current.to_string();
        let rows: Vec<String> = text
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        for row in [
            format!("runs/shots [shots] {}", 10 * run),
            format!("runs/work {ms} {ms} 2 {}", ms / 2.0),
            format!("runs/enemies {}", 2 * run),
            format!("runs/camera [m] {run}"),
            format!("runs/sizes [B] {run} {run} ±0 1 {run} < {run} < {run} < {run}"),
        ] {
            assert!(rows.contains(&row), "{row}:\n{text}");
        }
        assert_eq!(begin_run(), current, "the report of the run that ended");
    }
    let next = begin_run();
    assert_eq!(
        (total(&next, "runs/shots"), total(&next, "runs/work")),
        (None, None)
    );
    assert_eq!(total(&next, "runs/enemies"), Some((6.0, None, None)));
    // A recorder does not notice runs.
    let mut recorder = Recorder::new();
    let watch = recorder.watch(shots.id());
    shots.add(1);
    begin_run();
    shots.add(2);
    recorder.end_frame();
    assert_eq!(recorder.history(&watch, 1).last(), Some(3.0));
    // Every add is in one run, also while others add.
    let mut counted = begin_run_of_shots();
    thread::scope(|scope| {
        let adders: Vec<_> = (0..3)
            .map(|_| scope.spawn(|| (0..20_000).for_each(|_| shots.increment())))
            .collect();
        while !adders.iter().all(|adder| adder.is_finished()) {
            counted += begin_run_of_shots();
        }
    });
    counted += begin_run_of_shots();
    assert_eq!(counted, 60_002.0);
}

/// Begins a run. Returns what the counter counted in the run that ends.
fn begin_run_of_shots() -> f64 {
    let ended = begin_run();
    let is_it = |total: &&ReportTotal| total.path == "runs/shots";
    ended
        .totals
        .iter()
        .find(is_it)
        .map_or(0.0, |total| total.value)
}
