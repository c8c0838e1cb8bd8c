//! A verdict tells both by how much more a frame worked, and by how much longer it was.

use super::{slow_frame, timed};

/// A frame with 22.1 ms more work in two scopes, and a wait that is longer by `waited_ms`.
fn hitch(waited_ms: f64) -> stats_analysis::insight::Hitch {
    let timers = [
        timed("paths/a-star", Some("main"), 2.0, 19.9),
        timed("draw", Some("main"), 2.0, 6.2),
        timed("frame/limiter-wait", Some("main"), 12.7, 12.7 + waited_ms),
    ];
    slow_frame(16.7 + 22.1 + waited_ms, &timers, &[])
}

#[test]
fn a_verdict_says_how_much_more_work_and_how_much_longer_if_these_differ() {
    for (waited_ms, longer) in [
        (0.0, None),
        (0.4, None),
        (-0.4, None),
        (-7.8, Some("14.3 ms longer")),
        (-1.1, Some("21.0 ms longer")),
        (-12.7, Some("9.4 ms longer")),
        (3.0, Some("25.1 ms longer")),
    ] {
        let hitch = hitch(waited_ms);
        let text = &hitch.verdict;
        assert!(text.starts_with("+22."), "{waited_ms}: {text}");
        assert!(text.contains("81 % paths/a-star"), "{text}");
        // The usual times are learned, so the excess may be off by a tenth.
        let end = longer.map_or("paths/a-star".to_owned(), |longer| {
            format!(" ms more work, {longer}")
        });
        assert!(text.ends_with(&end), "{waited_ms}: {text}");
        assert_eq!(hitch.work_text().is_some(), longer.is_some());
        let sum: f64 = hitch.findings.iter().map(|one| one.share).sum();
        let sum = sum + hitch.rest_share().unwrap_or_default();
        assert!((sum - 1.0).abs() <= 0.006, "{hitch:?}");
    }
}

#[test]
fn a_frame_that_is_no_longer_or_shorter_says_so() {
    let with = |frame_ms, excess_ms| {
        let mut hitch = hitch(0.0);
        (hitch.frame_ms, hitch.usual_ms) = (frame_ms, 16.7);
        (hitch.excess_ms, hitch.work_ms) = (excess_ms, excess_ms);
        hitch.work_text()
    };
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(with(16.7, 8.0), text("8.0 ms more work, no longer"));
    assert_eq!(with(16.66, 8.0), text("8.0 ms more work, no longer"));
    assert_eq!(with(15.7, 8.0), text("8.0 ms more work, 1.0 ms shorter"));
    assert_eq!(with(24.7, 8.5), None);
    assert_eq!(with(24.7, 8.51), text("8.5 ms more work, 8.0 ms longer"));
}

#[test]
fn a_part_that_is_a_wait_or_a_time_without_a_processor_is_no_work() {
    use super::system::figure;
    use stats_core::Unit;
    let preempted = |ready_ms: f64| {
        let timers = [
            timed("draw", Some("main"), 4.0, 4.0 + ready_ms),
            timed("ai", Some("main"), 2.0, 22.0 - ready_ms),
            timed("frame/limiter-wait", Some("main"), 10.0, 4.0),
        ];
        let ms = Unit::Milliseconds;
        let figures = [
            figure("frame/running", ms, 6.6, 26.6 - ready_ms),
            figure("frame/ready", ms, 0.1, 0.1 + ready_ms),
            figure("frame/blocked", ms, 10.0, 4.0),
        ];
        slow_frame(16.7 + 14.0, &timers, &figures)
    };
    for (ready_ms, work_ms) in [(15.0, 5.0), (10.0, 10.0), (2.0, 18.0), (0.0, 20.0)] {
        let hitch = preempted(ready_ms);
        let verdict = &hitch.verdict;
        assert!(verdict.starts_with("+20."), "{verdict}");
        let text = hitch.work_text().expect("the times differ");
        assert!(text.ends_with(" ms more work, 14.0 ms longer"), "{verdict}");
        let told: f64 = text[..text.find(' ').expect("a number")]
            .parse()
            .expect("a number");
        assert!((told - work_ms).abs() <= 0.4, "{ready_ms}: {verdict}");
    }
    let hitch = preempted(20.0);
    assert_eq!(hitch.work_text(), None, "{}", hitch.verdict);
}
