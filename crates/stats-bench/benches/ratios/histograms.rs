//! Recording into a histogram, compared with `hdrhistogram` and by two threads at once; its memory
//! and precision; and the frame metrics of a long run.

use std::hint::black_box;
use std::time::Instant;

use stats_bench::{Bar, Contest, Table};
use stats_core::percentiles::percentile_by_time;
use stats_core::{FrameAnalyzer, FrameRules, Histogram, HistogramHandle, Precision, histogram};

use crate::mersenne::published_frames_ms;
use crate::together::{ROUNDS_AND_WARM_UP, on};

const OPS: u64 = 64 * 1024;

/// Enough operations that the start of the threads does not matter.
const OPS_TOGETHER: u64 = 1024 * 1024;

static TWO: Histogram = Histogram::new("bench/histograms/two-digits");
static THREE: Histogram =
    Histogram::new("bench/histograms/three-digits").precision(Precision::ThreeDigits);
static SHARED: Histogram = Histogram::new("bench/histograms/together");

pub(crate) fn measure(table: &mut Table) {
    alone(table);
    together(table);
    memory(table);
    live(table, "30,000 published frames", &published_frames_ms());
    live(table, "162,000 frames", &long_run_ms());
    metrics(table);
}

/// Measures the memory of one thread's part of a histogram, as requested from the allocator.
fn memory(table: &mut Table) {
    let grown_kib = |path, record: &dyn Fn(HistogramHandle)| {
        let series = histogram(path);
        stats_testing::grown_bytes(|| record(series)) as f64 / 1024.0
    };
    // Other benches have already allocated the thread's table of histograms.
    let three_decades = grown_kib("bench/histograms/three-decades", &|series| {
        (10..10_000).for_each(|n| series.record(f64::from(n) * 0.1));
    });
    let every_bucket = grown_kib("bench/histograms/every-bucket", &|series| {
        for decade in -10..17 {
            (10..100).for_each(|step| {
                let sample = f64::from(step) * 10_f64.powi(decade);
                series.record(sample);
                series.record(-sample);
            });
        }
    });
    table.row(
        "memory of a histogram in a thread, three decades",
        &[],
        three_decades,
        "KiB",
        Bar::AtMost(4.0),
    );
    table.row(
        "the same, every bucket of both signs",
        &[],
        every_bucket,
        "KiB",
        Bar::AtMost(37.0),
    );
}

/// Measures the error of a histogram's 99th percentile by time.
fn live(table: &mut Table, what: &str, frames_ms: &[f64]) {
    let series = histogram(&format!("bench/histograms/{what}")).precision(Precision::FourDigits);
    frames_ms.iter().for_each(|ms| series.record(*ms));
    let exact = percentile_by_time(frames_ms, 99.0).unwrap_or(f64::NAN);
    let estimate = series
        .snapshot()
        .percentile_by_time(99.0)
        .unwrap_or(f64::NAN);
    let error = 100.0 * (estimate / exact - 1.0).abs();
    table.row(
        &format!("error of the live 99th percentile by time, {what}, four digits"),
        &[],
        error,
        "%",
        Bar::AtMost(0.1),
    );
}

/// Returns the frame times of three quarters of an hour at 60 frames a second.
fn long_run_ms() -> Vec<f64> {
    samples(162_000)
        .into_iter()
        .map(|sample| 15.0 + sample as f64 * 1e-4)
        .collect()
}

/// Returns integers over three decades, most of them small. Both contenders take them without a
/// conversion.
fn samples(count: u64) -> Vec<u64> {
    let mut state = 1_u64;
    let mut next = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / (1_u64 << 24) as f64
    };
    (0..count)
        .map(|_| (1000.0 * (6.9 * next()).exp()) as u64)
        .collect()
}

