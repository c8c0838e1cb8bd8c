//! Passes: their times, and the frames that their times belong to.

use std::sync::Barrier;

use stats_core::DeferredSource;
use stats_gpu::GpuTimer;

use crate::host::{Histories, Host};

/// The frames in which two passes are compared.
const ROUNDS: usize = 500;

#[test]
fn a_pass_with_eight_times_the_work_takes_at_least_four_times_as_long() {
    let Some(host) = Host::timing() else { return };
    let mut timer = GpuTimer::new(&host.device, &host.queue);
    // Registered here, so that they can be watched from the first frame on.
    let late = DeferredSource::new();
    let _ = (late.timer("gpu/one"), late.timer("gpu/eight"));
    let mut histories = Histories::of(&["gpu/one", "gpu/eight", "gpu/frame"]);
    let (one, eight) = (host.work(700), host.work(5_600));
    for round in 0..ROUNDS {
        let mut encoder = host.encoder();
        // Alternates the order, so that an effect on the first or the second pass of a frame
        // affects both.
        if round % 2 == 0 {
            one.record(&mut encoder, timer.compute_pass_timestamps("one"));
        }
        eight.record(&mut encoder, timer.compute_pass_timestamps("eight"));
        if round % 2 == 1 {
            one.record(&mut encoder, timer.compute_pass_timestamps("one"));
        }
        host.end_frame(encoder, &mut timer, &mut histories);
    }
    timer.collect();
    histories.recorder.end_frame();
    // The first frames compile shaders.
    let of = |path| {
        let values = histories.values(path).into_iter();
        values.take(ROUNDS).skip(8).collect::<Vec<_>>()
    };
    let (one, eight, frame) = (of("gpu/one"), of("gpu/eight"), of("gpu/frame"));
    assert_eq!(one.len(), ROUNDS - 8);
    for ((one, eight), frame) in one.iter().zip(&eight).zip(&frame) {
        assert!(
            one + eight <= frame * 1.001,
            "the frame lasts at least as long as its passes: {one} + {eight} > {frame}"
        );
    }
    // A software device shares its processors with everything else. Of ten rounds the fastest
    // passes were hardly interrupted, and half of all such ratios are on either side of the median.
    let fastest = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
    let groups = one.chunks(10).zip(eight.chunks(10));
    let mut ratios: Vec<f64> = groups
        .map(|(one, eight)| fastest(eight) / fastest(one))
        .collect();
    ratios.sort_by(f64::total_cmp);
    let ratio = ratios[ratios.len() / 2];
    println!("1 : {ratio:.2}");
    // No upper bound, because on a busy machine a long pass is interrupted more often than a short one.
    assert!(ratio >= 4.0, "1 : {ratio}");
}

#[test]
fn a_frame_that_is_left_out_is_unknown_and_one_without_passes_reads_0() {
    let Some(host) = Host::timing() else { return };
    let mut timer = GpuTimer::new(&host.device, &host.queue);
    let _ = DeferredSource::new().timer("gpu/left-out");
    let mut histories = Histories::of(&["gpu/left-out", "gpu/frame"]);
    let work = host.work(10);
    for frame in 0..9 {
        let mut encoder = host.encoder();
        match frame % 3 {
            0 => work.record(&mut encoder, timer.compute_pass_timestamps("left-out")),
            1 => timer.leave_out_frame(),
            _ => {}
        }
        host.end_frame(encoder, &mut timer, &mut histories);
    }
    timer.collect();
    histories.recorder.end_frame();
    for path in ["gpu/left-out", "gpu/frame"] {
        let values = histories.values(path);
        for of_three in values[..9].chunks(3) {
            assert!(of_three[0] > 0.0, "{values:?}");
            assert!(of_three[1].is_nan() && of_three[2] == 0.0, "{values:?}");
        }
    }
}

