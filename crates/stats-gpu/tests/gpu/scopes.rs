//! Scopes: nested, repeated, and on devices without timestamps in encoders.

use stats_core::DeferredSource;
use stats_gpu::{GpuStatus, GpuTimer};

use crate::host::{Histories, Host};

const PATHS: [&str; 6] = [
    "gpu/frame",
    "gpu/outer",
    "gpu/outer/inner",
    "gpu/outer/inner/pass",
    "gpu/outer/inner/pass#calls",
    "gpu/outer/inner#calls",
];

fn nested(host: &Host) -> Histories {
    let mut timer = GpuTimer::new(&host.device, &host.queue);
    let late = DeferredSource::new();
    for path in PATHS.iter().filter(|path| !path.contains('#')) {
        let _ = late.timer(path);
    }
    let mut histories = Histories::of(&PATHS);
    let work = host.work(500);
    for _ in 0..5 {
        let mut encoder = host.encoder();
        {
            let mut outer = timer.scope(&mut encoder, "outer");
            for _ in 0..3 {
                let mut inner = timer.scope(&mut outer, "inner");
                (0..2).for_each(|_| work.record(&mut inner, timer.compute_pass_timestamps("pass")));
            }
        }
        host.end_frame(encoder, &mut timer, &mut histories);
    }
    timer.collect();
    histories.recorder.end_frame();
    histories
}

fn check(histories: &Histories) {
    let of = |path| histories.values(path)[..5].to_vec();
    assert_eq!(of("gpu/outer/inner/pass#calls"), [6.0; 5]);
    assert_eq!(of("gpu/outer/inner#calls"), [3.0; 5]);
    let (frame, outer, inner, pass) = (
        of("gpu/frame"),
        of("gpu/outer"),
        of("gpu/outer/inner"),
        of("gpu/outer/inner/pass"),
    );
    for at in 0..5 {
        assert!(pass[at] > 0.0);
        let ascending = [pass[at], inner[at], outer[at], frame[at]];
        assert!(
            ascending.is_sorted_by(|less, more| *less <= more * 1.001),
            "an inner scope lasts no longer than its outer scope: {ascending:?}"
        );
    }
}

#[test]
fn nested_and_repeated_scopes_add_up() {
    let Some(host) = Host::timing() else { return };
    assert_eq!(GpuStatus::of(&host.device, None), GpuStatus::Timing);
    check(&nested(&host));
}

#[test]
fn without_timestamps_in_encoders_scopes_last_as_long_as_their_passes() {
    let Some(host) = Host::new(wgpu::Features::TIMESTAMP_QUERY) else {
        return;
    };
    assert_eq!(GpuStatus::of(&host.device, None), GpuStatus::TimingPasses);
    let histories = nested(&host);
    check(&histories);
    assert_eq!(
        histories.values("gpu/outer")[..5],
        histories.values("gpu/frame")[..5]
    );
}