fn alone(table: &mut Table) {
    let whole = samples(OPS);
    let floats: Vec<f64> = whole.iter().map(|sample| *sample as f64 * 1e-3).collect();
    let [mut two, mut three] = [2, 3].map(|digits| {
        hdrhistogram::Histogram::<u64>::new_with_bounds(1, 10_000_000, digits)
            .expect("the bounds and digits are valid")
    });
    let outcome = Contest::new()
        .with(OPS, || {
            for sample in &whole {
                let _recorded = black_box(two.record(*sample));
            }
        })
        .with(OPS, || {
            for sample in &whole {
                let _recorded = black_box(three.record(*sample));
            }
        })
        .with(OPS, || floats.iter().for_each(|sample| TWO.record(*sample)))
        .with(OPS, || {
            floats.iter().for_each(|sample| THREE.record(*sample))
        })
        .run();
    let mut row = |what, a, b| {
        table.row(
            what,
            &[outcome.ns(a), outcome.ns(b)],
            outcome.ratio(a, b),
            "×",
            Bar::AtMost(1.3),
        )
    };
    row(
        "`Histogram::record`, two digits, with moments / `hdrhistogram`, two digits, without moments",
        2,
        0,
    );
    row("the same, three digits / three digits", 3, 1);
}

fn together(table: &mut Table) {
    let floats: Vec<f64> = samples(OPS)
        .into_iter()
        .map(|sample| sample as f64)
        .collect();
    let record = || {
        for _ in 0..OPS_TOGETHER / OPS {
            floats.iter().for_each(|sample| SHARED.record(*sample));
        }
    };
    let plain = || {
        let mut own = Plain::default();
        for _ in 0..OPS_TOGETHER / OPS {
            floats.iter().for_each(|sample| own.record(*sample));
        }
        black_box(&own);
    };
    let outcome = Contest::new()
        .with(OPS_TOGETHER, || on(1, record))
        .with(OPS_TOGETHER, || on(2, record))
        .with(OPS_TOGETHER, || on(1, plain))
        .with(OPS_TOGETHER, || on(2, plain))
        .run();
    let rounds = (3 * ROUNDS_AND_WARM_UP * OPS_TOGETHER / OPS) as f64;
    let run = SHARED.snapshot();
    let lost = (rounds * OPS as f64 - run.count() as f64).abs()
        + (rounds * floats.iter().sum::<f64>() - run.sum()).abs();
    let ns = [outcome.ns(1), outcome.ns(0)];
    table.row(
        "two threads on one histogram / one thread",
        &ns,
        outcome.ratio(1, 0),
        "×",
        Bar::AtMost(1.2),
    );
    let floor = outcome.ratio(3, 2);
    let against_floor = outcome.ratio(1, 0) / floor;
    let ns = [outcome.ns(3), outcome.ns(2)];
    table.row(
        "the same / two threads on a plain loop that shares nothing",
        &ns,
        against_floor,
        "×",
        Bar::AtMost(1.2),
    );
    table.row(
        "samples and parts of the sum that two threads lost",
        &[],
        lost,
        "",
        Bar::AtMost(0.0),
    );
}

/// The work of a histogram for a sample, without anything that another thread could see. It shows
/// the cost of the other processor being busy as well.
#[derive(Default)]
struct Plain {
    buckets: Box<[[u64; 32]; 32]>,
    pending: [f64; 32],
    written: usize,
    sums: [f64; 2],
}

impl Plain {
    #[inline(always)]
    fn record(&mut self, sample: f64) {
        let bucket = (sample.to_bits() >> 46) as usize;
        self.buckets[bucket / 32 % 32][bucket % 32] += 1;
        self.pending[self.written % 32] = black_box(sample);
        self.written += 1;
        if self.written.is_multiple_of(32) {
            self.fold();
        }
    }

    #[inline(never)]
    fn fold(&mut self) {
        self.sums[0] += self.pending.iter().sum::<f64>();
        self.sums[1] += self
            .pending
            .iter()
            .map(|sample| sample * sample)
            .sum::<f64>();
    }
}

/// Measures computing all metrics of three quarters of an hour from scratch.
fn metrics(table: &mut Table) {
    let frames_ms = long_run_ms();
    let mut rules = FrameRules::default();
    (rules.budget_ms, rules.refresh_period_ms) = (Some(16.7), Some(16.67));
    let mut analyzer = FrameAnalyzer::new();
    let mut times_ms: Vec<f64> = (0..9)
        .map(|_| {
            let begun = Instant::now();
            black_box(analyzer.analyze(black_box(&frames_ms), &rules));
            begun.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times_ms.sort_by(f64::total_cmp);
    table.row(
        "all frame metrics and percentiles of 162,000 frames",
        &[],
        times_ms[4],
        "ms",
        Bar::AtMost(15.0),
    );
}
