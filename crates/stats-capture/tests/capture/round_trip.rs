//! Recorded values are read back unchanged.

use stats_core::{
    GaugeHandle, HistogramHandle, Source, Unit, counter, gauge, histogram, timer, up_down_counter,
};
use stats_testing::{Folder, Random};

use crate::model::Model;
use crate::{finished, start, values};

/// Whole and other numbers, including those at the limits of their types.
const EXTREMES: [f64; 16] = [
    0.0,
    -0.0,
    0.1,
    1.5,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    5e-324,
    9_223_372_036_854_775_807.0,
    -9_223_372_036_854_775_808.0,
    9_223_372_036_854_774_784.0,
    9_007_199_254_740_993.0,
    -1.0,
    1e300,
    u32::MAX as f64,
    1e-300,
];

#[test]
fn a_random_run_is_read_back_as_a_recorder_saw_it() {
    for seed in 0..6 {
        random_run(seed);
    }
}

fn random_run(seed: u64) {
    let folder = Folder::new(&format!("random-{seed}"));
    let mut random = Random::new(seed);
    let (mut capture, mut model) = (start(&folder), Model::new());
    let mut gauges: Vec<(GaugeHandle, u64)> = Vec::new();
    let mut histograms: Vec<(String, HistogramHandle)> = Vec::new();
    let path = |kind: &str, number: usize| format!("round-trip/{seed}/{kind}/{number}");
    let frames = 40 + random.below(1500);
    let mut counters = Vec::new();
    let mut levels = Vec::new();
    let mut timers = Vec::new();
    for frame in 0..frames {
        if frame == 0 || random.below(40) == 0 {
            let number = counters.len();
            let name = path("counter", number);
            counters.push(counter(&name));
            model.watch(&name, counters[number].id());
            let name = path("level", number);
            levels.push(up_down_counter(&name).unit(Unit::Bytes));
            model.watch(&name, levels[number].id());
            let name = path("gauge", number);
            gauges.push((gauge(&name), random.below(4)));
            model.watch(&name, gauges[number].0.id());
            let name = path("timer", number);
            timers.push(timer(&name));
            model.watch(&name, timers[number].id());
            model.watch(&format!("{name}/calls"), timers[number].calls_id());
            let name = path("histogram", number);
            histograms.push((name.clone(), histogram(&name)));
            model.watch(&name, histograms[number].1.id());
        }
        for counter in &counters {
            counter.add(random.below(1000));
        }
        for level in &levels {
            level.add(random.below(100) as i64 - 50);
        }
        for (gauge, kind) in &gauges {
            // By kind: whole numbers, any numbers, fractions from the middle on, and extremes.
            let value = match kind {
                0 => random.below(1 << 40) as f64,
                1 => random.value(),
                2 if frame < frames / 2 => random.below(5) as f64,
                2 => random.below(5) as f64 / 4.0,
                _ => EXTREMES[random.below(EXTREMES.len() as u64) as usize],
            };
            gauge.set(value);
        }
        for timer in &timers {
            for _ in 0..random.below(3) {
                timer.record_ms(random.below(1 << 30) as f64 / 1e6);
            }
        }
        for (_, histogram) in &histograms {
            for _ in 0..random.below(3) {
                histogram.record(random.below(1000) as f64 / 8.0);
            }
        }
        capture.end_frame_at(frame as f64 / 64.0 + 1.0);
        model.end_frame_at(frame as f64 / 64.0 + 1.0);
    }
    assert_eq!(capture.dropped_frames(), 0);
    let file = finished(capture);
    for path in model.paths() {
        let (mut expected, found) = (model.values(path), values(&file, path));
        let record = file.series().iter().find(|series| series.path == *path);
        if record.is_some_and(|record| record.scale != 1.0) {
            // Times are whole nanoseconds.
            let rounded = |ms: f64| (ms * 1e6).round() as i64 as f64 * 1e-6;
            expected
                .iter_mut()
                .for_each(|value| *value = value.map(rounded));
        }
        assert_eq!(found, expected, "{path}");
    }
    for (path, histogram) in &histograms {
        let expected = Some(histogram.snapshot()).filter(|samples| !samples.is_empty());
        let id = file.find(path).expect("it is listed");
        assert_eq!(file.distribution(id), expected, "{path}");
    }
}

#[test]
fn frames_have_their_times() {
    let folder = Folder::new("times");
    let mut capture = start(&folder);
    for frame in 1..=100 {
        capture.end_frame_at(f64::from(frame) * 0.25);
    }
    let file = finished(capture);
    assert_eq!(file.frames(), 0..100);
    for index in 1..100 {
        let frame = file.frame(index).unwrap();
        assert_eq!(
            (frame.index, frame.start_secs),
            (index, index as f64 * 0.25)
        );
        assert_eq!(frame.duration_ms, 250.0);
    }
    assert!(file.frame(100).is_none());
    let times = file.frame_times(10);
    assert_eq!((times.len(), times.last()), (10, Some(250.0)));
    assert_eq!(file.run().ended, stats_capture::Ended::Clean);
}

#[test]
fn a_run_without_frames_is_a_capture() {
    let folder = Folder::new("no-frames");
    counter("round-trip/no-frames").add(1);
    let mut file = finished(start(&folder));
    assert_eq!(file.frames(), 0..0);
    let id = file.find("round-trip/no-frames").unwrap();
    let watch = file.watch(id);
    assert!(file.history(&watch, 10).is_empty() && file.peek(id).is_none());
    assert_eq!(folder.names(), ["run.parquet"]);
}
