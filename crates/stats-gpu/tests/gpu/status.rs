//! The status of a timer, its own series, and devices on which it does nothing.

use stats_gpu::{GpuStatus, GpuTimer};

use crate::host::{Histories, Host};

/// Returns the reason why the series of a path has no values.
fn unavailable(path: &str) -> Option<&'static str> {
    let mut found = None;
    stats_core::for_each_series(|info| {
        found = found.or((info.path == path).then_some(info.unavailable))
    });
    found.unwrap_or_else(|| panic!("{path} is not registered"))
}

#[test]
fn a_device_without_timestamps_makes_everything_a_no_op() {
    let Some(host) = Host::new(wgpu::Features::empty()) else {
        return;
    };
    let timer = GpuTimer::new(&host.device, &host.queue);
    assert_eq!(timer.status(), GpuStatus::NotEnabled);
    let mut timer = GpuTimer::with_adapter(&host.adapter, &host.device, &host.queue);
    let has = host
        .adapter
        .features()
        .contains(wgpu::Features::TIMESTAMP_QUERY);
    let (status, text) = if has {
        (
            GpuStatus::NotRequested,
            "GPU timing was not requested: request wgpu::Features::TIMESTAMP_QUERY when you create the device",
        )
    } else {
        (
            GpuStatus::NotSupported,
            "GPU timing is not supported by this adapter",
        )
    };
    assert_eq!(
        (timer.status(), timer.status().to_string().as_str()),
        (status, text)
    );
    assert_eq!(
        unavailable("gpu/frame"),
        Some(text),
        "the listing says why the series has no values"
    );
    let work = host.work(1);
    let mut encoder = host.encoder();
    assert!(timer.render_pass_timestamps("nothing").is_none());
    work.record(
        &mut timer.scope(&mut encoder, "nothing"),
        timer.compute_pass_timestamps("nothing"),
    );
    timer.end_frame(&mut encoder);
    host.queue.submit([encoder.finish()]);
    host.wait();
    timer.collect();
    if has {
        let (device, queue) = Host::device(&host.adapter, wgpu::Features::TIMESTAMP_QUERY);
        timer.recreate(&device, &queue);
        assert_eq!(
            (timer.status(), unavailable("gpu/frame")),
            (GpuStatus::TimingPasses, None)
        );
    }
    assert_eq!(
        stats_core::find("gpu/nothing"),
        None,
        "no series is registered that would read zero"
    );
}

#[test]
fn the_timer_can_be_kept_anywhere() {
    fn keep<T: Send + Sync + 'static>() {}
    keep::<GpuTimer>();
}

#[test]
fn frames_without_a_pass_are_neither_skipped_nor_lost() {
    let Some(host) = Host::timing() else { return };
    let mut timer = GpuTimer::new(&host.device, &host.queue);
    let mut histories = Histories::of(&["gpu/skipped-frames", "gpu/lost-frames"]);
    for _ in 0..20 {
        let mut encoder = host.encoder();
        timer.end_frame(&mut encoder);
        host.queue.submit([encoder.finish()]);
    }
    histories.recorder.end_frame();
    assert_eq!(
        histories.total("gpu/skipped-frames") + histories.total("gpu/lost-frames"),
        0.0
    );
}

#[test]
fn frames_that_are_never_ended_are_reported() {
    let Some(host) = Host::timing() else { return };
    let mut timer = GpuTimer::new(&host.device, &host.queue);
    let mut histories = Histories::of(&["gpu/lost-frames"]);
    let work = host.work(1);
    let mut frame = |timer: &mut GpuTimer, ends: bool| {
        let mut encoder = host.encoder();
        work.record(&mut encoder, timer.compute_pass_timestamps("first"));
        work.record(&mut encoder, timer.compute_pass_timestamps("second"));
        if ends {
            timer.end_frame(&mut encoder);
        }
        host.queue.submit([encoder.finish()]);
        histories.recorder.end_frame();
        histories.total("gpu/lost-frames")
    };
    (0..120).for_each(|_| assert_eq!(frame(&mut timer, false), 0.0));
    assert_eq!(
        (timer.status(), unavailable("gpu/frame")),
        (GpuStatus::Timing, None)
    );
    assert_eq!(frame(&mut timer, false), 121.0);
    assert!(timer.status() == GpuStatus::NeverEnded && !timer.status().is_timing());
    assert!(
        unavailable("gpu/frame").is_some_and(|why| why.starts_with("end_frame is never called: "))
    );
    assert_eq!(frame(&mut timer, false), 122.0);
    frame(&mut timer, true);
    assert_eq!(
        (timer.status(), unavailable("gpu/frame")),
        (GpuStatus::Timing, None)
    );
    // After a frame was ended, detection takes longer, because one frame may have this number of
    // passes with the same name.
    for _ in 0..2_048 {
        frame(&mut timer, false);
    }
    assert_eq!(timer.status(), GpuStatus::Timing);
    frame(&mut timer, false);
    assert_eq!(timer.status(), GpuStatus::NeverEnded);
}

#[test]
fn a_pass_with_a_reserved_name_is_timed_under_another_name_and_reported() {
    let Some(host) = Host::timing() else { return };
    let mut timer = GpuTimer::new(&host.device, &host.queue);
    let late = stats_core::DeferredSource::new();
    let reserved = ["frame", "lost-frames", "memory-allocated"];
    let paths = [
        "gpu/frame#calls",
        "gpu/lost-frames",
        "gpu/pass-frame#calls",
        "gpu/pass-memory-allocated#calls",
    ];
    let _ = reserved.map(|name| late.timer(&format!("gpu/pass-{name}")));
    let mut histories = Histories::of(&paths);
    let work = host.work(1);
    for _ in 0..3 {
        let mut encoder = host.encoder();
        reserved
            .into_iter()
            .for_each(|name| work.record(&mut encoder, timer.compute_pass_timestamps(name)));
        host.end_frame(encoder, &mut timer, &mut histories);
    }
    timer.collect();
    histories.recorder.end_frame();
    assert_eq!(
        paths.map(|path| histories.total(path)),
        [3.0, 0.0, 3.0, 3.0]
    );
    let problems: Vec<String> = stats_core::problems()
        .iter()
        .map(ToString::to_string)
        .collect();
    let expected = reserved.map(|name| {
        format!(
            "the path \"gpu/{name}\" is reserved; its values are recorded as \"gpu/pass-{name}\": \
             choose another name"
        )
    });
    assert_eq!(problems, expected, "each name once, and no clash of kinds");
}
