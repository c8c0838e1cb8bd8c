//! Deferred values. These tests have their own process, because a recorder does not wait while
//! another thread delivers: it takes the value one frame later.

#[path = "../capture/model.rs"]
mod model;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use model::Model;
use stats_capture::{Capture, CaptureFile, CaptureOptions};
use stats_core::{Computation, DeferredSource, Evaluate, Source, Unit, add_computed, counter};
use stats_testing::{Folder, Random};

/// Lets only one test deliver at a time.
static ALONE: Mutex<()> = Mutex::new(());

fn start(folder: &Folder) -> Capture {
    let path = folder.0.join("run.parquet");
    Capture::create(path, CaptureOptions::default()).expect("it can be written")
}

fn finished(capture: Capture) -> CaptureFile {
    let path = capture.finish().expect("it can be written");
    CaptureFile::open(path).expect("it was just written")
}

/// The values of a series by frame; `None` for unknown values.
fn values(file: &CaptureFile, path: &str) -> Vec<Option<f64>> {
    let column = file.read(path).expect("the series is there");
    let slice = column.slice();
    let known = |frame| slice.at(frame).filter(|value| !value.is_nan());
    file.frames().map(known).collect()
}

#[test]
fn values_that_are_known_later_are_in_the_frames_that_caused_them() {
    let _alone = ALONE.lock();
    let folder = Folder::new("deferred");
    let mut random = Random::new(3);
    let (mut capture, mut model) = (start(&folder), Model::new());
    // Registered in a frame without a stamp.
    let source = DeferredSource::new();
    let series = [0, 1, 2].map(|n| source.timer(&format!("round-trip/deferred/{n}")));
    capture.end_frame_at(1.0);
    model.end_frame_at(1.0);
    for (n, series) in series.iter().enumerate() {
        model.watch(&format!("round-trip/deferred/{n}"), series.id());
    }
    let mut outstanding = VecDeque::new();
    for frame in 1..1500 {
        outstanding.push_back(source.issue());
        while outstanding.len() > random.below(20) as usize {
            let stamp = outstanding.pop_front().unwrap();
            match random.below(9) {
                0 => source.give_up(stamp),
                _ => source.deliver(
                    stamp,
                    &series.map(|series| (series, random.below(1 << 20) as f64 / 1024.0)),
                ),
            }
        }
        capture.end_frame_at(f64::from(frame) / 60.0 + 1.0);
        model.end_frame_at(f64::from(frame) / 60.0 + 1.0);
    }
    let file = finished(capture);
    let rounded = |ms: f64| (ms * 1e6).round() as i64 as f64 * 1e-6;
    for path in model.paths() {
        let expected: Vec<_> = model
            .values(path)
            .into_iter()
            .map(|ms| ms.map(rounded))
            .collect();
        assert_eq!(values(&file, path), expected, "{path}");
        assert_eq!(expected[0], None);
        // A ninth of the stamps is given up.
        assert!((1200..1400).contains(&expected.iter().flatten().count()));
    }
}

#[test]
fn a_value_that_is_never_delivered_does_not_keep_later_values_out_of_the_file() {
    let _alone = ALONE.lock();
    let folder = Folder::new("never");
    let mut capture = start(&folder);
    let source = DeferredSource::new();
    let path = "round-trip/never/gpu";
    let (gpu, other) = (source.counter(path), counter("round-trip/never/other"));
    capture.end_frame_at(1.0);
    let _never = source.issue();
    for frame in 1..200_i32 {
        other.add(frame);
        let stamp = source.issue();
        source.deliver(stamp, &[(gpu, f64::from(frame))]);
        capture.end_frame_at(f64::from(frame) / 60.0 + 1.0);
    }
    let file = finished(capture);
    let values_of_gpu = values(&file, path);
    assert_eq!(values_of_gpu[1], None, "it was never measured");
    assert_eq!(values_of_gpu.iter().flatten().count(), 198);
    assert_eq!(values(&file, "round-trip/never/other")[199], Some(199.0));
}

/// The quotient of two series.
struct Quotient([String; 2]);

impl Computation for Quotient {
    fn inputs(&self) -> &[String] {
        &self.0
    }

    fn unit(&self, _: &[Unit]) -> Result<Unit, String> {
        Ok(Unit::Custom("per call"))
    }

    fn begin(&self) -> Box<Evaluate> {
        Box::new(|values, _| values[0] / values[1])
    }
}

#[test]
fn computed_series_are_recorded_with_their_definition() {
    let _alone = ALONE.lock();
    let folder = Folder::new("computed");
    let mut capture = start(&folder);
    let gpu = DeferredSource::new();
    let (late, calls) = (gpu.counter("recorded/late"), counter("recorded/calls"));
    let inputs = ["recorded/late", "recorded/calls"].map(str::to_owned);
    let quotient = Arc::new(Quotient(inputs));
    add_computed("recorded/quotient", "= late / calls", quotient).expect("a new path");
    // Two frames later, its inputs are watched.
    capture.end_frame_at(0.0);
    capture.end_frame_at(0.01);
    let mut stamps = VecDeque::new();
    for frame in 2..200_u32 {
        calls.add(frame % 3);
        stamps.push_back((gpu.issue(), f64::from(frame)));
        if stamps.len() > 3
            && let Some((stamp, value)) = stamps.pop_front()
        {
            gpu.deliver(stamp, &[(late, value)]);
        }
        capture.end_frame_at(f64::from(frame) / 100.0);
    }
    for (stamp, value) in stamps {
        gpu.deliver(stamp, &[(late, value)]);
    }
    capture.end_frame_at(2.0);
    let file = finished(capture);
    let of = |path: &str| file.series().iter().find(|of| of.path == path).cloned();
    let record = of("recorded/quotient").expect("it is recorded");
    assert_eq!(record.unit, "per call");
    assert_eq!(record.description.as_deref(), Some("= late / calls"));
    let values = values(&file, "recorded/quotient");
    for (frame, value) in (2..200_u32).zip(&values[2..]) {
        let calls = frame % 3;
        let expected = (calls > 0).then(|| f64::from(frame) / f64::from(calls));
        assert_eq!(*value, expected, "{frame}");
    }
}