#[test]
fn a_thousand_results_are_recorded_in_their_own_frames() {
    let Some(host) = Host::timing() else { return };
    let mut timer = GpuTimer::new(&host.device, &host.queue);
    let late = DeferredSource::new();
    let _ = (late.timer("gpu/own/a"), late.timer("gpu/own/b"));
    let paths = [
        "gpu/own/a#calls",
        "gpu/own/b#calls",
        "gpu/frame",
        "gpu/skipped-frames",
        "gpu/rejected-intervals",
        "gpu/lost-frames",
        "gpu/latency-frames",
    ];
    let mut histories = Histories::of(&paths);
    let work = host.work(10);
    // The number of calls of each pass identifies the frame: the two numbers repeat every 35
    // frames.
    let (a, b) = (|frame: usize| 1 + frame % 5, |frame: usize| frame % 7);
    let count = 1_100;
    for frame in 0..count {
        let mut encoder = host.encoder();
        (0..a(frame))
            .for_each(|_| work.record(&mut encoder, timer.compute_pass_timestamps("own/a")));
        (0..b(frame))
            .for_each(|_| work.record(&mut encoder, timer.compute_pass_timestamps("own/b")));
        timer.end_frame(&mut encoder);
        host.queue.submit([encoder.finish()]);
        histories.recorder.end_frame();
        // Fewer frames than slots wait for their results, so even a device that is slower than the
        // program skips none.
        if frame % 4 == 0 {
            host.wait();
        }
    }
    host.wait();
    timer.collect();
    histories.recorder.end_frame();
    let (of_a, of_b, frames) = (
        histories.values("gpu/own/a#calls"),
        histories.values("gpu/own/b#calls"),
        histories.values("gpu/frame"),
    );
    let (mut arrived, warm_up) = (0, 100);
    for frame in warm_up..count {
        if frames[frame] > 0.0 {
            arrived += 1;
            assert_eq!(
                (of_a[frame], of_b[frame]),
                (a(frame) as f64, b(frame) as f64),
                "frame {frame}"
            );
        }
    }
    let latency = histories
        .values("gpu/latency-frames")
        .into_iter()
        .fold(0.0, f64::max);
    assert!(
        (1.0..=8.0).contains(&latency),
        "no result is later than the number of slots: {latency}"
    );
    println!(
        "{arrived} of 1,000 arrived, {latency} frames late at most, {} rejected",
        histories.total("gpu/rejected-intervals"),
    );
    assert_eq!(histories.total("gpu/skipped-frames"), 0.0);
    assert!(arrived >= 995, "{arrived} of 1,000");
    assert_eq!(histories.recorder.frames().end, 1_101);
}

#[test]
fn more_passes_than_a_frame_can_time_are_counted() {
    let Some(host) = Host::timing() else { return };
    let mut timer = GpuTimer::new(&host.device, &host.queue);
    let mut histories = Histories::of(&["gpu/untimed-passes", "gpu/rejected-intervals"]);
    let work = host.work(1);
    let mut encoder = host.encoder();
    for pass in 0..2_060 {
        let timestamps = timer.compute_pass_timestamps("many");
        assert_eq!(timestamps.is_some(), pass < 2_048);
        work.record(&mut encoder, timestamps);
    }
    timer.end_frame(&mut encoder);
    host.queue.submit([encoder.finish()]);
    host.wait();
    timer.collect();
    histories.recorder.end_frame();
    assert_eq!(histories.total("gpu/untimed-passes"), 12.0);
    assert_eq!(histories.total("gpu/rejected-intervals"), 0.0);
}

#[test]
fn queries_that_were_not_written_are_rejected() {
    let Some(host) = Host::timing() else { return };
    let mut timer = GpuTimer::new(&host.device, &host.queue);
    let mut histories = Histories::of(&["gpu/rejected-intervals"]);
    let work = host.work(1);
    // Uses every slot several times: from the 16th frame on, the unwritten queries still have the
    // values of an earlier frame.
    for frame in 0..32 {
        let mut encoder = host.encoder();
        work.record(&mut encoder, timer.compute_pass_timestamps("written"));
        let timestamps = timer.compute_pass_timestamps("forgotten");
        work.record(&mut encoder, timestamps.filter(|_| frame < 16));
        timer.end_frame(&mut encoder);
        host.queue.submit([encoder.finish()]);
        host.wait();
    }
    timer.collect();
    histories.recorder.end_frame();
    assert_eq!(histories.total("gpu/rejected-intervals"), 16.0);
}

#[test]
fn passes_of_several_encoders_and_threads_belong_to_one_frame() {
    let Some(host) = Host::timing() else { return };
    let mut timer = GpuTimer::new(&host.device, &host.queue);
    let late = DeferredSource::new();
    let _ = (late.timer("gpu/threads/pass"), late.timer("gpu/alone"));
    let mut histories = Histories::of(&[
        "gpu/threads/pass#calls",
        "gpu/alone#calls",
        "gpu/rejected-intervals",
    ]);
    let work = host.work(1);
    // Keeps all scopes open while each thread records.
    let together = Barrier::new(3);
    let record = |timer: &GpuTimer, name: Option<&str>, pass: &str| {
        let (mut encoder, mut other) = (host.encoder(), host.encoder());
        let scope = name.map(|name| timer.scope(&mut other, name));
        together.wait();
        (0..5).for_each(|_| work.record(&mut encoder, timer.compute_pass_timestamps(pass)));
        together.wait();
        drop(scope);
        [encoder.finish(), other.finish()]
    };
    let mut commands: Vec<_> = std::thread::scope(|threads| {
        let each = [
            (Some("threads"), "pass"),
            (Some("threads"), "pass"),
            (None, "alone"),
        ];
        let running: Vec<_> = each
            .map(|(name, pass)| {
                threads.spawn({
                    let timer = &timer;
                    move || record(timer, name, pass)
                })
            })
            .into();
        running
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    let mut last = host.encoder();
    timer.end_frame(&mut last);
    commands.push(last.finish());
    host.queue.submit(commands);
    histories.recorder.end_frame();
    host.wait();
    timer.collect();
    histories.recorder.end_frame();
    assert_eq!(histories.total("gpu/threads/pass#calls"), 10.0);
    assert_eq!(histories.total("gpu/alone#calls"), 5.0);
    assert_eq!(histories.total("gpu/rejected-intervals"), 0.0);
}
