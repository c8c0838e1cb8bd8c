//! A scope that a program seldom enters, while its workers are busy with its jobs.

use super::parts::assert_parts;
use super::{Timed, slow_frame, system, timed};
use stats_analysis::insight::Hitch;
use stats_core::Unit;

/// A frame in which the main thread loads for `load_ms`, and mostly waits for jobs of two workers, which
/// takes each of them `busy_ms`. `usual_calls` is how often it loads in a usual frame, and `job` a job in
/// it that has its own timer.
fn loading(load_ms: f64, busy_ms: f64, usual_calls: f64, job: Option<Timed>) -> Hitch {
    let busy = |path, thread| Timed {
        usual: (4.0, 6.0),
        slow: (4.0 + busy_ms, 40.0),
        ..timed(path, Some(thread), 0.0, 0.0)
    };
    let mut timers = vec![
        timed("draw", Some("main"), 10.0, 10.0),
        Timed {
            usual: (0.0, usual_calls),
            slow: (load_ms, 1.0),
            ..timed("level/load", Some("main"), 0.0, 0.0)
        },
        busy("worker-0/busy", "worker-0"),
        busy("worker-1/busy", "worker-1"),
    ];
    timers.extend(job);
    let unit = Unit::Milliseconds;
    let figures = [
        system::figure("frame/running", unit, 11.0, 11.0 + 0.1 * load_ms),
        system::figure("frame/ready", unit, 0.1, 0.1),
        system::figure("frame/blocked", unit, 5.6, 5.6 + 0.9 * load_ms),
    ];
    slow_frame(16.7 + load_ms, &timers, &figures)
}

#[test]
fn a_load_whose_jobs_keep_the_workers_busy_is_named_and_not_the_timer_around_all_jobs() {
    for load_ms in [60.0, 312.0, 600.0] {
        for part in [0.8, 0.9, 1.0, 1.1] {
            let hitch = loading(load_ms, part * load_ms, 0.0, None);
            assert_parts(&hitch);
            assert_eq!(
                hitch.findings[0].path, "level/load",
                "{part} {}",
                hitch.verdict
            );
            assert!(!hitch.verdict.contains("busy"), "{}", hitch.verdict);
        }
        // A scope of each frame that is blocked for that time waits for the worker.
        let hitch = loading(load_ms, load_ms, 1.0, None);
        assert!(
            hitch.verdict.contains("/busy, waited for in level/load"),
            "{}",
            hitch.verdict
        );
        // And one that is as rare is why the load takes long.
        let job = Timed {
            usual: (0.0, 0.0),
            slow: (load_ms, 1.0),
            ..timed("level/bake", Some("pool"), 0.0, 0.0)
        };
        let hitch = loading(load_ms, 0.2 * load_ms, 0.0, Some(job));
        let text = &hitch.verdict;
        assert!(
            text.contains("level/bake, waited for in level/load"),
            "{text}"
        );
    }
}
