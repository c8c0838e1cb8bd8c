//! Commands that are never submitted, and devices that are lost.

use stats_core::DeferredSource;
use stats_gpu::{GpuStatus, GpuTimer, required_features};

use crate::host::{Histories, Host, Work};

fn frame(host: &Host, timer: &mut GpuTimer, work: &Work) -> wgpu::CommandBuffer {
    let mut encoder = host.encoder();
    work.record(&mut encoder, timer.compute_pass_timestamps("loss"));
    timer.end_frame(&mut encoder);
    encoder.finish()
}

fn watched() -> Histories {
    let _ = DeferredSource::new().timer("gpu/loss");
    Histories::of(&["gpu/loss#calls", "gpu/skipped-frames", "gpu/lost-frames"])
}

#[test]
fn a_frame_that_is_never_submitted_loses_only_its_own_times() {
    let Some(host) = Host::timing() else { return };
    let mut timer = GpuTimer::new(&host.device, &host.queue);
    let mut histories = watched();
    let work = host.work(1);
    // Every third frame is dropped.
    for at in 0..60 {
        let commands = frame(&host, &mut timer, &work);
        if at % 3 != 0 {
            host.queue.submit([commands]);
        }
        histories.recorder.end_frame();
        host.wait();
    }
    timer.collect();
    histories.recorder.end_frame();
    assert_eq!(histories.total("gpu/loss#calls"), 40.0);
    assert_eq!(histories.total("gpu/lost-frames"), 20.0);
    assert_eq!(histories.total("gpu/skipped-frames"), 0.0);
    let calls = histories.values("gpu/loss#calls");
    for (at, calls) in calls[..60].iter().enumerate() {
        let is_unknown = at % 3 == 0;
        assert_eq!(
            (calls.is_nan(), *calls > 0.0),
            (is_unknown, !is_unknown),
            "{at}"
        );
    }
}

#[test]
fn commands_that_are_never_submitted_hold_their_slots_for_a_limited_time() {
    let Some(host) = Host::timing() else { return };
    let mut timer = GpuTimer::new(&host.device, &host.queue);
    let mut histories = watched();
    let work = host.work(1);
    // More frames than there are slots.
    let kept: Vec<_> = (0..20).map(|_| frame(&host, &mut timer, &work)).collect();
    histories.recorder.end_frame();
    assert_eq!(
        histories.total("gpu/skipped-frames"),
        12.0,
        "frames without a slot are skipped and counted; nothing blocks"
    );
    for _ in 0..200 {
        host.queue.submit([frame(&host, &mut timer, &work)]);
        histories.recorder.end_frame();
    }
    host.wait();
    timer.collect();
    histories.recorder.end_frame();
    assert_eq!(
        histories.total("gpu/lost-frames"),
        8.0,
        "the kept frames are given up"
    );
    let first = histories.values("gpu/loss#calls")[0];
    assert!(first.is_nan(), "neither kept nor skipped frames are timed");
    let calls = histories.total("gpu/loss#calls");
    assert!(calls > 60.0, "later frames are timed again: {calls}");
    // Submitting the kept frames now does not disturb the recreated slots.
    host.queue.submit(kept);
    host.wait();
    timer.collect();
    histories.recorder.end_frame();
    assert_eq!(histories.total("gpu/lost-frames"), 8.0);
}

#[test]
fn a_timer_recovers_after_its_device_was_lost() {
    let Some(host) = Host::timing() else { return };
    let mut timer = GpuTimer::new(&host.device, &host.queue);
    let histories = watched();
    let work = host.work(1);
    for _ in 0..4 {
        host.queue.submit([frame(&host, &mut timer, &work)]);
    }
    host.device.destroy();
    // The host has not noticed yet.
    for _ in 0..20 {
        let mut encoder = host.encoder();
        let _ = timer.compute_pass_timestamps("loss");
        timer.end_frame(&mut encoder);
        timer.collect();
    }
    recovers(host, timer, histories, 30);
}

/// Continues on another device, and checks that each of `frames` frames is timed.
fn recovers(mut host: Host, mut timer: GpuTimer, mut histories: Histories, frames: u32) {
    (host.device, host.queue) = Host::device(&host.adapter, required_features(&host.adapter));
    timer.recreate(&host.device, &host.queue);
    assert!(timer.status().is_timing());
    histories.recorder.end_frame();
    let (before, skipped) = (
        histories.total("gpu/loss#calls"),
        histories.total("gpu/skipped-frames"),
    );
    let work = host.work(1);
    for _ in 0..frames {
        host.queue.submit([frame(&host, &mut timer, &work)]);
        histories.recorder.end_frame();
        host.wait();
    }
    timer.collect();
    histories.recorder.end_frame();
    assert_eq!(
        histories.total("gpu/loss#calls") - before,
        f64::from(frames)
    );
    assert_eq!(
        histories.total("gpu/skipped-frames"),
        skipped,
        "no slot is stuck"
    );
}

/// Loses the device with `destroy`, continues for 20 frames as if nothing had happened, and then on
/// another device.
fn continues_after(destroy: impl Fn(&Host, &mut GpuTimer, &Work)) {
    let Some(host) = Host::timing() else { return };
    let mut timer = GpuTimer::new(&host.device, &host.queue);
    let mut histories = watched();
    let work = host.work(1);
    for _ in 0..4 {
        host.queue.submit([frame(&host, &mut timer, &work)]);
        histories.recorder.end_frame();
        host.wait();
    }
    destroy(&host, &mut timer, &work);
    for _ in 0..20 {
        host.queue.submit([frame(&host, &mut timer, &work)]);
        histories.recorder.end_frame();
        let _ = host.device.poll(wgpu::PollType::Poll);
    }
    assert_eq!(timer.status(), GpuStatus::DeviceLost);
    recovers(host, timer, histories, 10);
}

#[test]
fn a_game_continues_after_its_device_was_lost_between_frames() {
    continues_after(|host, _, _| host.device.destroy());
}

#[test]
fn a_game_continues_after_its_device_was_lost_during_a_frame() {
    continues_after(|host, timer, work| {
        let mut encoder = host.encoder();
        work.record(&mut encoder, timer.compute_pass_timestamps("loss"));
        host.device.destroy();
        timer.end_frame(&mut encoder);
        host.queue.submit([encoder.finish()]);
    });
}

#[test]
fn a_game_continues_after_its_device_was_lost_before_the_first_pass_of_a_frame() {
    continues_after(|host, timer, work| {
        // The kept frames hold the slots in use, so that the next frame takes a slot without query
        // sets.
        let kept: Vec<_> = (0..3).map(|_| frame(host, timer, work)).collect();
        let mut encoder = host.encoder();
        host.device.destroy();
        work.record(&mut encoder, timer.compute_pass_timestamps("loss"));
        timer.end_frame(&mut encoder);
        host.queue
            .submit(kept.into_iter().chain([encoder.finish()]));
    });
}
