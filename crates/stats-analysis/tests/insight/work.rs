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
        (hitch.frame_ms, hitch.usual_ms, hitch.excess_ms) = (frame_ms, 16.7, excess_ms);
        hitch.work_text()
    };
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(with(16.7, 8.0), text("8.0 ms more work, no longer"));
    assert_eq!(with(16.66, 8.0), text("8.0 ms more work, no longer"));
    assert_eq!(with(15.7, 8.0), text("8.0 ms more work, 1.0 ms shorter"));
    assert_eq!(with(24.7, 8.5), None);
    assert_eq!(with(24.7, 8.51), text("8.5 ms more work, 8.0 ms longer"));
}
