//! The costs that the documentation of the core states, in nanoseconds: of a frame with each of the
//! core's own series, of a mark, and of deferred values. `cargo bench -p stats-bench --bench costs`

use std::hint::black_box;
use std::time::Instant;

use stats_core::limits::MAX_MARKS;
use stats_core::{
    DeferredSeries, DeferredSource, FrameSlice, Mark, MarkEvent, Recorder, Watch, find,
};

fn main() {
    println!("| call | time |\n|---|---|");
    own_series();
    marks();
    deferred_values();
}

/// Prints the time of one call.
fn each(label: &str, count: usize, work: &mut dyn FnMut(usize)) {
    let start = Instant::now();
    (0..count).for_each(work);
    let ns = start.elapsed().as_secs_f64() * 1e9 / count as f64;
    println!("| {label} | {ns:.1} ns |");
}

fn own_series() {
    let paths = [
        "stats/refused-samples",
        "stats/problems",
        "stats/late-dropped",
        "stats/registered-series",
        "stats/cell-block-sets",
        "stats/fps",
    ];
    for watched in [&[][..]].into_iter().chain(paths.chunks(1)) {
        let mut recorder = Recorder::new();
        let _watches: Vec<Watch> = watched
            .iter()
            .filter_map(|path| find(path))
            .map(|id| recorder.watch(id))
            .collect();
        let label = watched.first().map_or_else(
            || "a frame, nothing watched".to_owned(),
            |path| format!("a frame, `{path}` watched"),
        );
        each(&label, 200_000, &mut |frame| {
            recorder.end_frame_at(frame as f64);
        });
    }
}

fn marks() {
    let mut recorder = Recorder::with_history(100_000);
    recorder.end_frame();
    each("a point, few marks", MAX_MARKS, &mut |_| {
        recorder.mark("point", MarkEvent::Point)
    });
    each("a point, the maximum number of marks", 100_000, &mut |_| {
        recorder.mark("point", MarkEvent::Point)
    });
    each("a span, begun and ended", 100_000, &mut |_| {
        recorder.mark("span", MarkEvent::Begin);
        recorder.mark("span", MarkEvent::End);
    });
    (0..8).for_each(|n| recorder.mark(&format!("open {n}"), MarkEvent::Begin));
    each("a point, 8 open spans", 100_000, &mut |_| {
        recorder.mark("point", MarkEvent::Point)
    });
    each(
        "a span, begun and ended, 8 open spans",
        100_000,
        &mut |_| {
            recorder.mark("span", MarkEvent::Begin);
            recorder.mark("span", MarkEvent::End);
        },
    );
    each("a mark of past frames", 1_000, &mut |_| {
        recorder.mark_frames("span", 0..1)
    });
    (0..MAX_MARKS).for_each(|n| recorder.mark(&format!("open {n}"), MarkEvent::Begin));
    each(
        "a mark refused because all spans are open",
        1_000,
        &mut |n| recorder.mark(&format!("span {n}"), MarkEvent::Begin),
    );
    let frames_ms = vec![10.0; 162_000];
    let marks: Vec<Mark> = (0..MAX_MARKS as u64)
        .map(|n| Mark::new("loading", n..n + 100_000, false))
        .collect();
    each(
        "leave 4096 overlapping spans out of 162,000 frames",
        100,
        &mut |_| {
            let frames = FrameSlice::new(0, &frames_ms, &[]);
            black_box(frames.without_marked(&marks, &["loading"]));
        },
    );
}

fn deferred_values() {
    let source = DeferredSource::new();
    let all: Vec<DeferredSeries> = (0..10_000)
        .map(|n| source.timer(&format!("bench/costs/deferred/{n}")))
        .collect();
    let batch: Vec<(DeferredSeries, f64)> = all.iter().map(|series| (*series, 1.0)).collect();
    let mut recorder = Recorder::new();
    let measure = |name: &str, recorder: &mut Recorder, is_surveyed: bool| {
        let (mut delivering, mut ending) = (f64::MAX, f64::MAX);
        for _ in 0..100 {
            if is_surveyed {
                recorder.survey();
            }
            let stamp = source.issue();
            let begun = Instant::now();
            source.deliver(stamp, &batch);
            let delivered = Instant::now();
            recorder.end_frame();
            delivering = delivering.min((delivered - begun).as_secs_f64());
            ending = ending.min(delivered.elapsed().as_secs_f64());
        }
        let ns = delivering * 1e9 / 1e4;
        println!("| deliver, {name} | {ns:.2} ns a value |");
        println!("| end a frame, {name} | {:.2} µs |", ending * 1e6);
    };
    measure("0 of 10,000 deferred series watched", &mut recorder, false);
    let _watches: Vec<Watch> = all
        .iter()
        .step_by(2_000)
        .map(|series| recorder.watch(series.id()))
        .collect();
    measure("5 of 10,000 deferred series watched", &mut recorder, false);
    let _others: Vec<Watch> = all
        .iter()
        .map(|series| recorder.watch(series.id()))
        .collect();
    measure("10,000 deferred series watched", &mut recorder, false);
    measure(
        "10,000 deferred series watched and surveyed",
        &mut recorder,
        true,
    );
}
