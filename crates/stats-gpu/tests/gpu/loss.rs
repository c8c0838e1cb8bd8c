//! Commands that are never submitted, devices that go away.

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
fn frames_that_are_never_submitted_cost_nothing_but_themselves() {
    let Some(host) = Host::timing() else { return };
    let mut timer = GpuTimer::new(&host.device, &host.queue);
    let mut histories = watched();
    let work = host.work(1);
    // Every third is dropped.
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
    let told: Vec<bool> = histories.values("gpu/loss#calls")[..60]
        .iter()
        .map(|calls| *calls > 0.0)
        .collect();
    assert!(
        told.iter()
            .enumerate()
            .all(|(at, told)| *told == (at % 3 != 0))
    );
}

#[test]
fn commands_that_are_kept_hold_a_slot_for_a_while() {
    let Some(host) = Host::timing() else { return };
    let mut timer = GpuTimer::new(&host.device, &host.queue);
    let mut histories = watched();
    let work = host.work(1);
    // More than there are slots.
    let kept: Vec<_> = (0..20).map(|_| frame(&host, &mut timer, &work)).collect();
    histories.recorder.end_frame();
    assert_eq!(
        histories.total("gpu/skipped-frames"),
        12.0,
        "skipped and counted; nothing blocks"
    );
    for _ in 0..200 {
        host.queue.submit([frame(&host, &mut timer, &work)]);
    }
    host.wait();
    timer.collect();
    histories.recorder.end_frame();
    assert_eq!(
        histories.total("gpu/lost-frames"),
        8.0,
        "given up in the end"
    );
    let told = histories.total("gpu/loss#calls");
    assert!(told > 60.0, "and timed again since: {told}");
    // Submitted after all, to slots that were made anew.
    host.queue.submit(kept);
    host.wait();
    timer.collect();
    histories.recorder.end_frame();
    assert_eq!(histories.total("gpu/lost-frames"), 8.0);
}

#[test]
fn a_lost_device_is_recovered_from() {
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

/// Another device and so many frames on it: all of them are timed.
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
        "no slot was left stuck"
    );
}

/// Frames that go on as before, for 20 after the device is gone, and on another device.
fn goes_on_after(destroy: impl Fn(&Host, &mut GpuTimer, &Work)) {
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
fn a_game_goes_on_after_its_device_was_lost_between_frames() {
    goes_on_after(|host, _, _| host.device.destroy());
}

#[test]
fn a_game_goes_on_after_its_device_was_lost_within_a_frame() {
    goes_on_after(|host, timer, work| {
        let mut encoder = host.encoder();
        work.record(&mut encoder, timer.compute_pass_timestamps("loss"));
        host.device.destroy();
        timer.end_frame(&mut encoder);
        host.queue.submit([encoder.finish()]);
    });
}

#[test]
fn a_game_goes_on_after_its_device_was_lost_before_the_first_pass_of_a_frame() {
    goes_on_after(|host, timer, work| {
        // Results are kept back, so that the frame takes a slot that has nothing yet.
        let kept: Vec<_> = (0..3).map(|_| frame(host, timer, work)).collect();
        let mut encoder = host.encoder();
        host.device.destroy();
        work.record(&mut encoder, timer.compute_pass_timestamps("loss"));
        timer.end_frame(&mut encoder);
        host.queue
            .submit(kept.into_iter().chain([encoder.finish()]));
    });
}
